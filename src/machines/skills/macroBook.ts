/**
 * The macros that there are, and how often each was used, as a value: adding one more than there is room for pushes out the one
 * that was used least. Source: seed 001, "Composed skills".
 */
import { between, integer } from "../policyLeaf.ts";
import type { Macro } from "./macro.ts";

export const macroBookLeaves = {
  kept: integer(50, between(1, 1_000, "macros"), {
    says: "Most macros; one more pushes out the one that was used least, the oldest of equals.",
    source: "seed 001, Composed skills",
  }),
};

/** A macro, and what became of it. */
interface KeptMacro extends Macro {
  /** Runs that are over, and those of them that went well. */
  readonly uses: number;
  readonly worked: number;
  readonly lastUsedMs: number | null;
  /** The delivery that brought it. */
  readonly madeBy: number;
}

/** In the order in which they came. */
export type MacroBook = readonly KeptMacro[];

export const newMacro = (macro: Macro, madeBy: number): KeptMacro => ({
  ...macro,
  uses: 0,
  worked: 0,
  lastUsedMs: null,
  madeBy,
});

export const macroOf = (book: MacroBook, name: string): KeptMacro | undefined =>
  book.find((one) => one.name === name);

/** With one more, and what had to go for it: never the newcomer. A name that is taken changes nothing. */
export function addMacro(
  book: MacroBook,
  macro: KeptMacro,
  kept: number,
): { readonly book: MacroBook; readonly evicted: MacroBook } {
  if (macroOf(book, macro.name) !== undefined) return { book, evicted: [] };
  const excess = Math.max(0, book.length + 1 - kept);
  // Sorting is stable: of those that were used alike the oldest goes.
  const evicted = book.toSorted((a, b) => a.uses - b.uses).slice(0, excess);
  return { book: [...book.filter((one) => !evicted.includes(one)), macro], evicted };
}

/** After a run of it. One that has left the book meanwhile stays away. */
export const countRun = (book: MacroBook, name: string, ok: boolean, atMs: number): MacroBook =>
  book.map((one) =>
    one.name === name
      ? { ...one, uses: one.uses + 1, worked: one.worked + (ok ? 1 : 0), lastUsedMs: atMs }
      : one,
  );

/** What stands in prompts. */
export function shownText({ description, steps, uses, worked }: KeptMacro): string {
  const share = uses === 0 ? 0 : Math.round((100 * worked) / uses);
  return (
    `[COMPOSED SKILL] ${description} To RUN it, CALL THIS TOOL DIRECTLY by name with its inputs — ` +
    `do NOT define/re-create it. (${steps.length} steps; used ${uses}x with ${share}% success)`
  );
}
