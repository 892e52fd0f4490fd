/** How often intervals hold what they say, in synthetic studies whose truth is known. */

import type { Across } from "../src/studies/outcomes/outcome.ts";
import { saltelliPoints } from "../src/studies/sample/cubePoints.ts";
import { acrossDifference, acrossEstimate } from "../src/studies/statistics/across.ts";
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

/** What is no mean: of lognormal values, and of exponential times that are followed for .5 … 2.5. */
export type AcrossCase = "quantile 0.5" | "quantile 0.9" | "mean up to 1";
interface AcrossOf {
  readonly across: Across;
  readonly truth: readonly [value: number, difference: number];
  readonly halfWidth: number;
}
const lognormalQuantile = (share: number): readonly [number, number] => {
  const value = Math.exp(normalQuantile(share));
  return [value, value * (Math.exp(0.3) - 1)];
};
const SLOWER = 1.5;
export const ACROSS: { readonly [one in AcrossCase]: AcrossOf } = {
  "quantile 0.5": {
    ...{ across: { kind: "quantile", share: 0.5 }, truth: lognormalQuantile(0.5), halfWidth: 0.7 },
  },
  "quantile 0.9": {
    ...{ across: { kind: "quantile", share: 0.9 }, truth: lognormalQuantile(0.9), halfWidth: 3 },
  },
  "mean up to 1": {
    across: { kind: "restricted", limit: 1 },
    truth: [1 - Math.exp(-1), SLOWER * (1 - Math.exp(-1 / SLOWER)) - (1 - Math.exp(-1))],
    halfWidth: 0.1,
  },
};

/** Both sides of so many replicates; of times half share their luck, and some are only followed for a while. */
function acrossStudy(name: AcrossCase, next: Uniform, n: number): readonly (readonly Result[])[] {
  const pairs = Array.from({ length: n }, () => {
    if (name !== "mean up to 1") return PAIRED.lognormal.draw(next);
    const [shared, own, isShared] = [next(), next(), next() < 0.5];
    return [-Math.log(shared), -SLOWER * Math.log(isShared ? shared : own)] as const;
  });
  return ([0, 1] as const).map((point) =>
    pairs.map((pair, replicate): Result => {
      const made = { point, replicate, seed: replicate };
      if (name !== "mean up to 1") return { ...made, value: pair[point] };
      const followed = 0.5 + 2 * next();
      const isBound = followed < pair[point];
      return {
        ...made,
        value: Math.min(followed, pair[point]),
        ...(isBound && { bound: "least" }),
      };
    }),
  );
}

const NONE = { low: null, high: null };

/** Of the value, of the paired difference, and of the difference where a stop rule ends the study. */
export function acrossHeld(name: AcrossCase, n: number, studies: number) {
  const { across, truth, halfWidth } = ACROSS[name];
  const found = studiesOf(studies, (study) => {
    const next = uniforms(study, `across ${name} ${n}`);
    const [base = [], point = []] = acrossStudy(name, next, n);
    const difference = acrossDifference(across, base, point, { isPaired: true });
    return { value: acrossEstimate(across, base) ?? NONE, difference: difference ?? NONE };
  });
  const { batch, most } = { ...STOPPED, most: 400 };
  const rule = { kind: "number", across, batch, most, halfWidth } as const;
  const stopped = studiesOf(studies, (study) => {
    const next = uniforms(study, `across stopped ${name}`);
    const [base = [], point = []] = acrossStudy(name, next, most);
    const replicates = stopState(rule, base, [point]).points[0]?.replicates ?? most;
    const first = (side: readonly Result[]) => side.slice(0, replicates);
    const one = acrossDifference(across, first(base), first(point), { isPaired: true });
    return { replicates, ...(one ?? NONE) };
  });
  return {
    value: heldOf(
      found.map(({ value }) => value),
      truth[0],
    ),
    difference: heldOf(
      found.map(({ difference }) => difference),
      truth[1],
    ),
    stopped: heldOf(stopped, truth[1]),
    replicates: momentsOf(stopped.map(({ replicates }) => replicates)).mean,
  };
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
      : saltelliPoints(BASE_ROWS, [0, 1], study).map(([x = 0, y = 0]) => [x, y] as const);
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
