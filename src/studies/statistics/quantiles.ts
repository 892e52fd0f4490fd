/**
 * Quantiles, by the cephes library. It is WebAssembly, so their bits are the same on every host, which
 * Math.pow does not promise; it takes a moment to compile, so whoever imports this waits for it.
 */
import { compiled, incbet, incbi, ndtr, ndtri } from "cephes";

await compiled;

export const normalQuantile = (probability: number): number => ndtri(probability);

export const normalShare = (value: number): number => ndtr(value);

/** How probable a normal value at least so far from zero is, to either side. */
export const normalTails = (z: number): number => 2 * ndtr(-Math.abs(z));

/** Student's t; degrees of freedom need not be whole, as Welch's are not. */
export function tQuantile(probability: number, freedom: number): number {
  if (probability === 0.5) return 0;
  const tail = Math.min(probability, 1 - probability);
  const sign = probability < 0.5 ? -1 : 1;
  if (freedom >= NEARLY_NORMAL) return -sign * expanded(normalQuantile(tail), freedom);
  // The inverse loses digits near one: either half takes the form that stays clear of it.
  if (tail > 0.25) {
    const share = incbi(0.5, freedom / 2, 1 - 2 * tail);
    return sign * Math.sqrt((freedom * share) / (1 - share));
  }
  const share = incbi(freedom / 2, 0.5, 2 * tail);
  return sign * Math.sqrt((freedom * (1 - share)) / share);
}

/** Ours: from here on the inverse has lost the far tails, and four terms of the expansion have all digits. */
const NEARLY_NORMAL = 1e5;

/** Cornish and Fisher's expansion of Student's t about the normal quantile. */
function expanded(z: number, freedom: number): number {
  const q = z * z;
  return (
    z *
    (1 +
      (q + 1) / (4 * freedom) +
      ((5 * q + 16) * q + 3) / (96 * freedom * freedom) +
      (((3 * q + 19) * q + 17) * q - 15) / (384 * freedom * freedom * freedom))
  );
}

/** How probable a t at least so far from zero is, to either side. */
export const tBothTails = (t: number, freedom: number): number =>
  incbet(freedom / 2, 0.5, freedom / (freedom + t * t));

export const betaQuantile = (probability: number, a: number, b: number): number =>
  incbi(a, b, probability);

/** How probable at most `hits` of `n` are, each with `probability`. */
export const binomialAtMost = (hits: number, n: number, probability: number): number =>
  hits >= n ? 1 : hits < 0 ? 0 : incbet(n - hits, hits + 1, 1 - probability);
