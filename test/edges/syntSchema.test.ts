// What a scenario says of synt's models: an answer, or an error.

import { expect, it } from "vitest";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { isEvent } from "../../src/substrate/isEvent.ts";
import { simulate } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";

const scenarioWith = (answer: string): string => `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 10m
agents: []
model: { goals: [] }
synt:
  executors: []
  turns: [{ id: one, at: 1s, says: Sort my files. }]
  answers:
    - { id: plan, to: plan, ${answer} }
`;

it("[SN83] an error is a call that fails", () => {
  const scenario = parseScenario(scenarioWith("fails: the line is dead, after: 3s"), "x.yaml");
  const log: Delivery[] = [];
  simulate(scenario, { onDelivery: (one) => log.push(one) });

  const failed = log.find((one) => isEvent(one, "llm.failed"));
  expect(failed?.event.error).toBe("the line is dead");
  expect(log.find((one) => isEvent(one, "user.told"))?.event.text).toBe(
    "I could not: the planner did not answer.",
  );
});

const JUDGES = "judges: { reach: 1, noise: 1 }";

it.each(["", "answer: 1, fails: x", `answer: 1, ${JUDGES}`, `fails: x, ${JUDGES}`])(
  "[SN83] refuses what is several or none: {%s}",
  (answer) => {
    expect(() => parseScenario(scenarioWith(answer), "x.yaml")).toThrow(
      "one of answer, judges and fails, not several or none",
    );
  },
);

it("[SN83] a judge reads what is judged, and answers nothing else", () => {
  const judging = scenarioWith(JUDGES);

  expect(() => parseScenario(judging, "x.yaml")).toThrow("only with to: judge");
  expect(() => parseScenario(judging.replace("to: plan", "to: judge"), "x.yaml")).not.toThrow();
});

it.each([
  ["events: [{ id: one, at: 2s, does: synt.homeostasis }]", "synt.turns[0].id"],
  [
    "variants: { other: { why: w, events: [{ id: one, at: 2s, does: synt.homeostasis }] } }",
    "variants.other.events[0].id",
  ],
])("[SC8] refuses an event by the name of a turn: %s", (events, place) => {
  const text = `${scenarioWith("answer: {}")}${events}\n`;

  expect(() => parseScenario(text, "x.yaml")).toThrow(`${place}: found "one"`);
});
