// SPEC VW: the axis of time.
import { describe, expect, it } from "vitest";
import { evenAxis, idleIn, moved, seen, squeezedAxis, zoomed } from "../../src/viewer/axis.ts";
import { viewed } from "../edges/view/viewedRecording.ts";

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
    const { log: steady } = viewed("recordings/safe-file-executor-no-ghost");

    expect(idleIn([steady], steady.head.endMs)).toEqual([]);
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
