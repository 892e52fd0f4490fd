/** What an estimate would have been of other draws: indexes drawn again, with replacement, from a named stream. */
import { assert } from "../../substrate/assert.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import { momentsOf, varianceOf } from "./fold.ts";
import { tQuantile } from "./quantiles.ts";

/** The error of a standard deviation of so many resamples is 1 in √(2 × 500), 3 %. */
export const RESAMPLES = 500;

/** The stream of one purpose, of the study's seed. */
export const bootstrapStream = (seed: number, purpose: string): Stream =>
  namedRandom(seed).at("study", "bootstrap", purpose);

/** `n` indexes below `n`, with replacement. */
export const drawnAgain = (stream: Stream, n: number): number[] =>
  Array.from({ length: n }, () => stream.integer(0, n - 1));

/** What the estimate varies by through one kind of thing that was drawn again, of so many. */
export interface Part {
  readonly variance: number;
  readonly drawn: number;
}

/**
 * Half the width of an interval around an estimate that varies by these parts. SALib takes 1.96 standard deviations of
 * the resamples, which is short where few things were drawn: a resample spreads like a sum over n, not n − 1, and the
 * spread is itself estimated. Student's t mends both, as of a mean; its freedom is Satterthwaite's.
 */
export function halfWidth(parts: readonly Part[], confidence: number): number {
  let [whole, doubts] = [0, 0];
  for (const { variance, drawn } of parts) {
    assert(drawn > 1, "a bootstrap draws two things or more");
    const unbiased = (variance * drawn) / (drawn - 1);
    whole += unbiased;
    doubts += (unbiased * unbiased) / (drawn - 1);
  }
  if (!(whole > 0)) return 0;
  return tQuantile(0.5 + confidence / 2, (whole * whole) / doubts) * Math.sqrt(whole);
}

/** Of an estimate whose rows were drawn again by themselves, and with the seeds that all rows share, if they do. */
export function rowsAndSeeds(
  [rows, seeds]: readonly [rows: number, seeds: number | null],
  byRows: readonly number[],
  byBoth: readonly number[],
): Part[] {
  const alone = varianceOf(momentsOf(byRows));
  if (seeds === null) return [{ variance: alone, drawn: rows }];
  const both = varianceOf(momentsOf(byBoth));
  return [
    { variance: Math.min(alone, both), drawn: rows },
    { variance: Math.max(0, both - alone), drawn: seeds },
  ];
}
