/** How long those wait who have a call paid, a turn planned or an executor made: longer than that can take. */
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { StagePolicy } from "./stageTable.ts";

interface Waits {
  readonly gate: GatePolicy;
  readonly stages: StagePolicy;
}

/** The desk answers twice, with the person's word between, then the model. */
export const paidCallMs = ({ gate, stages }: Waits): number =>
  stages.modelTimeoutMs + gate.waitMs + 2 * ANSWER_WAIT_MS;

/** The pool answers, then the model; and some more. */
export const planMs = ({ stages }: Pick<Waits, "stages">): number =>
  stages.modelTimeoutMs + 2 * ANSWER_WAIT_MS;

/** One run of the code, with the sandbox's own start. */
export const birthTestMs = ({ stages }: Pick<Waits, "stages">): number =>
  stages.testLimitMs + ANSWER_WAIT_MS;

/** Every stage with every retry, each as long as a call may take. */
export const draftMs = ({ gate, stages }: Waits): number =>
  30 * (stages.modelTimeoutMs + gate.waitMs);

/** A request waits for the person itself, several times over. */
export const requestMs = ({ gate, stages }: Waits): number =>
  100 * (stages.modelTimeoutMs + gate.waitMs);
