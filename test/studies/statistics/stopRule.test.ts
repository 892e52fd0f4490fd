import { expect, it } from "vitest";
import { pairedBySeed, type Result } from "../../../src/studies/statistics/fold.ts";
import { pairsInterval } from "../../../src/studies/statistics/proportions.ts";
import { type StopRule, stopState } from "../../../src/studies/statistics/stopRule.ts";

const RULE: StopRule = { halfWidth: 1, kind: "number", batch: 10, most: 100 };

/** Replicates of one point, each with the value that `of` says. */
const run = (point: number, n: number, of: (replicate: number) => number | null): Result[] =>
  Array.from({ length: n }, (_, replicate) => ({
    point,
    replicate,
    seed: 1000 + replicate,
    value: of(replicate),
  }));
const steady = (r: number) => (r % 7) * 100;
/** Differs from `steady` by −1 and 1 in turn, or by far more. */
const alike = (r: number) => steady(r) + (r % 2 === 0 ? 1 : -1);
const wild = (r: number) => steady(r) + (r % 2 === 0 ? 50 : -50);

it("[ST29, ST71] ends no point before thirty replicates, and goes on by batches", () => {
  const at = (n: number) => stopState(RULE, run(0, n, steady), [run(1, n, alike)]).points[0];

  expect(at(0)).toEqual({ replicates: 10, ended: null });
  expect(at(29)).toEqual({ replicates: 30, ended: null });
  expect(at(30)).toEqual({ replicates: 30, ended: "narrow" });
  const { points } = stopState(RULE, run(0, 30, steady), [run(1, 30, wild)]);
  expect(points).toEqual([{ replicates: 40, ended: null }]);
});

it("[ST29] is narrow from the half width itself on, of thirty pairs and not of 29", () => {
  const [baseline, point] = [run(0, 58, steady), run(1, 58, alike)];
  const pairs = (n: number) => pairedBySeed(baseline.slice(0, n), point.slice(0, n));
  const { low, high } = pairsInterval(pairs(30), "number");
  const halfWidth = (Number(high) - Number(low)) / 2;
  const at = (rule: Partial<StopRule>) =>
    stopState({ ...RULE, most: 58, ...rule }, baseline, [point]).points[0]?.replicates;

  expect([at({ halfWidth }), at({ halfWidth: halfWidth * 0.999 })]).toEqual([30, 40]);
  expect(at({ batch: 29 })).toBe(58);
});

it("[ST29] leaves unused what ran past the end of that batch", () => {
  const past = run(1, 57, (r) => (r < 30 ? alike(r) : 1e9));

  expect(stopState(RULE, run(0, 57, steady), [past]).points).toEqual([
    { replicates: 30, ended: "narrow" },
  ]);
});

it("[ST29] is the same whatever finished first, and waits for what is missing", () => {
  const [baseline, point] = [run(0, 40, steady), run(1, 40, alike)];

  expect(stopState(RULE, baseline.toReversed(), [point.toReversed()])).toEqual(
    stopState(RULE, baseline, [point]),
  );
  expect(
    stopState(RULE, baseline, [point.filter(({ replicate }) => replicate !== 3)]).points,
  ).toEqual([{ replicates: 10, ended: null }]);
});

it("[ST30] runs the baseline as long as the longest point", () => {
  const [baseline, ended] = [run(0, 100, steady), run(1, 30, alike)];

  expect(stopState(RULE, baseline, [ended, run(2, 40, wild)])).toEqual({
    baseline: { replicates: 50, ended: null },
    points: [
      { replicates: 30, ended: "narrow" },
      { replicates: 50, ended: null },
    ],
  });
  expect(stopState(RULE, baseline, [ended, run(2, 100, wild)]).baseline).toEqual({
    replicates: 100,
    ended: "most",
  });
});

it("[ST30] judges the baseline by itself where it is the only point", () => {
  const alone = (n: number, batch: number) =>
    stopState(
      { ...RULE, batch },
      run(0, n, (r) => r % 2),
      [],
    ).baseline;

  expect(alone(40, 10)).toEqual({ replicates: 30, ended: "narrow" });
  expect(alone(40, 29)).toEqual({ replicates: 58, ended: null });
});

it("[ST31] never stops where nothing varies, though an interval of shares is narrow", () => {
  const same = stopState(RULE, run(0, 100, steady), [run(1, 100, (r) => steady(r) + 5)]);
  const shares: StopRule = { ...RULE, kind: "share", halfWidth: 0.2 };
  const never = stopState(
    shares,
    run(0, 100, () => 0),
    [run(1, 100, () => 0)],
  );
  const once = stopState(
    shares,
    run(0, 100, () => 0),
    [run(1, 100, (r) => (r === 4 ? 1 : 0))],
  );

  const alone = stopState(
    shares,
    run(0, 100, () => 0),
    [],
  );

  expect(alone.baseline).toEqual({ replicates: 100, ended: "most" });
  expect(same.points).toEqual([{ replicates: 100, ended: "most" }]);
  expect(never.points).toEqual([{ replicates: 100, ended: "most" }]);
  expect(once.points).toEqual([{ replicates: 30, ended: "narrow" }]);
});

it("[ST31] counts pairs that have values, so that thirty stand behind an interval", () => {
  const holes = run(1, 100, (r) => (r % 2 === 0 ? null : alike(r) + (r % 4) - 2));

  expect(stopState(RULE, run(0, 100, steady), [holes]).points).toEqual([
    { replicates: 60, ended: "narrow" },
  ]);
});
