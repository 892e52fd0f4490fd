/** Morris's screening: how much an outcome moves with one factor, from trajectories that move one at a time. */
import { assert } from "../../substrate/assert.ts";
import { halfWidths, type IndexQuestion } from "./bootstrap.ts";
import { momentsOf, varianceOf } from "./fold.ts";
import { plainMean, wholeBlocks } from "./replicatedRows.ts";

/** By group; the names are SALib's. */
export interface MorrisIndices {
  /** Null of a group of several factors, as of `sigma`: some went up and some down, so that only the size of an effect is known. */
  readonly mu: readonly (number | null)[];
  readonly mu_star: readonly number[];
  readonly sigma: readonly (number | null)[];
  readonly mu_star_conf: readonly number[];
  /** Trajectories that counted, and those left out because a run of theirs gave nothing. */
  readonly trajectories: number;
  readonly left: number;
}

export interface MorrisQuestion extends IndexQuestion {
  /** Rows in the unit cube, trajectory after trajectory, each of one row more than there are groups. */
  readonly unit: readonly (readonly number[])[];
  /** The group of each place of a row. */
  readonly groupOf: readonly number[];
}

interface Step {
  readonly group: number;
  readonly by: number;
}

/** Which group each step of a trajectory moved, and how far, as its first factor went. */
function stepsOf(rows: readonly (readonly number[])[], groupOf: readonly number[]): Step[] {
  return rows.slice(1).map((row, index) => {
    const before = rows[index] ?? [];
    const moved = row.flatMap((value, factor) =>
      value === before[factor]
        ? []
        : [{ group: groupOf[factor] ?? 0, by: value - (before[factor] ?? 0) }],
    );
    const groups = new Set(moved.map(({ group }) => group));
    assert(groups.size === 1, "a step of a trajectory moves one group");
    return moved[0] as Step;
  });
}

/** What one trajectory says of each group: the change of the outcome per whole range of its factors. */
function effectsOf(steps: readonly Step[], means: readonly number[]): number[] {
  const effects = new Array<number>(steps.length).fill(0);
  steps.forEach(({ group, by }, index) => {
    effects[group] = ((means[index + 1] ?? 0) - (means[index] ?? 0)) / by;
  });
  return effects;
}

/** Null where fewer than two trajectories are whole. */
export function morrisIndices(question: MorrisQuestion): MorrisIndices | null {
  const { factors, unit, groupOf, values } = question;
  const size = factors + 1;
  assert(values.length === unit.length, "each row of a design has its values");
  assert(values.length % size === 0, "a trajectory has one row more than there are groups");
  const { blocks, starts, left } = wholeBlocks(values, size);
  if (blocks.length < 2) return null;
  const steps = starts.map((at) => stepsOf(unit.slice(at, at + size), groupOf));
  const effectsBy = (meanOf: (row: readonly number[]) => number): number[][] =>
    blocks.map((block, index) => effectsOf(steps[index] ?? [], block.map(meanOf)));
  const effects = effectsBy(plainMean);
  const byFactor = <T>(table: readonly (readonly number[])[], of: (own: number[]) => T): T[] =>
    Array.from({ length: factors }, (_, factor) => of(table.map((row) => row[factor] ?? 0)));
  const sizes = (table: readonly (readonly number[])[]): number[] =>
    byFactor(table, (own) => plainMean(own.map(Math.abs)));
  const mu_star = sizes(effects);
  const ofOne = (of: (own: number[]) => number): (number | null)[] =>
    byFactor(effects, of).map((one, group) =>
      groupOf.filter((own) => own === group).length > 1 ? null : one,
    );
  return {
    mu: ofOne(plainMean),
    mu_star,
    sigma: ofOne((own) => Math.sqrt(varianceOf(momentsOf(own)))),
    mu_star_conf: halfWidths(question, {
      ...{ kind: "morris", blocks: blocks.length, found: mu_star },
      replicates: blocks[0]?.[0]?.length ?? 0,
      again: (rows, replicates) => {
        const table =
          replicates === null
            ? effects
            : effectsBy((row) => plainMean(replicates.map((r) => row[r] ?? 0)));
        return sizes(rows.map((row) => table[row] ?? []));
      },
    }),
    trajectories: effects.length,
    left,
  };
}
