/** Reference values computed by scipy, read where they are and never kept here. */
import { existsSync, readFileSync } from "node:fs";

const ORACLE = new URL("../../../../shared/oracles/statistics.json", import.meta.url);

export const isOracleThere = existsSync(ORACLE);

interface StatisticsOracle {
  readonly t_quantile_975: { readonly [freedom: string]: number };
  readonly paired: {
    readonly x: readonly number[];
    readonly y: readonly number[];
    readonly mean_diff: number;
    readonly ci95: readonly [number, number];
  };
  readonly analytic: {
    readonly ishigami: { readonly S1: readonly number[]; readonly ST: readonly number[] };
    readonly sobol_g: {
      readonly a: readonly number[];
      readonly S1: readonly number[];
      readonly ST: readonly number[];
    };
  };
}

// The file's shape is what its `meta` says of it.
export const statisticsOracle = (): StatisticsOracle =>
  JSON.parse(readFileSync(ORACLE, "utf8")) as StatisticsOracle;
