// A part of another field in the YAML of a scenario: it says what it brings, and the core checks it.

import { expect, it, vi } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { metricNames } from "../../src/contract/metricTable.ts";
import { isEdgeError } from "../../src/edges/errors.ts";
import { Meter } from "../../src/library/checkedMeter.ts";
import { meterOf } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";

vi.mock(import("../../src/builtIn/scenarioParts.ts"), async (original) => {
  const { scenarioParts } = await original();
  const { tea } = await import("./teaPart.ts");
  return { scenarioParts: [...scenarioParts, tea] };
});

vi.mock(import("../../src/builtIn/parts.ts"), async (original) => {
  const { parts } = await original();
  const { teaParty } = await import("./teaPart.ts");
  const all = [...parts, teaParty];
  return { parts: all, partsBackwards: all.toReversed() };
});

const text = (more: string): string => `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 10m
${more}
`;

const synt = "synt: { executors: [], turns: [{ id: one, at: 1s, says: Sort my files. }] }";

function problemsOf(more: string): string[] {
  try {
    parseScenario(text(more), "tea.yaml");
    return [];
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return [error, ...(error.more ?? [])].map(({ where, found }) => `${where.path}: ${found}`);
  }
}

it.each([
  ["{ id: ann, at: 10m }", []],
  ["{ id: ann, at: 11m }", ['tea[0].at: "11m"']],
  ["{ id: constructor, at: 1m }", ['tea[0].id: "constructor"']],
  ["{ id: ann, at: 1m }, { id: ann, at: 2m }", ['tea[1].id: "ann" again']],
  ["{ id: one, at: 1m }", ['tea[0].id: "one" again']],
])(
  "[SC8] what a part brings has a name of its own and comes before the end: %s",
  (own, problems) => {
    expect(problemsOf(`${synt}\ntea: [${own}]`)).toEqual(problems);
  },
);

it("[SC8] a variant's event does not bear its name, and can leave it out", () => {
  const variant = (more: string): string =>
    `${synt}\ntea: [{ id: ann, at: 1m }]\nvariants: { other: { why: w, ${more} } }`;
  const event = "events: [{ id: ann, at: 2s, does: synt.homeostasis }]";

  expect(problemsOf(variant(event))).toEqual(['variants.other.events[0].id: "ann" again']);
  expect(problemsOf(variant("without: { events: [ann] }"))).toEqual([]);
  expect(problemsOf(variant("without: { events: [bob] }"))).toHaveLength(1);
});

it("[SC9] a world that a part peoples says nothing of agents", () => {
  const { agents, model } = parseScenario(text("tea: [{ id: ann, at: 1m }]"), "tea.yaml");

  expect([agents, model.goals]).toEqual([[], []]);
  // What it says all the same, counts.
  const own = "tea: []\nmodel: { goals: [], malformedPerMille: 5 }";
  expect(parseScenario(text(own), "tea.yaml").model.malformedPerMille).toBe(5);
  expect(problemsOf("tea: []\nagents: []")).toEqual([]);
  expect(problemsOf("tea: []\nmodel: { goals: [] }")).toEqual([]);
});

const missing = (field: string): string => `${field}: nothing, but it is required`;

it.each([
  ["", [missing("agents"), missing("model")]],
  ["agents: []", [missing("model")]],
  ["tea: []\nagents: [cedar]", [missing("model")]],
  ["tea: []\nagents:", [missing("model"), "agents: nothing"]],
])(
  "[SC9] where agents live, or nobody does, they and their model are demanded: %s",
  (own, problems) => {
    expect(problemsOf(own)).toEqual(problems);
  },
);

it.each([
  ["actor: ann", []],
  ["actor: bob", ['expect[0].actor: "bob"', 'variants.other.expect[0].actor: "bob"']],
  ["at: end", []],
])("[VB46] a part says whose series of a metric there are: %s", (own, problems) => {
  const expectation = `{ name: n, metric: tea.cups, op: "=", value: 0, ${own} }`;
  const variants = `variants: { other: { why: w, expect: [${expectation}] }, same: { why: w, expect: inherit } }`;
  const more = `tea: [{ id: ann, at: 1m }]\nexpect: [${expectation}]\n${variants}`;

  expect(problemsOf(more)).toEqual(problems);
});

it("[VB46] measures the metric of the world and of each that it is of", () => {
  const scenario = parseScenario(
    text("tea: [{ id: ann, at: 1m }, { id: bob, at: 2m }]"),
    "tea.yaml",
  );

  expect(meterOf(scenario).finals()).toMatchObject({ "tea.cups": { world: 0, ann: 0, bob: 0 } });
  expect(Object.keys(meterOf(scenario).finals()["goals.completed"] ?? {})).toEqual(["world"]);
});

it("[LB1] [VB46] an unknown actor of such a kind is an error of a program's meter, with the nearest one", () => {
  const scenario = parseScenario(text("tea: [{ id: annabel, at: 1m }]"), "tea.yaml");
  const meter = new Meter(parts, [], scenario);
  const [cups = "goals.completed"] = metricNames(parts).filter((name) => `${name}` === "tea.cups");

  expect(meter.valueAt(cups, "annabel", 0)).toBe(0);
  expect(() => meter.valueAt(cups, "anabel", 0)).toThrow('Did you mean "annabel"?');
});
