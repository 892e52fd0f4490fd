import { expect, it } from "vitest";
import { renderPrompt, type View } from "../src/machines/agents/model/prompts.ts";
import { minutes } from "../src/machines/units.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { isEvent } from "../src/substrate/isEvent.ts";
import type { Input } from "../src/substrate/port.ts";
import { modelCalls, simulate } from "./builtIn.ts";
import { syntScenario } from "./syntWorld.ts";

function played(name: string, untilMs: number) {
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  simulate(syntScenario(name), {
    untilMs,
    onDelivery: (one) => deliveries.push(one),
    onInput: (one) => inputs.push(one),
  });
  return { deliveries, inputs };
}

/** Each call by its question, and again by its answer. */
function callsIn(deliveries: readonly Delivery[], inputs: readonly Input[]) {
  const calls = modelCalls(deliveries, inputs);
  return deliveries.flatMap(({ seq }) => calls.get(seq) ?? []);
}

const incident = played("safe-file-executor", minutes(3));

it("[VB42] each question to a model has the text that the model read, and the answer it gave", () => {
  const { deliveries, inputs } = incident;
  const calls = modelCalls(deliveries, inputs);
  const asked = deliveries.filter((one) => isEvent(one, "llm.asked"));
  const replies = inputs.filter((one) => one.kind === "reply" && one.port === "port/llm.chat");

  expect(asked.length).toBeGreaterThan(10);
  for (const { seq, from, event } of asked) {
    const call = calls.get(seq);
    // Nobody but agents asks a model in this world.
    expect(call).toMatchObject({ seq, from, prompt: renderPrompt(event.view as View) });
    if (call?.answerSeq == null) continue;
    const reply = replies.find((one) => one.seq === call.answerSeq);
    expect(reply).toMatchObject({ from, nth: call.nth, event: { text: call.answer } });
    expect(calls.get(call.answerSeq)).toEqual(call);
  }
});

it("[VB42] a model of synt is shown as it was asked, too, and a failure with its error", () => {
  const { deliveries, inputs } = played("synt-format-json", minutes(60));
  const calls = callsIn(deliveries, inputs);

  expect(calls.some(({ purpose }) => purpose.startsWith("synt."))).toBe(true);
  for (const { prompt } of calls) expect(prompt).toMatch(/\S/);

  const gone = { type: "llm.failed", error: "gone" } as const;
  const failing = deliveries.map((one) =>
    one.event.type === "llm.replied" ? { ...one, event: gone } : one,
  );
  const failed = callsIn(failing, inputs).filter((one) => one.answerSeq !== null);
  expect(failed.length).toBeGreaterThan(0);
  for (const call of failed) expect(call).toMatchObject({ answer: null, error: "gone" });
});

it("[PQ6, VB42] a prompt that is put otherwise than it was recorded is not shown", () => {
  const { deliveries, inputs } = incident;
  const other = inputs.map((one) =>
    one.kind === "reply" && one.purpose === "plan" ? { ...one, request: "another" } : one,
  );

  const calls = callsIn(deliveries, other);

  for (const { purpose, prompt } of calls) expect(prompt === null).toBe(purpose === "plan");
  // Nor is one of which the recording holds nothing.
  const unknown = callsIn(deliveries, []).map(({ prompt }) => prompt);
  expect(new Set(unknown)).toEqual(new Set([null]));
});

it("[VB42] a question that nobody answered before the end says so", () => {
  const { deliveries, inputs } = incident;
  const last = deliveries.findLast(({ to }) => to === "port/llm.chat");
  const cut = deliveries.slice(0, deliveries.indexOf(last as Delivery) + 1);

  expect(modelCalls(cut, inputs).get(last?.seq ?? -1)).toMatchObject({
    ...{ answerSeq: null, answer: null, error: null },
  });
});
