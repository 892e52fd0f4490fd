/** Shares and their differences, as tables say them. */
import type { Estimate } from "../../studies/statistics/intervals.ts";

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Nothing where none can be claimed. */
export const interval = ({ low, high }: Pick<Estimate, "low" | "high">): string =>
  low === null || high === null ? "" : `(${Math.round(low * 100)} … ${Math.round(high * 100)} %)`;
