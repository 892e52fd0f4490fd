/** The sum of amounts in cents, each a whole number of millionths: a sum of fractions would drift. */
import { MILLION } from "../../machines/units.ts";

export const sumOfCents = (cents: readonly number[]): number =>
  cents.reduce((sum, one) => sum + Math.round(one * MILLION), 0) / MILLION;
