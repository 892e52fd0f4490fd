/**
 * The tree of the agents' files: what lies where, since when, and by which delivery. Pure functions of
 * the service in files.ts. Source: DESIGN §2.6.
 */
import type { At } from "./letter.ts";
import { ownValue } from "./ownValue.ts";
import { utf8Length } from "./utf8Length.ts";

export interface File {
  readonly text: string;
  readonly mtimeMs: number;
  /** The delivery that last changed it. */
  readonly madeBy: number;
}

/** Files by folder, then by name: a write copies one folder, not the whole tree. */
export interface Tree {
  readonly [folder: string]: { readonly [name: string]: File };
}

/** New texts by path; null removes. */
export interface Changed {
  readonly [path: string]: string | null;
}

/** A moment of a run: deliveries are in this order. */
export interface Moment {
  readonly ms: number;
  readonly seq: number;
}

/** A view of the files, and which of the paths that a change names were not in it. */
export interface Since extends Moment {
  readonly created: readonly string[];
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory";
  /** Bytes in UTF-8; 0 for a directory. */
  readonly size: number;
}

/** The first path that is not as it was at that moment: written since, or removed. */
export function otherSince(tree: Tree, changed: Changed, since: Since): string | undefined {
  return Object.keys(changed)
    .sort()
    .find((path) => {
      const file = fileAt(tree, path);
      // What both removed is gone, as both wanted.
      if (file === undefined) return changed[path] !== null && !since.created.includes(path);
      const { mtimeMs, madeBy } = file;
      return mtimeMs > since.ms || (mtimeMs === since.ms && madeBy > since.seq);
    });
}

export const fileAt = (tree: Tree, path: string): File | undefined => {
  const slash = path.lastIndexOf("/");
  return ownValue(tree[path.slice(0, slash)] ?? {}, path.slice(slash + 1));
};

/** Paths of all files below these folders, sorted. */
export const under = (tree: Tree, folders: readonly string[]): string[] =>
  Object.keys(tree)
    .filter((folder) => folders.some((top) => folder === top || folder.startsWith(`${top}/`)))
    .flatMap((folder) => Object.keys(tree[folder] ?? {}).map((name) => `${folder}/${name}`))
    .sort();

export const filesUnder = (tree: Tree, folder: string): File[] =>
  under(tree, [folder]).flatMap((path) => fileAt(tree, path) ?? []);

/** What lies directly in a folder, by name. A folder is there as long as a file lies below it. */
export function entriesOf(tree: Tree, folder: string): DirectoryEntry[] {
  const entries = new Map<string, DirectoryEntry>();
  for (const path of under(tree, [folder])) {
    const [name = "", ...below] = path.slice(folder.length + 1).split("/");
    const entry: DirectoryEntry =
      below.length > 0
        ? { name, type: "directory", size: 0 }
        : { name, type: "file", size: utf8Length(fileAt(tree, path)?.text ?? "") };
    entries.set(`${entry.type} ${name}`, entry);
  }
  return [...entries.values()];
}

export function treeAfter(tree: Tree, changed: Changed, at: At): Tree {
  const after: { [folder: string]: Tree[string] } = { ...tree };
  for (const [path, text] of Object.entries(changed)) {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, slash);
    const name = path.slice(slash + 1);
    if (text === null) {
      const { [name]: _, ...others } = after[folder] ?? {};
      after[folder] = others;
    } else {
      after[folder] = {
        ...after[folder],
        [name]: { text, mtimeMs: at.nowMs, madeBy: at.seq },
      };
    }
  }
  return after;
}
