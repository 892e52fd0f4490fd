/**
 * PAWN (Pianosi and Wagener 2018): how far an outcome's whole distribution moves where one factor is held in a slice of its range. Unlike
 * a share of variance it sees what happens in the tails. Slices and figures are SALib's.
 */
import { shuffled } from "../sample/cubePoints.ts";
import { bootstrapStream } from "./bootstrap.ts";
import { quantileOf } from "./intervals.ts";

/** SALib's. */
const SLICES = 10;

/** By factor: of Kolmogorov and Smirnov's distances over the slices. */
export interface PawnIndices {
  readonly median: readonly number[];
  readonly maximum: readonly number[];
  /** The same of a factor that is drawn at random, which matters nothing: what so many rows say by chance. */
  readonly dummy: { readonly median: number; readonly maximum: number };
}

/** `unit` has a place for each factor in each row, `values` what came of the row. */
export function pawnIndices(
  unit: readonly (readonly number[])[],
  values: readonly number[],
  { seed, outcome }: { readonly seed: number; readonly outcome: string },
): PawnIndices {
  const stream = bootstrapStream(seed, `pawn ${outcome}`);
  const sorted = values.toSorted((a, b) => a - b);
  const of = (places: readonly number[]) => distances(places, values, sorted);
  const found = (unit[0] ?? []).map((_, factor) => of(unit.map((row) => row[factor] ?? 0)));
  return {
    median: found.map(({ median }) => median),
    maximum: found.map(({ maximum }) => maximum),
    dummy: of(shuffled(values.length, stream)),
  };
}

function distances(
  places: readonly number[],
  values: readonly number[],
  sorted: readonly number[],
): { readonly median: number; readonly maximum: number } {
  const ordered = places.toSorted((a, b) => a - b);
  const edge = (slice: number): number =>
    slice <= 0
      ? (ordered[0] ?? 0)
      : slice >= SLICES
        ? (ordered.at(-1) ?? 0)
        : quantileOf(ordered, slice / SLICES);
  const slices = Array.from({ length: SLICES }, (_, slice) => {
    const [from, to] = [edge(slice), edge(slice + 1)];
    // SALib leaves the very last place to nobody.
    const own = values.filter((_, row) => {
      const place = places[row] ?? 0;
      return place >= from && place < to;
    });
    return own.sort((a, b) => a - b);
  });
  const all = slices
    .flatMap((own) => (own.length === 0 ? [] : distance(own, sorted)))
    .sort((a, b) => a - b);
  return { median: quantileOf(all, 0.5), maximum: all.at(-1) ?? 0 };
}

/** The greatest distance between both shares of values up to some value. */
function distance(own: readonly number[], all: readonly number[]): number {
  let [i, j, most] = [0, 0, 0];
  while (j < all.length) {
    const value = all[j] ?? 0;
    while (j < all.length && (all[j] ?? 0) <= value) j += 1;
    while (i < own.length && (own[i] ?? 0) <= value) i += 1;
    most = Math.max(most, Math.abs(i / own.length - j / all.length));
  }
  return most;
}
