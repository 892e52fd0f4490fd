import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import {
  familyOf,
  isAlike,
  type Lesson,
  learn,
  lessonFamilies,
  lessonsText,
  type Memory,
  type Observed,
  readLessons,
} from "../../../../src/machines/agents/lessons/lessons.ts";
import { policyWith } from "../../../builtIn.ts";
import { Premise } from "../../../premise.ts";

const policyOf = (overrides: { readonly [path: string]: PolicyValue } = {}) =>
  policyWith(overrides).lessons;
const policy = policyOf();
const alike = (one: string, other: string, with_ = policy) => isAlike(one, other, with_);

const empty: Memory = { candidates: [], lessons: [] };
const rest: Lesson = { lesson: "Rest at night", category: "planning", confidence: "low" };
const walk: Lesson = { lesson: "Walk every morning", category: "planning", confidence: "low" };
const sure: Lesson = { ...rest, category: "environment", confidence: "high" };

/** What becomes of lessons seen one after the other, each with the number of its goal. */
function learnt(seen: readonly (readonly [Lesson, number])[], with_ = policy, memory = empty) {
  const outcomes: string[] = [];
  let now = memory;
  for (const [lesson, n] of seen) {
    const next = learn(now, lesson, n, with_);
    now = next.memory;
    outcomes.push(next.outcome);
  }
  return { memory: now, outcomes };
}

/** Words of no language, from a number on. */
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `w${from + at}x`).join(" ");

describe("two lessons", () => {
  it("[LE2] are one from a similarity of exactly .55 on, and two right below", () => {
    // 11 of 20 words in common, then 6 of 11.
    expect(alike(words(0, 15), words(4, 16))).toBe(true);
    expect(alike(words(0, 8), words(2, 9))).toBe(false);
    // 550 of 1000, and one word less.
    expect(alike(words(0, 1_000), words(0, 550))).toBe(true);
    expect(alike(words(0, 1_000), words(0, 549))).toBe(false);
  });

  it("[LE2] are compared by the set of their stems, in any order", () => {
    expect(alike("Walking the dogs", "the dog WALKS, walks")).toBe(true);
    expect(alike("Rest at night", "Walk at night")).toBe(false);
  });

  it("[LE2] the similarity is the policy's", () => {
    const strict = policyOf({ "lessons.similarity": 1_000 });

    expect(alike(words(0, 20), words(0, 20), strict)).toBe(true);
    expect(alike(words(0, 20), words(0, 19), strict)).toBe(false);
  });

  it("[LE2] without words of ours they are one when they are the same text", () => {
    expect(alike("先に確認する", "先に確認する")).toBe(true);
    expect(alike("先に確認する", "夜は休む")).toBe(false);
    expect(alike("", "")).toBe(true);
  });

  const existence = [
    "verify file existence before reading",
    "Verify path exists",
    "Always check that a file exists before you read it",
    "Make sure the directory is there before listing it",
    "Confirm the presence of the folder first",
    "Ensure paths exist; do not assume",
    "List the folder before reading a file",
    "Test whether the artifact is missing",
    "A path may not exist: look before you read",
  ];

  it("[LE2] all variants of 'verify path exists' are one", () => {
    for (const one of existence)
      for (const other of existence) expect(alike(one, other)).toBe(true);
  });

  it.each([
    ["read-only-paths", "system paths under /agentOS/agents/ are read-only"],
    ["read-only-paths", "Never write to /agentOS/agents/"],
    ["read-only-paths", "You cannot edit system files"],
    ["read-only-paths", "Read only folders stay as they are: the path /agentOS/agents"],
    ["no-placeholders", "Do not leave placeholders in a file"],
    ["no-placeholders", "An empty file never passes the gate"],
    ["no-placeholders", "An artifact needs at least 200 characters"],
    ["failing-tools", "When a tool fails twice, use a different one"],
    ["failing-tools", "Do not repeat a failing capability: a tool"],
    ["failing-tools", "Switch to another tool after it failed"],
    ["quote-what-stands", "Quote the exact contents of the file"],
    ["quote-what-stands", "Check every claim against the actual file"],
  ])("[LE2] of the family %s: %s", (name, lesson) => {
    expect(familyOf(lesson)).toBe(name);
  });

  it.each(["Rest at night", "Answer your peers", "Read the charter", "Write every day", ""])(
    "[LE2] of no family: %j",
    (lesson) => {
      expect(familyOf(lesson)).toBeUndefined();
    },
  );

  it("[LE2] families can be switched off, and each has a source", () => {
    const off = policyOf({ "lessons.families": false });

    expect(alike("Verify path exists", "Confirm the presence of the folder first", off)).toBe(
      false,
    );
    expect(lessonFamilies.every(({ source }) => source.startsWith("ours"))).toBe(true);
    expect(new Set(lessonFamilies.map(({ name }) => name)).size).toBe(lessonFamilies.length);
  });

  it("[LE2] being one goes both ways", () => {
    const text = fc
      .array(fc.constantFrom("verify", "path", "exists", "rest", "night", "read-only", "walk"), {
        maxLength: 6,
      })
      .map((all) => all.join(" "));

    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(alike(one, other)).toBe(alike(other, one));
        expect(alike(one, one)).toBe(true);
      }),
    );
  });
});

