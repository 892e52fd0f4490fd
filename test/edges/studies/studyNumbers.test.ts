import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { type PolicyValue, policyLeaves } from "../../../src/contract/policyTree.ts";
import { aboutSpan, durationText } from "../../../src/edges/duration.ts";
import { setValue } from "../../../src/edges/scenario/leafValue.ts";
import { parseOverride } from "../../../src/edges/scenario/policyOverrides.ts";
import {
  factorCell,
  intervalText,
  outcomeLabel,
  outcomeText,
  plotted,
  plottedStudy,
} from "../../../src/edges/studies/studyNumbers.ts";
import type { Study } from "../../../src/studies/study.ts";
import { numberStudy } from "../../studies/numberStudy.ts";

const leaves = policyLeaves(parts);

it("[ST101] what a command says after --set is read back as the very value, of every leaf", () => {
  for (const [path, leaf] of leaves) {
    const values: PolicyValue[] =
      leaf.kind === "integer"
        ? [leaf.default, leaf.min, leaf.max]
        : leaf.kind === "flag"
          ? [true, false]
          : leaf.kind === "choice"
            ? [...leaf.options]
            : leaf.kind === "subset"
              ? [[], leaf.default, leaf.options]
              : [[], ["/data"], ["/data", "/home/app"]];
    for (const value of values) {
      const text = setValue(leaf.kind === "integer" ? leaf.unit : undefined, value);
      expect(parseOverride(parts, `${path}=${text}`)).toEqual([path, value]);
    }
  }
});

it("[ST101] any share and any time is read back exactly", () => {
  const read = (path: string, unit: string, value: number) =>
    parseOverride(parts, `${path}=${setValue(unit, value)}`)[1];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (value) => {
      expect(read("locks.constrained", "millionths", value)).toBe(value);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 86_400_000 }), (value) => {
      expect(read("planner.heartbeatMs", "ms", value)).toBe(value);
    }),
  );
});

const units = {
  leaves: { share: "millionths", time: "ms", count: "steps" },
  outcomes: { locked: "ms", peak: "load", load: "load" },
};

describe("numbers in files", () => {
  it("[ST102] are decimals for shares, exact to the last digit, and ms for times", () => {
    expect(factorCell({ units }, "share", 450_001)).toBe("0.450001");
    expect(factorCell({ units }, "time", 7_200_000)).toBe(7_200_000);
    expect(factorCell({ units }, "count", 8)).toBe(8);
    expect(factorCell({ units }, "kind", "a,b")).toBe("a,b");
    expect(plotted({ units }, "share", 450_001)).toBe(0.450001);
    expect(plotted({ units }, "kind", true)).toBe(true);
  });

  it("[ST102] are those of the whole study in study.json", () => {
    const [factor] = numberStudy().factors;
    if (factor === undefined) throw new Error("it has factors");
    const study = numberStudy({
      factors: [
        {
          ...{ ...factor, name: "share" },
          shape: { kind: "triangular", mode: 400_000 },
        } as Study["factors"][number],
        {
          ...factor,
          name: "share",
          shape: { kind: "normal", mean: 200_000, deviation: 10_000 },
        } as Study["factors"][number],
        { kind: "list", name: "share", values: [600_000, 0], isOrdered: true },
      ],
      enqueue: [{ share: 700_000 }],
      set: { share: 1, time: 5 },
      baseline: { share: 500_000 },
      where: [{ weights: { share: 1 }, least: 250_000, most: 900_000 }],
      leaves: { share: { itself: 100_000 } },
      design: { kind: "points", points: [{ share: 300_000 }] },
      units,
    });

    expect(plottedStudy(study)).toMatchObject({
      factors: [
        { low: 0, high: 0.001, step: 0.000001, shape: { mode: 0.4 } },
        { shape: { mean: 0.2, deviation: 0.01 } },
        { values: [0.6, 0] },
      ],
      enqueue: [{ share: 0.7 }],
      set: { share: 0.000001, time: 5 },
      baseline: { share: 0.5 },
      where: [{ least: 0.25, most: 0.9 }],
      leaves: { share: { itself: 0.1 } },
      design: { points: [{ share: 0.3 }] },
    });
  });
});

it("[ST101] outcomes say their unit: time as a length, others beside their name", () => {
  expect(outcomeText({ units }, "locked", 4_898_000.4)).toBe("1h 22m");
  expect(outcomeText({ units }, "peak", 0.123456)).toBe("0.1235");
  const alone = {
    ...{ method: "mean", n: 1, confidence: 0.95, estimate: 4_898_000 },
    ...{ low: null, high: null, doubt: null, p: null },
  };
  expect(intervalText({ units }, "locked", alone)).toBe("1h 22m*");
  expect(outcomeLabel({ units }, "locked")).toBe("locked");
  expect(outcomeLabel({ units }, "peak")).toBe("peak (load)");
  expect(outcomeLabel({ units }, "load")).toBe("load");
  expect(outcomeLabel({ units }, "free")).toBe("free");
});

test.each([
  [0, "0s"],
  [0.7, "1ms"],
  [-0.7, "-1ms"],
  [250, "250ms"],
  [1_500, "1s 500ms"],
  [-270_000, "-4m 30s"],
  [3_599_999, "1h"],
  [90_061_000, "1d 1h"],
])("about %d ms is %s", (ms, text) => {
  expect(aboutSpan(ms)).toBe(text);
});

test.each([
  [4_898_485, 3_084, "1h 21m 38s"],
  [4_898_485, 60_000, "1h 21m 38s"],
  [4_898_485, 300_000, "1h 22m"],
  [4_898_485, 1, "1h 21m 38s 485ms"],
  [20_000, 90_000_000, "20s"],
])("%d ms, told from what is %d ms apart, is %s", (ms, apart, text) => {
  expect(aboutSpan(ms, apart)).toBe(text);
});

test("a duration is written only where it can be read", () => {
  expect(durationText(5_400_000)).toBe("1h30m");
  expect(durationText(0)).toBe("0s");
  expect(durationText(-1)).toBeUndefined();
  expect(durationText(0.5)).toBeUndefined();
});
