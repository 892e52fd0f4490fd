/** What can be measured of agents, their goals and tools. The meter in meter.ts measures it. */

import { builtins } from "../../machines/agents/engine/builtins.ts";
import { FALLBACK_SOURCES, type FallbackSource } from "../../machines/agents/goal/goalContext.ts";
import {
  STRESSOR_TYPES,
  type StressorType,
} from "../../machines/agents/suffering/stressorPolicy.ts";

const goals = { unit: "goals", perAgent: true };
const calls = { unit: "calls", perAgent: true };
const misses = { unit: "misses", perAgent: true };
const lessons = { unit: "lessons", perAgent: true };

const severity = {
  unit: "severity",
  perAgent: true,
  says: "Severity, 0 when absent; of the world: the highest.",
};
const severities = Object.fromEntries(
  STRESSOR_TYPES.map((type) => [`stressor.${type}`, severity]),
) as { readonly [Name in `stressor.${StressorType}`]: typeof severity };

const madeFrom = { ...goals, says: "Of these, made from that source." };
const fallbacks = Object.fromEntries(
  FALLBACK_SOURCES.map((source) => [`goals.fallback.${source}`, madeFrom]),
) as { readonly [Name in `goals.fallback.${FallbackSource}`]: typeof madeFrom };

const syntheses = { unit: "syntheses", perAgent: true };

const ranOnce = { ...calls, says: "Calls of that capability that succeeded." };
const ran = Object.fromEntries(
  [...builtins.map(({ name }) => name), "tools"].map((name) => [`ran.${name}`, ranOnce]),
) as { readonly [Name in `ran.${string}`]: typeof ranOnce };

export const agentsMetrics = {
  "goals.completed": { ...goals, says: "Goals that passed their gate." },
  "goals.abandoned": { ...goals, says: "Goals given up or out of chances: the failed ones." },
  "goals.doneShare": {
    unit: "share",
    perAgent: true,
    says: "Completed over ended goals, 0 to 1; 1 while none has ended.",
  },
  "goals.unplanned": { ...goals, says: "Of the abandoned ones, those that got no plan." },
  "goals.fallback": { ...goals, says: "Goals that an agent made because its model gave none." },
  ...fallbacks,
  "gate.missed": { ...misses, says: "Gates that a goal did not pass." },
  "gate.missed.output": { ...misses, says: "… because no step used an output capability." },
  "gate.missed.mechanical": { ...misses, says: "… because of the file itself." },
  "gate.missed.semantic": { ...misses, says: "… because the judge did not see the goal in it." },
  "gate.missed.facts": { ...misses, says: "… because it says of another file what is not so." },
  "lessons.candidates": { ...lessons, says: "Candidates for a lesson at this moment." },
  "lessons.promoted": { ...lessons, says: "Lessons that have become rules, at this moment." },
  "window.failed": {
    unit: "goals",
    perAgent: false,
    says: "Failed ones among the last ended goals that repeated_failure looks at.",
  },
  "calls.finished": { ...calls, says: "Tool calls that came to an end." },
  "calls.lost": { ...calls, says: "Calls that returned nothing, whether or not an agent noticed." },
  "calls.failed": { ...calls, says: "Calls that the agent saw fail." },
  "ghost.calls": { ...calls, says: "Calls routed to a capability without code." },
  "ghost.refused": {
    ...calls,
    says: "Calls that the pre-execution check refused: registered, and no code behind it.",
  },
  "ghost.nulls": {
    ...calls,
    says: "Calls whose None was taken for a failure, whatever the tool had done before.",
  },
  "ghost.registered": {
    unit: "capabilities",
    perAgent: false,
    says: "Registered capabilities without code at this moment.",
  },
  "broken.listed": {
    unit: "capabilities",
    perAgent: false,
    says: "Entries of broken_tools.json at this moment.",
  },
  ...severities,
  load: {
    unit: "load",
    perAgent: true,
    says: "Sum of severities, at most 1; of the world: the highest.",
  },
  "synthesis.deployed": {
    ...syntheses,
    says: "Tools that passed the nine steps, untested ones too.",
  },
  "synthesis.rejected": { ...syntheses, says: "Tools that a step turned down." },
  "synthesis.execFailed": { ...syntheses, says: "Of these, at step 8, the exec check." },
  "synthesis.nullStubs": { ...syntheses, says: "Of these, null stubs at step 9." },
  "synthesis.alreadyDeployed": { ...syntheses, says: "Answers of the dedup guard." },
  "calls.untested": { ...calls, says: "Calls routed to a tool while it was still being tested." },
  ...ran,
  "locks.refused": { ...calls, says: "Calls refused by a lock, or not earned." },
} as const;

type AgentsMetrics = typeof agentsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends AgentsMetrics {}
}
