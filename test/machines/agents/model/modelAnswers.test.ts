import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import {
  answerSchemas,
  namedPlan,
  readGoalAnswer,
  readIdentityAnswer,
  readPlanAnswer,
  readReflection,
  readThreatAnswer,
} from "../../../../src/machines/agents/model/modelAnswers.ts";
import { readFault, readJson } from "../../../../src/machines/readJson.ts";
import { canonicalJson } from "../../../../src/substrate/canonicalJson.ts";

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
    expect(readGoalAnswer('{"action": "wait"}')).toBeUndefined();
  });

  it.each([
    ["content", ""],
    ["content", 7],
    ["content", "x".repeat(601)],
    ["artifact", "/etc/passwd"],
    ["artifact", "/agentOS/../etc/passwd"],
    ["artifact", "workspace/1.md"],
    ["artifact", null],
    ["artifact", `/agentOS${"/x".repeat(297)}`],
    ["evidence", ""],
    ["evidence", 7],
    ["evidence", "x".repeat(601)],
  ])("[MO3] is none when its %s is %j", (field, value) => {
    expect(goalOf({ [field]: value })).toBeUndefined();
  });

  it("[MO3] 600 characters are not too many", () => {
    const artifact = `/agentOS${"/x".repeat(296)}`;
    expect(artifact).toHaveLength(600);
    expect(goalOf({ content: "x".repeat(600), artifact, evidence: "y".repeat(600) })).toBeDefined();
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
    const named = (count: number) =>
      readPlanAnswer(JSON.stringify({ steps: [{ tool: "look", params: params(count) }] }), true);
    expect([named(100)?.length, named(101)]).toEqual([1, undefined]);
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

describe("what an answer says of the agent", () => {
  const nothing = {
    reasoning: null,
    worldview: null,
    questions: [],
    opinions: [],
    fresh: [],
    resolved: [],
  };
  const saidOf = (fields: object) => readReflection(JSON.stringify(fields));

  it("[IN2] is read field by field", () => {
    expect(
      saidOf({
        reasoning: "because",
        worldview_update: "All is well.",
        new_open_questions: ["why?"],
        new_opinions: [{ opinion: "less is more", domain: "files" }],
        suffering_assessment: { new_stressors: ["futility"], resolved: ["stagnation"] },
      }),
    ).toEqual({
      reasoning: "because",
      worldview: "All is well.",
      questions: ["why?"],
      opinions: [{ opinion: "less is more", domain: "files" }],
      fresh: ["futility"],
      resolved: ["stagnation"],
    });
  });

  it.each([
    {},
    { reasoning: "", worldview_update: "  ", new_open_questions: [""], new_opinions: "one" },
    { reasoning: 7, worldview_update: null, new_open_questions: {}, new_opinions: [null, 7, "o"] },
    { new_opinions: [{ opinion: "" }, { domain: "x" }, { opinion: "o", domain: "" }] },
    { new_open_questions: ["x".repeat(601)], new_opinions: [{ opinion: "x".repeat(601) }] },
    { suffering_assessment: "none" },
    { suffering_assessment: { new_stressors: "futility", resolved: [null, 7, {}, "a/b", ""] } },
  ])("[IN2] what does not fit is left out: %j", (fields) => {
    expect(saidOf(fields)).toEqual(nothing);
  });

  it("[IN2] long words are cut by code point, long questions left out", () => {
    const { reasoning, worldview } = saidOf({
      reasoning: "😀".repeat(700),
      worldview_update: "x".repeat(601),
    });

    expect([...(reasoning ?? "")]).toHaveLength(600);
    expect(reasoning?.isWellFormed()).toBe(true);
    expect(worldview).toHaveLength(600);
    expect(saidOf({ new_open_questions: ["x".repeat(600)] }).questions).toHaveLength(1);
  });

  it("[IN3] names of stressors are normalised, each once; a map with a type will do", () => {
    const { fresh } = saidOf({
      suffering_assessment: {
        new_stressors: [" Repeated  Failure ", "repeated_failure", { type: "Futility" }],
      },
    });

    expect(fresh).toEqual(["repeated_failure", "futility"]);
  });

  it("[IN2] of a hundred thousand items a hundred are looked at", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `question ${at}`);

    expect(saidOf({ new_open_questions: many }).questions).toHaveLength(100);
  });
});

