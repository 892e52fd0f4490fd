/** Which virtual paths are closed to agents and their tools. Source: seed 004, "Lessons"; seed 000. */
import { type FolderPolicy, isOpen, isVirtualPath, rootsText } from "../../folders.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import type { AttachedHooks } from "../hooks.ts";
import { TOOLS_FOLDER } from "./state.ts";

export const toolLeaves = {
  directWrites: choice("allow", ["allow", "refuse"], {
    says: "Whether fs_write and fs_edit may touch the tools folder, past synthesize_capability.",
    source: "seed 000, The safe_file_executor incident; refuse is ours",
  }),
};

export type ToolPolicy = ValuesOf<typeof toolLeaves>;

interface Closing {
  readonly folders: FolderPolicy;
  readonly tools: ToolPolicy;
  readonly attached: Pick<AttachedHooks, "closed">;
}

/** Why these changes are refused, all of them; undefined when they are not. */
export function permitted(paths: readonly string[], closing: Closing): string | undefined {
  const sorted = [...paths].sort();
  const { folders } = closing;
  const outside = sorted.find((path) => !isVirtualPath(path, folders));
  if (outside !== undefined) {
    return `PermissionError: ${outside} is not below ${rootsText(folders)}`;
  }
  return sorted.map((path) => writeFault(path, closing)).find((found) => found !== undefined);
}

/** Why a change of this path is refused, as an exception's text; undefined when it is not. */
export function writeFault(
  path: string,
  { folders, tools, attached }: Closing,
): string | undefined {
  if (isVirtualPath(path, folders) && !isOpen(path, folders)) {
    return `PermissionError: ${path} is read-only`;
  }
  if (path.startsWith("/agentOS/agents/")) {
    return "PermissionError: /agentOS/agents/ is read-only";
  }
  const closed = attached.closed.find((folder) => path === folder || path.startsWith(`${folder}/`));
  if (closed !== undefined) return `PermissionError: ${closed} is closed to agents and their tools`;
  const isDirect = path.startsWith(`${TOOLS_FOLDER}/`) && tools.directWrites === "refuse";
  return isDirect
    ? `PermissionError: ${TOOLS_FOLDER} is written by synthesize_capability only`
    : undefined;
}
