/** What the factors of a study explain of each outcome: Sobol indices of Saltelli's rows, or Morris's of trajectories. */
import { groupedBy } from "../machines/grouped.ts";
import { morrisPoints, saltelliPoints } from "./sample/cubePoints.ts";
import { factorGroups } from "./sample/factorGroups.ts";
import { inFoldingOrder } from "./statistics/fold.ts";
import { doVary } from "./statistics/intervals.ts";
import { type MorrisIndices, morrisIndices } from "./statistics/morrisIndices.ts";
import { type PawnIndices, pawnIndices } from "./statistics/pawn.ts";
import {
  noiseOfMeans,
  plainMean,
  type Rows,
  spreadOf,
  wholeBlocks,
} from "./statistics/replicatedRows.ts";
import { type SobolIndices, sobolIndices } from "./statistics/sobolIndices.ts";
import type { Design, Study } from "./study.ts";
import type { SweepRun } from "./sweepSummary.ts";

export type SenseDesign = Extract<Design, { readonly kind: "morris" | "saltelli" }>;

/** A study whose design has indices. Nothing ends its replicates early, as every row needs as many. */
export interface SenseStudy extends Study {
  readonly design: SenseDesign;
  readonly stop: null;
  readonly isCompared: false;
}

/** Runs of whose value only a bound is known: the indices are of that bound. */
interface Bounded {
  readonly censored: number;
}

/** By group of factors, each of one where the design has no groups; the names are SALib's. PAWN is null of groups: its slices are of one factor. */
export type Sensitivity =
  | ({ readonly kind: "sobol"; readonly pawn: PawnIndices | null } & Bounded & SobolIndices)
  | ({
      readonly kind: "morris";
      /** The share of the variance of the rows' means that is chance; null of one replicate. */
      readonly noise: number | null;
    } & Bounded &
      MorrisIndices)
  | { readonly kind: "none"; readonly why: string };

/** Null where its design has none. */
export function senseStudy(study: Study): SenseStudy | null {
  const { design } = study;
  return design?.kind === "morris" || design?.kind === "saltelli"
    ? { ...study, design, stop: null, isCompared: false }
    : null;
}

/** `rows` says which point each row of the design is. Indices are of the mean over the replicates. */
export function sensitivities(
  study: SenseStudy,
  rows: readonly number[],
  runs: readonly SweepRun[],
): { readonly [outcome: string]: Sensitivity } {
  const byPoint = groupedBy(inFoldingOrder(runs), ({ point }) => point);
  return Object.fromEntries(
    study.outcomes.map(({ name }) => {
      const values = rows.map((point) =>
        (byPoint.get(point) ?? []).map((run) => run.values[name] ?? null),
      );
      const censored = runs.filter((run) => run.censored.includes(name)).length;
      return [name, sensitivity(study, { name, censored }, values)];
    }),
  );
}

function sensitivity(
  study: SenseStudy,
  { name: outcome, censored }: { readonly name: string; readonly censored: number },
  values: Rows,
): Sensitivity {
  const { design, seed, replicates } = study;
  const { names, groupOf } = factorGroups(study);
  const factors = names.length;
  const question = { factors, values, seeds: replicates.seeds, seed, outcome };
  const size = design.kind === "morris" ? factors + 1 : 2 * factors + 2;
  const { blocks, starts, left } = wholeBlocks(values, size);
  if (blocks.length < 2) {
    const what = design.kind === "morris" ? "trajectories" : "base rows";
    const why = `Only ${blocks.length} of ${blocks.length + left} ${what} have a value of every run; two at least are needed.`;
    return { kind: "none", why };
  }
  const means = blocks.flat().map(plainMean);
  const variance = spreadOf(means);
  const nothing: Sensitivity = {
    kind: "none",
    why: `It is ${means[0]} at every point: no factor changes it.`,
  };
  if (!doVary(means)) return nothing;
  if (design.kind === "saltelli") {
    const found = sobolIndices(question);
    if (found === null) return nothing;
    const unit = saltelliPoints(design.rows, groupOf, seed);
    const used = starts.flatMap((start) => unit.slice(start, start + size));
    const isGrouped = factors < groupOf.length;
    const pawn = isGrouped ? null : pawnIndices(used, means, { seed, outcome });
    return { kind: "sobol", censored, pawn, ...found };
  }
  const found = morrisIndices({ ...question, groupOf, unit: morrisPoints(design, groupOf, seed) });
  if (found === null) return nothing;
  const chance = noiseOfMeans(blocks.flat(), replicates.seeds);
  const noise = chance === null ? null : Math.min(1, chance / variance);
  return { kind: "morris", noise, censored, ...found };
}
