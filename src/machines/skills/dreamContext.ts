/** What the dreamer knows, round by round. */
import type { Delivered, Json } from "../letter.ts";
import type { Attempt, Challenge, Extracted, RoundEnd } from "./selfPlay.ts";

export type DreamEvent = Delivered<
  "llm.replied" | "llm.failed" | "sandbox.replied" | "ask.bounced"
>;

/** Files of the sandbox, by path; null for one that the code removed. */
export type Left = { readonly [path: string]: string | null };

export interface DreamContext {
  /** How many dreams began. */
  readonly dream: number;
  /** The round of this dream, from 1; 0 before the first. */
  readonly round: number;
  /** The texts of the last challenges, newest last. */
  readonly played: readonly string[];
  /** The domains of which anything was ever tried. */
  readonly known: readonly string[];
  readonly challenge: Challenge | null;
  readonly attempts: readonly Attempt[];
  /** The code that runs, and what it left. */
  readonly code: string | null;
  readonly answer: Json;
  readonly left: Left;
  /** Why the try that runs has failed; null while nothing speaks against it. */
  readonly fault: string | null;
  readonly lesson: Extracted | null;
  /** The solver's one try with the lesson before it. */
  readonly verification: Attempt | null;
  readonly end: RoundEnd | null;
  readonly reason: string | null;
  /** What this round rests on, by number. */
  readonly facts: readonly number[];
}

const freshRound: Omit<DreamContext, "dream" | "round" | "played" | "known"> = {
  challenge: null,
  attempts: [],
  code: null,
  answer: null,
  left: {},
  fault: null,
  lesson: null,
  verification: null,
  end: null,
  reason: null,
  facts: [],
};

export const openingDream: DreamContext = {
  ...{ dream: 0, round: 0, played: [], known: [] },
  ...freshRound,
};

export const beginDream = ({ dream, played, known }: DreamContext): DreamContext => ({
  ...openingDream,
  ...{ dream: dream + 1, played, known },
});

export const nextRound = ({ dream, round, played, known }: DreamContext): DreamContext => ({
  ...freshRound,
  ...{ dream, round: round + 1, played, known },
});
