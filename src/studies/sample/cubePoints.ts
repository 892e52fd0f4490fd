/** Points of the unit cube, before they become values of factors: sequences without an end, and designs of so many points. */
import { assert } from "../../substrate/assert.ts";
import { namedRandom, SEED_MAX, type Stream } from "../../substrate/random.ts";
import { SOBOL_BITS, SOBOL_DIMENSIONS_MAX, sobolDirections } from "./sobolDirections.ts";

/** One number from 0 to below 1 for each dimension; designs with levels reach 1 itself. */
export type UnitPoint = readonly number[];

/** Gives the next point each time. */
export type UnitSequence = () => UnitPoint;

/** How many numbers from 0 to below 1 are told apart: 32 bits, as in a Sobol sequence. */
export const UNIT = 0x1_0000_0000;

/** The next `count` points. */
export const taken = (sequence: UnitSequence, count: number): UnitPoint[] =>
  Array.from({ length: count }, () => sequence());

/** Points drawn one by one. Each dimension draws from a stream of its own: one more factor shifts none of the others. */
export function randomSequence(dimensions: number, seed: number): UnitSequence {
  const random = namedRandom(seed);
  const streams = Array.from({ length: dimensions }, (_, at) =>
    random.at("study", "random point", at),
  );
  return () => streams.map((stream) => stream.integer(0, UNIT - 1) / UNIT);
}

/**
 * The points of a Sobol sequence, the first included, in the order of Gray's code; `seed` null leaves it as it is. Scrambled
 * is Owen's nested uniform scrambling by hash: a bit is flipped or not by a hash of the seed, the dimension and the bits
 * before it, so that the points remain a (t, m, s)-net.
 */
export function sobolSequence(dimensions: number, seed: number | null): UnitSequence {
  assert(
    dimensions >= 1 && dimensions <= SOBOL_DIMENSIONS_MAX,
    `a Sobol sequence has 1 … ${SOBOL_DIMENSIONS_MAX} dimensions`,
  );
  const directions = Array.from({ length: dimensions }, (_, at) => sobolDirections(at));
  const scrambles = directions.map((_, at) => (seed === null ? null : scramble(seed, at)));
  const now = new Uint32Array(dimensions);
  let index = 0;
  return () => {
    const point = scrambles.map((scrambled, at) => {
      const bits = now[at] ?? 0;
      return (scrambled === null ? bits : scrambled(bits)) / UNIT;
    });
    // The next number in Gray's code differs in one bit: where `index` has its lowest zero.
    const changed = SOBOL_BITS - 1 - Math.clz32(~index & (index + 1));
    index += 1;
    for (let at = 0; at < dimensions; at += 1) {
      now[at] = (now[at] ?? 0) ^ (directions[at]?.[changed] ?? 0);
    }
    return point;
  };
}

/** Scrambled, while there are direction numbers for so many dimensions; else drawn. */
export const evenSequence = (dimensions: number, seed: number): UnitSequence =>
  dimensions <= SOBOL_DIMENSIONS_MAX
    ? sobolSequence(dimensions, seed)
    : randomSequence(dimensions, seed);

function scramble(seed: number, dimension: number): (bits: number) => number {
  const stream = namedRandom(seed).at("study", "sobol scramble", dimension);
  const one = stream.integer(0, SEED_MAX) | 0;
  const other = stream.integer(0, SEED_MAX) | 0;
  return (bits) => {
    let flips = 0;
    for (let bit = 0; bit < SOBOL_BITS; bit += 1) {
      // The bits before this one, behind a one that says how many they are.
      const before = bit === 0 ? 1 : (1 << bit) | (bits >>> (SOBOL_BITS - bit));
      flips = (flips << 1) | (mixed(mixed(before ^ one) ^ other) & 1);
    }
    return (bits ^ flips) >>> 0;
  };
}

/** Each bit of the result depends on all of `value`: the last step of MurmurHash3 (A. Appleby, public domain). */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/**
 * A Latin hypercube (McKay, Beckman and Conover 1979): in each dimension every one of `count` strata of equal width is
 * hit once. Strata stand in a drawn order, with a drawn place in each.
 */
export function latinHypercube(count: number, dimensions: number, seed: number): UnitPoint[] {
  const random = namedRandom(seed);
  const columns = Array.from({ length: dimensions }, (_, at) => {
    const stream = random.at("study", "latin hypercube", at);
    return shuffled(count, stream).map(
      (stratum) => (stratum + stream.integer(0, UNIT - 1) / UNIT) / count,
    );
  });
  return Array.from({ length: count }, (_, row) => columns.map((column) => column[row] ?? 0));
}

/** 0 … `count` − 1 in a drawn order, each order equally likely (Fisher and Yates). */
export function shuffled(count: number, stream: Stream): number[] {
  const order = Array.from({ length: count }, (_, at) => at);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = stream.integer(0, last);
    [order[last], order[other]] = [order[other] ?? 0, order[last] ?? 0];
  }
  return order;
}

/**
 * Morris's design in SALib's convention: one trajectory after the other, of a point more than there are groups, each of
 * which moves one group, its factors up or down each by itself. `groupOf` has the group of each dimension. Levels, an even number, stand at 0, 1/(levels − 1), …, 1; a step is levels/(2(levels − 1)) of the range.
 */
export function morrisPoints(
  { trajectories, levels }: { readonly trajectories: number; readonly levels: number },
  groupOf: readonly number[],
  seed: number,
): UnitPoint[] {
  assert(levels >= 2 && levels % 2 === 0, "the levels of Morris's design are an even number");
  const random = namedRandom(seed);
  return Array.from({ length: trajectories }, (_, trajectory) => {
    const stream = random.at("study", "morris trajectory", trajectory);
    const jump = levels / 2;
    const moves = groupOf.map(() => {
      const low = stream.integer(0, jump - 1);
      return stream.integer(0, 1) === 1 ? [low, low + jump] : [low + jump, low];
    });
    // Where each group stands in the order in which they move.
    const turns = shuffled(new Set(groupOf).size, stream);
    return Array.from({ length: turns.length + 1 }, (_, row) =>
      moves.map(
        ([from = 0, to = 0], at) =>
          ((turns[groupOf[at] ?? 0] ?? 0) < row ? to : from) / (levels - 1),
      ),
    );
  }).flat();
}

/**
 * Saltelli's design in SALib's order, N(2D + 2) points of D groups. For each of N rows of two samples A and B: A, then A with each group of
 * B in turn, then B with each of A, then B. `groupOf` has the group of each dimension.
 */
export function saltelliPoints(
  samples: number,
  groupOf: readonly number[],
  seed: number,
): UnitPoint[] {
  const dimensions = groupOf.length;
  const crossed = (into: UnitPoint, from: UnitPoint): UnitPoint[] =>
    [...new Set(groupOf)].map((group) =>
      into.map((own, at) => (groupOf[at] === group ? (from[at] ?? 0) : own)),
    );
  return taken(sobolSequence(2 * dimensions, seed), samples).flatMap((row) => {
    const a = row.slice(0, dimensions);
    const b = row.slice(dimensions);
    return [a, ...crossed(a, b), ...crossed(b, a), b];
  });
}

/** For whole numbers from 1 to below 2³¹. */
export const isPowerOfTwo = (count: number): boolean => (count & (count - 1)) === 0;
