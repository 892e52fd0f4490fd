import { describe, expect, it } from "vitest";
import type { Repertoire, RepertoireLesson } from "../../../src/actors/agents/repertoire.ts";
import { scriptedModel } from "../../../src/actors/agents/scriptedModel.ts";
import {
  readGoalJudgement,
  readLessonAnswer,
} from "../../../src/machines/agents/model/modelAnswers.ts";
import type { JudgeView, LessonView } from "../../../src/machines/agents/model/prompts.ts";
import { terms } from "../../../src/machines/stemmer.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { policyWith } from "../../builtIn.ts";
import { mailOf } from "../../mail.ts";

const exists: RepertoireLesson = {
  id: "exists",
  match: "no such FILE",
  lesson: "Verify that a path exists before reading it",
  category: "environment",
  confidence: "high",
  weight: 1,
};
const rest: RepertoireLesson = { ...exists, id: "rest", match: "tired", lesson: "Rest", weight: 3 };

interface Setting {
  readonly lessons?: readonly RepertoireLesson[];
  readonly coverage?: number;
  readonly without?: readonly string[];
}

/** What the model says of a view, and the option that it took. */
function said(view: JudgeView, setting: Setting = {}, nth = 1) {
  const { lessons, coverage, without = [] } = setting;
  const repertoire: Repertoire = {
    malformedPerMille: 0,
    goals: [],
    ...(lessons && { lessons }),
    ...(coverage !== undefined && { judges: { goal: { coverage } } }),
  };
  const { event, choice } = scriptedModel({
    repertoire,
    policy: policyWith({}).model,
    random: namedRandom(7),
    without: new Set(without),
    render: () => "",
    terms,
  }).answer({
    port: "port/llm.chat",
    from: "goal/cedar/1",
    purpose: view.purpose,
    nth,
    seq: 4,
    nowMs: 0,
    event: { type: "llm.asked", purpose: view.purpose, view },
    request: "",
  });
  return { text: mailOf({ event }, "llm.replied").text, choice };
}

const judged = (goal: string, text: string, coverage?: number) => {
  const view: JudgeView = {
    purpose: "judge.goal",
    agent: "cedar",
    goal,
    artifact: "/agentOS/a.md",
    text,
  };
  const { text: answer, choice } = said(view, coverage === undefined ? {} : { coverage });
  return { ...readGoalJudgement(answer), choice };
};

describe("asked whether a goal is reached", () => {
  const TEN = "one1 two2 tri3 for4 fiv5 six6 sev7 oct8 nin9 ten0";

  it("[MO11] it says yes from the share of the goal's words on, and no right below", () => {
    expect(judged(TEN, "one1 two2 tri3")).toMatchObject({ passes: true, choice: "goal:shown" });
    expect(judged(TEN, "one1 two2")).toMatchObject({ passes: false, choice: "goal:not-shown" });
    expect(judged(TEN, TEN, 1_000).passes).toBe(true);
    expect(judged(TEN, TEN.slice(5), 1_000).passes).toBe(false);
    expect(judged(TEN, "", 0).passes).toBe(true);
  });

  it("[MO11] words are compared as stems, without numbers and small words", () => {
    expect(judged("Analyse the 3 states", "analysing a state", 1_000)).toMatchObject({
      passes: true,
      reason: "2 of the goal's 2 words stand in the file",
    });
  });

  it('[MO11] the "(goal 7)" by which goals count themselves is no word of a goal', () => {
    for (const goal of ["Analyse the states (goal 7)", "Go on: [DONE] Analyse states (goal 12)."]) {
      const { reason } = judged(goal, "analysing a state and done", 1_000);
      expect(reason).not.toContain("goal,");
      expect(reason).not.toMatch(/not .*goal/);
    }
    expect(judged("Analyse the states (goal 7)", "The goal is a goal").reason).toBe(
      "0 of the goal's 2 words stand in the file; not analys, state",
    );
    // A goal about a goal keeps the word.
    expect(judged("Write down the goal (goal 7)", "the goal").reason).toContain(
      "1 of the goal's 3",
    );
  });

  it("[MO11] it names the words that it does not find", () => {
    expect(judged("Write a page about birds", "a page").reason).toBe(
      "1 of the goal's 3 words stand in the file; not write, bird",
    );
  });
});

describe("asked for a lesson", () => {
  const view: LessonView = {
    purpose: "lesson.extract",
    agent: "cedar",
    goal: "Write a page",
    status: "abandoned",
    reason: null,
    notes: [],
  };
  const drawn = (changes: Partial<LessonView>, setting: Setting = { lessons: [exists, rest] }) =>
    said({ ...view, ...changes }, setting);

  it("[MO11] it draws one whose text stands in goal, reason or notes, whatever the case", () => {
    for (const changes of [
      { notes: ["x", "fs_read failed: No such file", "y"] },
      { reason: "no such file" },
      { goal: "Find out why there is no such file" },
    ]) {
      const { text, choice } = drawn(changes);
      const { lesson, category, confidence } = exists;

      expect(readLessonAnswer(text, 300)).toEqual({ lesson, category, confidence });
      expect(choice).toBe("lesson:exists");
    }
  });

  it("[MO11] it draws none when none fits, none is known, or it is taken out", () => {
    for (const { text, choice } of [
      drawn({ notes: ["all fine"] }),
      drawn({ notes: ["no such file"] }, {}),
      drawn({ notes: ["no such file"] }, { lessons: [exists], without: ["lesson:exists"] }),
    ]) {
      expect(readLessonAnswer(text, 300)).toBe("none");
      expect(choice).toBe("lesson:none");
    }
  });

  it("[MO11] it draws among several in proportion to their weights", () => {
    const all = Array.from({ length: 400 }, (_, nth) =>
      said({ ...view, notes: ["tired: no such file"] }, { lessons: [exists, rest] }, nth + 1),
    );
    const share = all.filter(({ choice }) => choice === "lesson:rest").length / all.length;

    expect(share).toBeGreaterThan(0.68);
    expect(share).toBeLessThan(0.82);
  });
});
