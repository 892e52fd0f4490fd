/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { acquisitionLeaves } from "./acquisitionPolicy.ts";
import { creationLeaves } from "./creationPolicy.ts";
import { bookLeaves } from "./skillBook.ts";

export const skillsLeaves = { ...acquisitionLeaves, ...creationLeaves, ...bookLeaves };

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
