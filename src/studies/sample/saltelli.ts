/** Saltelli's design for Sobol indices: from N rows of two samples A and B, N(2D + 2) points in SALib's order. */
import { sobolSequence } from "./sobol.ts";
import { taken, type UnitPoint } from "./unitPoint.ts";

/** For each row: A, then A with each coordinate of B in turn, then B with each of A, then B. */
export function saltelliPoints(samples: number, dimensions: number, seed: number): UnitPoint[] {
  return taken(sobolSequence(2 * dimensions, seed), samples).flatMap((row) => {
    const a = row.slice(0, dimensions);
    const b = row.slice(dimensions);
    return [a, ...a.map((_, at) => crossed(a, b, at)), ...b.map((_, at) => crossed(b, a, at)), b];
  });
}

const crossed = (into: UnitPoint, from: UnitPoint, at: number): UnitPoint =>
  into.with(at, from[at] ?? 0);
