import { expect, test } from "vitest";
import { combinationsOf, FrontierSearch, toldThreshold } from "../../src/studies/frontier.ts";
import type { Factor } from "../../src/studies/study.ts";
import { namedRandom } from "../../src/substrate/random.ts";

const factors: readonly Factor[] = [
  { kind: "list", name: "growth", values: [1, 2], isOrdered: true },
  { kind: "number", name: "lock", low: 500_000, high: 1_000_000, step: 1, isLog: false },
];
const combinations = combinationsOf({ factors }, { along: "lock", levels: 51 });
const REPLICATES = 60;

/** From .0 to 1, of each replicate the same at every value. */
const luck = (one: number) => namedRandom(1).at("test", "luck", one).integer(0, 1_000) / 1_000;

function searched(event: (value: number, luck: number) => number | null, at = 0.5) {
  const [first] = combinations;
  if (first === undefined) throw new Error("no combination");
  const search = new FrontierSearch(first, REPLICATES, at);
  for (let levels = search.ask(); levels.length > 0; levels = search.ask()) {
    for (const level of levels) {
      const value = first.axis[level] ?? 0;
      const values = Array.from({ length: REPLICATES }, (_, one) => event(value, luck(one)));
      search.tell(level, values);
    }
  }
  return search.result();
}

test("[ST57] a frontier has an axis for each combination of the other factors' values", () => {
  expect(combinations.map(({ setting }) => setting)).toEqual([{ growth: 1 }, { growth: 2 }]);
  expect(combinations[1]?.axis).toHaveLength(51);
  expect(combinations[1]?.points[1]).toEqual({ index: 52, values: { growth: 2, lock: 510_000 } });
  // A list is its own axis, however many levels a range has.
  const [along] = combinationsOf({ factors }, { along: "growth", levels: 51 });
  expect(along).toMatchObject({ setting: { lock: 500_000 }, axis: [1, 2] });
});

test("[ST58] the threshold is bracketed with few runs, whether the outcome rises or falls along the factor", () => {
  const rising = searched((value, by) => (value / 1_000_000 + (by - 0.5) / 5 > 0.8 ? 1 : 0));
  const falling = searched((value, by) => (value / 1_000_000 + (by - 0.5) / 5 > 0.8 ? 0 : 1));

  for (const { threshold, looks, runs, gridRuns } of [rising, falling]) {
    expect(runs).toBeLessThan(gridRuns / 3);
    expect(gridRuns).toBe(51 * REPLICATES);
    if (threshold.kind !== "between") throw new Error(threshold.kind);
    expect(threshold.low).toBeLessThan(800_000);
    expect(threshold.high).toBeGreaterThan(800_000);
    expect(Math.abs(threshold.at - 800_000)).toBeLessThan(40_000);
    // On the line between the looks beside it.
    const after = looks.findIndex(({ value }) => value > threshold.at);
    const [one, other] = looks.slice(after - 1, after + 1);
    const toHalf = (30 - (one?.hits ?? 0)) / ((other?.hits ?? 0) - (one?.hits ?? 0));
    const [from = 0, to = 0] = [one?.value, other?.value];
    expect(threshold.at).toBeCloseTo(from + toHalf * (to - from), 6);
  }
  expect(rising.threshold).toMatchObject({ rises: true });
  expect(falling.threshold).toMatchObject({ rises: false });
});

test("[ST58] both ends are played first", () => {
  const [first] = combinations;

  expect(first && new FrontierSearch(first, REPLICATES, 0.5).ask()).toEqual([0, 50]);
});

test("[ST58] another probability has another threshold", () => {
  const event = (value: number, by: number) => (value / 1_000_000 + (by - 0.5) / 2 > 0.8 ? 1 : 0);
  const [low, high] = [searched(event, 0.25).threshold, searched(event, 0.75).threshold];

  if (low.kind !== "between" || high.kind !== "between") throw new Error("none");
  expect(low.at).toBeLessThan(high.at);
});

test("[ST58] where no end is on the other side, that is said, of the two ends alone", () => {
  const never = searched(() => 0);

  expect(never).toMatchObject({ threshold: { kind: "beyond", side: "rarer" }, runs: 120 });
  expect(searched(() => 1).threshold).toEqual({ kind: "beyond", side: "commoner" });
});

test("[ST59] where the same seeds say that it is not monotone, all values are played", () => {
  const bent = searched((value, by) => (value > 800_000 || (value < 550_000 && by < 0.2) ? 1 : 0));

  expect(bent.threshold).toEqual({ kind: "notMonotone" });
  expect(bent.runs).toBe(bent.gridRuns);
  expect(bent.looks).toHaveLength(51);
  expect(bent.looks.at(-1)).toEqual({
    ...{ value: 1_000_000, hits: 60, replicates: 60, side: "commoner" },
  });
});

test("[ST59] a run without a value, or with one that is neither 0 nor 1, is never scored", () => {
  expect(searched((_, by) => (by < 0.5 ? null : 1)).threshold.kind).toBe("noValue");
  expect(searched(() => 0.5)).toMatchObject({
    threshold: { kind: "noValue", runs: 120 },
    ...{ looks: [], runs: 120, gridRuns: 51 * REPLICATES },
  });
});

test("[ST58] a threshold is told to a tenth of the width of its interval", () => {
  const told = (low: number, high: number, at: number) =>
    toldThreshold({ kind: "between", low, high, at, rises: true });

  expect(told(800_000, 810_000, 805_172.4)).toBe(805_000);
  expect(told(820_000, 860_000, 835_714.3)).toBe(836_000);
  expect(told(3, 4, 3.4)).toBe(3);
});
