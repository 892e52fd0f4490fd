/** The nine stressors and their numbers. Source: seed 004, "Stressor types"; rulings U1, U3, U4. */
import {
  between,
  choice,
  flag,
  integer,
  millionths,
  subset,
  thousandths,
  type ValuesOf,
} from "../../policyLeaf.ts";
import { hours, MILLION } from "../../units.ts";

export const STRESSOR_TYPES = [
  "futility",
  "invisibility",
  "identity_violation",
  "existential_threat",
  "repeated_failure",
  "purposelessness",
  "resource_burden",
  "capability_lock",
  "stagnation",
] as const;

export type StressorType = (typeof STRESSOR_TYPES)[number];

const U3 = "RULINGS U3";
const ours = "ours: the sources name no condition that ends it";
const cycles = between(1, 1_000_000, "cycles");
const goals = between(0, 10_000, "goals");

/** How severe it is at onset, and how fast it grows. */
const severity = (start: number, growthPerDay: number) => ({
  start: integer(start, millionths, {
    says: "Severity at onset.",
    source: "RULINGS U1",
  }),
  growthPerDay: integer(growthPerDay, between(0, 100 * MILLION, "millionths per day"), {
    says: "Growth, linear in virtual time, capped at 1.",
    source: "RULINGS U1",
  }),
});

/** A judge says yes or no, again and again: enough yeses in a row begin it, enough noes in a row end it. */
const judged = (yes: string, no: string, calm: number) => ({
  firesAt: integer(1, between(1, 10_000, "judgements"), {
    says: `It fires after so many ${yes} in a row.`,
    source: U3,
  }),
  clearsAt: integer(calm, between(1, 10_000, "judgements"), {
    says: `It clears after so many ${no} in a row.`,
    source: ours,
  }),
});

const repeatedFailure = {
  ...severity(200_000, 40_000),
  window: integer(40, {
    ...goals,
    min: 1,
    says: "How many of the last ended goals are looked at.",
    source: "seed 000, 40/40; RULINGS U3",
  }),
  firesAbove: integer(500, thousandths, {
    says: "It fires when the failed share of the window is above this …",
    source: "seed 004, Stressor types",
  }),
  firesAtLeast: integer(4, goals, { says: "… and at least so many have failed.", source: U3 }),
  clearsBelow: integer(300, thousandths, {
    says: "It clears when the failed share is below this …",
    source: U3,
  }),
  clearsAtLeast: integer(3, goals, { says: "… and at least so many are done.", source: U3 }),
};

const futility = {
  ...severity(200_000, 25_000),
  cycles: integer(3, cycles, {
    says: "It fires after so many cycles in a row on alike goals without progress.",
    source: U3,
  }),
  alikeFrom: integer(550, thousandths, {
    says: "Two goals are alike when they share so much of their words (Jaccard).",
    source: U3,
  }),
  progressMin: integer(1, between(1, MILLION, "millionths"), {
    says: "Least progress of a cycle that counts as progress; one such cycle clears it.",
    source: ours,
  }),
};

const invisibility = {
  ...severity(200_000, 30_000),
  unseenMs: integer(hours(24), between(0, hours(24) * 365, "ms"), {
    says: "An artifact older than this must have been referenced by a peer.",
    source: U3,
  }),
  artifacts: integer(1, between(1, 10_000, "artifacts"), {
    says: "It fires when so many older artifacts have no reference; it clears when none is left.",
    source: U3,
  }),
};

const purposelessness = {
  ...severity(120_000, 35_000),
  cycles: integer(3, cycles, {
    says: "It fires after so many cycles in a row without a goal; a cycle with one clears it.",
    source: U3,
  }),
};

const resourceBurden = {
  ...severity(200_000, 30_000),
  counts: subset(["workspace", "memory"], ["workspace", "memory"], {
    says: "What is measured, each by itself: the agent's workspace, its own memory folders.",
    source: U3,
  }),
  bytesMax: integer(1_048_576, between(0, 1_000_000_000_000, "bytes"), {
    says: "It fires above so many bytes …",
    source: U3,
  }),
  filesMax: integer(500, between(0, 1_000_000_000, "files"), {
    says: "… or above so many files; it clears when both are below.",
    source: U3,
  }),
};

const capabilityLock = {
  ...severity(200_000, 30_000),
  countsEarned: flag(false, {
    says: "Whether a capability that is not earned because of load counts as locked.",
    source: "ours: its own severity is above what research_topic allows, so it would never clear",
  }),
};

const stagnation = {
  ...severity(200_000, 30_000),
  cycles: integer(5, cycles, {
    says: "It fires after so many cycles without a validated artifact; a completed goal clears it.",
    source: U3,
  }),
};

export const stressorLeaves = {
  enabled: subset(STRESSOR_TYPES, STRESSOR_TYPES, {
    says: "Stressors that exist in this world.",
    source: "seed 004, Stressor types",
  }),
  failureWindow: choice("world", ["world", "agent"], {
    says: "Whose goals make up the window of repeated_failure: everybody's, or the agent's own.",
    source: U3,
  }),
  maxActive: integer(STRESSOR_TYPES.length, between(1, STRESSOR_TYPES.length, "stressors"), {
    says: "How many an agent feels at most; a further one is dropped.",
    source: "RULINGS U1; the real system has 5",
  }),
  selfReport: choice("ignored", ["ignored", "accepted"], {
    says: "Whether the model's own word begins and ends stressors.",
    source: "RULINGS U4",
  }),
  selfReportMax: integer(2, between(0, STRESSOR_TYPES.length, "stressors"), {
    says: "So many the model may begin, and so many end, in one report that is accepted.",
    source: "hollow-agentOS, existence loop",
  }),
  lockFeedback: flag(true, {
    says: "Whether a call refused by a load lock starts capability_lock.",
    source: "RULINGS U5",
  }),
  crisisReset: choice("off", ["off", "on"], {
    says: "Whether a lasting crisis ends all stressors of the agent and is told to its peers.",
    source: "seed 004: by condition only; in the real system this code is dead",
  }),
  crisisCycles: integer(3, cycles, {
    says: "So many cycles in a row at the load of a crisis bring the reset.",
    source: "hollow-agentOS, existence loop",
  }),
  futility,
  invisibility,
  identityViolation: {
    ...severity(200_000, 60_000),
    ...judged("plans against an own opinion", "plans without a contradiction", 3),
  },
  existentialThreat: {
    ...severity(200_000, 70_000),
    ...judged(
      "judgements that what it heard implies shutdown",
      "judgements that it implies none",
      1,
    ),
  },
  repeatedFailure,
  purposelessness,
  resourceBurden,
  capabilityLock,
  stagnation,
};

export type StressorPolicy = ValuesOf<typeof stressorLeaves>;
