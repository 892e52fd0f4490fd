/** Vectors from an embedding model, as whole numbers, so that a recording holds them bit for bit. */
import { Fault } from "./faults.ts";
import type { Vectors } from "./liveSetup.ts";

/** Millionths of a unit vector: finer than the model's own half precision. */
const SCALE = 1_000_000;
/** Ours: the largest models give some thousand numbers. */
const LENGTH_MAX = 20_000;

/** One row for each text, in their order. Throws a Fault for anything else. */
export function vectorsOf(texts: readonly string[], rows: readonly unknown[]): Vectors {
  if (rows.length !== texts.length) throw new Fault("garbage", "not one vector for each text");
  return Object.fromEntries(rows.map((row, index) => [texts[index] ?? "", whole(row)]));
}

function whole(row: unknown): number[] {
  const numbers = Array.isArray(row) ? (row as unknown[]) : [];
  const isVector =
    numbers.length > 0 && numbers.length <= LENGTH_MAX && numbers.every(Number.isFinite);
  if (!isVector) throw new Fault("garbage", "a vector that is none");
  return wholeVector(numbers as number[]);
}

/** The unit vector of finite numbers, in whole millionths; of nothing but zeros, zeros. */
export function wholeVector(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  // Adding 0 turns −0, which JSON cannot write, into 0.
  return vector.map((value) => (length === 0 ? 0 : Math.round((value / length) * SCALE) + 0));
}
