/** Up to `times` results of `run`; at least one, and no more than are likely to end by `endsAt`. */
export function repeated<T>(times: number, endsAt: number, run: (index: number) => T): T[] {
  const results: T[] = [];
  let longestMs = 0;
  while (results.length < times) {
    const startedAt = performance.now();
    if (results.length > 0 && startedAt + longestMs > endsAt) break;
    results.push(run(results.length));
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  return results;
}
