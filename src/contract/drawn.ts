import type { Stream } from "../substrate/random.ts";

/** One of what fits, by weight; undefined, and nothing is drawn, where nothing does. */
export const drawnFrom = <T extends { readonly weight: number }>(
  fits: readonly T[],
  draw: Stream,
): T | undefined =>
  fits.length === 0 ? undefined : fits[draw.weighted(fits.map(({ weight }) => weight))];
