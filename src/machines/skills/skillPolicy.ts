/** How a skill is normalised, tested, counted and retired. Source: seed 001; rulings K. */
import { choice, flag, integer, type ValuesOf } from "../policyLeaf.ts";
import { seconds } from "../units.ts";

export const skillLeaves = {
  heal: choice("off", ["off", "on"], {
    says: "Whether code that is broken, and not only wrapped, is repaired: closers and quotes are added, what cannot stand there goes.",
    source: "ruling K9; the seed refuses it, the real system heals it (on)",
  }),
  outerSpace: choice("kept", ["kept", "stripped"], {
    says: "What becomes of the space around code that needed no other change, its last newline included.",
    source: "ruling K10; the real system strips it",
  }),
  stderrCounts: flag(false, {
    says: "Whether a test run that wrote to stderr alone has printed something.",
    source: "ruling K3; the seed says stdout, the real system counts both",
  }),
  testLimitMs: integer(seconds(10), {
    says: "How long the test run of a new skill may take.",
    source: "ours: as any call of Python (the real system gives 600 s)",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  usageCounts: choice("success", ["success", "both"], {
    says: "Which calls of a skill count as its use: those that succeed, or those that fail too.",
    source: "seed 001, telemetry; ruling K7; both in the real system",
  }),
  degradeAfter: integer(3, {
    says: "After how many failures in a row a skill is degraded.",
    source: "seed 001, telemetry; ruling K6",
    unit: "failures",
    min: 1,
    max: 1_000,
  }),
  retireAfter: integer(3, {
    says: "From how many failures in a row a skill is retired, however much it was used.",
    source: "seed 001, retire, first clause; ruling K1",
    unit: "failures",
    min: 1,
    max: 1_000,
  }),
  retireYoungAfter: integer(5, {
    says: "From how many failures in a row a skill is retired that was used little.",
    source: "seed 001, retire, second clause; ruling K1: it can never decide",
    unit: "failures",
    min: 1,
    max: 1_000,
  }),
  youngUses: integer(10, {
    says: "Below how many uses a skill counts as used little.",
    source: "seed 001, retire, second clause; ruling K1",
    unit: "uses",
    min: 0,
    max: 1_000_000,
  }),
};

export type SkillPolicy = ValuesOf<typeof skillLeaves>;
