/**
 * One number or switch of a modelled system: what it is, which values it may take and who says so.
 * Each machine file exports its leaves; `policy.ts` composes them into the tree that `--set` reaches.
 */

interface LeafText {
  /** One sentence for `ghostlight policy`. */
  readonly says: string;
  /** Seed and section, ruling id, or "ours". */
  readonly source: string;
  /** Why it cannot change on the way: who reads it when they start, and never again. */
  readonly atStart?: string;
}

export interface IntegerLeaf extends LeafText {
  readonly kind: "integer";
  readonly default: number;
  readonly unit: string;
  readonly min: number;
  readonly max: number;
}

/** Whether the leaf is a length of time or a time of day, in milliseconds. */
export const isTime = ({ unit }: Pick<IntegerLeaf, "unit">): boolean => /^ms\b/.test(unit);

/** How many digits after the point the leaf's unit is: 6 of millionths; undefined where it is no share. */
export function shareDigits({ unit }: Pick<IntegerLeaf, "unit">): number | undefined {
  const [, part] = /^(millionths|thousandths)(?: per day)?$/.exec(unit) ?? [];
  return part === undefined ? undefined : part === "millionths" ? 6 : 3;
}

export interface FlagLeaf extends LeafText {
  readonly kind: "flag";
  readonly default: boolean;
}

export interface ChoiceLeaf<T extends string = string> extends LeafText {
  readonly kind: "choice";
  readonly default: T;
  readonly options: readonly T[];
  /** Those that random worlds try, where the others make sense only in a world that is written for them. */
  readonly tried?: readonly T[];
}

/** Any subset of `options`, without repetition. */
export interface SubsetLeaf<T extends string = string> extends LeafText {
  readonly kind: "subset";
  readonly default: readonly T[];
  readonly options: readonly T[];
}

/** Any absolute paths of folders, each once, that are no one's already. */
export interface FoldersLeaf extends LeafText {
  readonly kind: "folders";
  readonly default: readonly string[];
}

export type Leaf = IntegerLeaf | FlagLeaf | ChoiceLeaf | SubsetLeaf | FoldersLeaf;

/** Whether its value is a list, which may be written with commas. */
export const isList = ({ kind }: Leaf): boolean => kind === "subset" || kind === "folders";

/** Plain, a few levels deep, and none that Python's or the shell's own disk has. */
export const FOLDER_PATTERN =
  /^\/(?!(?:agentOS|bin|dev|lib|proc|sys|tmp|usr|work)(?:\/|$))[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,59}(?:\/[A-Za-z0-9_+-][A-Za-z0-9_.+-]{0,59}){0,9}$/;

/** No folder beyond /agentOS, unless the world says otherwise. */
export const folders = (rest: LeafText): FoldersLeaf => ({ kind: "folders", default: [], ...rest });

type Bounds = Pick<IntegerLeaf, "unit" | "min" | "max">;

/** The bounds of a whole number of a unit, both included. */
export const between = (min: number, max: number, unit: string): Bounds => ({ unit, min, max });

/** Shares of one. */
export const thousandths = between(0, 1_000, "thousandths");
export const millionths = between(0, 1_000_000, "millionths");

/** A whole number of a unit, `min` and `max` included. */
export function integer(value: number, rest: Bounds & LeafText): IntegerLeaf;
export function integer(value: number, bounds: Bounds, text: LeafText): IntegerLeaf;
export function integer(value: number, bounds: Bounds, text?: LeafText): IntegerLeaf {
  // Without a text of its own, the text stands among the bounds.
  return { kind: "integer", default: value, ...(bounds as Bounds & LeafText), ...text };
}

/** A switch. */
export const flag = (value: boolean, rest: LeafText): FlagLeaf => ({
  kind: "flag",
  default: value,
  ...rest,
});

/** One of several words. */
export const choice = <const T extends string>(
  value: NoInfer<T>,
  options: readonly T[],
  rest: LeafText & Pick<ChoiceLeaf<NoInfer<T>>, "tried">,
): ChoiceLeaf<T> => ({ kind: "choice", default: value, options, ...rest });

/** Any of several words, each once. */
export const subset = <const T extends string>(
  value: readonly NoInfer<T>[],
  options: readonly T[],
  rest: LeafText,
): SubsetLeaf<T> => ({ kind: "subset", default: value, options, ...rest });

/** The same list, with more that it may hold, and of that, what it holds unless told otherwise. */
export const widerList = (
  leaf: SubsetLeaf,
  options: readonly string[],
  usual: readonly string[] = [],
): SubsetLeaf => ({
  ...leaf,
  default: [...leaf.default, ...usual],
  options: [...leaf.options, ...options],
});

/** A group of leaves, or of groups. */
export interface LeafTree {
  readonly [name: string]: Leaf | LeafTree;
}

/** The values of a tree of leaves: what a machine reads. */
export type ValuesOf<T> = T extends IntegerLeaf
  ? number
  : T extends FlagLeaf
    ? boolean
    : T extends ChoiceLeaf<infer U>
      ? U
      : T extends SubsetLeaf<infer U>
        ? readonly U[]
        : T extends FoldersLeaf
          ? readonly string[]
          : { readonly [K in keyof T]: ValuesOf<T[K]> };
