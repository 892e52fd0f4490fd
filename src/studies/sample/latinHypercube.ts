/** Latin hypercube sampling: in each dimension every one of `count` strata of equal width is hit once. */
import { namedRandom } from "../../substrate/random.ts";
import { shuffled } from "./shuffled.ts";
import { UNIT, type UnitPoint } from "./unitPoint.ts";

/** `count` points (McKay, Beckman and Conover 1979): strata in a drawn order, a drawn place in each stratum. */
export function latinHypercube(count: number, dimensions: number, seed: number): UnitPoint[] {
  const random = namedRandom(seed);
  const columns = Array.from({ length: dimensions }, (_, at) => {
    const stream = random.at("study", "latin hypercube", at);
    return shuffled(count, stream).map(
      (stratum) => (stratum + stream.integer(0, UNIT - 1) / UNIT) / count,
    );
  });
  return Array.from({ length: count }, (_, row) => columns.map((column) => column[row] ?? 0));
}
