/** What a user turn knows, and how it opens. The order is in userTurn.ts. */
import type { At, Delivered, Json } from "../letter.ts";

export interface TurnInput {
  readonly turn: string;
  readonly says: string;
  readonly args: { readonly [name: string]: Json };
  /** The case of its argument, by which a specialised executor is found. */
  readonly case: string | null;
  readonly budgetCents: number | null;
}

export type TurnEvent = Delivered<
  | "plan.made"
  | "synth.progressed"
  | "synth.ended"
  | "executor.found"
  | "executor.ended"
  | "sandbox.replied"
  | "ask.bounced"
>;

export interface TurnContext {
  readonly input: TurnInput;
  readonly openedMs: number;
  readonly steps: readonly string[];
  readonly known: readonly string[];
  readonly towards: readonly string[];
  readonly isReplayed: boolean;
  /** Whether a chain stands in for what was missing. */
  readonly composed: boolean;
  /** Names that were missed in this turn: each has left its proto-mnest. */
  readonly missed: readonly string[];
  /** The first of the steps that no executor in the pool can take; null when there is none. */
  readonly gap: number | null;
  readonly step: number;
  readonly running: string;
  readonly code: string | null;
  readonly startedMs: number;
  /** Whose result the next step builds on. */
  readonly behind: string | null;
  readonly result: Json;
  /** How the step went that ran last; null once the turn goes on from it. */
  readonly ran: StepRun | null;
  /** Why the turn ends without a result; null while it may still have one. */
  readonly why: string | null;
}

export interface StepRun {
  /** An executor that answers `ok: false` has not done its work. */
  readonly ok: boolean;
  readonly result: Json;
  readonly error: string | null;
}

export const openingTurn = (input: TurnInput, { nowMs }: At): TurnContext => ({
  input,
  openedMs: nowMs,
  steps: [],
  known: [],
  towards: [],
  isReplayed: false,
  composed: false,
  missed: [],
  gap: null,
  step: 0,
  running: "",
  code: null,
  startedMs: nowMs,
  behind: null,
  result: null,
  ran: null,
  why: null,
});

export const addressOf = ({ input }: TurnContext): string => `gateway/${input.turn}`;
