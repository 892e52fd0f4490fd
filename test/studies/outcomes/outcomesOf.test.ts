import { expect, test } from "vitest";
import { parseExpression } from "../../../src/studies/outcomes/expression.ts";
import type { Outcome } from "../../../src/studies/outcomes/outcome.ts";
import { outcomesOf } from "../../../src/studies/outcomes/outcomesOf.ts";
import type { RunFacts, Study } from "../../../src/studies/study.ts";

const study = (...outcomes: readonly Outcome[]): Study => ({
  name: "mine",
  why: "w",
  scenario: { name: "s", text: "" },
  seed: 1,
  untilMs: null,
  limits: {},
  variant: null,
  set: {},
  factors: [],
  where: [],
  design: null,
  replicates: { count: 1, seeds: "common", batch: 1 },
  stop: null,
  outcomes,
  baseline: {},
  isCompared: false,
  goal: null,
  enqueue: [],
  watched: [],
  leaves: { "locks.constrained": { itself: 550_000, calm: 900_000 } },
  units: { leaves: {}, outcomes: {} },
});

const facts: RunFacts = {
  outcome: "ended",
  virtualMs: 1_000,
  finals: { load: { world: 0.6, cedar: 0.6 }, "calls.lost": { world: 3 } },
  series: {
    load: [
      [0, 0],
      [600, 0.55],
      [900, 0.6],
    ],
  },
  tooLong: { "load|cedar": 70_000 },
  promises: { "calls-end": null, "files-stay": "The file was gone." },
};
const shipped = { variant: null, set: {} };

