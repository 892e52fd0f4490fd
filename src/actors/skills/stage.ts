/** How a world opens because of skills, and what the outside does to them. */

import type { PartStage } from "../../contract/part.ts";
import { type Json, startActor } from "../../machines/letter.ts";
import type { Lesson } from "../../machines/skills/lesson.ts";
import type { Macro } from "../../machines/skills/macro.ts";
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import { PLAYBOOK } from "../../machines/skills/playbookKeeper.ts";
import { type SkillBook, saveSkill } from "../../machines/skills/skillBook.ts";
import { registryPath, registryText, SKILLS, skillPath } from "../../machines/skills/skillStore.ts";
import type { DreamChallenge } from "./scriptedDreams.ts";

declare module "../../contract/scenario.ts" {
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
  readonly macros: readonly Macro[];
  /** Lessons that are there from the start, the newest first. */
  readonly playbook: readonly Lesson[];
  /** Null: nobody dreams. */
  readonly dreams: Dreams | null;
}

/** What the models of self-play may think of. */
export interface Dreams {
  readonly challenges: readonly DreamChallenge[];
}

/** A skill that is there from the start. */
export interface StoredSkill {
  readonly name: string;
  readonly description: string;
  readonly parametersSchema: Json;
  readonly code: string;
  /** Whether it lies where earlier installs left skills, within the sandbox. */
  readonly isLegacy: boolean;
}

export const stage: PartStage = {
  files: ({ skills }, { skills: { store } }) => {
    const liesIn = ({ isLegacy }: StoredSkill) => (isLegacy ? "sandbox" : store);
    return Object.assign(
      {},
      ...(["memory", "sandbox"] as const).map((place) =>
        storeOf(skills?.acquired.filter((skill) => liesIn(skill) === place) ?? [], place),
      ),
    );
  },
  opening: ({ skills }) =>
    skills === undefined
      ? []
      : [
          { id: "skills", letter: startActor("skillKeeper", SKILLS, {}) },
          { id: "skills", letter: startActor("macroKeeper", MACROS, { macros: skills.macros }) },
          { id: "skills", letter: startActor("playbook", PLAYBOOK, { lessons: skills.playbook }) },
          ...(skills.dreams === null
            ? []
            : [{ id: "skills", letter: startActor("dreamer", "dreamer", {}) }]),
        ],
  letterOf: ({ does }) =>
    does === "sandbox.wipe" ? { to: SKILLS, event: { type: "sandbox.wiped" } } : undefined,
};

/** Files and registry, as a keeper leaves them. */
function storeOf(
  skills: readonly StoredSkill[],
  store: "memory" | "sandbox",
): { readonly [path: string]: string } {
  if (skills.length === 0) return {};
  const book = skills.reduce<SkillBook>((before, skill) => saveSkill(before, skill).book, []);
  const files = skills.map(({ name, code }): [string, string] => [skillPath(name, store), code]);
  return { ...Object.fromEntries(files), [registryPath(store)]: registryText(book) };
}
