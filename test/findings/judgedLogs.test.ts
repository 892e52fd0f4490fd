// What findings say of logs that people judged.
import { expect, it } from "vitest";
import {
  ANY,
  hasFailed,
  type JudgedLog,
  outcomeRows,
  placeRows,
} from "../../src/findings/judgedLogs.ts";
import { judged } from "./facts.ts";

type Place = JudgedLog["occurrences"][number];

const log = (given: Parameters<typeof judged>[0], ...occurrences: readonly Place[]): JudgedLog => ({
  judged: judged(given),
  occurrences,
});
const place = (finding: string, step: number | null, seq = step ?? 0): Place => ({
  finding,
  step,
  seq,
});

it("[FI32] a reward below 1 is a failure, unless the log says how it ended", () => {
  expect(hasFailed(log({ reward: 0.99 }))).toBe(true);
  expect(hasFailed(log({ reward: 1 }))).toBe(false);
  expect(hasFailed(log({ reward: 0, success: true }))).toBe(false);
  expect(hasFailed(log({}))).toBeNull();
  expect(hasFailed({ judged: null, occurrences: [] })).toBeNull();
});

it("[FI32] each finding, and any, is counted once a log, in failed ones and in the others", () => {
  const logs = [
    log({ reward: 0 }, place("a", 1), place("a", 2)),
    log({ reward: 0 }, place("b", 1)),
    log({ reward: 1 }, place("b", 1)),
    log({ reward: 1 }),
    log({}, place("a", 1)),
  ];

  expect(outcomeRows(["a", "b"], logs)).toMatchObject([
    { finding: "a", failed: { hits: 1, n: 2 }, passed: { hits: 0, n: 2 }, ratio: { ratio: null } },
    { finding: "b", failed: { hits: 1, n: 2 }, passed: { hits: 1, n: 2 }, ratio: { ratio: 1 } },
    { finding: ANY, failed: { hits: 2, n: 2 }, passed: { hits: 1, n: 2 }, ratio: { ratio: 2 } },
  ]);
  expect(outcomeRows(["a"], logs.slice(0, 2))).toEqual([]);
  expect(outcomeRows(["a"], logs.slice(2, 4))).toEqual([]);
  expect(outcomeRows(["a"], logs.slice(1, 3)).map(({ finding }) => finding)).toEqual(["a"]);
});

it("[FI33] the first place is held against the annotated step, and a log without any is a miss", () => {
  const mistake = (step: number | null) => ({ mistake: { agent: "cedar", step } });
  const logs = [
    log(mistake(3), place("a", 3), place("b", 9)),
    log(mistake(3), place("b", 4), place("a", 3)),
    log(mistake(3), place("a", 5)),
    log(mistake(3)),
    log(mistake(null), place("a", 3)),
  ];

  const [a, b, any] = placeRows(["a", "b"], logs);

  expect(
    [a, b, any].map((row) => [row?.told, row?.same.estimate, row?.withinOne.estimate]),
  ).toEqual([
    [3, 0.5, 0.5],
    [2, 0, 0.25],
    [3, 0.25, 0.5],
  ]);
  expect(a).toMatchObject({ logs: 4, same: { n: 4, method: "proportion, Wilson" } });
  expect(placeRows(["a"], [log({ reward: 0 })])).toEqual([]);
  // A place before the step is as far from it as one behind.
  const early = [1, 2].map((step) => log(mistake(3), place("a", step)));
  expect(placeRows(["a"], early)).toMatchObject([
    { same: { estimate: 0 }, withinOne: { estimate: 0.5 } },
  ]);
});
