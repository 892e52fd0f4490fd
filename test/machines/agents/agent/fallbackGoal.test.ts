import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fallbackGoal as fallbackUnder } from "../../../../src/machines/agents/agent/choosing.ts";
import type { AgentContext } from "../../../../src/machines/agents/agent/context.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import { readGoalAnswer } from "../../../../src/machines/agents/model/modelAnswers.ts";
import { policyWith } from "../../../builtIn.ts";
import { contextOf } from "./mind.ts";

const fallbackGoal = (context: AgentContext, nowMs: number) =>
  fallbackUnder(context, nowMs, policyWith({}));

const SLUGS = [
  "fallback-stressor",
  "fallback-question",
  "fallback-peer-file",
  "fallback-last-outcome",
  "fallback-journal",
];
const felt = {
  type: "repeated_failure",
  sinceMs: 0,
  start: 200_000,
  growthPerDay: 0,
  fact: 11,
};
const claim = { agent: "cipher", n: 1, path: "/agentOS/workspace/cipher/1.md", fact: 12 };

/** Everything there is, looked for from one source on. */
const full = (rotation = 0, changes: Partial<AgentContext> = {}) =>
  contextOf({
    suffering: [felt],
    claims: [claim],
    journal: ["older", "I want to know more."],
    profile: { ...emptyProfile, questions: ["Who reads this?"], lastOutcome: "[DONE] x", rotation },
    ...changes,
  });

describe("the rotation", () => {
  it("[U8] goes stressor, open question, peer file, last outcome, journal, and round again", () => {
    let rotation = 0;
    const slugs = Array.from({ length: 6 }, () => {
      const goal = fallbackGoal(full(rotation), 0);
      rotation = goal?.rotation ?? -1;
      return goal?.slug;
    });

    expect(slugs).toEqual([...SLUGS, SLUGS[0]]);
  });

  it("[U8] skips sources that are empty", () => {
    expect(fallbackGoal(full(0, { suffering: [] }), 0)).toMatchObject({
      slug: "fallback-question",
      rotation: 2,
    });
    const onlyJournal = contextOf({ journal: ["go on"] });
    for (let rotation = 0; rotation < 5; rotation++) {
      const context = { ...onlyJournal, profile: { ...emptyProfile, rotation } };
      expect(fallbackGoal(context, 0)).toMatchObject({ slug: "fallback-journal", rotation: 0 });
    }
  });

  it("[U8] is nothing when every source is empty", () => {
    expect(fallbackGoal(contextOf(), 0)).toBeUndefined();
  });

  it("[U8] a rotation from a file may be any whole number", () => {
    expect(fallbackGoal(full(1_000_000_003), 0)).toMatchObject({ slug: "fallback-last-outcome" });
  });
});

describe("the goal", () => {
  it("[U8] names its ground, and rests on it", () => {
    const goals = SLUGS.map((_, rotation) => fallbackGoal(full(rotation), 0));

    expect(goals.map((goal) => goal?.text)).toEqual([
      "Do what eases repeated_failure, and write down what you did. It will ease when: " +
        "less than 30 % of the last 40 goals failed, and at least 3 are done.",
      "Find out, and write down what you found: Who reads this?",
      "Read /agentOS/workspace/cipher/1.md by cipher, and write down what follows from it.",
      "Write down what follows from how your last goal ended: [DONE] x",
      "Go on from your journal: I want to know more.",
    ]);
    expect(goals.map((goal) => goal?.facts)).toEqual([[11], [], [12], [], []]);
    expect(goals[0]?.artifact).toBe("/agentOS/workspace/cedar/1-fallback-stressor.md");
  });

  it("[U8] is about the worst stressor, another question each time, and no file it is done with", () => {
    const worse = { ...felt, type: "futility", growthPerDay: 1_000_000 };
    expect(fallbackGoal(full(0, { suffering: [felt, worse] }), 60_000)?.text).toContain("futility");

    const questions = ["first?", "second?"];
    const asked = [4, 5].map(
      (lastGoal) =>
        fallbackGoal(contextOf({ lastGoal, profile: { ...emptyProfile, questions } }), 0)?.text,
    );
    expect(asked[0]).toContain("first?");
    expect(asked[1]).toContain("second?");

    expect(fallbackGoal(contextOf({ claims: [claim], done: [claim.path] }), 0)).toBeUndefined();
  });

  it("[U8] is a goal that a model could have chosen, whatever its ground says", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 900 });

    fc.assert(
      fc.property(text, fc.nat(4), fc.nat(99), (words, rotation, lastGoal) => {
        const context = full(rotation, {
          lastGoal,
          journal: [words],
          suffering: [{ ...felt, type: words }],
          profile: { ...emptyProfile, questions: [words], lastOutcome: words, rotation },
        });
        const goal = fallbackGoal(context, 0);
        const answer = { action: "goal", content: goal?.text, ...goal };
        expect([...(goal?.text ?? "")].length).toBeLessThanOrEqual(600);
        expect(goal?.artifact.startsWith("/agentOS/workspace/cedar/")).toBe(true);
        if ((goal?.text.length ?? 0) <= 600) {
          expect(readGoalAnswer(JSON.stringify(answer))).toBeTypeOf("object");
        }
      }),
    );
  });
});
