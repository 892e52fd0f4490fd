/** How a new skill is normalised and tested. Source: seed 001; rulings K. */
import { choice, flag, integer, type ValuesOf } from "../policyLeaf.ts";
import { seconds } from "../units.ts";

export const creationLeaves = {
  heal: choice("off", ["off", "on"], {
    says: "Whether code that is broken, and not only wrapped, is repaired: closers and quotes are added, what cannot stand there goes.",
    source: "RULINGS K9; the seed refuses it, the real system heals it (on)",
  }),
  outerSpace: choice("kept", ["kept", "stripped"], {
    says: "What becomes of the space around code that needed no other change, its last newline included.",
    source: "RULINGS K10; the real system strips it",
  }),
  stderrCounts: flag(false, {
    says: "Whether a test run that wrote to stderr alone has printed something.",
    source: "RULINGS K3; the seed says stdout, the real system counts both",
  }),
  testLimitMs: integer(seconds(10), {
    says: "How long the test run of a new skill may take.",
    source: "ours: as any call of Python (the real system gives 600 s)",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
};

export type CreationPolicy = ValuesOf<typeof creationLeaves>;
