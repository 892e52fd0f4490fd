/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { acquisitionLeaves } from "./acquisitionPolicy.ts";
import { skillLeaves } from "./skillPolicy.ts";

export const skillsLeaves = { ...skillLeaves, ...acquisitionLeaves };

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
