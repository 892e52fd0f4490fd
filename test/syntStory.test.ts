// What is told of worlds with synt, from their logs alone.

import { expect, it } from "vitest";
import { hours } from "../src/machines/units.ts";
import { figuresOf } from "../src/run/compare.ts";
import { observe } from "./builtIn.ts";
import { pythonPorts, syntScenario } from "./syntWorld.ts";

const told = (name: string, variant: string | null = null) =>
  observe(syntScenario(name), { variant, ports: pythonPorts });

it("[VB22] has every request with who asked, its states, R, money and end", () => {
  const { synt } = told("synt-day-cap").story;

  expect(synt.requests).toMatchObject([
    {
      ...{ request: "req-0001", asker: "turn in-the-evening", strategy: "generate", cap: 500 },
      ...{ made: "compute_entries", isRefused: false },
    },
    { request: "req-0002", asker: "turn later-that-evening", made: null, reward: null },
    { request: "req-0003", asker: "turn after-midnight", made: "compare_entries" },
  ]);
  const [first, second] = synt.requests;
  expect(first?.states.map(({ state }) => state)).toEqual(["composing", "generating", "born"]);
  expect(first?.reward).toBeCloseTo(0.75, 2);
  // By the length of prompts, which may be put otherwise.
  expect(first?.spent).toBeGreaterThan(2);
  expect(first?.spent).toBeLessThan(4);
  expect(second?.rationale).toContain("more than the day has left");
});

it("[VB22] has the money of each UTC day, spent and set aside, never above its cap", () => {
  const { money } = told("synt-day-cap").story.synt;

  expect(new Set(money.map(({ day }) => day)).size).toBe(2);
  expect(Math.max(...money.map(({ cents }) => cents))).toBeLessThanOrEqual(17);
  expect(money.find(({ atMs }) => atMs >= hours(4))?.cents).toBe(0);
});

it("[VB22] has questions with their decisions, nights, turns and executors", () => {
  const { synt } = told("synt-generalise").story;

  expect(synt.questions).toMatchObject([
    { request: "req-0001", purpose: "proposals", decision: "approve" },
  ]);
  expect(synt.nights).toHaveLength(29);
  expect(synt.executors.find(({ name }) => name === "order_file")).toMatchObject({
    ...{ origin: "req-0001", state: "active" },
  });
  expect(synt.pool.at(-1)).toMatchObject({ visible: 2, loaded: 2 });
  expect(told("synt-generalise", "nobody-answers").story.synt.questions[0]?.decision).toBeNull();
});

it("[VB22] a refusal night after night is one moment, and a refused request knows no cap", () => {
  const { synt } = told("synt-month-lock").story;

  const refused = synt.requests.filter(({ isRefused }) => isRefused);
  expect(refused).toHaveLength(31);
  expect(refused.every(({ cap, asker }) => cap === null && asker === "the night")).toBe(true);
  expect(synt.moments.filter(({ label }) => label.includes("refused at once"))).toHaveLength(2);
});

it("[VB22] figures are those of requests, turns, money and the pool; without synt there are none", () => {
  expect(figuresOf(told("synt-day-lock")).synt).toEqual({
    requests: { abandoned: 4 },
    ...{
      refused: 2,
      turnsDone: 0,
      turnsDeclined: 4,
      cents: 0,
      belowGate: 0,
      falsePasses: 0,
      falseRefusals: 0,
      asked: 0,
      visible: 1,
      loaded: 1,
    },
  });
  const { synt: _, ...without } = syntScenario("synt-day-lock");
  expect(figuresOf(observe(without))).not.toHaveProperty("synt");
});
