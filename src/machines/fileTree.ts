/**
 * The tree of the agents' files: what lies where, since when, and by which delivery. Pure, for the
 * service in files.ts. Source: DESIGN §2.6.
 */
import { ownValue } from "./ownValue.ts";

export interface File {
  readonly text: string;
  readonly mtimeMs: number;
  /** The delivery that last changed it. */
  readonly madeBy: number;
  /** Those before it whose text still stands in it: what an append, an edit or a move left of it. */
  readonly earlier?: readonly number[];
}

/** By path, when and by which delivery what lay there last was removed. */
export interface Gone {
  readonly [path: string]: Moment;
}

/** Ours: how many writers an answer names, those that wrote last: enough to explain it, few enough to read. */
export const WRITERS_MAX = 5;

/** A change, with those before it that still count. What comes from outside has its number long before its time. */
export interface Written extends Moment {
  readonly earlier?: readonly number[] | undefined;
}

/** The last of those who made these changes, in the order in which they made them. */
export function lastWriters(changes: readonly Written[]): readonly number[] {
  const [only] = changes;
  if (only === undefined) return [];
  if (changes.length === 1) return [...(only.earlier ?? []), only.seq].slice(-WRITERS_MAX);
  const inOrder = changes.toSorted((one, other) => one.ms - other.ms || one.seq - other.seq);
  const facts = inOrder.flatMap(({ seq, earlier = [] }) => [...earlier, seq]);
  return [...new Set(facts.reverse())].slice(0, WRITERS_MAX).reverse();
}

export const writtenIn = ({ mtimeMs: ms, madeBy: seq, earlier }: File): Written => {
  return { ms, seq, earlier };
};

/** Files by folder, then by name. */
export interface Tree {
  readonly [folder: string]: { readonly [name: string]: File };
}

/** New texts by path; null removes. */
export interface Changed {
  readonly [path: string]: string | null;
}

/** The same as a list, each path once; with who wrote what of a new text was there before. */
export type Changes = readonly (readonly [
  path: string,
  text: string | null,
  earlier?: readonly number[],
])[];

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

/** How much lies below a folder. */
export interface FolderSize {
  readonly folder: string;
  /** Bytes in UTF-8 of all files below it, at any depth, and how many they are. */
  readonly bytes: number;
  readonly files: number;
}

export const fileAt = (tree: Tree, path: string): File | undefined => {
  const slash = path.lastIndexOf("/");
  return ownValue(tree[path.slice(0, slash)] ?? {}, path.slice(slash + 1));
};
