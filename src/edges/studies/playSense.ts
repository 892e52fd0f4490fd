/** Plays the rows of Saltelli's or Morris's design, and says what each factor explains. */
import {
  type SenseStudy,
  type Sensitivity,
  senseStudy,
  sensitivities,
} from "../../studies/sense.ts";
import type { Study } from "../../studies/study.ts";
import { BadInput } from "../errors.ts";
import { playSweep, type SweepPlan, type Swept, sweepPlan } from "./playSweep.ts";
import type { StudyRuns } from "./studyRuns.ts";

export interface SensePlan extends SweepPlan {
  readonly study: SenseStudy;
}

export interface Sensed {
  readonly plan: SensePlan;
  readonly swept: Swept;
  readonly sensitivity: { readonly [outcome: string]: Sensitivity };
}

/** Throws BadInput where the study has no design of which indices are known, or its factors are tied. */
export function sensePlan(study: Study, file: string): SensePlan {
  const sensed = senseStudy(study);
  if (sensed === null) {
    throw new BadInput({
      where: { file, path: "design" },
      found: study.design === null ? "no design" : `the design ${study.design.kind}`,
      allowed: "saltelli for Sobol indices, or morris for a screening",
      todo: "For example: design: { kind: saltelli, rows: 64 }. `sweep` plays the others.",
    });
  }
  const plan = sweepPlan(sensed, file);
  const stop = "`stop` is left aside: indices take as many replicates at every row.";
  return {
    ...plan,
    study: sensed,
    notes: study.stop === null ? plan.notes : [...plan.notes, stop],
  };
}

/** Undefined where it was interrupted. */
export async function playSense(plan: SensePlan, runs: StudyRuns): Promise<Sensed | undefined> {
  const swept = await playSweep(plan, runs);
  if (swept === undefined) return undefined;
  return { plan, swept, sensitivity: sensitivities(plan.study, plan.rows, swept.runs) };
}
