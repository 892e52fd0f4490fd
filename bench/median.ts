/** The middle of the measured values, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted.length >> 1;
  const lower = (sorted.length - 1) >> 1;
  return ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2;
}
