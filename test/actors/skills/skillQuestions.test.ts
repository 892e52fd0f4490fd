// What can be asked of a log of skills.
import { expect, it } from "vitest";
import { skillQuestions } from "../../../src/actors/skills/skillQuestions.ts";
import type { MailOf } from "../../../src/machines/letter.ts";
import { delivery } from "../../handLog.ts";

const counted = (seq: number, failureCount: number) => {
  const event: MailOf<"skill.counted"> = {
    ...{ type: "skill.counted", skill: "news", agent: "cedar", usageCount: 0, failureCount },
    outcome: failureCount === 0 ? "success" : "failure",
    ...{ cause: null, status: failureCount < 3 ? "active" : "degraded" },
  };
  return delivery({ seq, event, to: "skill/news", from: "skills" });
};

it("[SK51] why skill:NAME begins at what went wrong last, else at the last that was said", () => {
  const well = [counted(1, 0), counted(2, 1)];
  const badly = [...well, counted(3, 3), counted(4, 0)];

  expect(skillQuestions.find(well, "skill:news")?.seq).toBe(2);
  expect(skillQuestions.find(badly, "skill:news")?.seq).toBe(3);
  expect(skillQuestions.find(badly, "skill:prices")).toBeUndefined();
});

it("[SK51] only what went wrong is worth a question", () => {
  expect(skillQuestions.all([counted(1, 0), counted(2, 1)])).toEqual([]);
  expect(skillQuestions.all([counted(1, 3), counted(2, 4)])).toEqual(["skill:news"]);
  expect(skillQuestions.trouble([counted(1, 0), counted(2, 3)])?.seq).toBe(2);
});
