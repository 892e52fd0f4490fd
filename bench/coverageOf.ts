/** How often intervals hold what they say, in synthetic studies whose truth is known. */
import { saltelliPoints } from "../src/studies/sample/cubePoints.ts";
import { momentsOf, type Pair, type Result, varianceOf } from "../src/studies/statistics/fold.ts";
import {
  type Kind,
  pairsInterval,
  proportionInterval,
} from "../src/studies/statistics/proportions.ts";
import { normalQuantile } from "../src/studies/statistics/quantiles.ts";
import { type SobolIndices, sobolIndices } from "../src/studies/statistics/sobolIndices.ts";
import { stopState } from "../src/studies/statistics/stopRule.ts";
import { namedRandom } from "../src/substrate/random.ts";

const FINE = 0x40000000;

type Uniform = () => number;
export type Data = "normal" | "lognormal" | "Bernoulli";
export const DATA: readonly Data[] = ["normal", "lognormal", "Bernoulli"];

function uniforms(study: number, name: string): Uniform {
  const stream = namedRandom(study).at("bench", "coverage", name);
  return () => (stream.integer(0, FINE - 1) + 0.5) / FINE;
}

/** Shares of the studies: whose interval held the truth, lay wholly above it, lay wholly below it. */
export interface Held {
  readonly held: number;
  readonly above: number;
  readonly below: number;
}

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

function heldOf(intervals: readonly Interval[], truth: number): Held {
  const share = (is: (low: number, high: number) => boolean) =>
    intervals.filter(({ low, high }) => low !== null && high !== null && is(low, high)).length /
    intervals.length;
  return {
    held: share((low, high) => low <= truth && truth <= high),
    above: share((low) => low > truth),
    below: share((_, high) => high < truth),
  };
}

const studiesOf = <T>(studies: number, one: (study: number) => T): T[] =>
  Array.from({ length: studies }, (_, study) => one(study));

interface Paired {
  readonly kind: Kind;
  readonly truth: number;
  readonly draw: (next: Uniform) => Pair;
}

/** Half of each value's variance is of the seed, which both share. */
const sharing = (next: Uniform): Pair => {
  const [seed, one, other] = [
    normalQuantile(next()),
    normalQuantile(next()),
    normalQuantile(next()),
  ];
  return [Math.SQRT1_2 * (seed + one), Math.SQRT1_2 * (seed + other)];
};

/** How pairs of Bernoulli values are drawn: each share, and how often both follow from one number. */
export const BERNOULLI = { baseline: 0.3, point: 0.5, shared: 0.6 };

const PAIRED: { readonly [data in Data]: Paired } = {
  normal: {
    kind: "number",
    truth: 0.3,
    draw: (next) => {
      const [a, b] = sharing(next);
      return [a, b + 0.3];
    },
  },
  lognormal: {
    kind: "number",
    truth: (Math.exp(0.3) - 1) * Math.exp(0.5),
    draw: (next) => {
      const [a, b] = sharing(next);
      return [Math.exp(a), Math.exp(b + 0.3)];
    },
  },
  Bernoulli: {
    kind: "share",
    truth: BERNOULLI.point - BERNOULLI.baseline,
    draw: (next) => {
      const [seed, own, isShared] = [next(), next(), next() < BERNOULLI.shared];
      const other = isShared ? seed : own;
      return [seed < BERNOULLI.baseline ? 1 : 0, other < BERNOULLI.point ? 1 : 0];
    },
  },
};

export function pairedHeld(data: Data, n: number, studies: number): Held {
  const { kind, truth, draw } = PAIRED[data];
  const intervals = studiesOf(studies, (study) => {
    const next = uniforms(study, `paired difference ${data} ${n}`);
    const pairs = Array.from({ length: n }, () => draw(next));
    return pairsInterval(pairs, kind);
  });
  return heldOf(intervals, truth);
}

/** Runs past a threshold: which share of them is known of each kind of data. */
export const SHARES: { readonly [data in Data]: number } = {
  normal: 0.3,
  lognormal: 0.15,
  Bernoulli: 0.5,
};

export function proportionHeld(data: Data, n: number, studies: number): Held {
  const share = SHARES[data];
  const intervals = studiesOf(studies, (study) => {
    const next = uniforms(study, `proportion ${data} ${n}`);
    const hits = Array.from({ length: n }, next).filter((one) => one < share).length;
    return proportionInterval(hits, n);
  });
  return heldOf(intervals, share);
}

