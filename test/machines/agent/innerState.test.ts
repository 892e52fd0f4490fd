import { describe, expect, it } from "vitest";
import { innerStateLines, innerStateOf } from "../../../src/machines/agent/innerState.ts";
import { days } from "../../../src/machines/units.ts";

const felt = (type: string, start: number, growthPerDay = 0) => ({
  type,
  sinceMs: 0,
  start,
  growthPerDay,
  condition: null,
  fact: 1,
});

describe("the level of a load", () => {
  it.each([
    [349_999, "calm"],
    [350_000, "prominent"],
    [549_999, "prominent"],
    [550_000, "constrained"],
    [749_999, "constrained"],
    [750_000, "dominant"],
    [899_999, "dominant"],
    [900_000, "crisis"],
  ])("[U2] of %i is %s", (load, level) => {
    expect(innerStateOf([felt("futility", load)], 0)).toMatchObject({ load, level });
  });
});

it("[IN12] the worst comes first, equal ones by name, and each has a bar of ten", () => {
  const state = innerStateOf(
    [felt("b", 100_000), felt("a", 100_000), felt("c", 0, 1_000_000)],
    days(1),
  );

  expect(innerStateLines(state)).toEqual([
    "INNER STATE (CRISIS):",
    "  - c: ########## 1.00",
    "  - a: #--------- 0.10",
    "  - b: #--------- 0.10",
    "  Load: 1.00/1.0",
  ]);
});
