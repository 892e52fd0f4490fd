/** Points drawn one by one, each coordinate evenly from 0 to below 1. */
import { namedRandom } from "../../substrate/random.ts";
import { UNIT, type UnitSequence } from "./unitPoint.ts";

/** Each dimension draws from a stream of its own: one more factor shifts none of the others. */
export function randomSequence(dimensions: number, seed: number): UnitSequence {
  const random = namedRandom(seed);
  const streams = Array.from({ length: dimensions }, (_, at) =>
    random.at("study", "random point", at),
  );
  return () => streams.map((stream) => stream.integer(0, UNIT - 1) / UNIT);
}
