/**
 * e to a power from the four basic operations only: ECMAScript leaves the last bits of `Math.exp` to the engine, and a fit that goes by
 * them could end elsewhere on another host.
 */

/** For powers of up to ln 2 / 2; what is omitted is below 1e-17. */
const TERMS = 13;
const SHARES = Float64Array.from({ length: TERMS + 1 }, (_, k) => 1 / Math.max(1, k));
/** The smallest number is two to the power of −1,074. */
const HALVES = new Float64Array(1_075).fill(1);
for (let k = 1; k < HALVES.length; k += 1) HALVES[k] = (HALVES[k - 1] ?? 0) / 2;

/** Of powers up to 700, good to 1e-13 relative. */
export function exponential(power: number): number {
  const doublings = Math.round(power / Math.LN2);
  if (doublings <= -HALVES.length) return 0;
  const rest = power - doublings * Math.LN2;
  let sum = 1;
  for (let k = TERMS; k >= 1; k -= 1) sum = 1 + rest * sum * (SHARES[k] ?? 0);
  const scale = HALVES[Math.abs(doublings)] ?? 0;
  return doublings > 0 ? sum / scale : sum * scale;
}
