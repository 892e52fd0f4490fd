/** The numbers and switches of composed skills. Source: seed 001, "Composed skills"; dossier 1.10. */
import { choice, integer, type ValuesOf } from "../policyLeaf.ts";

const steps = { unit: "steps", min: 1, max: 10_000 };
const characters = { unit: "characters", min: 1, max: 1_000_000 };

export const macroLeaves = {
  kept: integer(50, {
    unit: "macros",
    min: 1,
    max: 1_000,
    says: "Most macros; one more pushes out the one that was used least, the oldest of equals.",
    source: "seed 001, Composed skills",
  }),
  stepsMax: integer(64, {
    ...steps,
    says: "Most steps of one run, those of branches too; a run that wants more has failed.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
  mined: choice("dream", ["dream", "goal"], {
    says: "When sequences that recur become macros: in each dream, or after each completed goal too.",
    source: "dossier 1.10 (dream); ours (goal)",
  }),
  support: integer(3, {
    unit: "goals",
    min: 1,
    max: 1_000,
    says: "In so many completed goals a sequence of calls recurs.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
  windowMax: integer(4, {
    ...steps,
    min: 2,
    max: 20,
    says: "Most calls of a sequence; two are the least.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
  minedMax: integer(3, {
    unit: "macros",
    min: 0,
    max: 100,
    says: "Most macros that are learned at once.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
  goalsMax: integer(200, {
    unit: "goals",
    min: 1,
    max: 10_000,
    says: "Most completed goals whose calls are remembered; one more pushes out the oldest.",
    source: "ours",
  }),
  resultChars: integer(4_000, {
    ...characters,
    says: "Where the result of one step is cut in what a run returns.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
  savedChars: integer(16_000, {
    ...characters,
    says: "Where the result of one step is cut that later steps may use.",
    source: "RULINGS K15: dossier 1.10, as the seed is silent",
  }),
};

export type MacroPolicy = ValuesOf<typeof macroLeaves>;
