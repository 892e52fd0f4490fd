// Sections of SPEC.md: Blame and prevent. What is asked about, and when nothing can take it back any more.
import { expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import type { Expectation } from "../../src/contract/scenario.ts";
import {
  certainMs,
  countedBy,
  type Effect,
  firstTold,
  isSealed,
  isUnknown,
  measured,
  occurs,
} from "../../src/run/causes/effect.ts";
import { Meter } from "../builtIn.ts";
import { goalEnded } from "../handLog.ts";

/** Two goals fail, at 2 and 4 s; a third is completed at 3 s. */
const log = [goalEnded(2, "abandoned"), goalEnded(3, "completed"), goalEnded(4, "abandoned")];
const meter = new Meter(["cedar"]);
for (const one of log) meter.observe(one);
const asks = (given: Partial<Expectation>): Effect =>
  measured({ metric: "goals.abandoned", actor: null, op: ">=", value: 1, at: "end", ...given });
const share = { metric: "goals.doneShare", op: "<=", value: 0.5 } as const;
const untold = (effect: Effect): Effect =>
  effect.kind === "measured" ? { ...effect, holds: false } : effect;
const question: Effect = { kind: "asked", question: "goal:cedar/1", says: "" };
const broken: Effect = { kind: "broken", property: "P1", says: "" };

const told = (all: number) => ({ question: "goal:cedar/1", failures: { all, alike: all } });
const seen = (given: object = {}) => ({
  ...{ meter, atMs: 9_000, deliveries: log, broken: {} },
  ...given,
});
/** So many goals failed. */
const counted = (count: number) => {
  const own = new Meter(["cedar"]);
  for (let n = 0; n < count; n++) own.observe(goalEnded(n + 1, "abandoned", { event: { n } }));
  return seen({ meter: own });
};

it.each([
  [1, "1 goal failed; gone where none does (goals.abandoned >= 1)"],
  [4, "4 goals failed; gone where none does (goals.abandoned >= 1)"],
  [5, "5 goals failed; gone where fewer than 2 do, a quarter (goals.abandoned >= 2)"],
  [12, "12 goals failed; gone where fewer than 3 do, a quarter (goals.abandoned >= 3)"],
])("[BL1] of %i failures a quarter is left", (all, says) => {
  expect(firstTold(parts, told(all), counted(all))).toMatchObject({
    ...{ kind: "measured", holds: true, says },
  });
});

it("[BL1] without a failure that is counted it is what `why` explains first, where that can be asked", () => {
  const asked = {
    ...{ kind: "asked", question: "goal:cedar/1", says: "`why` is asked of goal:cedar/1" },
  };
  const { failures: _, ...alone } = told(0);

  expect(firstTold(parts, told(0), seen())).toEqual(asked);
  expect(firstTold(parts, alone, seen())).toEqual(asked);
  // Failures of which the metric counts none.
  expect(firstTold(parts, told(3), { ...counted(0), deliveries: log })).toEqual(asked);
  expect(firstTold(parts, { ...alone, question: "7" }, seen())).toBeUndefined();
  expect(firstTold([], told(3), seen())).toBeUndefined();
});

it("[BL1] a bound is told with its actor and moment", () => {
  expect(asks({ actor: "cedar", at: "ever" }).says).toBe("goals.abandoned@cedar >= 1 ever");
  expect(asks({ at: 5_000 }).says).toBe("goals.abandoned >= 1 at 5000ms");
});

it("[BL1] an outcome is there where the bound, the question or the broken promise is", () => {
  const is = (effect: Effect, said: string | null = null) =>
    occurs(parts, effect, { meter, atMs: 9_000, deliveries: log, broken: { P1: said } });

  expect([is(asks({ value: 2 })), is(asks({ value: 3 }))]).toEqual([true, false]);
  expect([is(untold(asks({ value: 2 }))), is(untold(asks({ value: 3 })))]).toEqual([false, true]);
  expect([is(question), is({ ...question, question: "goal:cedar/9" })]).toEqual([true, false]);
  expect([is(broken), is(broken, ""), is(broken, "so")]).toEqual([false, true, true]);
});

it.each<[string, Effect, number]>([
  ["a lower bound on a count, when it is reached", asks({}), 2_000],
  ["… the second time", asks({ value: 2 }), 4_000],
  ["… above", asks({ op: ">", value: 1 }), 4_000],
  ["a bound that holds at some moment, then", asks({ ...share, at: "ever" }), 2_000],
  ["a share, at the end", asks(share), 9_000],
  ["an upper bound, at the end", asks({ op: "<=", value: 5 }), 9_000],
  ["what does not hold, at the end", asks({ value: 3 }), 9_000],
  ["what holds and must not, at the end", untold(asks({})), 9_000],
  ["a bound at a moment, when it is reached", asks({ at: 5_000 }), 2_000],
  ["a share at a moment, then", asks({ ...share, at: 5_000 }), 5_000],
  ["a moment beyond the end, at the end", asks({ ...share, at: 99_000 }), 9_000],
  ["a question, at the end", question, 9_000],
])("[BL2] it is certain of %s", (_, effect, atMs) => {
  expect(certainMs(parts, effect, meter, 9_000)).toBe(atMs);
});

it("[BL2] a trial ends once nothing can take the outcome back", () => {
  const at = (effect: Effect, said: string | null = null) =>
    isSealed(parts, effect, { meter, atMs: 3_000, deliveries: [], broken: { P1: said } });

  expect([at(asks({})), at(asks({ value: 3 })), at(untold(asks({})))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([at(asks({ ...share, at: "ever" })), at(asks(share))]).toEqual([true, false]);
  expect([at(asks({ op: "=" })), at(asks({ op: "<=", value: 9 }))]).toEqual([false, false]);
  expect([at(question), at(broken), at(broken, "so")]).toEqual([false, false, true]);
});

it("[BL2] one count of events is enough where the world's is asked for", () => {
  expect(countedBy(parts, asks({}))).toBe("goals.abandoned");
  expect(countedBy(parts, asks({ actor: "cedar" }))).toBeUndefined();
  expect(countedBy(parts, asks(share))).toBeUndefined();
  expect([question, broken].map((one) => countedBy(parts, one))).toEqual([undefined, undefined]);
});

it("[BL62] once an agent left its recording all is unknown but that it left", () => {
  const after = (value: number) =>
    ({ series: () => [{ atMs: 0, value }], finals: () => ({}) }) as unknown as typeof meter;
  const is = (value: number) =>
    [asks({}), asks({ metric: "recording.left" }), question, broken].map((effect) =>
      isUnknown(parts, effect, after(value)),
    );

  expect(is(0)).toEqual([false, false, false, false]);
  expect(is(1)).toEqual([true, false, true, true]);
});
