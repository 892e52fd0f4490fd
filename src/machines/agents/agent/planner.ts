/** How often an agent looks around, how much it does, and how long it waits. Source: ruling U9. */

import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import type { FolderPolicy } from "../../folders.ts";
import { between, flag, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, minutes, seconds } from "../../units.ts";
import type { LockPolicy } from "../engine/locks.ts";
import type { RouterPolicy } from "../engine/router.ts";
import type { GoalGatePolicy } from "../goal/goalGateParts.ts";
import type { HookPolicy } from "../hooks.ts";
import type { StressorPolicy } from "../suffering/stressorPolicy.ts";
import type { MindPolicy } from "./profile.ts";

const ms = between(1, days(1), "ms");

export const plannerLeaves = {
  heartbeatMs: integer(seconds(6), ms, {
    says: "Rest between two cycles.",
    source: "RULINGS U9",
  }),
  stepsPerCycle: integer(6, between(1, 1_000, "steps"), {
    says: "Most steps in one cycle.",
    source: "RULINGS U9",
  }),
  consecutiveFailures: integer(4, between(1, 1_000, "steps"), {
    says: "Failed steps in a row that abandon a goal.",
    source: "hollow-agentOS, autonomy loop (seed 004 is silent)",
  }),
  emptyPlans: integer(4, between(1, 1_000, "answers"), {
    says: "Answers about a plan in a row without a usable step that abandon a goal.",
    source: "hollow-agentOS, autonomy loop: an empty plan fails four steps (seed 004 is silent)",
  }),
  wholePlans: flag(false, {
    says: "A plan is all there is of its goal: after a failed step comes the next one, and after the last the gate.",
    source: "ours, to play what a log recorded",
  }),
  answerTimeoutMs: integer(ANSWER_WAIT_MS, ms, {
    says: "How long an agent waits for its own daemon's services.",
    source: "ours",
  }),
  callTimeoutMs: integer(minutes(2), ms, {
    says: "How long an agent waits for a tool.",
    source: "ours, above the longest capability time-out",
  }),
  modelTimeoutMs: integer(minutes(10), ms, {
    says: "How long an agent waits for its model, its turn in the queue included.",
    source: "ours: three calls of 180 s, the real system's time-out, in a row",
  }),
  judgeTimeoutMs: integer(minutes(3), ms, {
    says: "How long an agent waits for its model to judge a plan or a message.",
    source: "ours: one call of 180 s, the real system's time-out",
  }),
  fallback: flag(true, {
    says: "Whether an agent makes a goal from what is there when its model gives nothing usable.",
    source: "seed 004, Goals; RULINGS U8",
  }),
};

export interface AgentPolicy {
  readonly planner: ValuesOf<typeof plannerLeaves>;
  readonly mind: MindPolicy;
  readonly gate: GoalGatePolicy;
  readonly hooks: HookPolicy;
  readonly stressors: StressorPolicy;
  readonly folders: FolderPolicy;
  readonly locks: LockPolicy;
  readonly router: Pick<RouterPolicy, "kind">;
}
