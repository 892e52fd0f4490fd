// Sections of SPEC.md: Prompts. What stands in an agent of what other parts say before it asks its model.
import { expect, it } from "vitest";
import {
  adviceFacts,
  adviceView,
  advised,
  discharged,
  keyOf,
  unadvised,
} from "../../../../src/machines/agents/agent/advice.ts";
import type { AgentContext } from "../../../../src/machines/agents/agent/context.ts";
import type { Delivered } from "../../../../src/machines/letter.ts";
import { contextOf } from "./mind.ts";

const nudge = (text: string) => ({ text, dischargedBy: [`tool_${text}`] });
const answered = (seq: number, texts: readonly string[], key = keyOf("playbook")) =>
  ({
    ...{ type: "section.answered", title: "NOTES", lines: texts, nudges: texts.map(nudge) },
    at: { from: "playbook", key, seq },
  }) as unknown as Delivered<"section.answered">;
const heard = (context: AgentContext, seq: number, ...texts: readonly string[]): AgentContext => ({
  ...context,
  ...advised(context, answered(seq, texts)),
});
const called = (capability: string) =>
  ({ type: "call.finished", ok: true, capability }) as unknown as Delivered<"call.finished">;

it("[HK9] a nudge stands beside those before it, once, until a call that it names went well", () => {
  const first = heard(contextOf(), 7, "a");
  const both = heard(first, 8, "a", "b");
  const after = { ...both, ...discharged(both, called("tool_a")) };

  expect(both.nudges).toEqual([
    { ...nudge("a"), fact: 7, discharged: false },
    { ...nudge("b"), fact: 8, discharged: false },
  ]);
  expect(adviceView(after).nudges).toEqual([nudge("b")]);
  expect(heard(after, 9, "a").nudges).toEqual(after.nudges);
  expect(discharged(contextOf(), called("tool_a"))).toEqual({});
});

it("[HK8] a prompt rests on the sections with lines and the nudges that stand, each once", () => {
  const both = heard(heard(contextOf(), 7, "a"), 8, "b");
  const empty = heard(heard(contextOf(), 7), 8, "b");

  expect(adviceFacts(both)).toEqual([7, 8]);
  expect(adviceView(both).sections).toEqual([
    { title: "NOTES", lines: ["a"] },
    { title: "NOTES", lines: ["b"] },
  ]);
  expect(adviceFacts(empty)).toEqual([8]);
  expect(adviceView(contextOf())).toEqual({});
  expect(advised(both, answered(9, ["c"], keyOf("other")))).toEqual({});
});

it("[HK10] it waits for those alone that neither answered nor are gone", () => {
  const waiting = contextOf({ advice: { missing: ["playbook", "skills"], sections: [] } });
  const gone = { type: "ask.bounced", address: "skills" } as unknown as Delivered<"ask.bounced">;

  expect(unadvised(waiting, gone)).toEqual({ advice: { missing: ["playbook"], sections: [] } });
  expect(heard(waiting, 7, "a").advice?.missing).toEqual(["skills"]);
  expect(unadvised(contextOf(), gone)).toEqual({});
});
