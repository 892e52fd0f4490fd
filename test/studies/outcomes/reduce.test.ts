import { expect, test } from "vitest";
import { reduced, valueAt } from "../../../src/studies/outcomes/reduce.ts";
import { spirals } from "../../../src/studies/outcomes/spiral.ts";
import type { Steps } from "../../../src/studies/study.ts";

/** Up to .6 at 100, .8 at 200, down to .2 at 300, up to .6 at 700, down to 0 at 800; the run ends at 1000. */
const load: Steps = [
  [0, 0.1],
  [100, 0.6],
  [200, 0.8],
  [300, 0.2],
  [700, 0.6],
  [800, 0],
];
const whole = { fromMs: 0, untilMs: 1_000, above: null };

const part = { ...whole, fromMs: 250, untilMs: 350 };

test("[ST40] last, max and min are of the time from `from` to `until`, both included", () => {
  expect(reduced(load, { ...whole, reduce: "last" })).toEqual({ value: 0 });
  expect(reduced(load, { ...whole, reduce: "max" })).toEqual({ value: 0.8 });
  expect(reduced(load, { ...whole, reduce: "min" })).toEqual({ value: 0 });
  expect(reduced(load, { ...part, reduce: "max" })).toEqual({ value: 0.8 });
  expect(reduced(load, { ...part, reduce: "last" })).toEqual({ value: 0.2 });
  expect(reduced(load, { ...whole, untilMs: 200, reduce: "max" })).toEqual({ value: 0.8 });
  expect(reduced(load, { ...whole, untilMs: 199, reduce: "max" })).toEqual({ value: 0.6 });
});

test("[ST40] mean and area weigh each value by how long it lasts", () => {
  expect(reduced(load, { ...whole, reduce: "area" }).value).toBeCloseTo(10 + 60 + 80 + 80 + 60, 9);
  expect(reduced(load, { ...whole, reduce: "mean" }).value).toBeCloseTo(0.29, 9);
  expect(reduced(load, { ...part, reduce: "mean" }).value).toBeCloseTo(0.5, 9);
});

test("[ST40] before its first step a value is 0", () => {
  const late: Steps = [[500, 3]];

  expect(reduced(late, { ...whole, reduce: "mean" })).toEqual({ value: 1.5 });
  expect([0, 499, 500, 501].map((atMs) => valueAt(late, atMs))).toEqual([0, 0, 3, 3]);
});

test("[ST41] a threshold is met by what equals it: time above, and how often it was met", () => {
  const above = (threshold: number, reduce: "timeAbove" | "count") =>
    reduced(load, { ...whole, above: threshold, reduce }).value;

  expect(above(0.6, "timeAbove")).toBe(300);
  expect(above(0.600001, "timeAbove")).toBe(100);
  expect(above(0.6, "count")).toBe(2);
  expect(above(0.8, "count")).toBe(1);
  expect(above(0.81, "count")).toBe(0);
  expect(above(0.81, "timeAbove")).toBe(0);
  expect(above(0, "timeAbove")).toBe(1_000);
});

test("[ST41] without a threshold, a count is of the changes of value", () => {
  expect(reduced(load, { ...whole, reduce: "count" })).toEqual({ value: 5 });
  expect(reduced([[0, 7]], { ...whole, reduce: "count" })).toEqual({ value: 0 });
  const again: Steps = [
    [0, 7],
    [100, 7],
    [200, 8],
    [300, 8],
  ];
  expect(reduced(again, { ...whole, reduce: "count" })).toEqual({ value: 1 });
});

test("[ST42] time to recover is from the first moment above to the one from which it stays below", () => {
  const ask = { ...whole, reduce: "timeToRecover" } as const;

  expect(reduced(load, { ...ask, above: 0.6 })).toEqual({ value: 700 });
  expect(reduced(load, { ...ask, above: 0.7 })).toEqual({ value: 100 });
  expect(reduced(load, { ...ask, above: 0.9 })).toEqual({ value: 0 });
});

test("[ST42] what never recovers is censored: the value is the least that it took", () => {
  const ask = { ...whole, reduce: "timeToRecover", above: 0.6 } as const;

  expect(reduced(load, { ...ask, untilMs: 750 })).toEqual({ value: 650, isCensored: true });
  // Below at the last moment: that is recovered, by nothing to spare.
  expect(reduced(load, { ...ask, untilMs: 800 })).toEqual({ value: 700 });
  expect(reduced(load, { ...ask, untilMs: 799 })).toEqual({ value: 699, isCensored: true });
  expect(reduced([[0, 0.6]], ask)).toEqual({ value: 1_000, isCensored: true });
});

