/** The numbers and switches of skills, lessons and macros, composed from their files. Source: seed 001; rulings K. */
import type { ValuesOf } from "../policyLeaf.ts";
import { dreamLeaves } from "./dreamer.ts";
import { lessonGateLeaves } from "./lessonGate.ts";
import { runLeaves } from "./macro.ts";
import { macroBookLeaves } from "./macroBook.ts";
import { minedLeaves } from "./macroKeeper.ts";
import { miningLeaves } from "./macroMining.ts";
import { healingLeaves } from "./normalise.ts";
import { playbookLeaves } from "./playbook.ts";
import { nudgeLeaves } from "./playbookKeeper.ts";
import { utilityLeaves } from "./retention.ts";
import { outputLeaves } from "./scriptRun.ts";
import { skillLeaves } from "./skill.ts";
import { bookLeaves } from "./skillBook.ts";
import { callLeaves } from "./skillKeeper.ts";
import { listingLeaves } from "./skillListing.ts";
import { storeLeaves } from "./skillStore.ts";

const { normalise, testLimitMs } = skillLeaves;
const { stepsMax, ...resultLeaves } = runLeaves;

export const skillsLeaves = {
  normalise,
  ...storeLeaves,
  ...callLeaves,
  ...listingLeaves,
  ...healingLeaves,
  ...outputLeaves,
  testLimitMs,
  ...bookLeaves,
  playbook: { ...playbookLeaves, ...nudgeLeaves },
  utility: utilityLeaves,
  dream: { ...dreamLeaves, ...lessonGateLeaves },
  macros: { ...macroBookLeaves, stepsMax, ...minedLeaves, ...miningLeaves, ...resultLeaves },
};

export type SkillsPolicy = ValuesOf<typeof skillsLeaves>;
