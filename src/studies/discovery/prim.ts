/**
 * The patient rule induction method of Friedman and Fisher, with the lenient objective and the quasi-p-values of Bryant and
 * Lempert, step by step as EMA Workbench takes them: a box gives up a little of its runs at a time, then takes some back.
 */
import { binomialAtMost } from "../statistics/quantiles.ts";
import {
  agreement,
  allPoints,
  type Box,
  type BoxFigures,
  type Cases,
  countsOf,
  figuresOf,
  inside,
  type Limit,
  wholeBox,
} from "./cases.ts";

/** EMA Workbench's own: shares of a box that one step gives up or takes back, and of all runs that a box holds at least. */
const PEEL = 0.05;
const PASTE = 0.05;
export const MASS_LEAST = 0.05;

export interface PrimBox extends BoxFigures {
  readonly box: Box;
  /** Of the limits, those that leave something out, by their places. */
  readonly restricted: readonly number[];
}

/** How probable so dense a box is by chance, were a limit not there: of a number's low and its high end. */
export interface QuasiP {
  readonly low: number | null;
  readonly high: number | null;
}

interface Candidate {
  readonly box: Box;
  readonly points: readonly number[];
}

/** Every box on the way, the whole first. */
export function peelingTrajectory(cases: Cases): readonly PrimBox[] {
  const whole = wholeBox(cases);
  const all = allPoints(cases);
  const found: Candidate[] = [{ box: whole, points: all }];
  for (const isPeel of [true, false]) {
    for (;;) {
      const last = found.at(-1);
      const next = last && better(cases, whole, last, isPeel);
      if (next === undefined) break;
      found.push(next);
    }
  }
  return found.map(({ box, points }) => measured(cases, box, points));
}

/** A box with what it holds. */
export const measured = (cases: Cases, box: Box, points: readonly number[]): PrimBox => ({
  ...figuresOf(cases, points),
  box,
  restricted: restrictedIn(box, wholeBox(cases)),
});

/** The step that gains most density for each run it moves; the first with the fewest limits of equal ones. */
function better(cases: Cases, whole: Box, last: Candidate, isPeel: boolean): Candidate | undefined {
  const candidates = isPeel ? peels(cases, last) : pastes(cases, whole, last);
  const old = countsOf(cases, last.points);
  const total = countsOf(cases, allPoints(cases)).runs;
  let best: { readonly to: Candidate; readonly gain: number; readonly free: number } | undefined;
  for (const to of candidates) {
    const { runs, hits } = countsOf(cases, to.points);
    const rise = (runs === 0 ? 0 : hits / runs) - old.hits / old.runs;
    const gain = rise === 0 ? 0 : rise / Math.abs(runs - old.runs);
    const free = whole.length - restrictedIn(to.box, whole).length;
    if (best === undefined || gain > best.gain || (gain === best.gain && free > best.free)) {
      best = { to, gain, free };
    }
  }
  if (best === undefined || best.gain <= 0) return undefined;
  const { runs } = countsOf(cases, best.to.points);
  const isMoved = isPeel ? runs < old.runs : runs > old.runs;
  return isMoved && runs / total >= MASS_LEAST ? best.to : undefined;
}

/** The box with another limit, and which of these points it holds. */
function stepTo(cases: Cases, old: Box, at: number, limit: Limit, among: readonly number[]) {
  const box = old.with(at, limit);
  return { box, points: inside(cases, box, among) };
}

function peels(cases: Cases, { box, points }: Candidate): readonly Candidate[] {
  const taken = (at: number, limit: Limit) => stepTo(cases, box, at, limit, points);
  return box.flatMap((limit, at) => {
    if (limit.kind === "category") {
      if (limit.kept.length < 2) return [];
      return limit.kept.map((one) =>
        taken(at, { ...limit, kept: limit.kept.filter((other) => other !== one) }),
      );
    }
    const steps = stepsOf(cases, at, points);
    return [
      taken(at, { ...limit, high: quantile(steps, 1 - PEEL) }),
      taken(at, { ...limit, low: quantile(steps, PEEL) }),
    ];
  });
}

function pastes(cases: Cases, whole: Box, { box }: Candidate): readonly Candidate[] {
  const all = allPoints(cases);
  const taken = (at: number, limit: Limit) => stepTo(cases, box, at, limit, all);
  return restrictedIn(box, whole).flatMap((at) => {
    const [limit, most] = [box[at], whole[at]];
    if (limit?.kind === "category" && most?.kind === "category") {
      const left = most.kept.filter((one) => !limit.kept.includes(one));
      return left.map((one) => taken(at, { ...limit, kept: [...limit.kept, one].sort() }));
    }
    if (limit?.kind !== "number" || most?.kind !== "number") return [];
    const beside = (low: number, high: number, share: number, end: number): number => {
      const { points } = taken(at, { ...limit, low, high });
      return points.length === 0 ? end : quantile(stepsOf(cases, at, points), share);
    };
    return [
      taken(at, { ...limit, low: beside(most.low, limit.low, 1 - PASTE, most.low) }),
      taken(at, { ...limit, high: beside(limit.high, most.high, PASTE, most.high) }),
    ];
  });
}

