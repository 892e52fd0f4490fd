/** Every combination of the factors' values. */
import type { Factor, Setting } from "../study.ts";
import { levelValues } from "./factorValues.ts";

/** How many combinations there are, before any is made. */
export const gridSize = (factors: readonly Factor[], levels: number): bigint =>
  factors.reduce((size, factor) => size * BigInt(levelValues(factor, levels).length), 1n);

/** The last factor varies fastest. */
export function gridSettings(factors: readonly Factor[], levels: number): Setting[] {
  let settings: Setting[] = [{}];
  for (const factor of factors) {
    const values = levelValues(factor, levels);
    settings = settings.flatMap((setting) =>
      values.map((value) => ({ ...setting, [factor.name]: value })),
    );
  }
  return settings;
}
