/**
 * Sobol sequences, as they are or scrambled. Scrambled is Owen's nested uniform scrambling by hash: a bit is flipped
 * or not by a hash of the seed, the dimension and the bits before it, so that the points remain a (t, m, s)-net.
 */
import { assert } from "../../substrate/assert.ts";
import { namedRandom, SEED_MAX } from "../../substrate/random.ts";
import { SOBOL_BITS, SOBOL_DIMENSIONS_MAX, sobolDirections } from "./sobolDirections.ts";
import { UNIT, type UnitSequence } from "./unitPoint.ts";

/** The points of a Sobol sequence one by one, the first included, in the order of Gray's code; `seed` null leaves it unscrambled. */
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
