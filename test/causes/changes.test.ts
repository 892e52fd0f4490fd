// Sections of SPEC.md: Blame and prevent. What may be different in a run, told and applied.
import { describe, expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { metricTable } from "../../src/contract/metricTable.ts";
import type { Variant } from "../../src/contract/scenario.ts";
import { between, choice, flag, integer, subset } from "../../src/machines/policyLeaf.ts";
import { jumpsIn } from "../../src/run/causes/blame.ts";
import { type Reach, singleChanges } from "../../src/run/causes/candidates.ts";
import {
  type Change,
  changed,
  changesOf,
  changesText,
  changeText,
  undoing,
} from "../../src/run/causes/changes.ts";
import { costMetrics, differences, relative } from "../../src/run/causes/costs.ts";
import { loadScenario } from "../builtInScenarios.ts";

const event = { id: "ask", atMs: 1, does: "host.message", agent: "cedar", text: "Go" } as const;

it.each<[Change, string]>([
  [{ kind: "set", path: "a.b", value: 3 }, "a.b: 3"],
  [{ kind: "set", path: "a.b", value: ["x", "y"] }, "a.b: [x, y]"],
  [{ kind: "set", path: "a.b", value: ["x"], says: "a.b without y" }, "a.b without y"],
  [{ kind: "event", id: "ask" }, "without ask"],
  [{ kind: "choice", id: "goal:a" }, "without goal:a"],
  [{ kind: "mail", id: "birth:x" }, "without birth:x"],
  [{ kind: "back", id: "goal:a" }, "with goal:a"],
  [{ kind: "fault", does: "fails", tool: "find" }, "with the fault fails@find"],
  [{ kind: "added", event }, "with ask"],
])("[BL4] %j is told as: %s", (change, says) => {
  expect(changeText(change)).toBe(says);
  expect([changesText([]), changesText([change, change])]).toEqual([
    "nothing",
    `${says} and ${says}`,
  ]);
});

const variant = (given: Partial<Variant>): Variant => ({
  ...{ why: "", policy: {}, events: [], without: { events: [], choices: [] }, expect: [] },
  ...given,
});

describe("applied to a scenario", () => {
  const { scenario } = loadScenario("lock-feedback");
  const taken = {
    ...scenario,
    variants: { quiet: variant({ without: { events: ["e"], choices: ["goal:a", "goal:b"] } }) },
  };

  it("[BL4] each does what it says, of two values of one leaf the last counts, and the rest stays", () => {
    const { scenario: world, options } = changed(taken, { "a.b": 1, "c.d": 2 }, [
      { kind: "set", path: "a.b", value: 3 },
      { kind: "set", path: "a.b", value: 4 },
      { kind: "event", id: "ask" },
      { kind: "choice", id: "goal:c" },
      { kind: "mail", id: "birth:x" },
      { kind: "fault", does: "fails", tool: "find" },
      { kind: "added", event },
      { kind: "back", id: "goal:a" },
    ]);

    expect(options).toEqual({
      set: { "a.b": 4, "c.d": 2 },
      without: { events: ["ask"], choices: ["goal:c", "birth:x"] },
      faults: [
        {
          ...{ id: "fails@find", does: "fails", tool: "find", fromMs: 0, toMs: null },
          ...{ perMille: 1_000, times: null, byMs: null },
        },
      ],
    });
    expect(world).toEqual({
      ...taken,
      events: [...taken.events, event],
      variants: { quiet: variant({ without: { events: ["e"], choices: ["goal:b"] } }) },
    });
    expect(changed(taken, {}, []).scenario).toEqual(taken);
  });

  it("[BL9, BL30] a variant is told part by part, without what is so already, and undone where it was otherwise", () => {
    const of = variant({
      policy: { "a.b": 1, "c.d": ["x"], "e.f": true },
      events: [event],
      without: { events: ["e"], choices: ["goal:a"] },
    });
    const now = { "a.b": 2, "c.d": ["x"], "e.f": true };

    expect(changesOf(of, now).map(changeText)).toEqual([
      ...["without e", "without goal:a", "a.b: 1", "with ask"],
    ]);
    expect(undoing(of, now).map(changeText)).toEqual(["a.b: 2", "with goal:a"]);
    expect(undoing(of, { "c.d": ["y"] }).map(changeText)).toEqual(["c.d: [y]", "with goal:a"]);
  });
});

it("[BL2, BL21] single changes are what is left out, then tools that fail, then switches, choices, lists and numbers that were read", () => {
  const say = { says: "It is tried.", source: "ours" };
  const reach: Reach = {
    leaves: [
      ["n", integer(5, between(0, 10, "steps"), say)],
      ["list", subset(["a"], ["a", "b"], say)],
      ["pick", choice("a", ["a", "b", "c"], { ...say, tried: ["a", "b"] } as typeof say)],
      ["unread", flag(true, say)],
      ["on", flag(true, say)],
    ],
    policy: { on: false },
    read: new Set(["n", "list", "pick", "on"]),
    ...{ events: ["ask"], choices: ["goal:a"], tools: ["find"] },
  };

  expect(singleChanges(reach).map(changeText)).toEqual([
    ...["without goal:a", "without ask", "with the fault fails@find", "on: true", "pick: b"],
    ...["list without a", "list with b", "n: 2", "n: 10"],
  ]);
});

it("[BL8] of metrics of which one way costs somebody what differs beyond chance is told, and whether it is worse", () => {
  const [more, less] = (["more", "less"] as const).map(
    (way) => costMetrics(parts).find(([, worse]) => worse === way)?.[0] ?? "",
  );
  const of = (...values: readonly number[]) =>
    values.map((value) => ({ [more ?? ""]: value, [less ?? ""]: value }));
  const told = (was: readonly number[], is: readonly number[]) =>
    differences(parts, of(...was), of(...is)).map((one) => [one.metric, one.isWorse]);

  expect(told([1, 1, 1], [2, 2, 2])).toEqual(
    expect.arrayContaining([
      [more, true],
      [less, false],
    ]),
  );
  expect(told([2, 2, 2], [1, 1, 1])).toContainEqual([less, true]);
  expect(told([1, 2, 3], [1, 2, 3])).toEqual([]);
  expect(told([1, 9, 1, 9], [9, 1, 9, 2])).toEqual([]);
  expect(told([2], [1])).toEqual([]);
  expect(told([1, 2, 3, 4], [1.1, 1.9, 3.1, 3.9])).toEqual([]);
  expect(told([1, 2, 3, 4], [1.5, 2.6, 3.5, 4.6])).toEqual(
    expect.arrayContaining([
      [more, true],
      [less, false],
    ]),
  );
  expect(told([11, 12, 14, 13], [1, 2, 3, 4])).toContainEqual([less, true]);
  const [one] = differences(parts, of(1, 2, 3, 4), of(11, 12, 14, 13));
  expect(one).toMatchObject({ asItWas: 2.5, changed: 12.5 });
  expect(one?.unit).toBe(metricTable(parts)[one?.metric as "goals.abandoned"].unit);
  expect([one?.low ?? 0, -(one?.high ?? 0)].map((bound) => bound > 0)).toEqual([true, false]);
});

it("[BL8] a price is in parts of what there was, of nothing in whole", () => {
  const of = (asItWas: number, is: number) => relative({ asItWas, changed: is } as never);

  expect([of(10, 15), of(10, 5), of(0, 3), of(0.5, 1), of(-4, -2)]).toEqual([
    0.5, 0.5, 3, 0.5, 0.5,
  ]);
});

it("[BL18] a curve jumps where it goes up or down by three in ten at least", () => {
  const curve = [0, 2, 5, 5, 2, 0].map((hits, at) => ({ hits, n: 10, at }));

  expect(jumpsIn(curve).map(({ before, after }) => [before.at, after.at])).toEqual([
    [1, 2],
    [3, 4],
  ]);
});
