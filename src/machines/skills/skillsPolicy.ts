/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { acquisitionLeaves } from "./acquisitionPolicy.ts";

export const skillsLeaves = { ...acquisitionLeaves };

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
