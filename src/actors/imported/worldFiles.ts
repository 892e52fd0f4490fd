/** Files that a log shows to have been there: what calls read before any call wrote it. */

import { isVirtualPath, NO_FOLDERS } from "../../machines/folders.ts";
import { FOLDER_PATTERN } from "../../machines/policyLeaf.ts";
import { worldBounds } from "./worldBounds.ts";
import type { WorldItem } from "./worldItems.ts";
import type { Cutter } from "./worldValues.ts";
import { pathUse } from "./writtenPaths.ts";

export interface FilesOfLog {
  /** Texts by absolute path, there from the start. */
  readonly files: { readonly [path: string]: string };
  /** Folders beyond /agentOS in which they lie. */
  readonly folders: readonly string[];
  /** Files that the world does not have: those of relative paths, where no file can lie, and beyond the bound. */
  readonly elsewhere: number;
}

export function filesOf(items: readonly WorldItem[], cutter: Cutter): FilesOfLog {
  const known = new Set<string>();
  const files: { [path: string]: string } = {};
  const folders = new Set<string>();
  let elsewhere = 0;
  for (const item of items) {
    const use = item.kind === "call" ? pathUse(item.tool, item.args) : undefined;
    if (use === undefined || item.kind !== "call") continue;
    const [path = "", ...more] = use.paths;
    // Of several paths it is not known which of them the result is of.
    if (use.does === "writes" || more.length > 0) {
      for (const one of use.paths) known.add(one);
      continue;
    }
    const { result = null, error = null } = item.outcome ?? {};
    if (known.has(path) || error !== null || typeof result !== "string" || result === "") continue;
    known.add(path);
    const folder = folderOf(path);
    const names = Object.keys(files);
    if (folder === undefined || names.length >= worldBounds.files || isWithin(path, names)) {
      elsewhere += 1;
      continue;
    }
    if (folder !== null) folders.add(folder);
    files[path] = cutter.text(result);
  }
  return { files, folders: [...folders].sort(), elsewhere };
}

/** Elsewhere below /agentOS the world's own actors write. */
const WORKSPACE = "/agentOS/workspace/";

/** The folder beyond /agentOS in which the path can lie, its first one; none for the workspace; undefined where none can. */
function folderOf(path: string): string | null | undefined {
  if (path.startsWith(WORKSPACE)) return isVirtualPath(path, NO_FOLDERS) ? null : undefined;
  const [folder = ""] = /^\/[^/]+(?=\/)/.exec(path) ?? [];
  const isOne = FOLDER_PATTERN.test(folder);
  return isOne && isVirtualPath(path, { readable: [], writable: [folder] }) ? folder : undefined;
}

/** No file lies where another one has a folder. */
const isWithin = (path: string, others: readonly string[]): boolean =>
  others.some((one) => one.startsWith(`${path}/`) || path.startsWith(`${one}/`));
