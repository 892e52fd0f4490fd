import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../../src/contract/anyText.ts";
import { categories } from "../../../../src/machines/agents/lessons/lessons.ts";
import {
  readGoalJudgement,
  readLessonAnswer,
} from "../../../../src/machines/agents/model/modelAnswers.ts";
import { Premise } from "../../../premise.ts";

const json = JSON.stringify;
const lesson = { lesson: "Rest", category: "planning", confidence: "low" };

describe("a judgement", () => {
  it("[GA3] needs a yes or no; the reason may be missing", () => {
    expect(readGoalJudgement(json({ passes: true, reason: "all there" }))).toEqual({
      passes: true,
      reason: "all there",
    });
    expect(readGoalJudgement(json({ passes: false }))).toEqual({
      passes: false,
      reason: "the judge gave no reason",
    });
    expect(readGoalJudgement(json({ passes: false, reason: " \n" }))?.reason).toBe(
      "the judge gave no reason",
    );
  });

  it("[GA3] has its reason in one line, cut by code point", () => {
    const read = (reason: string) => readGoalJudgement(json({ passes: true, reason }))?.reason;

    expect(read("a\n  b")).toBe("a b");
    expect(read("👻".repeat(300))).toBe("👻".repeat(300));
    expect(read("👻".repeat(301))).toBe("👻".repeat(300));
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "true",
    "{}",
    '{"passes":"true"}',
    '{"passes":1}',
    '{"reason":"x"}',
  ])("[GA3] cannot be read from %j", (text) => {
    expect(readGoalJudgement(text)).toBeUndefined();
  });
});

describe("a lesson", () => {
  it("[LE6] has a text, a category of the list and a confidence", () => {
    for (const category of categories) {
      for (const confidence of ["high", "low"]) {
        const answer = { ...lesson, category, confidence };
        expect(readLessonAnswer(json(answer), 300)).toEqual(answer);
      }
    }
  });

  it("[LE6] stands in one line, cut by code point", () => {
    const read = (text: string) => readLessonAnswer(json({ ...lesson, lesson: text }), 3);

    expect(read(" a\nb ")).toMatchObject({ lesson: "a b" });
    expect(read("👻👻👻")).toMatchObject({ lesson: "👻👻👻" });
    expect(read("👻👻👻👻")).toMatchObject({ lesson: "👻👻👻" });
  });

  it("[LE6] none is an answer", () => {
    expect(readLessonAnswer('{"lesson":null}', 300)).toBe("none");
    expect(readLessonAnswer(json({ ...lesson, lesson: null }), 300)).toBe("none");
  });

  it.each([
    "",
    "{",
    "null",
    "[]",
    "{}",
    json({ ...lesson, lesson: 7 }),
    json({ ...lesson, lesson: " \n" }),
    json({ ...lesson, category: "weather" }),
    json({ ...lesson, category: "toString" }),
    json({ ...lesson, confidence: "sure" }),
    json({ ...lesson, confidence: undefined }),
    '{"lesson":"\\ud800","category":"planning","confidence":"low"}',
  ])("[LE6] cannot be read from %j", (text) => {
    expect(readLessonAnswer(text, 300)).toBeUndefined();
  });
});

it("[GA3, LE6] no text makes the reading throw", () => {
  const judged = fc.record({ passes: fc.boolean(), reason: fc.jsonValue() }).map(json);
  const learnt = fc
    .record({
      lesson: anyText(),
      category: fc.constantFrom(...categories),
      confidence: fc.oneof(fc.constantFrom("high", "low"), fc.jsonValue()),
    })
    .map(json);
  const text = fc.oneof(anyText(), fc.json(), judged, learnt);
  const [isJudged, isLearnt] = [new Premise(), new Premise()];

  fc.assert(
    fc.property(text, (said) => {
      const judgement = readGoalJudgement(said);
      const answer = readLessonAnswer(said, 300);
      if (isJudged.holds(judgement !== undefined)) expect(judgement?.reason).not.toBe("");
      const lesson = answer === "none" ? undefined : answer;
      if (isLearnt.holds(lesson !== undefined)) expect(categories).toContain(lesson?.category);
    }),
  );
  isJudged.expectAtLeast(0.1);
  isLearnt.expectAtLeast(0.05);
});
