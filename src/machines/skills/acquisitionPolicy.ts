/** How skills are stored, shown and routed: leaves that stand directly below `skills`. */
import { choice, flag, integer, type ValuesOf } from "../policyLeaf.ts";
import { seconds } from "../units.ts";

export const acquisitionLeaves = {
  normalise: flag(true, {
    says: "Whether code is normalised before anything is written; else it is tested as it came.",
    source: "seed 001, entry-point normalization (true); ours (false: before 2026-04-24)",
  }),
  store: choice("memory", ["memory", "sandbox"], {
    says: "Where skills are kept: outside the sandbox, or within it, as earlier installs did.",
    source: "seed 001 (memory), legacy storage (sandbox)",
    atStart: "a world is opened with its skills where they are kept",
  }),
  callLimitMs: integer(seconds(10), {
    says: "How long one call of a skill may take.",
    source: "ours: as any call of Python",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  hardened: flag(true, {
    says: "Whether prompts say of each skill how it is called and how it is not.",
    source: "seed 001, tool description hardening (true); before 2026-04-24 (false)",
  }),
  routed: integer(15, {
    says: "How many skills, at most, stand in the registry of the agents at once.",
    source: "RULINGS K13",
    unit: "skills",
    min: 1,
    max: 1_000,
  }),
  ghostRules: choice("off", ["off", "on"], {
    says: "Whether failures of skills and macros count towards broken_tools.json too, beside counts of their own.",
    source: "RULINGS K16: seed 000 counts tools (off); ours (on)",
  }),
  floor: integer(0, {
    says: "How alike a skill's description and the query must be for it to be routed.",
    source: "RULINGS K13: none in the seed",
    unit: "thousandths",
    min: 0,
    max: 1_000,
  }),
};

export type AcquisitionPolicy = ValuesOf<typeof acquisitionLeaves>;
