/** How it went for skills, lessons and macros of a run: counts at its end. */
import { type Counted, type Figures, lastValues } from "../../contract/figures.ts";
import type { Sections } from "../../contract/scenario.ts";

const OF = {
  created: "skills.created",
  refused: "skills.refused",
  degraded: "skills.degraded",
  retired: "skills.retired",
  lost: "skills.lost",
  called: "skills.called",
  failed: "skills.failed",
  wraps: "skills.wraps",
  lessons: "playbook.size",
  pins: "playbook.verified",
  dropped: "playbook.dropped",
  refusedByGuard: "playbook.refusedByGuard",
  shown: "playbook.surfaced",
  credited: "playbook.credited",
  macrosLearned: "macros.learned",
  macrosEvicted: "macros.evicted",
  macroRuns: "macros.called",
} as const;

declare module "../../contract/figures.ts" {
  interface Figures {
    /** Of a world with skills. */
    readonly skills?: SkillsFigures;
  }
}

/** Counts of skills, calls, lessons and macros; `metrics` says what each is. */
export type SkillsFigures = { readonly [Figure in keyof typeof OF]: number };

export const figures = ({ skills }: Partial<Sections>, counted: Counted): Partial<Figures> =>
  skills === undefined ? {} : { skills: lastValues(OF, counted) };
