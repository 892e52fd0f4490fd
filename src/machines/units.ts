/** Durations in virtual milliseconds, and shares in millionths. */
export const seconds = (count: number): number => count * 1_000;
export const minutes = (count: number): number => seconds(60 * count);
export const hours = (count: number): number => minutes(60 * count);
export const days = (count: number): number => hours(24 * count);

/** One whole, in the unit of progress, severity, load and scores. */
export const MILLION = 1_000_000;
