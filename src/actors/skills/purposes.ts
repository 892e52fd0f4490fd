/** What self-play asks models for: the prompt, the form of the answer, and whether it can be read. */

import type { Purpose } from "../../contract/part.ts";
import { defined } from "../../machines/defined.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import type { View } from "../../machines/portMail.ts";
import {
  type Read,
  readChallenge,
  readExtracted,
  readSolution,
  renderSkill,
  skillSchemas,
} from "../../machines/skills/selfPlay.ts";
import { isSkillView } from "./scriptedDreams.ts";

interface Reader {
  readonly read: (text: string) => Read<unknown>;
  readonly tier: keyof LivePolicy["tier"];
}

const readers: { readonly [purpose in keyof typeof skillSchemas]: Reader } = {
  "skill.challenge": { read: readChallenge, tier: "plan" },
  "skill.solve": { read: readSolution, tier: "plan" },
  "skill.extract": { read: readExtracted, tier: "lesson" },
};

function render(view: View): string {
  if (!isSkillView(view)) throw new Error(`${view.purpose} is no purpose of skills`);
  return renderSkill(view);
}

function purposeOf(purpose: keyof typeof skillSchemas, { read, tier }: Reader): Purpose {
  const faultIn = (text: string): string | null => {
    const { fault } = read(text);
    return fault === undefined ? null : `there is ${fault.wrong}`;
  };
  return defined({
    render,
    format: skillSchemas[purpose],
    tier: (_, tiers) => tiers[tier],
    fault: (text) => faultIn(text) ?? "",
    unusable: faultIn,
  });
}

export const purposes: { readonly [purpose: string]: Purpose } = {
  "skill.challenge": purposeOf("skill.challenge", readers["skill.challenge"]),
  "skill.solve": purposeOf("skill.solve", readers["skill.solve"]),
  "skill.extract": purposeOf("skill.extract", readers["skill.extract"]),
};
