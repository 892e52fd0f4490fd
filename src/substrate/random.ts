/**
 * Named randomness: a stream is found by its name, never by the order of use, so that a new actor
 * or one more draw shifts no actor's luck. Only providers draw; machines never do.
 */
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { assert } from "./assert.ts";
import { sha256Hex } from "./digest.ts";

export const SEED_MAX = 0xffffffff;

/** One stream of draws. */
export interface Stream {
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** An index into `weights`, drawn in proportion. Weights are whole numbers, not all zero. */
  weighted(weights: readonly number[]): number;
}

/** Chance by name: one more stream shifts no other. */
export interface NamedRandom {
  /** The stream of one address and purpose; `key` counts its draws, as the number of a call does. */
  at(address: string, purpose: string, key: string | number): Stream;
}

/** `seed` is a whole number from 0 to 2³²−1. */
export function namedRandom(seed: number): NamedRandom {
  assert(Number.isInteger(seed) && seed >= 0 && seed <= SEED_MAX, "a seed is 0 … 2³²−1");
  return {
    at: (address, purpose, key) =>
      stream(
        Number.parseInt(sha256Hex(JSON.stringify([seed, address, purpose, key])).slice(0, 8), 16),
      ),
  };
}

function stream(seed: number): Stream {
  const generator = xoroshiro128plus(seed | 0);
  const integer = (min: number, max: number): number => uniformInt(generator, min, max);
  return {
    integer,
    weighted(weights) {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      assert(total > 0, "weights must not all be zero");
      let rest = integer(0, total - 1);
      return weights.findIndex((weight) => {
        rest -= weight;
        return rest < 0;
      });
    },
  };
}
