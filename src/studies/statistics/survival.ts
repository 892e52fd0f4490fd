/**
 * Times to an event, of which some are only known to be at least so long: Kaplan and Meier's curve, its mean up to a limit, and the
 * log-rank test of Mantel. Where no time is a bound all of it is the plain thing.
 */
import type { Result } from "./fold.ts";
import { normalTails } from "./quantiles.ts";

interface Time {
  readonly value: number;
  readonly isBound: boolean;
}

type Known = Result & { readonly value: number };

/** A moment at which an event happens: how many had waited until then, and to how many it happens. */
interface Step {
  readonly at: number;
  readonly waiting: number;
  readonly events: number;
}

const inOrder = (times: readonly Time[]): readonly Time[] =>
  times.toSorted((a, b) => a.value - b.value);

/** A bound that equals an event's time has outlived it. */
function stepsOf(sorted: readonly Time[]): readonly Step[] {
  const steps: Step[] = [];
  let [waiting, place] = [sorted.length, 0];
  while (place < sorted.length) {
    const { value: at = 0 } = sorted[place] ?? {};
    let [alike, events] = [0, 0];
    for (; sorted[place]?.value === at; place += 1) {
      alike += 1;
      if (sorted[place]?.isBound === false) events += 1;
    }
    if (events > 0) steps.push({ at, waiting, events });
    waiting -= alike;
  }
  return steps;
}

const timesOf = (results: readonly Known[]): readonly Time[] =>
  results.map(({ value, bound }) => ({ value, isBound: bound !== undefined }));

/** The area under the curve up to the limit; null where nobody was followed so far and some event is outstanding. */
function areaUnder(sorted: readonly Time[], limit: number): number | null {
  let [area, share, from] = [0, 1, 0];
  for (const { at, waiting, events } of stepsOf(sorted)) {
    if (at >= limit) break;
    area += share * (at - from);
    share *= 1 - events / waiting;
    from = at;
  }
  if (share === 0) return area;
  const isFollowed = sorted.some(({ value }) => value >= limit);
  return isFollowed ? area + share * (limit - from) : null;
}

/**
 * The mean up to a limit, and a pseudo-value for each run (Andersen): n times the mean, less n − 1 times the mean without that run.
 * Without bounds it is that run's own time, at most the limit. Null where the mean is not known, with or without some run.
 */
export function restrictedMeans(
  results: readonly Known[],
  limit: number,
): { readonly mean: number; readonly pseudo: readonly number[] } | null {
  if (results.some(({ bound }) => bound === "either")) return null;
  const times = timesOf(results);
  if (times.every(({ value, isBound }) => !isBound || value >= limit)) {
    const pseudo = times.map(({ value }) => Math.min(value, limit));
    return { mean: pseudo.reduce((sum, one) => sum + one, 0) / pseudo.length, pseudo };
  }
  const sorted = inOrder(times);
  const mean = areaUnder(sorted, limit);
  if (mean === null) return null;
  const { length: n } = times;
  const pseudo: number[] = [];
  const known = new Map<string, number | null>();
  for (const time of times) {
    const key = `${time.value} ${time.isBound}`;
    if (!known.has(key)) {
      const others = sorted.filter((one) => one !== time);
      known.set(key, areaUnder(others, limit));
    }
    const without = known.get(key) ?? null;
    if (without === null) return null;
    pseudo.push(n * mean - (n - 1) * without);
  }
  return { mean, pseudo };
}

/** How probable curves at least so far apart are, were they the same; null where nothing can tell them apart. */
export function logRank(one: readonly Known[], other: readonly Known[]): number | null {
  const [a, b] = [timesOf(one), timesOf(other)];
  let [apart, variance] = [0, 0];
  for (const { at, waiting, events } of stepsOf(inOrder([...a, ...b]))) {
    const own = a.filter(({ value }) => value >= at).length;
    const happened = a.filter(({ value, isBound }) => value === at && !isBound).length;
    apart += happened - (events * own) / waiting;
    if (waiting < 2) continue;
    const share = own / waiting;
    variance += (share * (1 - share) * events * (waiting - events)) / (waiting - 1);
  }
  return variance > 0 ? normalTails(apart / Math.sqrt(variance)) : null;
}
