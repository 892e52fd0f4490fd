/** Morris's screening: how much an outcome moves with one factor, from trajectories that move one at a time. */
import { assert } from "../../substrate/assert.ts";
import { bootstrapStream, drawnAgain, halfWidth, RESAMPLES, rowsAndSeeds } from "./bootstrap.ts";
import { momentsOf, varianceOf } from "./fold.ts";
import { CONFIDENCE } from "./intervals.ts";
import { plainMean, type Rows, type Seeds, wholeBlocks } from "./replicatedRows.ts";

/** By factor; the names are SALib's. */
export interface MorrisIndices {
  readonly mu: readonly number[];
  readonly mu_star: readonly number[];
  readonly sigma: readonly number[];
  readonly mu_star_conf: readonly number[];
  /** Trajectories that counted, and those left out because a run of theirs gave nothing. */
  readonly trajectories: number;
  readonly left: number;
}

export interface MorrisQuestion {
  readonly factors: number;
  /** Rows in the unit cube, trajectory after trajectory, each of one row more than there are factors. */
  readonly unit: readonly (readonly number[])[];
  readonly values: Rows;
  readonly seeds: Seeds;
  readonly seed: number;
  readonly outcome: string;
  readonly resamples?: number;
  readonly confidence?: number;
}

interface Step {
  readonly factor: number;
  readonly by: number;
}

/** Which factor each step of a trajectory moved, and how far. */
function stepsOf(rows: readonly (readonly number[])[]): Step[] {
  return rows.slice(1).map((row, index) => {
    const before = rows[index] ?? [];
    const moved = row.flatMap((value, factor) =>
      value === before[factor] ? [] : [{ factor, by: value - (before[factor] ?? 0) }],
    );
    assert(moved.length === 1, "a step of a trajectory moves one factor");
    return moved[0] as Step;
  });
}

/** What one trajectory says of each factor: the change of the outcome per whole range of the factor. */
function effectsOf(steps: readonly Step[], means: readonly number[]): number[] {
  const effects = new Array<number>(steps.length).fill(0);
  steps.forEach(({ factor, by }, index) => {
    effects[factor] = ((means[index + 1] ?? 0) - (means[index] ?? 0)) / by;
  });
  return effects;
}

/** Null where fewer than two trajectories are whole. */
export function morrisIndices(question: MorrisQuestion): MorrisIndices | null {
  const { factors, unit, values, seeds, seed, outcome } = question;
  const { resamples = RESAMPLES, confidence = CONFIDENCE } = question;
  const size = factors + 1;
  assert(values.length === unit.length, "each row of a design has its values");
  assert(values.length % size === 0, "a trajectory has one row more than there are factors");
  const { blocks, starts, left } = wholeBlocks(values, size);
  if (blocks.length < 2) return null;
  const steps = starts.map((at) => stepsOf(unit.slice(at, at + size)));
  const replicates = blocks[0]?.[0]?.length ?? 0;
  const every = Array.from({ length: replicates }, (_, r) => r);
  const effectsOver = (chosen: readonly number[]): number[][] =>
    blocks.map((block, index) => {
      const means = block.map((row) => plainMean(chosen.map((r) => row[r] ?? 0)));
      return effectsOf(steps[index] ?? [], means);
    });
  const effects = effectsOver(every);
  const ofFactor = (table: readonly (readonly number[])[], factor: number) =>
    table.map((row) => row[factor] ?? 0);
  const meanSize = (table: readonly (readonly number[])[], factor: number) =>
    plainMean(ofFactor(table, factor).map(Math.abs));

  const stream = bootstrapStream(seed, `morris ${outcome}`);
  const areSeedsDrawn = seeds === "common" && replicates > 1;
  const again: { readonly byRows: number[]; readonly byBoth: number[] }[] = [];
  const numbers = Array.from({ length: factors }, (_, factor) => factor);
  for (let time = 0; time < resamples; time += 1) {
    const rows = drawnAgain(stream, effects.length);
    const sizes = (of: readonly (readonly number[])[]) => {
      const table = rows.map((row) => of[row] ?? []);
      return numbers.map((factor) => meanSize(table, factor));
    };
    const byRows = sizes(effects);
    const byBoth = areSeedsDrawn ? sizes(effectsOver(drawnAgain(stream, replicates))) : byRows;
    again.push({ byRows, byBoth });
  }
  const counts = [effects.length, areSeedsDrawn ? replicates : null] as const;
  const widthOf = (factor: number) => {
    const [byRows, byBoth] = [
      again.map((one) => one.byRows[factor] ?? 0),
      again.map((one) => one.byBoth[factor] ?? 0),
    ];
    return halfWidth(rowsAndSeeds(counts, byRows, byBoth), confidence);
  };
  return {
    mu: numbers.map((factor) => plainMean(ofFactor(effects, factor))),
    mu_star: numbers.map((factor) => meanSize(effects, factor)),
    sigma: numbers.map((factor) => Math.sqrt(varianceOf(momentsOf(ofFactor(effects, factor))))),
    mu_star_conf: numbers.map(widthOf),
    trajectories: effects.length,
    left,
  };
}
