/** What a draft knows, and how it opens. The order is in executorDraft.ts. */
import type { Delivered, Json } from "../letter.ts";
import type { Draft, Material, Need, SyntError } from "./contract.ts";
import type { Hint } from "./hints.ts";
import type { Strategy } from "./reward.ts";
import type { StageAnswer } from "./stageAnswers.ts";
import { codeStageOf, type DraftKind, STAGES } from "./stageTable.ts";

export interface DraftInput {
  readonly request: string;
  /** Its own address. */
  readonly self: string;
  readonly replyTo: string;
  readonly kind: DraftKind;
  readonly strategy: Strategy;
  readonly need: Need;
  readonly material: Material;
  /** What a rewrite is shown of the executors it joins. */
  readonly members: readonly Json[];
  readonly pool: readonly string[];
  readonly feedback: string | null;
  /** The model that writes the code: the prompt repertoire looks at it. */
  readonly coder: { readonly provider: string; readonly model: string | null };
}

export type DraftEvent = Delivered<
  "files.replied" | "paid.ended" | "python.parsed" | "sandbox.replied" | "ask.bounced"
>;

export interface DraftContext {
  readonly input: DraftInput;
  /** The index of its stage. */
  readonly stage: number;
  readonly codeStage: number;
  /** Retries used, by stage. */
  readonly retries: readonly number[];
  /** Calls made so far: the number of the next address. */
  readonly calls: number;
  readonly faults: readonly string[];
  /** Entries of the user's prompt repertoire. */
  readonly userHints: readonly Hint[];
  readonly draft: Partial<Draft>;
  /** Birth tests run on this code, counting the one that is running. */
  readonly run: number;
  readonly passed: number;
  readonly startedMs: number;
  readonly testMs: number;
  /** Of its calls, in millionths of a cent. */
  readonly cost: number;
  readonly why: string | null;
  readonly error: SyntError | null;
  /** The latest answer of a stage as it was read; null once it is acted upon. */
  readonly answer: StageAnswer | Unpaid | null;
  /** What is wrong with the code, or with the birth test that ran; null for nothing. */
  readonly fault: string | null;
}

/** The call of a stage was not paid for. */
export interface Unpaid {
  readonly unpaid: string;
  readonly error: SyntError;
}

export const openingDraft = (input: DraftInput): DraftContext => ({
  input,
  stage: 0,
  codeStage: codeStageOf(input.kind),
  retries: STAGES[input.kind].map(() => 0),
  calls: 1,
  faults: [],
  userHints: [],
  // A rewrite has its name already; the stages find one.
  draft: input.kind === "transform" ? { name: input.need.name } : {},
  run: 1,
  passed: 0,
  startedMs: 0,
  testMs: 0,
  cost: 0,
  why: null,
  error: null,
  answer: null,
  fault: null,
});
