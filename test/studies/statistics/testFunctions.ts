/** Functions whose indices are known, and designs to ask them with. */
import { namedRandom } from "../../../src/substrate/random.ts";

const FINE = 0x40000000;

/** Numbers from 0 up to 1, of a stream of their own. */
export function uniforms(seed: number, name: string): () => number {
  const stream = namedRandom(seed).at("test", "uniform", name);
  return () => (stream.integer(0, FINE - 1) + 0.5) / FINE;
}

/** Blocks of A, AB by factor, BA by factor, B, of rows drawn at random. */
export function saltelliRows(seed: number, n: number, factors: number): number[][] {
  const next = uniforms(seed, "rows");
  const row = () => Array.from({ length: factors }, next);
  return Array.from({ length: n }, () => {
    const [a, b] = [row(), row()];
    const swapped = (of: number[], from: number[]) =>
      of.map((_, j) => of.map((value, k) => (k === j ? (from[k] ?? 0) : value)));
    return [a, ...swapped(a, b), ...swapped(b, a), b];
  }).flat();
}

export function ishigami(unit: readonly number[]): number {
  const [x = 0, y = 0, z = 0] = unit.map((one) => Math.PI * (2 * one - 1));
  return Math.sin(x) + 7 * Math.sin(y) * Math.sin(y) + 0.1 * z * z * z * z * Math.sin(x);
}

export const ISHIGAMI = {
  S1: [0.31390519114781146, 0.4424111447900409, 0],
  ST: [0.5575888552099592, 0.4424111447900409, 0.2436836640621477],
  S2: 0.2436836640621477,
};

export const gFunction = (a: readonly number[]) => (unit: readonly number[]) =>
  a.reduce(
    (product, one, j) => (product * (Math.abs(4 * (unit[j] ?? 0) - 2) + one)) / (1 + one),
    1,
  );

/** In closed form: each factor's part is 1/3/(1 + a)². */
export function gIndices(a: readonly number[]): { S1: number[]; ST: number[] } {
  const parts = a.map((one) => 1 / 3 / ((1 + one) * (1 + one)));
  const whole = parts.reduce((product, part) => product * (1 + part), 1);
  const S1 = parts.map((part) => part / (whole - 1));
  return { S1, ST: parts.map((part) => (part * whole) / (1 + part) / (whole - 1)) };
}

/** A whole answer as a text, its numbers to nine digits. */
export const toNineDigits = (answer: unknown): string =>
  `${JSON.stringify(answer, (_, one) => (typeof one === "number" ? Number(one.toPrecision(9)) : one), 1)}\n`;
