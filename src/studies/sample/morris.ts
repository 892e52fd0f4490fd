/** Morris's design: trajectories of points of which each moves one factor, in SALib's convention. */
import { assert } from "../../substrate/assert.ts";
import { namedRandom } from "../../substrate/random.ts";
import { shuffled } from "./shuffled.ts";
import type { UnitPoint } from "./unitPoint.ts";

export interface MorrisDesign {
  readonly trajectories: number;
  /** Even. Levels stand at 0, 1/(levels − 1), …, 1. */
  readonly levels: number;
}

/** How far one step of a trajectory leads, as a share of the range: p/(2(p − 1)). */
export const morrisDelta = (levels: number): number => levels / (2 * (levels - 1));

/** One trajectory of `dimensions` + 1 points after the other. */
export function morrisPoints(
  { trajectories, levels }: MorrisDesign,
  dimensions: number,
  seed: number,
): UnitPoint[] {
  assert(levels >= 2 && levels % 2 === 0, "the levels of Morris's design are an even number");
  const random = namedRandom(seed);
  return Array.from({ length: trajectories }, (_, trajectory) => {
    const stream = random.at("study", "morris trajectory", trajectory);
    const jump = levels / 2;
    const moves = Array.from({ length: dimensions }, () => {
      const low = stream.integer(0, jump - 1);
      return stream.integer(0, 1) === 1 ? [low, low + jump] : [low + jump, low];
    });
    // Where each factor stands in the order in which they move.
    const turns = shuffled(dimensions, stream);
    return Array.from({ length: dimensions + 1 }, (_, row) =>
      moves.map(([from = 0, to = 0], at) => ((turns[at] ?? 0) < row ? to : from) / (levels - 1)),
    );
  }).flat();
}
