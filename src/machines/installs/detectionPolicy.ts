/** How code is looked at before an agent is installed: leaves that stand directly below `installs`. */
import { choice, flag, integer, type ValuesOf } from "../policyLeaf.ts";

export const detectionLeaves = {
  analysis: {
    kind: choice("ast", ["ast", "pattern"], {
      says: "Whether Python and JavaScript are parsed, or every file is searched for words.",
      source: "RULINGS I3 (ast); real system, default provider (pattern)",
    }),
    table: choice("seed", ["seed", "real"], {
      says: "Which table is searched by, where words are searched for.",
      source: "seed 003, capability detection rules, and RULINGS I12 (seed); real system (real)",
    }),
    charsMax: integer(131_072, {
      says: "How long a text may be to be parsed; a longer one is searched for words.",
      source: "ours: Python has so much read well before `sandbox.parseLimitMs`",
      unit: "characters",
      min: 0,
      max: 10_000_000,
    }),
  },
  unfamiliar: choice("tell", ["tell", "require"], {
    says: "What a plain import means that no table knows: the person is told, or CodeExecution is required.",
    source: "RULINGS I14",
  }),
  instructionsScanned: flag(false, {
    says: "Whether the instructions are looked at as if they were a file SKILL.md.",
    source: "RULINGS I12 (false); real system (true)",
  }),
};

export type DetectionPolicy = ValuesOf<typeof detectionLeaves>;

/** What the real system does otherwise, by leaf. */
export const realDetection = {
  "analysis.kind": "pattern",
  "analysis.table": "real",
  instructionsScanned: true,
} as const;
