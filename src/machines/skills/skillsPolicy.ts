/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { acquisitionLeaves } from "./acquisitionPolicy.ts";
import { creationLeaves } from "./creationPolicy.ts";
import { dreamLeaves } from "./dreamPolicy.ts";
import { macroLeaves } from "./macroPolicy.ts";
import { nudgeLeaves } from "./nudge.ts";
import { lessonGateLeaves, playbookLeaves } from "./playbookPolicy.ts";
import { bookLeaves } from "./skillBook.ts";
import { utilityLeaves } from "./utility.ts";

export const skillsLeaves = {
  ...acquisitionLeaves,
  ...creationLeaves,
  ...bookLeaves,
  playbook: { ...playbookLeaves, ...nudgeLeaves },
  utility: utilityLeaves,
  dream: { ...dreamLeaves, ...lessonGateLeaves },
  macros: macroLeaves,
};

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
