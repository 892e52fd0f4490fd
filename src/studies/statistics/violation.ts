/** What runs without a violation say of its probability: never that it is zero. */
import { CONFIDENCE } from "./intervals.ts";
import { betaQuantile } from "./quantiles.ts";

/**
 * The most probable that a violation may be, one-sided, where `broken` of `n` runs had one: Clopper and Pearson's.
 * With none broken it is 1 − (1 − confidence)^(1/n), which the rule of three, 3/n, comes near.
 */
export const violationBound = (broken: number, n: number, confidence = CONFIDENCE): number =>
  broken >= n ? 1 : betaQuantile(confidence, broken + 1, n - broken);