describe("a candidate", () => {
  it("[U12] is a lesson from the second goal on, not from the first", () => {
    expect(learnt([[rest, 1]])).toEqual({
      memory: { candidates: [{ ...rest, observations: [1] }], lessons: [] },
      outcomes: ["candidate"],
    });
    expect(
      learnt([
        [rest, 1],
        [rest, 2],
      ]),
    ).toEqual({
      memory: { candidates: [], lessons: [{ ...rest, observations: [1, 2] }] },
      outcomes: ["candidate", "promoted"],
    });
  });

  it("[U12] the same goal again is no second observation", () => {
    expect(
      learnt([
        [rest, 1],
        [rest, 1],
      ]),
    ).toMatchObject({
      memory: { candidates: [{ observations: [1] }], lessons: [] },
      outcomes: ["candidate", "known"],
    });
  });

  it("[U12] once seen with high confidence it keeps that, and is no lesson before its second goal for it", () => {
    const seen = (...of: readonly ("high" | "low")[]) =>
      learnt(of.map((confidence, at) => [{ ...rest, category: "planning", confidence }, at + 1]));

    expect(seen("high").outcomes).toEqual(["candidate"]);
    for (const both of [seen("high", "low"), seen("low", "high")])
      expect(both.memory.lessons).toMatchObject([{ confidence: "high", observations: [1, 2] }]);
    expect(seen("low", "low").memory.lessons).toMatchObject([{ confidence: "low" }]);
    // Certain of a tool, in one goal with a guess of the surroundings: neither alone is enough.
    const guess = { ...rest, category: "environment", confidence: "low" } as const;
    const tool = { ...rest, category: "tools", confidence: "high" } as const;
    expect(
      learnt([
        [guess, 1],
        [tool, 1],
      ]).outcomes,
    ).toEqual(["candidate", "known"]);
  });

  it("[U12] the number of goals is the policy's", () => {
    const three = policyOf({ "lessons.observations": 3 });
    const one = policyOf({ "lessons.observations": 1 });

    expect(
      learnt(
        [
          [rest, 1],
          [rest, 2],
          [rest, 3],
        ],
        three,
      ).outcomes,
    ).toEqual(["candidate", "observed", "promoted"]);
    expect(learnt([[rest, 1]], one).outcomes).toEqual(["promoted"]);
  });

  it.each([
    ["environment", "high", "promoted"],
    ["constraints", "high", "promoted"],
    ["environment", "low", "candidate"],
    ["constraints", "low", "candidate"],
    ["tools", "high", "candidate"],
    ["quality", "high", "candidate"],
  ] as const)("[U12] of %s seen once with confidence %s is %s", (category, confidence, outcome) => {
    expect(learnt([[{ ...rest, category, confidence }, 1]]).outcomes).toEqual([outcome]);
  });

  it("[U12] in which categories once is enough is the policy's", () => {
    const none = policyOf({ "lessons.singleShot": [] });
    const tools = policyOf({ "lessons.singleShot": ["tools"] });

    expect(learnt([[sure, 1]], none).outcomes).toEqual(["candidate"]);
    expect(learnt([[{ ...sure, category: "tools" }, 1]], tools).outcomes).toEqual(["promoted"]);
  });

  it("[LE2] keeps its first wording, whatever wording comes next", () => {
    const one = { ...rest, lesson: "Verify path exists" };
    const other = {
      ...rest,
      lesson: "Make sure the directory is there",
      category: "tools",
    } as const;

    expect(
      learnt([
        [one, 1],
        [other, 2],
      ]).memory.lessons,
    ).toEqual([{ ...one, observations: [1, 2] }]);
  });

  it("[LE2] that is a lesson already changes nothing", () => {
    const before = learnt([[sure, 1]]).memory;

    const { memory, outcomes } = learnt(
      [[{ ...rest, lesson: "At night, rest" }, 2]],
      policy,
      before,
    );

    expect(outcomes).toEqual(["known"]);
    expect(memory).toBe(before);
  });

  it("[LE7] the one observed longest ago goes when there are too many", () => {
    const two = policyOf({ "lessons.candidatesMax": 2, "lessons.observations": 3 });
    const other = { ...rest, lesson: "Sing" };

    const { memory } = learnt(
      [
        [rest, 1],
        [walk, 2],
        [rest, 3],
        [other, 4],
      ],
      two,
    );

    expect(memory.candidates.map(({ lesson }) => lesson)).toEqual([rest.lesson, "Sing"]);
  });

  it("[LE7] stays one while there is no room for a lesson, and never grows without end", () => {
    const one = policyOf({ "lessons.lessonsMax": 1 });
    const goals = [2, 3, 4, 5].map((n) => [walk, n] as const);

    const { memory, outcomes } = learnt([[sure, 1], ...goals], one);

    expect(outcomes).toEqual(["promoted", "candidate", "full", "full", "full"]);
    expect(memory.lessons.map(({ lesson }) => lesson)).toEqual([rest.lesson]);
    expect(memory.candidates).toEqual([{ ...walk, observations: [4, 5] }]);
  });
});

