/** What the models of a run were asked and what could be used of their answers. */
import type { Tally } from "./tally.ts";

export interface ModelUse {
  /** Questions to the chat port; each was answered, failed, or was open at the end. */
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  readonly usable: number;
  /** Of the answers: those that came when their question was no longer open. No metric counts them. */
  readonly late: number;
  /** Answers by the model that gave them: a live model's name, or `scripted`. */
  readonly by: Tally;
  /** As the servers of live models counted them. */
  readonly promptTokens: number;
  readonly answerTokens: number;
  readonly purposes: ReadonlyMap<string, PurposeUse>;
  /** What was wrong with the calls that failed. */
  readonly errors: Tally;
}

export interface PurposeUse {
  readonly answered: number;
  readonly usable: number;
  /** What was wrong with the others. */
  readonly faults: Tally;
}
