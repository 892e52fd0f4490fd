/** What common random numbers gain, by the pairs of a baseline and a point on the same seeds. */
import { bootstrapStream, drawnAgain } from "../src/studies/statistics/bootstrap.ts";
import { momentsOf, type Pair, varianceOf } from "../src/studies/statistics/fold.ts";

const RESAMPLES = 2000;

export interface Gain {
  /** Point less baseline. */
  readonly difference: number;
  /** Standard deviations over seeds: of the baseline, of the point, of their difference. */
  readonly deviations: readonly [number, number, number];
  readonly correlation: number | null;
  /** How many times fewer runs the same interval takes: null where the differences do not vary. */
  readonly ratio: number | null;
  /** 95 %, percentiles of seeds drawn again. */
  readonly low: number;
  readonly high: number;
}

interface Variances {
  readonly one: number;
  readonly other: number;
  readonly between: number;
}

function variancesOf(pairs: readonly Pair[]): Variances {
  const of = (value: (pair: Pair) => number) => varianceOf(momentsOf(pairs.map(value)));
  return { one: of(([a]) => a), other: of(([, b]) => b), between: of(([a, b]) => b - a) };
}

/**
 * An interval's half width is Student's t by the root of a variance over n: of the differences where seeds are
 * common, of both values where they are not. Of few runs t is larger for the fewer; that is left out.
 */
const ratioOf = ({ one, other, between }: Variances): number => (one + other) / between;

export function gainOf(pairs: readonly Pair[]): Gain {
  const found = variancesOf(pairs);
  const { one, other, between } = found;
  const stream = bootstrapStream(1, "common numbers");
  const again = Array.from({ length: RESAMPLES }, () =>
    ratioOf(variancesOf(drawnAgain(stream, pairs.length).flatMap((at) => pairs.slice(at, at + 1)))),
  ).toSorted((a, b) => a - b);
  const at = (share: number) => again[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN;
  const both = Math.sqrt(one * other);
  return {
    difference: momentsOf(pairs.map(([a, b]) => b - a)).mean,
    deviations: [Math.sqrt(one), Math.sqrt(other), Math.sqrt(between)],
    correlation: both > 0 ? (one + other - between) / 2 / both : null,
    ratio: between > 0 ? ratioOf(found) : null,
    low: at(0.025),
    high: at(0.975),
  };
}
