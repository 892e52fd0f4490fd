/**
 * Shapley effects (Owen 2014; Song, Nelson and Staum 2016): how the variance of a function is shared out among its factors, with what
 * several make together shared alike, so that all shares are 1 together. A set of factors is worth the variance that is left where all
 * others are held (Jansen's estimate).
 */
import { evenSequence, shuffled, taken } from "../sample/cubePoints.ts";
import { bootstrapStream } from "../statistics/bootstrap.ts";
import { shapleyValues } from "../statistics/shapley.ts";

/** Ours: pairs of rows that a variance is taken from, a power of two; up to how many factors all sets are asked for; else drawn orders, in pairs. */
const ROWS = 256;
const EXACT_MOST = 10;
const ORDER_PAIRS = 16;

/** Each factor is drawn by itself among its `columns`' values. Null where the function does not vary. */
export function shapleyEffects<Value>(
  columns: readonly (readonly Value[])[],
  of: (row: readonly Value[]) => number,
  seed: number,
): readonly number[] | null {
  const count = columns.length;
  const sorted = columns.map((values) => [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
  const pairs = taken(evenSequence(2 * count, seed), ROWS).map((places) => {
    const values = places.map((place, at) => {
      const own = sorted[at % count] ?? [];
      return own[Math.floor(place * own.length)] as Value;
    });
    const [from, to] = [values.slice(0, count), values.slice(count)];
    return { from, to, value: of(from) };
  });
  const worth = (isIn: (factor: number) => boolean): number => {
    let squares = 0;
    for (const { from, to, value } of pairs) {
      const moved = of(from.map((own, at) => (isIn(at) ? (to[at] as Value) : own)));
      squares += (moved - value) * (moved - value);
    }
    return squares / (2 * ROWS);
  };
  const whole = worth(() => true);
  if (!(whole > 0)) return null;
  if (count <= EXACT_MOST) {
    const sets = Array.from({ length: 2 ** count }, (_, set) =>
      worth((at) => (set >> at) % 2 === 1),
    );
    return shapleyValues(count, sets).map((share) => share / whole);
  }
  const stream = bootstrapStream(seed, "shapley");
  const shares = new Array<number>(count).fill(0);
  // Each drawn order and its reverse, which takes out most of their chance (Castro and others 2009; Mitchell and others 2022).
  for (let pair = 0; pair < ORDER_PAIRS; pair += 1) {
    const order = shuffled(count, stream);
    for (const one of [order, order.toReversed()]) {
      const before = new Set<number>();
      let last = 0;
      for (const factor of one) {
        const now = worth((at) => before.add(factor).has(at));
        shares[factor] = (shares[factor] ?? 0) + (now - last) / (2 * ORDER_PAIRS * whole);
        last = now;
      }
    }
  }
  return shares;
}
