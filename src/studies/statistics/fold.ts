/** Running sums. The order of the values decides the last bits, so they are folded in one order only. */

/** By Welford: how many, their mean, and the sum of squared distances from it. */
export interface Moments {
  readonly n: number;
  readonly mean: number;
  readonly squares: number;
}

const NO_VALUES: Moments = { n: 0, mean: 0, squares: 0 };

export function withValue({ n, mean, squares }: Moments, value: number): Moments {
  const away = value - mean;
  const next = mean + away / (n + 1);
  return { n: n + 1, mean: next, squares: squares + away * (value - next) };
}

export const momentsOf = (values: readonly number[]): Moments =>
  values.reduce(withValue, NO_VALUES);

/** Of the population that the values were drawn from. */
export const varianceOf = ({ n, squares }: Moments): number => (n < 2 ? 0 : squares / (n - 1));

/** What one run gave for one outcome; null where it gave none, as of a run that did not end. */
export interface Result {
  readonly point: number;
  readonly replicate: number;
  readonly seed: number;
  readonly value: number | null;
  /** Of a value of which only a bound is known: that it is at least so much, or on neither side sure. */
  readonly bound?: "least" | "either";
}

/** The values that there are. */
export const valuesOf = (results: readonly Pick<Result, "value">[]): readonly number[] =>
  results.flatMap(({ value }) => value ?? []);

/** Results arrive in any order; they are folded by point, then by replicate. */
export const inFoldingOrder = <R extends Pick<Result, "point" | "replicate">>(
  results: readonly R[],
): R[] => results.toSorted((a, b) => a.point - b.point || a.replicate - b.replicate);

export type Pair = readonly [baseline: number, point: number];

/** The values of both where both have one for a seed, in the order of the point's replicates. */
export function pairedBySeed(baseline: readonly Result[], point: readonly Result[]): Pair[] {
  const known = new Map(baseline.map(({ seed, value }) => [seed, value]));
  return point.flatMap(({ seed, value }) => {
    const other = known.get(seed) ?? null;
    return other === null || value === null ? [] : [[other, value] as const];
  });
}