describe("the files", () => {
  const all: readonly Observed[] = [
    { ...rest, observations: [1, 2] },
    { ...sure, lesson: 'Say "no", and\nmean it', observations: [] },
  ];

  it("[LE4] are JSON with one lesson a line, and read as they were written", () => {
    const text = lessonsText(all);

    expect(JSON.parse(text)).toEqual(all);
    expect(text.split("\n")).toHaveLength(all.length + 3);
    expect(readLessons(text, 10)).toEqual(all);
    expect(readLessons(lessonsText([]), 10)).toEqual([]);
    expect(readLessons(JSON.stringify(all, null, 2), 10)).toEqual(all);
  });

  it("[LE4] a damaged line leaves the others", () => {
    const lines = lessonsText(all).split("\n");

    expect(readLessons(lines.with(1, lines[1]?.slice(5) ?? "").join("\n"), 10)).toEqual([all[1]]);
    expect(readLessons(lines.slice(0, 2).join("\n"), 10)).toEqual([all[0]]);
  });

  it.each([
    ["no text", { lesson: 7 }],
    ["an empty text", { lesson: "" }],
    ["an unknown category", { category: "weather" }],
    ["an unknown confidence", { confidence: "some" }],
    ["observations that are none", { observations: "1" }],
    ["a goal that is no number", { observations: [1, "2"] }],
    ["a goal below zero", { observations: [-1] }],
  ])("[LE4] what has %s is left out", (_, changes) => {
    const text = JSON.stringify([{ ...all[0], ...changes }, all[1], null, 7]);

    expect(readLessons(text, 10)).toEqual([all[1]]);
  });

  it("[LE4] no file is no lesson, and no more are read than may be kept", () => {
    expect(readLessons(null, 10)).toEqual([]);
    expect(readLessons(undefined, 10)).toEqual([]);
    expect(readLessons(lessonsText(all), 1)).toEqual([all[0]]);
  });

  it("[LE4] no text makes the reading throw", () => {
    const piece = fc.oneof(
      anyText({ maxLength: 9 }),
      fc.constantFrom("[", "]", "{", "},\n", JSON.stringify(all[0]), '"__proto__":1'),
    );

    const line = fc.constantFrom(...lessonsText(all).split("\n")).map((text) => `${text}\n`);
    const isRead = new Premise();
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, line), { maxLength: 12 }), (pieces) => {
        const read = readLessons(pieces.join(""), 5);
        isRead.holds(read.length > 0);
        for (const { observations, lesson } of read) {
          expect(lesson).not.toBe("");
          expect(observations.every(Number.isSafeInteger)).toBe(true);
        }
      }),
    );
    isRead.expectAtLeast(0.2);
  });
});

it("[LE9, LE7] whatever is seen: no lesson is lost, nothing is kept twice, and never too much", () => {
  const small = policyOf({ "lessons.candidatesMax": 3, "lessons.lessonsMax": 3 });
  const seen = fc.tuple(
    fc.record({
      lesson: fc
        .array(fc.constantFrom("rest", "walk", "sing", "verify path exists", "read-only path"), {
          minLength: 1,
          maxLength: 3,
        })
        .map((all) => all.join(" ")),
      category: fc.constantFrom("environment", "tools"),
      confidence: fc.constantFrom("high", "low"),
    }),
    fc.nat(20),
  ) as fc.Arbitrary<[Lesson, number]>;

  fc.assert(
    fc.property(fc.array(seen, { maxLength: 40 }), (all) => {
      let memory = empty;
      for (const [lesson, n] of all) {
        const next = learn(memory, lesson, n, small).memory;
        const { candidates, lessons } = next;
        expect(lessons.slice(0, memory.lessons.length)).toEqual(memory.lessons);
        expect(candidates.length).toBeLessThanOrEqual(3);
        expect(lessons.length).toBeLessThanOrEqual(3);
        const kept = [...candidates, ...lessons];
        const twice = kept.filter((one, at) =>
          kept.some((other, where) => where < at && alike(one.lesson, other.lesson)),
        );
        expect(twice).toEqual([]);
        expect(readLessons(lessonsText(candidates), 9)).toEqual(candidates);
        memory = next;
      }
    }),
  );
});
