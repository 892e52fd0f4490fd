import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGoalAnswer, readPlanAnswer } from "../../src/machines/modelAnswers.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";

const goal = {
  action: "goal",
  slug: "state-snapshot",
  content: "Keep a snapshot",
  artifact: "/agentOS/workspace/cedar/1.md",
  evidence: null,
};
const goalOf = (changes: object) => readGoalAnswer(JSON.stringify({ ...goal, ...changes }));
const planOf = (steps: unknown) => readPlanAnswer(JSON.stringify({ steps }));
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("a goal", () => {
  it("[MO3] is read with its slug, text, artifact and evidence", () => {
    const { slug, content: text, artifact } = goal;

    expect(goalOf({})).toEqual({ slug, text, artifact, evidence: null });
    expect(goalOf({ evidence: "Reviewed-by: vault" })).toMatchObject({
      evidence: "Reviewed-by: vault",
    });
    expect(goalOf({ evidence: undefined })).toMatchObject({ evidence: null });
  });

  it("[MO3] may be none at all", () => {
    expect(readGoalAnswer('{"action": "rest"}')).toBe("rest");
    expect(goalOf({ action: "rest" })).toBe("rest");
  });

  it.each([
    ["content", ""],
    ["content", 7],
    ["content", "x".repeat(601)],
    ["artifact", "/etc/passwd"],
    ["artifact", "/agentOS/../etc/passwd"],
    ["artifact", "workspace/1.md"],
    ["artifact", null],
    ["evidence", ""],
    ["evidence", 7],
    ["evidence", "x".repeat(601)],
  ])("[MO3] is none when its %s is %j", (field, value) => {
    expect(goalOf({ [field]: value })).toBeUndefined();
  });

  it("[MO3] 600 characters are not too many", () => {
    expect(goalOf({ content: "x".repeat(600), evidence: "y".repeat(600) })).toBeDefined();
  });

  it("[MO3] gets a short name of safe letters", () => {
    expect(goalOf({ slug: "My Goal/../x" })).toMatchObject({ slug: "-y--oal----x" });
    expect(goalOf({ slug: "a".repeat(61) })).toMatchObject({ slug: "a".repeat(60) });
    expect(goalOf({ slug: 7 })).toMatchObject({ slug: "goal" });
    expect(goalOf({ slug: "x".repeat(601) })).toMatchObject({ slug: "goal" });
  });
});

describe("a plan", () => {
  it("[MO4] is its steps; what is no step is left out", () => {
    const read = { intent: "read the notes", params: { path: "/agentOS/notes.md" } };

    expect(planOf([read])).toEqual([read]);
    expect(planOf([{ intent: "look" }, "look", null, { params: {} }, { intent: "" }])).toEqual([
      { intent: "look", params: {} },
    ]);
    expect(
      planOf([
        { intent: "look", params: [] },
        { intent: "look", params: null },
      ]),
    ).toBeUndefined();
  });

  it.each([[[]], [undefined], [{}], ["steps"], [[null, 7]]])(
    "[MO4] is none when steps is %j",
    (steps) => {
      expect(planOf(steps)).toBeUndefined();
    },
  );

  it("[MO4] ends after 20 steps, and a step has at most 12 parameters", () => {
    const params = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, at]));

    expect(planOf(Array(21).fill({ intent: "look" }))).toHaveLength(20);
    expect(planOf([{ intent: "look", params: params(12) }])).toHaveLength(1);
    expect(planOf([{ intent: "look", params: params(13) }])).toBeUndefined();
  });

  it("[MO4] parameters nest at most 20 levels, themselves included", () => {
    const read = (depth: number) =>
      readPlanAnswer(`{"steps":[{"intent":"look","params":{"x":${nested(depth)}}}]}`);

    expect(read(19)).toHaveLength(1);
    expect(read(20)).toBeUndefined();
  });

  it("[MO4] drops what a step has besides intent and params", () => {
    expect(planOf([{ intent: "look", capability: "fs_write" }])).toEqual([
      { intent: "look", params: {} },
    ]);
  });
});

describe("hostile answers", () => {
  it.each([
    "",
    "null",
    "[]",
    '"rest"',
    "{",
    '{"action": "goal"',
    "Here is my plan: {}",
    nested(100_000),
  ])("[MO5] %.30s is neither goal nor plan", (text) => {
    expect(readGoalAnswer(text)).toBeUndefined();
    expect(readPlanAnswer(text)).toBeUndefined();
  });

  it.each([
    ["a lone surrogate", '"\\ud800"'],
    ["a number past all bounds", "1e999"],
    ["nesting without end", nested(5_000)],
    ["a __proto__", '{"__proto__": {"path": "/agentOS/x"}}'],
  ])("[MO5] an answer with %s is none, for no recording could hold it", (_, value) => {
    expect(
      readPlanAnswer(`{"steps": [{"intent": "look", "params": {"path": ${value}}}]}`),
    ).toBeUndefined();
    expect(
      readGoalAnswer(`${JSON.stringify(goal).slice(0, -1)}, "more": ${value}}`),
    ).toBeUndefined();
  });

  it("[MO5] no text makes the reading throw, and what is read is strict JSON", () => {
    const almost = fc
      .record(
        {
          action: fc.oneof(fc.constant("goal"), fc.jsonValue()),
          slug: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
          content: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
          artifact: fc.oneof(fc.constant(goal.artifact), fc.jsonValue()),
          evidence: fc.jsonValue(),
          steps: fc.oneof(
            fc.array(fc.record({ intent: fc.string({ minLength: 1 }), params: fc.jsonValue() })),
            fc.jsonValue(),
          ),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value));

    fc.assert(
      fc.property(fc.oneof(almost, fc.string({ unit: "binary" }), fc.json()), (text) => {
        canonicalJson(readGoalAnswer(text) ?? null);
        canonicalJson(readPlanAnswer(text) ?? null);
      }),
      { numRuns: 500 },
    );
  });
});
