/** How it went for skills, lessons and macros of a run, in figures. */
import type { Counted, Figures } from "../figures.ts";
import type { Sections } from "../scenario.ts";

declare module "../figures.ts" {
  interface Figures {
    /** Of a world with skills. */
    readonly skills?: SkillsFigures;
  }
}

export interface SkillsFigures {
  readonly created: number;
  readonly refused: number;
  readonly degraded: number;
  readonly retired: number;
  readonly wraps: number;
  /** In the playbook at the end, and those of them that are verified. */
  readonly lessons: number;
  readonly pins: number;
  readonly dropped: number;
  readonly macrosLearned: number;
  readonly macrosEvicted: number;
  readonly macroRuns: number;
}

export const figures = ({ skills }: Partial<Sections>, { last }: Counted): Partial<Figures> =>
  skills === undefined
    ? {}
    : {
        skills: {
          created: last("skills.created"),
          refused: last("skills.refused"),
          degraded: last("skills.degraded"),
          retired: last("skills.retired"),
          wraps: last("skills.wraps"),
          lessons: last("playbook.size"),
          pins: last("playbook.verified"),
          dropped: last("playbook.dropped"),
          macrosLearned: last("macros.learned"),
          macrosEvicted: last("macros.evicted"),
          macroRuns: last("macros.called"),
        },
      };
