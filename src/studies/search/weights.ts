/**
 * Whole weights under which a linear rule decides as a person did, most often. Every comparison is one of whole
 * numbers: nothing is rounded. What it searches are moves of one weight, or of two that keep a sum, from the given
 * weights and from others by chance; `most` bounds what any weights could reach, so where it is reached, nothing is better.
 */
import type { Stream } from "../../substrate/random.ts";
import { namedRandom } from "../../substrate/random.ts";

/** Holds where the sum of coefficient × weight is `least` or more. */
export interface Row {
  readonly coefficients: readonly bigint[];
  readonly least: bigint;
}

/** A proposal, and whether a person took it; it passes where its row holds. */
export interface Judged extends Row {
  readonly isTaken: boolean;
}

export interface WeightRules {
  /** The least and the most of each weight. */
  readonly bounds: readonly (readonly [least: number, most: number])[];
  /** Weights whose sum stays what it is at the start; none when empty. */
  readonly summed: readonly number[];
  /** What must hold before any agreement counts. */
  readonly structure: readonly Row[];
}

export interface FoundWeights {
  readonly weights: readonly number[];
  readonly agreed: number;
  /** Rows of the structure that hold. */
  readonly kept: number;
}

/** Ours: beyond the start itself, for a few hundred decisions; fewer for more of them, so that time stays within reach. */
const RESTARTS = 24;
const RESTARTS_LEAST = 3;
const WORK = 20_000;
/** Ours: moves by chance with which a restart leaves the best that was found. */
const SHAKES = 4;
const ROUNDS_MAX = 200;

export const slack = ({ coefficients, least }: Row, weights: readonly number[]): bigint =>
  coefficients.reduce((sum, one, at) => sum + one * BigInt(weights[at] ?? 0), 0n - least);

export const holds = (row: Row, weights: readonly number[]): boolean => slack(row, weights) >= 0n;

export const agreement = (judged: readonly Judged[], weights: readonly number[]): number =>
  judged.filter((one) => holds(one, weights) === one.isTaken).length;

/** How each weight changes with one step. */
export type Direction = readonly number[];

/** Every move that is tried: one weight alone, or one up and another down where their sum is kept. */
export function directions({ bounds, summed }: WeightRules): readonly Direction[] {
  const at = (...changes: readonly (readonly [number, number])[]): Direction =>
    bounds.map((_, index) => changes.find(([one]) => one === index)?.[1] ?? 0);
  const alone = bounds.flatMap((_, index) => (summed.includes(index) ? [] : [at([index, 1])]));
  const pairs = summed.flatMap((up, rank) =>
    summed.slice(rank + 1).map((down) => at([up, 1], [down, -1])),
  );
  return [...alone, ...pairs];
}

/** How many steps the bounds leave, down and up. */
export function room(
  weights: readonly number[],
  direction: Direction,
  bounds: WeightRules["bounds"],
): readonly [down: number, up: number] {
  let [down, up] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  direction.forEach((change, index) => {
    if (change === 0) return;
    const [least, most] = bounds[index] ?? [0, 0];
    const below = (weights[index] ?? 0) - least;
    const above = most - (weights[index] ?? 0);
    down = Math.min(down, change > 0 ? below : above);
    up = Math.min(up, change > 0 ? above : below);
  });
  return [down, up];
}

const along = ({ coefficients }: Row, direction: Direction): bigint =>
  coefficients.reduce((sum, one, index) => sum + one * BigInt(direction[index] ?? 0), 0n);

/** Rounded up; `under` is above zero. */
const ceiled = (over: bigint, under: bigint): bigint =>
  over / under + (over > 0n && over % under !== 0n ? 1n : 0n);

/** The steps at which a row turns: the first from which it holds or fails, the other way from the one before. */
interface Turn {
  readonly step: number;
  readonly isHolding: boolean;
}

function turnOf(row: Row, weights: readonly number[], direction: Direction): Turn | null {
  const change = along(row, direction);
  const now = slack(row, weights);
  // now + change × step >= 0.
  if (change === 0n) return null;
  return change > 0n
    ? { step: Number(ceiled(0n - now, change)), isHolding: true }
    : { step: 1 - Number(ceiled(0n - now, 0n - change)), isHolding: false };
}

/** The least steps down and up at which a decision flips; null where the bounds end first. */
export function flipsAt(
  row: Row,
  weights: readonly number[],
  direction: Direction,
  [roomDown, roomUp]: readonly [number, number],
): readonly [down: number | null, up: number | null] {
  const turn = turnOf(row, weights, direction);
  if (turn === null) return [null, null];
  // From `step` on it is one way, before it the other.
  if (turn.step >= 1) return [null, turn.step <= roomUp ? turn.step : null];
  const down = 1 - turn.step;
  return [down <= roomDown ? down : null, null];
}

interface Step {
  readonly step: number;
  readonly score: number;
}

/** The best step along a line: most score, then nearest to `home`, then the least step. */
function bestStep(
  judged: readonly (Judged & { readonly worth: number })[],
  weights: readonly number[],
  home: readonly number[],
  { direction, bounds }: { direction: Direction; bounds: WeightRules["bounds"] },
): Step {
  const [down, up] = room(weights, direction, bounds);
  const changes = new Map<number, number>();
  let score = 0;
  for (const one of judged) {
    const turn = turnOf(one, weights, direction);
    // What holds at the lowest step, and what changes on the way up.
    const isHolding =
      turn === null
        ? holds(one, weights)
        : turn.step <= 0 - down
          ? turn.isHolding
          : !turn.isHolding;
    if (isHolding === one.isTaken) score += one.worth;
    if (turn === null || turn.step <= 0 - down || turn.step > up) continue;
    const gained = turn.isHolding === one.isTaken ? one.worth : 0 - one.worth;
    changes.set(turn.step, (changes.get(turn.step) ?? 0) + gained);
  }
  const starts = [0 - down, ...[...changes.keys()].sort((a, b) => a - b)];
  let best: { score: number; far: number; step: number } | null = null;
  starts.forEach((from, rank) => {
    score += changes.get(from) ?? 0;
    const to = (starts[rank + 1] ?? up + 1) - 1;
    for (const step of nearestSteps(from, to, weights, home, direction)) {
      const far = distance(moved(weights, direction, step), home);
      const isBetter =
        best === null || score > best.score || (score === best.score && far < best.far);
      if (isBetter) best = { score, far, step };
    }
  });
  return best ?? { score, step: 0 };
}

