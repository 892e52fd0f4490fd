/** What can be measured of agents, their goals and tools. What no event counts is measured in meter.ts. */

import { type Metric, metricsIn } from "../../contract/gauge.ts";
import { NO_PLAN } from "../../machines/agents/agent/agentTurn.ts";
import { builtins } from "../../machines/agents/engine/builtins.ts";
import { FALLBACK_SOURCES, type FallbackSource } from "../../machines/agents/goal/goalContext.ts";
import {
  STRESSOR_TYPES,
  type StressorType,
} from "../../machines/agents/suffering/stressorPolicy.ts";
import type { MailOf } from "../../machines/letter.ts";

type Ended = MailOf<"goal.ended">;
type Synthesized = MailOf<"synthesis.finished">;

const isCompleted = ({ status }: Ended): boolean => status === "completed";

/** The keeper of lessons is told as well. */
const isFirst = (to: string): boolean => !to.startsWith("lessons/");

/** The step that rejected it; undefined when none did. */
const failedAt = ({ verdict, steps }: Synthesized): number | undefined =>
  verdict === "rejected" ? steps.find(({ outcome }) => outcome === "failed")?.step : undefined;

const goals = metricsIn("goals", "agent");
const calls = metricsIn("calls", "agent");
const misses = metricsIn("misses", "agent");
const lessons = metricsIn("lessons", "agent");
const shares = metricsIn("share", "agent");
const capabilities = metricsIn("capabilities");

const severity = metricsIn(
  "severity",
  "agent",
)("Severity, 0 when absent; of the world: the highest.");
const severities = Object.fromEntries(
  STRESSOR_TYPES.map((type) => [`stressor.${type}`, severity]),
) as { readonly [Name in `stressor.${StressorType}`]: Metric };

const madeFrom = goals("Of these, made from that source.");
const fallbacks = Object.fromEntries(
  FALLBACK_SOURCES.map((source) => [`goals.fallback.${source}`, madeFrom]),
) as { readonly [Name in `goals.fallback.${FallbackSource}`]: Metric };

const syntheses = metricsIn("syntheses", "agent");

const ranOnce = calls("Calls of that capability that succeeded.");
const ran = Object.fromEntries(
  [...builtins.map(({ name }) => name), "tools"].map((name) => [`ran.${name}`, ranOnce]),
) as { readonly [Name in `ran.${string}`]: Metric };

export const agentsMetrics = {
  "goals.completed": goals(
    "Goals that passed their gate.",
    { "goal.ended": (goal, to) => isCompleted(goal) && isFirst(to) },
    "less",
  ),
  "goals.abandoned": goals(
    "Goals given up or out of chances: the failed ones.",
    { "goal.ended": (goal, to) => !isCompleted(goal) && isFirst(to) },
    "more",
  ),
  "goals.doneShare": shares("Completed over ended goals, 0 to 1; 1 while none has ended."),
  "goals.unplanned": goals("Of the abandoned ones, those that got no plan.", {
    "goal.ended": ({ reason }, to) => isFirst(to) && (reason?.startsWith(NO_PLAN) ?? false),
  }),
  "goals.fallback": goals("Goals that an agent made because its model gave none."),
  ...fallbacks,
  "gate.missed": misses("Gates that a goal did not pass."),
  "gate.missed.output": misses("… because no step used an output capability."),
  "gate.missed.mechanical": misses("… because of the file itself."),
  "gate.missed.semantic": misses("… because the judge did not see the goal in it."),
  "gate.missed.facts": misses("… because it says of another file what is not so."),
  "lessons.candidates": lessons("Candidates for a lesson at this moment."),
  "lessons.promoted": lessons("Lessons that have become rules, at this moment."),
  "window.failed": metricsIn("goals")(
    "Failed ones among the last ended goals that repeated_failure looks at.",
  ),
  "calls.finished": calls("Tool calls that came to an end.", { "call.finished": 1 }),
  "calls.lost": calls(
    "Calls that returned nothing, whether or not an agent noticed.",
    { "call.finished": ({ nothing = false }) => nothing },
    "more",
  ),
  "calls.failed": calls(
    "Calls that the agent saw fail.",
    { "call.finished": ({ ok }) => !ok },
    "more",
  ),
  "ghost.calls": calls("Calls routed to a capability without code."),
  "ghost.refused": calls(
    "Calls that the pre-execution check refused: registered, and no code behind it.",
    undefined,
    "more",
  ),
  "ghost.nulls": calls(
    "Calls whose None was taken for a failure, whatever the tool had done before.",
  ),
  "ghost.registered": capabilities("Registered capabilities without code at this moment."),
  "broken.listed": capabilities("Entries of broken_tools.json at this moment."),
  ...severities,
  load: metricsIn("load", "agent")(
    "Sum of severities, at most 1; of the world: the highest.",
    undefined,
    "more",
  ),
  "synthesis.deployed": syntheses("Tools that passed the nine steps, untested ones too.", {
    "synthesis.finished": ({ verdict }) => verdict !== "already_deployed" && verdict !== "rejected",
  }),
  "synthesis.rejected": syntheses("Tools that a step turned down.", {
    "synthesis.finished": ({ verdict }) => verdict === "rejected",
  }),
  "synthesis.execFailed": syntheses("Of these, at step 8, the exec check.", {
    "synthesis.finished": (one) => failedAt(one) === 8,
  }),
  "synthesis.nullStubs": syntheses("Of these, null stubs at step 9.", {
    "synthesis.finished": (one) => failedAt(one) === 9,
  }),
  "synthesis.alreadyDeployed": syntheses("Answers of the dedup guard.", {
    "synthesis.finished": ({ verdict }) => verdict === "already_deployed",
  }),
  "calls.untested": calls("Calls routed to a tool while it was still being tested."),
  ...ran,
  "locks.refused": calls(
    "Calls refused by a lock, or not earned.",
    { "call.finished": ({ locked }) => locked !== undefined },
    "more",
  ),
} as const;

type AgentsMetrics = typeof agentsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends AgentsMetrics {}
}
