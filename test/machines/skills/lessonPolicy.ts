/** The policy of lessons with some leaves changed. */

import { parts } from "../../../src/builtIn/parts.ts";
import { type PolicyValue, policyWith } from "../../../src/contract/policyTree.ts";
import type { SkillsPolicy } from "../../../src/machines/skills/skillsPolicy.ts";

export const lessonPolicy = (changed: { [path: string]: PolicyValue } = {}): SkillsPolicy =>
  policyWith(parts, changed).skills;