const within = { windowMs: 100, rise: 0.2, fall: 0.1, fromMs: 0, untilMs: 1_000 };
const rising: Steps = [
  [0, 0.35],
  [400, 0.55],
];
const falling: Steps = [
  [0, 1],
  [450, 0.9],
];

test("[ST43] a spiral is a window in which one metric rises and the other falls, each by what is asked or more", () => {
  expect(spirals(rising, falling, within)).toBe(true);
  expect(spirals(rising, falling, { ...within, rise: 0.200001 })).toBe(false);
  expect(spirals(rising, falling, { ...within, fall: 0.100001 })).toBe(false);
  expect(spirals(rising, [[0, 1]], within)).toBe(false);
  expect(spirals([[0, 0.9]], falling, within)).toBe(false);
});

test("[ST43] rise and fall must lie in one window, which is within the span", () => {
  // The rise is at 400: a window that begins before it ends at 499 at the latest.
  const fallAt = (atMs: number): Steps => [
    [0, 1],
    [atMs, 0.9],
  ];
  expect(spirals(rising, fallAt(499), within)).toBe(true);
  expect(spirals(rising, fallAt(500), within)).toBe(false);
  expect(spirals(rising, fallAt(301), within)).toBe(true);
  expect(spirals(rising, fallAt(300), within)).toBe(false);

  expect(spirals(rising, falling, { ...within, untilMs: 450 })).toBe(true);
  expect(spirals(rising, falling, { ...within, untilMs: 449 })).toBe(false);
  expect(spirals(rising, falling, { ...within, fromMs: 399 })).toBe(true);
  expect(spirals(rising, falling, { ...within, fromMs: 400 })).toBe(false);
  expect(spirals(rising, falling, { ...within, untilMs: 99 })).toBe(false);
});

test("[ST43] what comes back within the window is no spiral", () => {
  const dip: Steps = [
    [0, 0.35],
    [400, 0.9],
    [420, 0.35],
  ];
  expect(spirals(dip, falling, within)).toBe(false);
});

test("[ST43] a run that leaves the state by the end of the span recovers: by what fell, or by what rose", () => {
  const share = (...later: Steps): Steps => [...falling.slice(0, 1), [450, 0.5], ...later];
  const load = (...later: Steps): Steps => [...rising, ...later];

  expect(spirals(rising, share(), within)).toBe(true);
  // Goals are done again, by `fall` or more since the lowest, though fewer than at first.
  expect(spirals(rising, share([900, 0.599999]), within)).toBe(true);
  expect(spirals(rising, share([900, 0.6]), within)).toBe(false);
  expect(spirals(rising, share([800, 0.4], [900, 0.5]), within)).toBe(false);
  expect(spirals(rising, share([1_000, 0.6]), within)).toBe(false);
  expect(spirals(rising, share([1_001, 0.6]), within)).toBe(true);
  // The lowest may lie within the window.
  const early = (later: number): Steps => [...falling.slice(0, 1), [450, 0.4], [480, later]];
  expect(spirals(rising, early(0.499999), within)).toBe(true);
  expect(spirals(rising, early(0.5), within)).toBe(false);
  // What was low before the window began was not left within it.
  expect(
    spirals(
      rising,
      [
        [0, 0],
        [200, 1],
        [450, 0.5],
      ],
      within,
    ),
  ).toBe(true);
  // A rise that did not last does not count, nor does one back to where too little is missing.
  expect(spirals(rising, share([800, 0.6], [900, 0.5]), within)).toBe(true);
  expect(spirals(rising, [...falling, [900, 0.900001]], within)).toBe(false);

  expect(spirals(load([900, 0.549999]), share(), within)).toBe(false);
  expect(spirals(load([900, 0.3], [1_000, 0.55]), share(), within)).toBe(true);
});

test("[ST43] goals that fail at first make no spiral of a run that does goals later", () => {
  const felt: Steps = [
    [0, 0],
    [120, 0.2],
    [600, 0.8],
    [800, 0.4],
  ];
  const failed: Steps = [
    [0, 1],
    [120, 0],
  ];
  const asked = { ...within, windowMs: 500 };

  expect(spirals(felt, [...failed, [850, 0.3]], asked)).toBe(false);
  expect(spirals(felt, failed, asked)).toBe(true);
});