/** Replicates of a study that its stop rule ends: by batches, at the most so many. */
const STOPPED = { batch: 10, most: 200 };
export const STOPPED_AT: { readonly [data in Data]: number } = {
  normal: 0.3,
  lognormal: 0.6,
  Bernoulli: 0.15,
};

/** Studies that end where the interval is narrow enough, and how long they are on average. */
export function stoppedHeld(data: Data, studies: number): Held & { readonly replicates: number } {
  const { kind, truth, draw } = PAIRED[data];
  const { batch, most } = STOPPED;
  const rule = { kind, batch, most, halfWidth: STOPPED_AT[data] };
  const ended = studiesOf(studies, (study) => {
    const next = uniforms(study, `stopped ${data}`);
    const pairs = Array.from({ length: most }, () => draw(next));
    const side = (place: 0 | 1): Result[] =>
      pairs.map((pair, replicate) => ({
        ...{ point: place, replicate, seed: replicate, value: pair[place] },
      }));
    const replicates = stopState(rule, side(0), [side(1)]).points[0]?.replicates ?? most;
    return { replicates, ...pairsInterval(pairs.slice(0, replicates), kind) };
  });
  const { mean } = momentsOf(ended.map(({ replicates }) => replicates));
  return { ...heldOf(ended, truth), replicates: mean };
}

/** Of Sobol studies: few, as a small sample tells an interval that is short. */
export const BASE_ROWS = 64;
/** `scrambled` as studies have them; `random` as the bootstrap supposes. */
export type RowsKind = "random" | "scrambled";

/** One value in the unit square, with what a seed adds to each slope and to the whole. */
type Model = (seed: readonly [number, number, number], x: number, y: number) => number;
const slopes: (of: (uniform: number) => number) => Model =
  (of) =>
  ([a, b, c], x, y) =>
    (2 + of(a)) * x + (1 + of(b)) * y + of(c);
const MODELS: { readonly [data in Data]: Model } = {
  normal: slopes((uniform) => normalQuantile(uniform) / 2),
  lognormal: slopes((uniform) => (Math.exp(normalQuantile(uniform)) - Math.exp(0.5)) / 4),
  Bernoulli: ([a], x, y) => (a < 0.2 + 0.4 * x + 0.2 * y ? 1 : 0),
};
/** Slopes are two to one in all three on average. */
const TRUE_INDEX = 0.8;

/** As Saltelli's design has them, of rows drawn one by one. */
function randomPoints(next: Uniform): (readonly [number, number])[] {
  return Array.from({ length: BASE_ROWS }, () => {
    const [ax, ay, bx, by] = [next(), next(), next(), next()];
    return [
      [ax, ay],
      [bx, ay],
      [ax, by],
      [ax, by],
      [bx, ay],
      [bx, by],
    ] as const;
  }).flat();
}

function sobolStudy(data: Data, n: number, rows: RowsKind, study: number): SobolIndices {
  const next = uniforms(study, `Sobol ${data} ${n}`);
  // A model asks for a seed's numbers at every row.
  const seeds = Array.from({ length: n }, () => [next(), next(), next()] as const);
  const points =
    rows === "random"
      ? randomPoints(next)
      : saltelliPoints(BASE_ROWS, 2, study).map(([x = 0, y = 0]) => [x, y] as const);
  const values = points.map(([x, y]) => seeds.map((seed) => MODELS[data](seed, x, y)));
  const asked = { factors: 2, values, seeds: "common", seed: study, outcome: "y" } as const;
  const found = sobolIndices(asked);
  if (found === null) throw new Error("every synthetic study varies");
  return found;
}

export interface SobolHeld extends Held {
  /** Half of the interval over half of the one that the estimates' own spread over the studies would take. */
  readonly width: number;
}

/** Of the first factor. */
export function sobolHeld(
  ...[data, n, rows, studies]: [data: Data, n: number, rows: RowsKind, studies: number]
): { readonly S1: SobolHeld; readonly ST: SobolHeld } {
  const found = studiesOf(studies, (study) => sobolStudy(data, n, rows, study));
  const of = (kind: "S1" | "ST"): SobolHeld => {
    const all = found.map((one) => [one[kind][0] ?? 0, one[`${kind}_conf`][0] ?? 0] as const);
    const intervals = all.map(([index, half]) => ({ low: index - half, high: index + half }));
    const spread = Math.sqrt(varianceOf(momentsOf(all.map(([index]) => index))));
    const { mean } = momentsOf(all.map(([, half]) => half));
    return { ...heldOf(intervals, TRUE_INDEX), width: mean / (normalQuantile(0.975) * spread) };
  };
  return { S1: of("S1"), ST: of("ST") };
}
