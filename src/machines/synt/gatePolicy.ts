/** How long people are waited for, and what stands without their word. */
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { days } from "../units.ts";

export const syntGateLeaves = {
  waitMs: integer(days(7), {
    unit: "ms",
    min: 1,
    max: days(3650),
    says: "How long the person is waited for; nothing is granted without their word.",
    source: "ours: the seed says always and everywhere, and no time",
  }),
  revisions: integer(3, {
    unit: "revisions",
    min: 0,
    max: 100,
    says: "How often a proposal is amended before it is given up.",
    source: "ours, after the seed's three retries",
  }),
};

export type GatePolicy = ValuesOf<typeof syntGateLeaves>;