/** Values of one column from small to large, each with how many runs have at most it. */
interface Steps {
  readonly values: readonly number[];
  readonly upTo: readonly number[];
}

function stepsOf(cases: Cases, at: number, points: readonly number[]): Steps {
  const column = cases.columns[at];
  const runsAt = new Map<number, number>();
  for (const point of points) {
    const value = column?.values[point];
    if (typeof value !== "number") continue;
    runsAt.set(value, (runsAt.get(value) ?? 0) + (cases.runs[point] ?? 0));
  }
  const values = [...runsAt.keys()].sort((one, other) => one - other);
  let sum = 0;
  const upTo = values.map((value) => {
    sum += runsAt.get(value) ?? 0;
    return sum;
  });
  return { values, upTo };
}

/** sdtoolkit's: between two values that differ, so that a step takes a value whole or not at all. */
function quantile({ values, upTo }: Steps, share: number): number {
  const place = ((upTo.at(-1) ?? 0) - 1) * share;
  const rankOf = (index: number): number => upTo.findIndex((sum) => sum > index);
  let [low, high] = [rankOf(Math.floor(place)), rankOf(Math.ceil(place))];
  if (low === high && share > 0.5) low = Math.max(0, low - 1);
  else if (low === high) high = Math.min(values.length - 1, high + 1);
  return ((values[low] ?? 0) + (values[high] ?? 0)) / 2;
}

const isWhole = (limit: Limit, whole: Limit | undefined): boolean =>
  limit.kind === "category"
    ? whole?.kind === "category" && limit.kept.length === whole.kept.length
    : whole?.kind === "number" && limit.low === whole.low && limit.high === whole.high;

/** Places of the limits that leave something out. */
export function restrictedIn(box: Box, whole: Box): readonly number[] {
  return box.flatMap((limit, at) => (isWhole(limit, whole[at]) ? [] : [at]));
}

/** One for each limit of the box, null at what restricts nothing. Points count, as the runs of one share their seeds with all others. */
export function quasiP(cases: Cases, box: Box): readonly QuasiP[] {
  const whole = wholeBox(cases);
  const all = allPoints(cases);
  const shares = (of: Box): readonly [number, number] => {
    const points = inside(cases, of, all);
    const share = (point: number) => (cases.hits[point] ?? 0) / (cases.runs[point] ?? 1);
    return [points.reduce((sum, point) => sum + share(point), 0), points.length];
  };
  const [held, count] = shares(box);
  const without = (at: number, limit: Limit): number => {
    const [sum, points] = shares(box.with(at, limit));
    const probability = points === 0 ? 1 : Math.min(1, sum / points);
    // What is not a whole number of points counts as the fewer.
    const hits = Math.floor(held + 1e-9);
    if (hits <= 0 || probability >= 1) return 1;
    return 1 - binomialAtMost(hits - 1, count, probability);
  };
  return box.map((limit, at) => {
    const most = whole[at];
    if (most === undefined || isWhole(limit, most)) return { low: null, high: null };
    if (limit.kind !== "number" || most.kind !== "number") {
      return { low: without(at, most), high: null };
    }
    return {
      low: limit.low === most.low ? null : without(at, { ...limit, low: most.low }),
      high: limit.high === most.high ? null : without(at, { ...limit, high: most.high }),
    };
  });
}

/** Ours: a limit that chance makes as often is none. */
const SIGNIFICANT = 0.05;

/** The box of the way whose coverage and density are highest together, less the limits that chance would make as often. */
export function bestBox(cases: Cases): PrimBox & { readonly quasiP: readonly QuasiP[] } {
  const whole = wholeBox(cases);
  const all = allPoints(cases);
  let best = measured(cases, whole, all);
  for (const one of peelingTrajectory(cases)) if (agreement(one) > agreement(best)) best = one;
  for (;;) {
    const found = quasiP(cases, best.box);
    const ends = found.flatMap(({ low, high }, at) => [
      { at, end: "low" as const, p: low },
      { at, end: "high" as const, p: high },
    ]);
    let worst: (typeof ends)[number] | undefined;
    for (const one of ends) if ((one.p ?? 0) > (worst?.p ?? SIGNIFICANT)) worst = one;
    const [limit, most] = [best.box[worst?.at ?? -1], whole[worst?.at ?? -1]];
    if (worst === undefined || limit === undefined || most === undefined) {
      return { ...best, quasiP: found };
    }
    const freed =
      limit.kind === "number" && most.kind === "number"
        ? { ...limit, [worst.end]: most[worst.end] }
        : most;
    const box = best.box.with(worst.at, freed);
    best = measured(cases, box, inside(cases, box, all));
  }
}
