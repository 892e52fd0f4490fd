/**
 * Bayesian optimisation in the unit cube: each place is where a Gaussian process of the values so far expects the greatest improvement
 * (Jones, Schonlau and Welch 1998). For few, dear trials; a value may be noisy.
 */
import { naturalLog } from "../../machines/naturalLog.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import { evenSequence, shuffled, taken, UNIT, type UnitPoint } from "../sample/cubePoints.ts";
import { normalShare } from "../statistics/quantiles.ts";
import { exponential } from "../surrogate/exponential.ts";
import { type GaussianProcess, gaussianProcess } from "../surrogate/gaussianProcess.ts";
import { type Known, type ModelOptions, modelSearch, type PlaceSearch } from "./placeSearch.ts";

/** Ours: values that a fit takes, of more half the best and half drawn; places that are looked at, and from how many of the best it climbs. */
export const VALUES_MOST = 200;
const PLACES = 256;
const CLIMBS = 3;
const STEP_FIRST = 0.1;
const STEP_LAST = 1e-4;
const ROUNDS_MOST = 30;
/** Ours: below it the two terms of an improvement would cancel out; the expansion's first term is good to a few per cent there. */
const FAR = -6;
/** Ours: all hyperparameters are sought anew at so many values, and in between from those before. */
const ANEW_EACH = 20;

export function improvementSearch(options: ModelOptions): PlaceSearch {
  const { dimensions, seed, isOpen = () => true } = options;
  const isKind = Array.from({ length: dimensions }, () => false);
  const random = namedRandom(seed);
  let before: GaussianProcess | null = null;
  return modelSearch(options, (known) => {
    const stream = random.at("expected improvement", "place", known.length);
    const told = chosen(known, stream);
    const rows = told.map(({ place }) => place);
    const starts = before === null || known.length % ANEW_EACH === 0 ? undefined : [before.at];
    const process = gaussianProcess(rows, tamed(told), isKind, starts);
    before = process;
    const drawn = taken(evenSequence(dimensions, stream.integer(0, UNIT - 1)), PLACES);
    if (process === null) return drawn.find(isOpen) ?? drawn[0] ?? [];
    const least = Math.min(...rows.map(process.meanAt));
    const score = (place: UnitPoint): number =>
      isOpen(place) ? logImprovement(process, least, place) : Number.NEGATIVE_INFINITY;
    const bestOf = (places: readonly UnitPoint[]): readonly UnitPoint[] => {
      const scored = places.map((place) => ({ place, score: score(place) }));
      return scored.sort((a, b) => b.score - a.score).map(({ place }) => place);
    };
    const from = [...bestOf(drawn).slice(0, CLIMBS), ...bestOf(rows.slice(0, CLIMBS))];
    return bestOf(from.map((start) => climbed(start, score)))[0] ?? [];
  });
}

/** All, or of many the best half and others that are drawn. */
export function chosen(known: readonly Known[], stream: Stream): readonly Known[] {
  if (known.length <= VALUES_MOST) return known;
  const half = VALUES_MOST / 2;
  const drawn = shuffled(known.length - half, stream).slice(0, half);
  return [...known.slice(0, half), ...drawn.flatMap((at) => known[half + at] ?? [])];
}

/**
 * Values far above the middle say only that a place is bad: they are as far from it as the best is below it, and so is what has no value.
 * One great value would make all others alike.
 */
function tamed(known: readonly Known[]): readonly number[] {
  const values = known.flatMap(({ value }) => value ?? []);
  const middle = values[values.length >> 1] ?? 0;
  const most = 2 * middle - Math.min(middle, ...values);
  return known.map(({ value }) => Math.min(value ?? most, most));
}

/** The logarithm of how much lower than `least` a value is expected to be: where it is next to nothing, it still says where there is more. */
function logImprovement(process: GaussianProcess, least: number, place: UnitPoint): number {
  const { mean, variance } = process.foretold(place);
  if (!(variance > 0)) return Number.NEGATIVE_INFINITY;
  const deviation = Math.sqrt(variance);
  const z = (least - mean) / deviation;
  const density = exponential((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z > FAR) return naturalLog(deviation * (z * normalShare(z) + density));
  return naturalLog(deviation / (z * z)) - (z * z + naturalLog(2 * Math.PI)) / 2;
}

/** One coordinate after the other, by ever smaller steps. */
function climbed(start: UnitPoint, score: (place: UnitPoint) => number): UnitPoint {
  let [best, most, step] = [start, score(start), STEP_FIRST];
  for (let round = 0; round < ROUNDS_MOST && step > STEP_LAST; round += 1) {
    const from = best;
    for (const [at] of from.entries()) {
      for (const by of [step, -step]) {
        const place = best.with(at, Math.min(1, Math.max(0, (best[at] ?? 0) + by)));
        const own = score(place);
        if (own > most) [best, most] = [place, own];
      }
    }
    if (best === from) step /= 3;
  }
  return best;
}
