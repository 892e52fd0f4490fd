// The planner of a user turn.

import { expect, it } from "vitest";
import type { MailOf } from "../../../../src/machines/letter.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailOf } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const { turnPlanner } = statecharts(policyWith({}));
const planner = () =>
  driven(turnPlanner, { turn: "t1", says: "sort my files", replyTo: "gateway/t1" });
const catalogue: MailOf<"catalogue.answered"> = {
  type: "catalogue.answered",
  executors: [{ name: "read_files", head: "SCOPO: reads." }],
  replay: null,
};

it("[SN55] shows its model the heads of visible executors", () => {
  const asked = lettersTo(planner().send(catalogue), "port/llm.chat")[0]?.event;

  expect(asked).toMatchObject({
    purpose: "synt.plan",
    view: { request: "sort my files", executors: catalogue.executors },
  });
});

it("[SN55] takes a plan, or the name of what is missing; anything else is no plan", () => {
  const planOf = (text: string) => {
    const one = planner();
    one.send(catalogue);
    const letters = one.send({ type: "llm.replied", text });
    return mailOf(lettersTo(letters, "gateway/t1")[0], "plan.made").steps;
  };

  expect(planOf('{"steps":["read_files",7,"sort_files"]}')).toEqual(["read_files", "sort_files"]);
  expect(planOf('{"steps":[],"missing":"sort_files"}')).toEqual(["sort_files"]);
  expect(planOf('Let me see: {"steps":["read_files"]} should do.')).toEqual(["read_files"]);
  expect(planOf("I do not know")).toEqual([]);
});

it("[SN55] says so when its model does not answer, and only then", () => {
  const whyOf = (event: MailOf<"llm.failed" | "llm.replied">) => {
    const one = planner();
    one.send(catalogue);
    return mailOf(lettersTo(one.send(event), "gateway/t1")[0], "plan.made").why;
  };

  expect(whyOf({ type: "llm.failed", error: "away" })).toBe("the planner did not answer");
  expect(whyOf({ type: "llm.replied", text: '{"steps":[]}' })).toBeNull();
});

it("[SN25] replays what the fast path remembers and asks no model", () => {
  const letters = planner().send({ ...catalogue, replay: ["read_files", "sort_files"] });

  expect(lettersTo(letters, "port/llm.chat")).toEqual([]);
  expect(lettersTo(letters, "gateway/t1")[0]?.event).toMatchObject({
    isReplayed: true,
    steps: ["read_files", "sort_files"],
  });
});
