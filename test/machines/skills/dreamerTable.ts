// What coverage.test.ts sends to the dreamer; see ../coverageTables.ts.
import type { DreamContext } from "../../../src/machines/skills/dreamer.ts";
import type { Table } from "../coverageTable.ts";
import { challengeText, extractedText, SOLUTION } from "./dreamAnswers.ts";

export const dreamer: Table = {
  worlds: [
    { input: {}, policy: { "skills.dream.attempts": 2 } },
    { input: {}, policy: { "skills.dream.rounds": 0 } },
  ],
  events: [
    { type: "llm.replied", text: challengeText },
    { type: "llm.replied", text: SOLUTION },
    { type: "llm.replied", text: extractedText({}) },
    { type: "llm.replied", text: extractedText({ domains: ["cooking"] }) },
    { type: "llm.replied", text: "{" },
    { type: "llm.failed", error: "away" },
    { type: "sandbox.replied", ok: true, functionName: "solve", result: 1 },
    { type: "sandbox.replied", ok: false, functionName: "validate", error: "AssertionError" },
    { type: "sandbox.replied", ok: false, error: "SyntaxError" },
    { type: "ask.bounced", address: "port/sandbox.run" },
  ],
  facts: ({ attempts, lesson, fault, end, round, known }: DreamContext) => ({
    attempts: attempts.map(({ passed }) => passed),
    hasLesson: lesson !== null,
    ...{ fault, end, round, known },
  }),
};
