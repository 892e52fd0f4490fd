/** What an estimate would have been of other draws: indexes drawn again, with replacement, from a named stream. */
import { assert } from "../../substrate/assert.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import { momentsOf, varianceOf } from "./fold.ts";
import { normalQuantile } from "./quantiles.ts";

/** The error of a standard deviation of so many resamples is 1 in √(2 × 500), 3 %. */
export const RESAMPLES = 500;

/** The stream of one purpose, of the study's seed. */
export const bootstrapStream = (seed: number, purpose: string): Stream =>
  namedRandom(seed).at("study", "bootstrap", purpose);

/** `n` indexes below `n`, with replacement. */
export const drawnAgain = (stream: Stream, n: number): number[] =>
  Array.from({ length: n }, () => stream.integer(0, n - 1));

/** Half the width of a normal interval around an estimate, from its resampled values; as SALib's `_conf`. */
export function halfWidth(resampled: readonly number[], confidence: number): number {
  assert(resampled.length > 1, "a bootstrap takes at least two resamples");
  return normalQuantile(0.5 + confidence / 2) * Math.sqrt(varianceOf(momentsOf(resampled)));
}
