// SPEC VW: the axis of time.
import { describe, expect, it } from "vitest";
import { evenAxis, idleIn, moved, seen, squeezedAxis, zoomed } from "../../src/viewer/axis.ts";
import { stripBars } from "../../src/viewer/stripBars.ts";
import { FLAG } from "../../src/viewer/viewData.ts";
import { viewed } from "../edges/view/viewedRecording.ts";
import { madeLog } from "./madeLog.ts";

describe("[VW19] idle time", () => {
  const { log } = viewed("recordings/synt-day-lock");
  const { endMs } = log.head;
  const gaps = idleIn([log], endMs);
  const axis = squeezedAxis(gaps, endMs);

  it("is what lies between two moments that are told, far longer than is usual", () => {
    const told = Array.from(log.columns.atMs).filter((_, place) => log.has(place, 1));

    expect(gaps.length).toBeGreaterThan(2);
    for (const { fromMs, toMs } of gaps) {
      expect(toMs - fromMs).toBeGreaterThan(endMs / 100);
      expect(told.some((ms) => ms > fromMs && ms < toMs)).toBe(false);
    }
  });

  /** With a moment every so often, and then none until the end. */
  const silentFrom = (fromMs: number, everyMs: number, ...more: Parameters<typeof madeLog>[0]) => {
    const told = Array.from({ length: Math.ceil(fromMs / everyMs) }, (_, at) => at * everyMs);
    return madeLog([...[...told, fromMs].map((atMs) => ({ atMs })), ...more]);
  };

  it.each([
    ["a hundredth of the whole", 100, 1_000],
    ["four times what is usual", 300, 1_200],
  ])("is more than %s, to the millisecond", (_, everyMs, least) => {
    const end = 100_000;
    const unsaid = { atMs: end - 5, flags: FLAG.wrong };

    expect(idleIn([silentFrom(end - least, everyMs)], end)).toEqual([]);
    expect(idleIn([silentFrom(end - least - 1, everyMs, unsaid)], end)).toEqual([
      { fromMs: end - least - 1, toMs: end },
    ]);
    // Of two logs, a moment of either breaks it.
    const other = madeLog([{ atMs: end - 500 }]);
    expect(idleIn([silentFrom(end - least - 1, everyMs), other], end)).toEqual([]);
  });

  it("takes three thousandths each, and all else stays as long as it was", () => {
    const idle = gaps.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const kept = (gaps.length * endMs * 3) / 1_000;

    expect(axis.to(endMs)).toBeCloseTo(endMs - idle + kept, 3);
    for (const { fromMs, toMs } of gaps) {
      expect(axis.to(toMs) - axis.to(fromMs)).toBeCloseTo((endMs * 3) / 1_000, 3);
    }
  });

  it("every moment stands at one place, and the place gives it back", () => {
    let last = -1;
    for (let step = 0; step <= 500; step++) {
      const ms = (endMs * step) / 500;
      expect(axis.to(ms)).toBeGreaterThan(last);
      expect(axis.back(axis.to(ms))).toBeCloseTo(ms, 3);
      last = axis.to(ms);
    }
  });

  it("a log in which every moment is as far from the next has none", () => {
    expect(idleIn([silentFrom(9_000, 1_000)], 10_000)).toEqual([]);
  });
});

it("[VW7] a view keeps its length where it is moved, and stays within the whole", () => {
  const axis = evenAxis(1_000);
  const view = { fromMs: 200, toMs: 400 };

  expect(moved(view, 0.5, axis)).toEqual({ fromMs: 300, toMs: 500 });
  expect(moved(view, -5, axis)).toEqual({ fromMs: 0, toMs: 200 });
  expect(seen(view, 990, axis)).toEqual({ fromMs: 800, toMs: 1_000 });
  expect(seen(view, 300, axis)).toBe(view);
  expect(zoomed(view, 0.5, 300, axis)).toEqual({ fromMs: 250, toMs: 350 });
  expect(zoomed(view, 50, 300, axis)).toEqual({ fromMs: 0, toMs: 1_000 });
});

it("[VW57] the strips of two runs count the same, on one scale: failures, else what went wrong, else deliveries", () => {
  const of = (...flags: number[]) => madeLog(flags.map((flag) => ({ atMs: 10, flags: flag })));
  const [told, wrong] = [FLAG.told, FLAG.told | FLAG.wrong];
  const failed = wrong | FLAG.failure;
  const shown = (a: ReturnType<typeof of>, b: ReturnType<typeof of>) =>
    [a, b].map((log) => {
      const { says, most, counts } = stripBars(log, [a, b], evenAxis(100), 60);
      return [says, most, counts.reduce((sum, one) => sum + one, 0)];
    });

  expect(shown(of(told, failed, failed), of(told, wrong))).toEqual([
    ["failures", 2, 2],
    ["failures", 2, 0],
  ]);
  expect(shown(of(told), of(wrong, wrong, told))).toEqual([
    ["what went wrong", 2, 0],
    ["what went wrong", 2, 2],
  ]);
  expect(shown(of(told), of(told, told, told))).toEqual([
    ["deliveries", 3, 1],
    ["deliveries", 3, 3],
  ]);
  expect(shown(of(0), of(0))[0]).toEqual(["nothing", 1, 0]);
});
