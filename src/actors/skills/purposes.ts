/** What self-play asks models for: the prompt, the form of the answer, and whether it can be read. */

import { defined } from "../../machines/defined.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import type { View } from "../../machines/portMail.ts";
import {
  readChallenge,
  readExtracted,
  readSolution,
  renderSkill,
  skillSchemas,
} from "../../machines/skills/selfPlay.ts";
import type { Purpose } from "../part.ts";
import { isSkillView } from "./scriptedDreams.ts";

interface Reader {
  readonly read: (text: string) => unknown;
  readonly fault: string;
  readonly tier: keyof LivePolicy["tier"];
}

const readers: { readonly [purpose in keyof typeof skillSchemas]: Reader } = {
  "skill.challenge": {
    ...{ read: readChallenge, tier: "plan" },
    fault: "there is no challenge with domain, setup and validator",
  },
  "skill.solve": { read: readSolution, fault: "there is no def solve", tier: "plan" },
  "skill.extract": {
    ...{ read: readExtracted, tier: "lesson" },
    fault: "there is no lesson with trigger, correct_pattern and confidence",
  },
};

function render(view: View): string {
  if (!isSkillView(view)) throw new Error(`${view.purpose} is no purpose of skills`);
  return renderSkill(view);
}

const purposeOf = (purpose: keyof typeof skillSchemas, { read, fault, tier }: Reader): Purpose =>
  defined({
    render,
    format: skillSchemas[purpose],
    tier: (_, tiers) => tiers[tier],
    fault: () => fault,
    unusable: (text) => (read(text) === null ? fault : null),
  });

export const purposes: { readonly [purpose: string]: Purpose } = {
  "skill.challenge": purposeOf("skill.challenge", readers["skill.challenge"]),
  "skill.solve": purposeOf("skill.solve", readers["skill.solve"]),
  "skill.extract": purposeOf("skill.extract", readers["skill.extract"]),
};