describe("a judgement", () => {
  it("[IN4] is an opinion, none, or unreadable", () => {
    expect(readIdentityAnswer('{"contradicts": "less is more"}')).toBe("less is more");
    expect(readIdentityAnswer('{"contradicts": null}')).toBeNull();
    for (const text of ["", "{}", "null", '{"contradicts": ""}', '{"contradicts": true}']) {
      expect(readIdentityAnswer(text)).toBeUndefined();
    }
  });

  it("[IN5] is yes, no, or unreadable", () => {
    expect(readThreatAnswer('{"threat": true}')).toBe(true);
    expect(readThreatAnswer('{"threat": false}')).toBe(false);
    for (const text of ["", "{}", "true", '{"threat": "true"}', '{"threat": null}']) {
      expect(readThreatAnswer(text)).toBeUndefined();
    }
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
    ["a lone surrogate in a key", '{"\\ud800": 1}'],
    ["a lone surrogate in a key far within", '[{"a": {"\\udc00b": []}}]'],
    ["a number past all bounds", "1e999"],
    ["a number below all bounds", "-1e999"],
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

  it("[MO5] what nests up to 64 levels is read, and one more is as bad as no JSON", () => {
    const holding = (value: string) => `${JSON.stringify(goal).slice(0, -1)}, "more": ${value}}`;

    // The answer is a level, and what no list holds is another.
    expect(readGoalAnswer(holding(nested(63)))).toMatchObject({ slug: goal.slug });
    expect(readGoalAnswer(holding(nested(64)))).toBeUndefined();
  });

  it("[MO5] no text makes the reading throw, and what is read is strict JSON", () => {
    const almost = fc
      .record(
        {
          action: fc.oneof(fc.constant("goal"), fc.jsonValue()),
          slug: fc.oneof(anyText(), fc.jsonValue()),
          content: fc.oneof(anyText(), fc.jsonValue()),
          artifact: fc.oneof(fc.constant(goal.artifact), fc.jsonValue()),
          evidence: fc.jsonValue(),
          reasoning: fc.jsonValue(),
          worldview_update: fc.oneof(anyText(), fc.jsonValue()),
          new_open_questions: fc.jsonValue(),
          new_opinions: fc.oneof(fc.array(fc.record({ opinion: fc.jsonValue() })), fc.jsonValue()),
          suffering_assessment: fc.oneof(
            fc.record({ new_stressors: fc.jsonValue(), resolved: fc.array(fc.jsonValue()) }),
            fc.jsonValue(),
          ),
          contradicts: fc.jsonValue(),
          threat: fc.jsonValue(),
          steps: fc.oneof(
            fc.array(fc.record({ intent: fc.string({ minLength: 1 }), params: fc.jsonValue() })),
            fc.jsonValue(),
          ),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value));

    fc.assert(
      fc.property(fc.oneof(almost, anyText(), fc.json()), (text) => {
        for (const read of [
          readGoalAnswer(text),
          readPlanAnswer(text),
          { ...readReflection(text) },
          readIdentityAnswer(text),
          readThreatAnswer(text),
        ]) {
          expect(JSON.parse(canonicalJson(read ?? null))).toEqual(read ?? null);
        }
        expect(readFault(text) === null).toBe(readJson(text) !== undefined);
      }),
      { numRuns: 500 },
    );
  });
});

it("[MO4] a schema asks for a plan of at least one step", () => {
  const bounds = { properties: { steps: { minItems: 1, maxItems: 20 } } };

  expect([answerSchemas["plan"], namedPlan]).toMatchObject([bounds, bounds]);
});
