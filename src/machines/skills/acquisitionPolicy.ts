/** How skills are acquired, routed, counted and retired: the leaves that stand directly below `skills`. */
import { integer, type ValuesOf } from "../policyLeaf.ts";

export const acquisitionLeaves = {
  routed: integer(15, {
    says: "How many skills, at most, stand in the registry of the agents at once.",
    source: "RULINGS K13",
    unit: "skills",
    min: 1,
    max: 1_000,
  }),
};

export type AcquisitionPolicy = ValuesOf<typeof acquisitionLeaves>;
