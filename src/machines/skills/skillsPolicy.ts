/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { acquisitionLeaves } from "./acquisitionPolicy.ts";
import { dreamLeaves } from "./dreamPolicy.ts";
import { macroLeaves } from "./macroPolicy.ts";
import { nudgeLeaves } from "./nudge.ts";
import { lessonGateLeaves, playbookLeaves } from "./playbookPolicy.ts";
import { skillLeaves } from "./skillPolicy.ts";
import { utilityLeaves } from "./utility.ts";

export const skillsLeaves = {
  ...skillLeaves,
  ...acquisitionLeaves,
  playbook: { ...playbookLeaves, ...nudgeLeaves },
  utility: utilityLeaves,
  dream: { ...dreamLeaves, ...lessonGateLeaves },
  macros: macroLeaves,
};

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
