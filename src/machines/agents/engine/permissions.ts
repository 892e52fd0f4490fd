/** Which virtual paths are closed to agents and their tools. Source: seed 004, "Lessons"; seed 000. */
import { isPlainPath } from "../../files.ts";
import type { ToolPolicy } from "./registry.ts";
import { TOOLS_FOLDER } from "./state.ts";

/** Why these changes are refused, all of them; undefined when they are not. */
export function permitted(paths: readonly string[], tools: ToolPolicy): string | undefined {
  const sorted = [...paths].sort();
  const outside = sorted.find((path) => !isPlainPath(path));
  if (outside !== undefined) return `PermissionError: ${outside} is not below /agentOS`;
  return sorted.map((path) => writeFault(path, tools)).find((found) => found !== undefined);
}

/** Why a change of this path is refused, as an exception's text; undefined when it is not. */
export function writeFault(path: string, tools: ToolPolicy): string | undefined {
  if (path.startsWith("/agentOS/agents/")) {
    return "PermissionError: /agentOS/agents/ is read-only";
  }
  const isDirect = path.startsWith(`${TOOLS_FOLDER}/`) && tools.directWrites === "refuse";
  return isDirect
    ? `PermissionError: ${TOOLS_FOLDER} is written by synthesize_capability only`
    : undefined;
}
