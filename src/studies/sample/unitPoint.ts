/** A place in the unit cube, before it becomes values of factors. */

/** One number from 0 to below 1 for each dimension; designs with levels reach 1 itself. */
export type UnitPoint = readonly number[];

/** Gives the next point each time. */
export type UnitSequence = () => UnitPoint;

/** How many numbers from 0 to below 1 are told apart: 32 bits, as in a Sobol sequence. */
export const UNIT = 0x1_0000_0000;

/** The next `count` points. */
export const taken = (sequence: UnitSequence, count: number): UnitPoint[] =>
  Array.from({ length: count }, () => sequence());
