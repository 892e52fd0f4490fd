/** Rows of a design with their replicates, as indices take them. */
import type { Seeds } from "../seeds.ts";
import { momentsOf, varianceOf } from "./fold.ts";

/** By row of the design, then by replicate; null where a run gave nothing. */
export type Rows = readonly (readonly (number | null)[])[];

/** The sum in the given order, over the count. */
export function plainMean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

export interface WholeBlocks {
  readonly blocks: readonly (readonly (readonly number[])[])[];
  /** The first row of each. */
  readonly starts: readonly number[];
  /** How many were left out. */
  readonly left: number;
}

/** Blocks of so many rows, without those in which any run gave nothing. */
export function wholeBlocks(rows: Rows, size: number): WholeBlocks {
  const blocks: number[][][] = [];
  const starts: number[] = [];
  let left = 0;
  for (let at = 0; at + size <= rows.length; at += size) {
    const block = rows
      .slice(at, at + size)
      .map((row) => row.flatMap((value) => (value === null ? [] : [value])));
    if (block.every((row, index) => row.length === rows[at + index]?.length)) {
      blocks.push(block);
      starts.push(at);
    } else left += 1;
  }
  return { blocks, starts, left };
}

/**
 * The variance that a row's mean over its replicates has by chance alone; null of one replicate, which cannot say.
 * With common seeds, what a seed adds to all rows alike is no noise between rows, and is taken out first.
 */
export function noiseOfMeans(rows: readonly (readonly number[])[], seeds: Seeds): number | null {
  const replicates = rows[0]?.length ?? 0;
  if (replicates < 2 || rows.length < 2) return null;
  const means = rows.map(plainMean);
  const all = plainMean(means);
  const shifts = Array.from({ length: replicates }, (_, r) =>
    seeds === "common" ? plainMean(rows.map((row) => row[r] ?? 0)) - all : 0,
  );
  let squares = 0;
  rows.forEach((row, index) => {
    row.forEach((value, r) => {
      const rest = value - (means[index] ?? 0) - (shifts[r] ?? 0);
      squares += rest * rest;
    });
  });
  const freedom = (rows.length - (seeds === "common" ? 1 : 0)) * (replicates - 1);
  return squares / freedom / replicates;
}

/** Of these values themselves, not of what they were drawn from. */
export function spreadOf(values: readonly number[]): number {
  const moments = momentsOf(values);
  return (varianceOf(moments) * (moments.n - 1)) / moments.n;
}
