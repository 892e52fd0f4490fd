/** The policy of lessons with some leaves changed. */
import type { SkillsPolicy } from "../../../src/machines/skills/skillsPolicy.ts";
import { parts } from "../../../src/parts.ts";
import { type PolicyValue, policyWith } from "../../../src/policy.ts";

export const lessonPolicy = (changed: { [path: string]: PolicyValue } = {}): SkillsPolicy =>
  policyWith(parts, changed).skills;
