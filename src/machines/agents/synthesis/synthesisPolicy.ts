/** The numbers and switches of the nine steps. Source: seed 000; rulings T1, T6 to T9. */
import { choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, seconds } from "../../units.ts";

export const synthesisLeaves = {
  missingImplementation: choice("stub", ["stub", "refuse"], {
    says: "What a call without code gets: a stub that answers and does nothing, or a refusal.",
    source: "seed 000, Auto-stub generation; Return values; RULINGS T1",
  }),
  dedupWindowMs: integer(seconds(90), {
    says: "How long after a .py was written another one of its name is refused.",
    source: "seed 000, Dedup guard",
    unit: "ms",
    min: 0,
    max: days(1),
  }),
  order: choice("reload-then-test", ["reload-then-test", "test-then-reload"], {
    says: "Whether a tool is live while it is tested, or only afterwards.",
    source: "seed 000, The nine steps; test-then-reload is ours, RULINGS T7",
  }),
  execTimeoutMs: integer(seconds(8), {
    says: "How long the exec check may take.",
    source: "seed 000, Auto-test: exec check",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  nullCheckTimeoutMs: integer(seconds(12), {
    says: "How long the call without arguments may take.",
    source: "seed 000, Auto-test: null return check",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  cleanup: choice("spec-only", ["spec-only", "both"], {
    says: "What a failed exec check removes; a .py that stays blocks a fix for the dedup window.",
    source: "seed 000, Auto-test: exec check; both is ours, RULINGS T8",
  }),
  raisingCall: choice("untested", ["untested", "deploy", "reject"], {
    says:
      "A null check that raises: untested when arguments are missing and else rejected, always " +
      "deployed, or always rejected.",
    source: "seed 000 is silent; RULINGS T9",
  }),
};

export type SynthesisPolicy = ValuesOf<typeof synthesisLeaves>;
