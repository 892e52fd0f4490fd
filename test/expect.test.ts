import { expect, it } from "vitest";
import type { Expectation } from "../src/contract/scenario.ts";
import { judge } from "../src/run/expect.ts";
import { Meter } from "./builtIn.ts";
import { goalEnded } from "./handLog.ts";

const meter = new Meter(["cedar", "vault"]);
meter.observe(goalEnded(2, "completed"));
meter.observe(goalEnded(5, "abandoned"));
meter.observe(goalEnded(6, "completed"));
const endMs = 10_000;
const judged = (given: Partial<Expectation>) =>
  judge(
    {
      ...{ name: "it", metric: "goals.completed", actor: null, op: "=", value: 2, at: "end" },
      ...given,
    },
    meter,
    endMs,
  );

it.each([
  ["=", 2, true],
  ["=", 1, false],
  ["!=", 1, true],
  ["!=", 2, false],
  ["<", 3, true],
  ["<", 2, false],
  ["<=", 2, true],
  ["<=", 1, false],
  [">", 1, true],
  [">", 2, false],
  [">=", 2, true],
  [">=", 3, false],
] as const)("[VB17] 2 %s %i is %s", (op, value, ok) => {
  expect(judged({ op, value })).toEqual({ name: "it", ok, found: 2, atMs: endMs });
});

it("[VB17] at a moment: the value in force then", () => {
  expect(judged({ at: 5_999, value: 1 })).toMatchObject({ ok: true, found: 1, atMs: 5_999 });
});

it("[VB17] ever: the first moment that fits, or the one that came nearest", () => {
  const share = { metric: "goals.doneShare", at: "ever" } as const;

  expect(judged({ ...share, op: "<=", value: 0.5 })).toMatchObject({ ok: true, atMs: 5_000 });
  expect(judged({ ...share, op: "<", value: 0.4 })).toMatchObject({ ok: false, found: 0.5 });
  expect(judged({ at: "ever", op: ">=", value: 1 })).toMatchObject({ found: 1, atMs: 2_000 });
});

it("[VB17] ever: of two that came as near the first", () => {
  expect(judged({ at: "ever", value: 1.5 })).toMatchObject({ ok: false, found: 1, atMs: 2_000 });
});

it("[VB17] for one agent, or for the whole world", () => {
  expect(judged({ actor: "vault", value: 0 }).ok).toBe(true);
  expect(judged({ actor: "cedar", value: 2 }).ok).toBe(true);
});

it("[VB17] a moment that the run did not reach holds nothing", () => {
  expect(judged({ at: endMs, value: 2 }).ok).toBe(true);
  expect(judged({ at: endMs + 1, value: 2 })).toMatchObject({ ok: false, found: 2, atMs: endMs });
});
