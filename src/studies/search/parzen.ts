/**
 * The tree-structured Parzen estimator in the unit cube (Bergstra and others 2011), over all coordinates together, with the figures and
 * widths of Optuna 5: each place is likely among the best values so far and unlikely among the others.
 */
import { naturalLog } from "../../machines/naturalLog.ts";
import { namedRandom, type Stream } from "../../substrate/random.ts";
import { UNIT, type UnitPoint } from "../sample/cubePoints.ts";
import { normalQuantile, normalShare } from "../statistics/quantiles.ts";
import { exponential } from "../surrogate/exponential.ts";
import { type ModelOptions, modelSearch, type PlaceSearch } from "./placeSearch.ts";

/** Optuna's: which share of the values are the best, how many at most, and how many places are drawn. */
const BEST_SHARE = 0.1;
const BEST_MOST = 25;
const DRAWN = 24;

/** A normal distribution around a place, cut off at the cube. */
interface Kernel {
  readonly middle: UnitPoint;
  readonly widths: readonly number[];
}

export function parzenSearch(options: ModelOptions): PlaceSearch {
  const { dimensions, seed, isOpen = () => true } = options;
  const random = namedRandom(seed);
  return modelSearch(options, (known) => {
    const stream = random.at("parzen", "place", known.length);
    const places = known.map(({ place }) => place);
    const best = Math.min(Math.ceil(BEST_SHARE * known.length), BEST_MOST);
    const good = kernelsAt(places.slice(0, best), dimensions);
    const others = kernelsAt(places.slice(best), dimensions);
    const drawn = Array.from({ length: DRAWN }, () => drawnFrom(good, stream));
    const open = drawn.filter(isOpen);
    return (open.length > 0 ? open : drawn)
      .map((place) => ({ place, score: logDensity(good, place) - logDensity(others, place) }))
      .reduce((first, one) => (one.score > first.score ? one : first)).place;
  });
}

/** One for each place, and one of all places, as wide as the cube; all count alike. */
function kernelsAt(places: readonly UnitPoint[], dimensions: number): readonly Kernel[] {
  const least = 1 / Math.min(100, places.length + 2);
  const widths = Array.from({ length: dimensions }, (_, j) =>
    gaps(places.map((place) => place[j] ?? 0)).map((gap) => Math.min(1, Math.max(least, gap))),
  );
  const each = places.map((middle, at) => ({ middle, widths: widths.map((own) => own[at] ?? 1) }));
  return [...each, { middle: widths.map(() => 0.5), widths: widths.map(() => 1) }];
}

/** Which shares of a normal distribution lie below 0 and below 1. */
const cutAt = (middle: number, width: number): readonly [number, number] => [
  normalShare(-middle / width),
  normalShare((1 - middle) / width),
];

/** From each value to the farther of its neighbours; of the first and the last to the only one, of one alone to the farther end. */
function gaps(values: readonly number[]): readonly number[] {
  const order = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const [end, start] = values.length > 1 ? [undefined, undefined] : [1, 0];
  const found = new Array<number>(values.length).fill(0);
  order.forEach((at, rank) => {
    const own = values[at] ?? 0;
    const before = values[order[rank - 1] ?? -1] ?? start ?? own;
    const after = values[order[rank + 1] ?? -1] ?? end ?? own;
    found[at] = Math.max(own - before, after - own);
  });
  return found;
}

function drawnFrom(kernels: readonly Kernel[], stream: Stream): UnitPoint {
  const { middle = [], widths = [] } = kernels[stream.integer(0, kernels.length - 1)] ?? {};
  return middle.map((at, j) => {
    const width = widths[j] ?? 1;
    const [from, to] = cutAt(at, width);
    const share = from + ((stream.integer(0, UNIT - 1) + 0.5) / UNIT) * (to - from);
    return Math.min(1, Math.max(0, at + width * normalQuantile(share)));
  });
}

function logDensity(kernels: readonly Kernel[], place: UnitPoint): number {
  const logs = kernels.map(({ middle, widths }) =>
    place.reduce((sum, one, j) => {
      const [at, width] = [middle[j] ?? 0, widths[j] ?? 1];
      const [from, to] = cutAt(at, width);
      const z = (one - at) / width;
      return sum - (z * z) / 2 - naturalLog(width * (to - from));
    }, 0),
  );
  const most = Math.max(...logs);
  const sum = logs.reduce((all, one) => all + exponential(one - most), 0);
  return most + naturalLog(sum / kernels.length);
}
