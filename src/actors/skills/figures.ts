/** How it went for skills, lessons and macros of a run, in figures. */
import type { Counted, Figures } from "../../contract/figures.ts";
import type { Sections } from "../../contract/scenario.ts";

declare module "../../contract/figures.ts" {
  interface Figures {
    /** Of a world with skills. */
    readonly skills?: SkillsFigures;
  }
}

/** How it went for skills, lessons and macros: counts at the end of the run, lessons and pins those there then. */
export interface SkillsFigures {
  readonly created: number;
  readonly refused: number;
  readonly degraded: number;
  readonly retired: number;
  /** Whose file or row was gone. */
  readonly lost: number;
  /** Calls that succeeded, and those that failed. */
  readonly called: number;
  readonly failed: number;
  readonly wraps: number;
  /** In the playbook at the end, and those of them that are verified. */
  readonly lessons: number;
  readonly pins: number;
  readonly dropped: number;
  readonly refusedByGuard: number;
  readonly shown: number;
  readonly credited: number;
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
          lost: last("skills.lost"),
          called: last("skills.called"),
          failed: last("skills.failed"),
          wraps: last("skills.wraps"),
          lessons: last("playbook.size"),
          pins: last("playbook.verified"),
          dropped: last("playbook.dropped"),
          refusedByGuard: last("playbook.refusedByGuard"),
          shown: last("playbook.surfaced"),
          credited: last("playbook.credited"),
          macrosLearned: last("macros.learned"),
          macrosEvicted: last("macros.evicted"),
          macroRuns: last("macros.called"),
        },
      };
