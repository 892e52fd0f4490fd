import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGoalRegistry, savedGoal } from "../../../../src/machines/agents/goal/goalContext.ts";
import { canonicalJson } from "../../../../src/substrate/canonicalJson.ts";

const first = {
  n: 1,
  status: "active",
  progress: 0,
  outputs: 0,
  lastCapability: null,
  misses: 0,
  failedSteps: 0,
  wrote: [],
  notes: [],
  slug: "page",
  text: "Write a page",
  artifact: "/agentOS/workspace/cedar/1.md",
  evidence: null,
};
const later = { n: 1, status: "active", progress: 200_000, outputs: 1, atMs: 60_000 };
const lines = (...all: (object | string)[]) =>
  all.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

describe("the goal registry", () => {
  it("[GO8] joins what a goal is with where it last stood", () => {
    expect(readGoalRegistry(lines(first, later))).toEqual([{ ...first, ...later }]);
  });

  it("[GA10] gives back what a goal needs to go on; lines of older versions count nothing failed", () => {
    const { failedSteps: _, notes: __, ...older } = first;
    const missed = { n: 1, misses: 1, failedSteps: 2, notes: ["too short"] };
    const [goal] = readGoalRegistry(lines(older, later, missed));

    expect(readGoalRegistry(lines(older))).toEqual([first]);
    expect(goal === undefined ? undefined : savedGoal(goal)).toEqual({
      progress: 200_000,
      outputs: 1,
      lastCapability: null,
      misses: 1,
      failedSteps: 2,
      wrote: [],
      notes: ["too short"],
    });
  });

  it("[GO8] gives goals in the order of their numbers", () => {
    const read = readGoalRegistry(lines({ ...first, n: 3 }, first, { ...first, n: 2 }));

    expect(read.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it("[GO8] is empty without a file", () => {
    expect(readGoalRegistry(undefined)).toEqual([]);
    expect(readGoalRegistry("")).toEqual([]);
  });

  it.each([
    ["torn", '{"n":1,"status":"comp'],
    ["no object", "[1]"],
    ["of no known goal", JSON.stringify({ ...later, n: 2 })],
    ["without a number", JSON.stringify({ ...first, n: undefined })],
    ["with an unknown status", JSON.stringify({ ...later, status: "done" })],
    ["with notes that are none", JSON.stringify({ ...later, notes: "too short" })],
    ["with failed steps in words", JSON.stringify({ ...later, failedSteps: "two" })],
    ["with progress above one", JSON.stringify({ ...later, progress: 1_000_001 })],
    ["with progress in words", JSON.stringify({ ...later, progress: "half" })],
    ["with files that are none", JSON.stringify({ ...later, wrote: null })],
    ["with evidence that is none", JSON.stringify({ ...later, evidence: 7 })],
    ["with a file that is none", JSON.stringify({ ...later, wrote: [7] })],
    ["with a number without end", '{"n":1,"status":"active","misses":1e999}'],
    ["with a lone surrogate", '{"n":1,"status":"active","text":"\\ud800"}'],
    ["with a number beyond counting", JSON.stringify({ ...first, n: 1_000_000_001 })],
  ])("[GO8] passes over a line %s", (_, line) => {
    expect(readGoalRegistry(lines(first, line))).toEqual([first]);
  });

  it("[GO8] never throws, and what it reads is strict JSON", () => {
    const changes = fc.dictionary(fc.constantFrom(...Object.keys(first), "atMs"), fc.jsonValue());
    const line = fc.oneof(
      changes.map((change) => JSON.stringify({ ...first, ...change })),
      fc.json(),
      fc.string(),
    );

    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (all) => {
        const goals = readGoalRegistry(all.join("\n"));
        canonicalJson(goals);
        for (const { wrote, progress } of goals) {
          expect(wrote.every((path) => typeof path === "string")).toBe(true);
          expect(Number.isSafeInteger(progress)).toBe(true);
        }
      }),
    );
  });
});
