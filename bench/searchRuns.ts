/** Who needs how many runs: the searches of `tune` on functions as COCO's, from the same seeds and with the same budget. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { randomSequence, type UnitPoint } from "../src/studies/sample/cubePoints.ts";
import type { PlaceSearch } from "../src/studies/search/placeSearch.ts";
import { RANGE_SEARCH } from "../src/studies/tuneTrials.ts";

export interface TestFunction {
  readonly name: string;
  readonly dimensions: number;
  /** A value below it is found. */
  readonly target: number;
}

/** From −5 to 5 in each coordinate, the least value off the middle, which is where searches begin. */
const moved = (place: UnitPoint): readonly number[] =>
  place.map((one, i) => 10 * one - 5 - 1.3 + 0.9 * i);

const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);

const FUNCTIONS: { readonly [name: string]: (place: UnitPoint) => number } = {
  sphere: (place) => sum(moved(place).map((x) => x * x)),
  ellipsoid: (place) =>
    sum(moved(place).map((x, i) => 10 ** ((4 * i) / (place.length - 1)) * x * x)),
  Rosenbrock: (place) => {
    const x = moved(place).map((one) => one + 1);
    return sum(
      x.slice(1).map((one, i) => {
        const before = x[i] ?? 0;
        return 100 * (one - before * before) ** 2 + (1 - before) ** 2;
      }),
    );
  },
  Rastrigin: (place) => sum(moved(place).map((x) => x * x + 10 - 10 * Math.cos(2 * Math.PI * x))),
  step: (place) => sum(moved(place).map((x) => Math.floor(Math.abs(x)))),
};

export const QUESTIONS: readonly TestFunction[] = [2, 5].flatMap((dimensions) => [
  { name: "sphere", dimensions, target: 0.1 },
  { name: "ellipsoid", dimensions, target: 10 },
  { name: "Rosenbrock", dimensions, target: dimensions === 2 ? 1 : 10 },
  { name: "Rastrigin", dimensions, target: dimensions === 2 ? 1.5 : 10 },
  { name: "step", dimensions, target: 0.5 },
]);

export const BUDGET = 150;
export const SEEDS: readonly number[] = Array.from({ length: 5 }, (_, at) => at + 1);

export type Way = (dimensions: number, seed: number) => PlaceSearch;

export const WAYS: { readonly [name: string]: Way } = {
  chance: (dimensions, seed) => {
    const next = randomSequence(dimensions, seed);
    return { ask: () => [next()], tell: () => {} };
  },
  ...Object.fromEntries(
    Object.entries(RANGE_SEARCH).map(([name, search]) => [
      name,
      (dimensions: number, seed: number) => search({ dimensions, seed }),
    ]),
  ),
};

export const valueAt = ({ name }: TestFunction, place: UnitPoint): number =>
  FUNCTIONS[name]?.(place) ?? Number.NaN;

/** How many values it takes to one below the target; null where the budget ends before. */
export function valuesTo(question: TestFunction, way: Way, seed: number): number | null {
  const { dimensions, target } = question;
  const search = way(dimensions, seed);
  for (let count = 0; count < BUDGET; ) {
    const values = search.ask().map((place) => valueAt(question, place));
    const first = values.findIndex((value) => value < target);
    if (first >= 0) return count + first + 1 <= BUDGET ? count + first + 1 : null;
    count += values.length;
    search.tell(values);
  }
  return null;
}

/** The same by Optuna's TPE, for each question and seed; null where Python has no Optuna. */
export async function byOptuna(): Promise<readonly (readonly (number | null)[])[] | null> {
  const child = spawn("python3", ["bench/besideOptuna.py"], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (value: unknown) => void child.stdin.write(`${JSON.stringify(value)}\n`);
  child.stdin.on("error", () => {});
  const found: (number | null)[][] = [];
  for (const question of QUESTIONS) {
    const own: (number | null)[] = [];
    for (const seed of SEEDS) {
      say({ dimensions: question.dimensions, seed });
      for (let count = 1; ; count += 1) {
        const line = await lines.next();
        if (line.done) return null;
        const value = valueAt(question, JSON.parse(line.value) as number[]);
        const isFound = value < question.target;
        if (isFound || count === BUDGET) own.push(isFound ? count : null);
        say(isFound || count === BUDGET ? null : value);
        if (isFound || count === BUDGET) break;
      }
    }
    found.push(own);
  }
  child.stdin.end();
  return found;
}

/** How many found it, and the median of what they took. */
export function foundText(found: readonly (number | null)[]): string {
  const taken = found.filter((one) => one !== null).sort((a, b) => a - b);
  const middle = taken[Math.floor(taken.length / 2)];
  return middle === undefined ? "–" : `${taken.length} of ${found.length}, ${middle}`;
}
