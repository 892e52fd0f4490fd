/** Which virtual paths are closed to agents and their tools. Source: seed 004, "Lessons"; seed 000. */
import type { ToolPolicy } from "./registry.ts";
import { TOOLS_FOLDER } from "./state.ts";

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
