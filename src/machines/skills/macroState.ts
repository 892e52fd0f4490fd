/** What the keeper of macros knows, and what it says of the book to the engine and to itself. */
import type { Letter, MailOf } from "../letter.ts";
import type { Outcome } from "../service.ts";
import type { Macro } from "./macro.ts";
import { type KeptMacro, type MacroBook, scoredText, shownText } from "./macroBook.ts";
import type { MacroRun, RunPolicy } from "./macroRun.ts";
import { MACRO_KIND, sequenceOf, type Traces } from "./macroTraces.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

/** The address of the keeper. */
export const MACROS = "macros";

export interface MacrosInput {
  readonly macros: readonly Macro[];
}

export interface MacrosState {
  /** Whether no count but the book's own is taken of them. */
  readonly judges: boolean;
  /** The engine that asked last. */
  readonly engine: string | null;
  readonly book: MacroBook;
  readonly traces: Traces;
  /** When a sequence last left the book: what agents did before counts for it no more. */
  readonly leftMs: { readonly [sequence: string]: number };
  /** By the number of the engine's question. */
  readonly runs: { readonly [question: string]: MacroRun };
}

export type MacrosDone = Outcome<MacrosState>;

/** How long the engine waits for the end of a run. */
export type KeeperPolicy = RunPolicy & {
  readonly waitMs: number;
  readonly ghostRules: SkillsPolicy["ghostRules"];
};

/** All that there are, in the order in which they came. */
export const listLetter = ({ book, judges }: MacrosState, to: string): Letter => ({
  to,
  event: {
    type: "entries.listed",
    kind: MACRO_KIND,
    judges,
    entries: book.map((one) => ({
      name: one.name,
      description: scoredText(one),
      reads: shownText(one),
    })),
  },
});

/** After a change of the book. */
export const changeLetters = (state: MacrosState, because: readonly number[]): Letter[] =>
  state.engine === null ? [] : [{ ...listLetter(state, state.engine), because }];

export const say = (
  event: MailOf<"macro.learned" | "macro.evicted" | "macro.retired" | "macro.ended">,
) => ({
  to: MACROS,
  event,
});

/** When these left the book, so that what agents did before counts no more. */
export const noteLeft = (
  state: MacrosState,
  gone: readonly KeptMacro[],
  atMs: number,
): MacrosState => ({
  ...state,
  leftMs: {
    ...state.leftMs,
    ...Object.fromEntries(
      gone.map(({ steps }) => [sequenceOf(steps.map(({ tool }) => tool)), atMs]),
    ),
  },
});