/** The distance is convex along a line and bends where a weight is at home: one of these is nearest. */
function nearestSteps(
  from: number,
  to: number,
  weights: readonly number[],
  home: readonly number[],
  direction: Direction,
): number[] {
  const bends = direction.flatMap((change, index) =>
    change === 0 ? [] : [((home[index] ?? 0) - (weights[index] ?? 0)) * change],
  );
  return [...new Set([0, ...bends].map((step) => Math.min(to, Math.max(from, step))))];
}

export const moved = (
  weights: readonly number[],
  direction: Direction,
  step: number,
): readonly number[] => weights.map((one, index) => one + (direction[index] ?? 0) * step);

const distance = (weights: readonly number[], home: readonly number[]): number =>
  weights.reduce((sum, one, index) => sum + Math.abs(one - (home[index] ?? 0)), 0);

/** `home` lies within the bounds and has the sum that is kept. */
export function fitWeights(
  judged: readonly Judged[],
  rules: WeightRules,
  home: readonly number[],
  seed: number,
): FoundWeights {
  // One row of the structure is worth more than all decisions together.
  const all = [
    ...judged.map((one) => ({ ...one, worth: 1 })),
    ...rules.structure.map((row) => ({ ...row, isTaken: true, worth: judged.length + 1 })),
  ];
  const ways = directions(rules);
  const score = (weights: readonly number[]) =>
    all.reduce((sum, one) => sum + (holds(one, weights) === one.isTaken ? one.worth : 0), 0);
  const climbed = (from: readonly number[]) => {
    let at = from;
    let reached = score(at);
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const before = { reached, far: distance(at, home) };
      for (const direction of ways) {
        const step = bestStep(all, at, home, { direction, bounds: rules.bounds });
        at = moved(at, direction, step.step);
        reached = step.score;
      }
      if (reached === before.reached && distance(at, home) === before.far) break;
    }
    return { at, reached };
  };
  let best = climbed(home);
  const restarts = Math.max(RESTARTS_LEAST, Math.min(RESTARTS, Math.floor(WORK / all.length)));
  const reachable = most(judged, rules) + rules.structure.length * (judged.length + 1);
  for (let restart = 0; restart < restarts; restart += 1) {
    if (best.reached === reachable && distance(best.at, home) === 0) break;
    const stream = namedRandom(seed).at("weights", "restart", restart);
    const found = climbed(shaken(best.at, rules, ways, stream));
    const isNearer = distance(found.at, home) < distance(best.at, home);
    if (found.reached > best.reached || (found.reached === best.reached && isNearer)) best = found;
  }
  return {
    weights: best.at,
    agreed: agreement(judged, best.at),
    kept: rules.structure.filter((row) => holds(row, best.at)).length,
  };
}

function shaken(
  from: readonly number[],
  { bounds }: WeightRules,
  ways: readonly Direction[],
  stream: Stream,
): readonly number[] {
  let at = from;
  for (let shake = 0; shake < SHAKES; shake += 1) {
    const direction = ways[stream.integer(0, ways.length - 1)] ?? [];
    const [down, up] = room(at, direction, bounds);
    at = moved(at, direction, stream.integer(0 - down, up));
  }
  return at;
}

/** Ours: pairs are compared, each with each. */
export const BOUNDED_MAX = 2_000;

/**
 * No weights agree with more: of two decisions, one taken and one not, where the latter passes whenever the former
 * does, one is wrong under any weights within the bounds. So many apart as there are such pairs without a common member.
 */
export function most(judged: readonly Judged[], { bounds }: WeightRules): number {
  if (judged.length > BOUNDED_MAX) return judged.length;
  const taken = judged.filter(({ isTaken }) => isTaken);
  const refused = judged.filter(({ isTaken }) => !isTaken);
  // Scaled to one another, so that rows of different denominators compare.
  const isPassedBy = (a: Judged, b: Judged): boolean => {
    const [x, y] = [a.least, b.least];
    if (x <= 0n || y <= 0n) return false;
    const worst = bounds.reduce((sum, [low, high], at) => {
      const gain = (b.coefficients[at] ?? 0n) * x - (a.coefficients[at] ?? 0n) * y;
      return sum + gain * BigInt(gain > 0n ? low : high);
    }, 0n);
    return worst >= 0n;
  };
  const conflicts = taken.map((a) =>
    refused.flatMap((b, index) => (isPassedBy(a, b) ? [index] : [])),
  );
  return judged.length - matched(conflicts, refused.length);
}

/** The most pairs without a common member (Kuhn's augmenting paths). */
function matched(conflicts: readonly (readonly number[])[], others: number): number {
  const partner = new Array<number>(others).fill(-1);
  const augment = (one: number, seen: Set<number>): boolean =>
    (conflicts[one] ?? []).some((other) => {
      if (seen.has(other)) return false;
      seen.add(other);
      const held = partner[other] ?? -1;
      if (held >= 0 && !augment(held, seen)) return false;
      partner[other] = one;
      return true;
    });
  return conflicts.filter((_, one) => augment(one, new Set())).length;
}
