/** How a world opens because of skills, and what the outside does to them. */
import { startActor } from "../../machines/letter.ts";
import { legacyPath, SKILLS, skillPath } from "../../machines/skills/skillFolders.ts";
import type { PartStage } from "../part.ts";

declare module "../scenario.ts" {
  interface Sections {
    readonly skills?: SkillsSection;
  }
  interface OutsideEvents {
    "sandbox.wipe": { readonly [field in never]: never };
  }
}

/** What a scenario says of skills, lessons and macros. The part is there when it says anything. */
export interface SkillsSection {
  readonly acquired: readonly StoredSkill[];
}

/** A skill that is there from the start. */
export interface StoredSkill {
  readonly name: string;
  readonly description: string;
  /** Which parameters it takes, as JSON text. */
  readonly parameters: string;
  readonly code: string;
  /** Whether it lies where earlier installs left skills, within the sandbox. */
  readonly isLegacy: boolean;
}

export const stage: PartStage = {
  files: ({ skills }) =>
    Object.fromEntries(
      (skills?.acquired ?? []).map(({ name, code, isLegacy }) => [
        isLegacy ? legacyPath(name) : skillPath(name),
        code,
      ]),
    ),
  opening: ({ skills }) =>
    skills === undefined
      ? []
      : [
          {
            id: "skills",
            letter: startActor("skillKeeper", SKILLS, { acquired: skills.acquired }),
          },
        ],
  letterOf: ({ does }) =>
    does === "sandbox.wipe" ? { to: SKILLS, event: { type: "sandbox.wiped" } } : undefined,
};
