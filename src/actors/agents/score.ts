import { MILLION } from "../../machines/units.ts";

/** Millionths as people read them. */
export const score = (millionths: number): string => (millionths / MILLION).toFixed(2);