const reduction = { kind: "reduced", name: "it", metric: "load", actor: "world" } as const;
const whole = { fromMs: 0, untilMs: null, above: null };
const spiral = {
  kind: "spiral",
  name: "it",
  actor: "world",
  rises: "load",
  falls: "goals.doneShare",
  rise: 0.2,
  fall: 0.1,
  windowMs: 100,
  fromMs: 0,
  untilMs: null,
} as const satisfies Outcome;
const is = (name: string, text: string): Outcome => {
  const parsed = parseExpression(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return { kind: "expression", name, text, ...parsed };
};

test("[ST40] outcomes are in the order of the study, of the world or of one actor", () => {
  const last = { ...reduction, ...whole, reduce: "last" } as const;
  const asked = study(
    { ...last, name: "lost", metric: "calls.lost" },
    { ...last, name: "atEnd" },
    { ...last, name: "never", metric: "ghost.calls", actor: "vault" },
    { ...last, name: "before", untilMs: 899 },
    { ...last, name: "early", reduce: "max", fromMs: 500, untilMs: 599 },
  );

  expect(outcomesOf(asked, facts, shipped)).toEqual({
    values: { lost: 3, atEnd: 0.6, never: 0, before: 0.55, early: 0 },
    faults: [],
    censored: [],
  });
});

test("[ST41] a threshold that is a leaf of the policy is what it is in that run", () => {
  const above = { path: "locks.constrained", per: 1_000_000 };
  const asked = study({ ...reduction, ...whole, reduce: "timeAbove", above });
  const timeIn = (made: Parameters<typeof outcomesOf>[2], of = asked) =>
    outcomesOf(of, facts, made).values["it"];

  expect(timeIn(shipped)).toBe(400);
  expect(timeIn({ variant: "calm", set: {} })).toBe(0);
  expect(timeIn({ variant: "calm", set: { "locks.constrained": 600_000 } })).toBe(100);
  expect(timeIn(shipped, { ...asked, set: { "locks.constrained": 550_001 } })).toBe(100);
});

test("[ST48, ST45] a fault is said with its outcome, and what rests on it is null", () => {
  const last = { ...reduction, ...whole, reduce: "last" } as const;
  const asked = study(
    is("twice", "ratio * 2"),
    is("ratio", "lost / none"),
    { ...last, name: "lost", metric: "calls.lost" },
    { ...last, name: "none", metric: "ghost.calls" },
    { ...last, name: "cedars", actor: "cedar" },
    { ...last, name: "late", fromMs: 1_000 },
    { ...spiral, name: "climbs", actor: "cedar" },
    { ...spiral, name: "drops", actor: "cedar", rises: "goals.doneShare", falls: "load" },
  );

  expect(outcomesOf(asked, facts, shipped)).toEqual({
    values: {
      ...{ twice: null, ratio: null, lost: 3, none: 0, cedars: null, late: null },
      ...{ climbs: null, drops: null },
    },
    faults: [
      "ratio: 3 divided by 0",
      "cedars: load|cedar changed 70000 times, more than a study keeps",
      "late: nothing from 1000 to 1000 ms: the run ended at 1000 ms",
      "climbs: load|cedar changed 70000 times, more than a study keeps",
      "drops: load|cedar changed 70000 times, more than a study keeps",
    ],
    censored: [],
  });
});

test("[ST45] what rests on a censored outcome is censored", () => {
  const asked = study(
    { ...reduction, ...whole, reduce: "timeToRecover", above: 0.5 },
    is("minutes", "it / 60000"),
  );

  expect(outcomesOf(asked, facts, shipped)).toMatchObject({
    values: { it: 400 },
    faults: [],
    censored: ["it", "minutes"],
  });
});

test.each([
  ["it > 60", 1, false],
  ["300 <= it", 1, false],
  ["it < 400", 0, false],
  ["it > 400", 0, true],
  ["it >= 400.5", 0, true],
  ["it > 60 + it", 0, true],
  ["minutes > 1", 1, true],
  ["it == 400", 1, true],
  ["it == 500", 0, true],
  ["it > short", 1, true],
])(
  "[ST220] of a run that took 400 ms or more %s is %d, and a bound: %s",
  (text, value, isBound) => {
    const asked = study(
      { ...reduction, ...whole, reduce: "timeToRecover", above: 0.5 },
      is("minutes", "it / 60"),
      { ...reduction, ...whole, name: "short", reduce: "timeToRecover", above: 0.6 },
      is("late", text),
    );
    const found = outcomesOf(asked, facts, shipped);

    expect(found.values["late"]).toBe(value);
    expect(found.censored.includes("late")).toBe(isBound);
  },
);

test("[ST220] what is known of a bound holds a time, so that a share of runs is of all of them", () => {
  const asked = study(
    { ...reduction, ...whole, reduce: "timeToRecover", above: 0.5 },
    is("late", "it > 60"),
  );

  expect(outcomesOf(asked, facts, shipped)).toMatchObject({
    values: { it: 400, late: 1 },
    censored: ["it"],
  });
});

test("[ST43] the spiral of a run is 1 or 0", () => {
  const falling = {
    ...facts,
    series: {
      ...facts.series,
      "goals.doneShare": [
        [0, 1],
        [610, 0.5],
      ],
    },
  } as const;

  expect(outcomesOf(study(spiral), falling, shipped).values).toEqual({ it: 1 });
  expect(outcomesOf(study(spiral), facts, shipped).values).toEqual({ it: 0 });
});

test("[ST46] a promise is 1 where it held and 0 where it was broken", () => {
  const promise = (name: string, property: string): Outcome => ({
    kind: "promise",
    name,
    property,
  });
  const asked = study(
    promise("ends", "calls-end"),
    promise("stays", "files-stay"),
    promise("other", "unseen"),
  );

  expect(outcomesOf(asked, facts, shipped)).toEqual({
    values: { ends: 1, stays: 0, other: null },
    faults: ["other: unseen was not watched"],
    censored: [],
  });
});

test.each(["limit:envelopes", "bug", "miss"])(
  "[ST47] a run that ended as %s has no outcomes, and that is said",
  (outcome) => {
    const asked = study({ ...reduction, ...whole, reduce: "max" });

    expect(outcomesOf(asked, { ...facts, outcome }, shipped)).toEqual({
      values: { it: null },
      faults: [`The run did not end: it stopped as ${outcome} at 1000 ms.`],
      censored: [],
    });
  },
);
