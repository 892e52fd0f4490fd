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

/** By path, the delivery that removed what lay there last. */
export interface Gone {
  readonly [path: string]: number;
}

/** Ours: how many writers an answer names, those that wrote last: enough to explain it, few enough to read. */
export const WRITERS_MAX = 5;

/** Of these facts the last ones, in their order. */
export const lastWriters = (facts: readonly number[]): readonly number[] =>
  facts.length < 2
    ? facts
    : [...new Set(facts)].sort((one, other) => one - other).slice(-WRITERS_MAX);

export const writersOf = ({ madeBy, earlier }: File): readonly number[] =>
  earlier === undefined ? [madeBy] : [...earlier, madeBy];

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

export const fileAt = (tree: Tree, path: string): File | undefined => {
  const slash = path.lastIndexOf("/");
  return ownValue(tree[path.slice(0, slash)] ?? {}, path.slice(slash + 1));
};
