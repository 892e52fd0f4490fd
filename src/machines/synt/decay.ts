/**
 * Exponential decay in whole numbers. ECMAScript leaves the last bits of `Math.exp` to the engine;
 * these are the same bits everywhere.
 */
import { days } from "../units.ts";

/** One, in the fixed point of this file. Ours: 24 digits leave 12 beyond the 9 of a result. */
const ONE = 1_000_000_000_000n * 1_000_000_000_000n;
/** e^−60 of a billion billionths is below 1e-17: nothing is left. */
const NOTHING_LEFT = 60n * ONE;
/** The series runs below 1/64, where a dozen powers are enough. */
const SERIES_BELOW = ONE / 64n;

/**
 * amount × e^(−rate × elapsed), to the nearest whole number: at most one half away from the exact
 * value. `ratePerDay` is in millionths a day; time that runs backwards counts as none.
 */
export function decayed(amount: number, ratePerDay: number, elapsedMs: number): number {
  if (elapsedMs <= 0 || ratePerDay === 0) return amount;
  const exponent = (BigInt(ratePerDay) * BigInt(elapsedMs) * ONE) / BigInt(days(1_000_000));
  if (exponent >= NOTHING_LEFT) return 0;
  return Number((BigInt(amount) * shareLeft(exponent) + ONE / 2n) / ONE);
}

/** e^−x: the series of a small part of x, squared back. */
function shareLeft(exponent: bigint): bigint {
  let part = exponent;
  let halvings = 0;
  for (; part >= SERIES_BELOW; halvings += 1) part /= 2n;
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    term = (-term * part) / (ONE * n);
    sum += term;
  }
  for (; halvings > 0; halvings -= 1) sum = (sum * sum) / ONE;
  return sum;
}
