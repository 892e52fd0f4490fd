import type { Tried } from "../../src/run/check/check.ts";

/** What some worlds broke, each with the seed that finds it again. */
export const breachesIn = (tried: readonly Pick<Tried, "seed" | "fared">[]) =>
  tried.flatMap(({ seed, fared }) =>
    Object.entries(fared).flatMap(([id, { violation }]) =>
      violation === null ? [] : [{ seed, id, ...violation }],
    ),
  );
