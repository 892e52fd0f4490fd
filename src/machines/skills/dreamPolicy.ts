/** When the dreamer dreams, and how it plays against itself. Source: seed 001, path B; dossier ghost 1.8. */
import { choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { days, minutes, seconds } from "../units.ts";
import type { LessonGatePolicy } from "./playbookPolicy.ts";

const SILENT = "RULINGS K15: dossier ghost, as the seed is silent";

export const dreamLeaves = {
  periodMs: integer(minutes(120), {
    unit: "ms",
    min: seconds(1),
    max: days(30),
    says: "How long the dreamer sleeps between two dreams.",
    source: "ours: the seed says only that dreams come in cycles",
  }),
  rounds: integer(1, {
    unit: "rounds",
    min: 0,
    max: 100,
    says: "How often it plays against itself in a dream; 0 leaves the upkeep alone.",
    source: "ours",
  }),
  attempts: integer(3, {
    unit: "attempts",
    min: 1,
    max: 20,
    says: "How often the solver may try before a challenge is lost.",
    source: SILENT,
  }),
  guard: choice("on", ["on", "off"], {
    says: "Whether lessons that copy the challenge, its setup or its validator are refused.",
    source: "seed 001; `off` for counterfactuals",
  }),
  modelTimeoutMs: integer(minutes(10), {
    unit: "ms",
    min: 1,
    max: days(1),
    says: "Longest wait for a model's answer.",
    source: "ours",
  }),
  runLimitMs: integer(seconds(30), {
    unit: "ms",
    min: 1,
    max: seconds(600),
    says: "Longest run of a solution, and of a validator.",
    source: SILENT,
  }),
  latency: {
    challengeMs: integer(seconds(30), {
      ...{ unit: "ms", min: 1, max: minutes(10), source: "ours" },
      says: "Of the scripted model: a challenge.",
    }),
    solveMs: integer(seconds(40), {
      ...{ unit: "ms", min: 1, max: minutes(10), source: "ours" },
      says: "Of the scripted model: a solution.",
    }),
    extractMs: integer(seconds(15), {
      ...{ unit: "ms", min: 1, max: minutes(10), source: "ours" },
      says: "Of the scripted model: a lesson.",
    }),
  },
};

export type DreamPolicy = ValuesOf<typeof dreamLeaves> & LessonGatePolicy;
