/** The baseline, then each value of each factor with all others as in the baseline. */
import type { Factor, Setting } from "../study.ts";
import { levelValues } from "./factorValues.ts";

export const oneAtATimeSize = (factors: readonly Factor[], levels: number): bigint =>
  factors.reduce((size, factor) => size + BigInt(levelValues(factor, levels).length), 1n);

/** The baseline may stand outside the factors' bounds: it is where a run stands without the study. */
export const oneAtATimeSettings = (
  factors: readonly Factor[],
  levels: number,
  baseline: Setting,
): Setting[] => [
  baseline,
  ...factors.flatMap((factor) =>
    levelValues(factor, levels).map((value) => ({ ...baseline, [factor.name]: value })),
  ),
];
