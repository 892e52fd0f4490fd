/** How often intervals hold what they say, in synthetic studies whose truth is known. */
import type { Pair } from "../src/studies/statistics/fold.ts";
import {
  type Kind,
  pairsInterval,
  proportionInterval,
} from "../src/studies/statistics/proportions.ts";
import { normalQuantile } from "../src/studies/statistics/quantiles.ts";
import { sobolIndices } from "../src/studies/statistics/sobolIndices.ts";
import { namedRandom } from "../src/substrate/random.ts";

const FINE = 0x40000000;
/** Sobol studies have so many base rows, and resample so often, to end in minutes. */
const ROWS = 64;
const RESAMPLES = 100;

type Uniform = () => number;
type Data = "normal" | "lognormal" | "Bernoulli";
export const DATA: readonly Data[] = ["normal", "lognormal", "Bernoulli"];
export const QUESTIONS = ["paired difference", "proportion", "Sobol S1", "Sobol ST"] as const;
export type Question = (typeof QUESTIONS)[number];

function uniforms(study: number, name: string): Uniform {
  const stream = namedRandom(study).at("bench", "coverage", name);
  return () => (stream.integer(0, FINE - 1) + 0.5) / FINE;
}

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
    truth: 0.2,
    draw: (next) => {
      const [seed, own, isShared] = [next(), next(), next() < 0.6];
      return [seed < 0.3 ? 1 : 0, (isShared ? seed : own) < 0.5 ? 1 : 0];
    },
  },
};

/** Runs past a threshold: which share of them is known of each kind of data. */
const SHARES: { readonly [data in Data]: number } = {
  normal: 0.3,
  lognormal: 0.15,
  Bernoulli: 0.5,
};

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

/** Whether the interval of the first factor's index holds the truth, in one study of `n` common seeds. */
function holdsSobol(data: Data, n: number, study: number): readonly [S1: boolean, ST: boolean] {
  const next = uniforms(study, `Sobol ${data} ${n}`);
  const seeds = Array.from({ length: n }, () => [next(), next(), next()] as const);
  const points = Array.from({ length: ROWS }, () => {
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
  const found = sobolIndices({
    factors: 2,
    values: points.map(([x, y]) => seeds.map((seed) => MODELS[data](seed, x, y))),
    seeds: "common",
    seed: study,
    outcome: "y",
    resamples: RESAMPLES,
  });
  const holds = (index = Number.NaN, half = 0) => Math.abs(index - TRUE_INDEX) <= half;
  return [holds(found?.S1[0], found?.S1_conf[0]), holds(found?.ST[0], found?.ST_conf[0])];
}

function holdsOne(question: Question, data: Data, n: number, study: number): boolean {
  if (question === "Sobol S1") return holdsSobol(data, n, study)[0];
  if (question === "Sobol ST") return holdsSobol(data, n, study)[1];
  const next = uniforms(study, `${question} ${data} ${n}`);
  const drawn = <T>(one: () => T): T[] => Array.from({ length: n }, one);
  const { kind, truth, draw } = PAIRED[data];
  const isPaired = question === "paired difference";
  const share = SHARES[data];
  const { low, high } = isPaired
    ? pairsInterval(
        drawn(() => draw(next)),
        kind,
      )
    : proportionInterval(drawn(next).filter((one) => one < share).length, n);
  const sought = isPaired ? truth : share;
  return low !== null && high !== null && low <= sought && sought <= high;
}

/** In which share of so many studies of `n` replicates the interval held the truth. */
export function coverageOf(question: Question, data: Data, n: number, studies: number): number {
  let held = 0;
  for (let study = 0; study < studies; study += 1) {
    if (holdsOne(question, data, n, study)) held += 1;
  }
  return held / studies;
}
