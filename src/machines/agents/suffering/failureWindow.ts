/** The last ended goals that repeated_failure looks at: those of all agents, or each agent's own. */
import type { Letter, MailOf } from "../../letter.ts";
import type { StressorAddress } from "./agentRecord.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import { MEASURED } from "./stressorRules.ts";

export interface Ended {
  readonly agent: string;
  readonly n: number;
  readonly failed: boolean;
  /** The goal.ended that says so; the restart's own seq when read back from files. */
  readonly fact: number;
}

/** Whether two goals are counted together. */
const isSameWindow = (one: string, other: string, { failureWindow }: StressorPolicy): boolean =>
  failureWindow === "world" || one === other;

/** With one more ended goal, and without the oldest when the window is full. */
export function windowAfter(
  window: readonly Ended[],
  ended: Ended,
  policy: StressorPolicy,
): readonly Ended[] {
  const all = [...window, ended];
  const shared = all.filter(({ agent }) => isSameWindow(agent, ended.agent, policy));
  const overflow = shared.length > policy.repeatedFailure.window ? shared[0] : undefined;
  return all.filter((one) => one !== overflow);
}

/** An agent's goal has ended: every agent that shares its window is told how that stands now. */
export function windowLetters(
  window: readonly Ended[],
  agent: string,
  stressors: readonly StressorAddress[],
  policy: StressorPolicy,
): Letter[] {
  const seen = window.filter((one) => isSameWindow(one.agent, agent, policy));
  const failed = seen.filter((one) => one.failed);
  const event: MailOf<"window.assessed"> = {
    type: "window.assessed",
    failed: failed.length,
    total: seen.length,
  };
  const because = failed.map(({ fact }) => fact);
  return stressors
    .filter(({ type }) => type === MEASURED["window.assessed"])
    .filter((stressor) => isSameWindow(stressor.agent, agent, policy))
    .map(({ address: to }): Letter => ({ to, event, because }));
}
