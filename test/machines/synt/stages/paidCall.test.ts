// One paid call: reserved, asked about, made, settled.

import { expect, it } from "vitest";
import type { MailOf } from "../../../../src/machines/letter.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailIn } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const { paidCall } = statecharts(policyWith({}));
const input = {
  request: "req-0001",
  call: "synt/req-0001/call-1",
  served: 1,
  view: { purpose: "synt.naming", request: "sort it" },
  maxTokens: 100,
  replyTo: "synt/req-0001",
};
const reserved: MailOf<"money.answered"> = {
  type: "money.answered",
  outcome: "reserved",
  why: null,
  price: { asked: 2, answered: 10 },
  amount: 5_000,
  tier: "middle",
  model: "Qwen3.6-35B",
  isExternal: false,
};
const begun = () => driven(paidCall, input);
const settledBy = (letters: readonly { event: object }[]) =>
  letters.find(({ event }) => "actual" in event)?.event;

it("[SN31] asks for money before it asks the model", () => {
  const call = begun();

  expect(lettersTo(call.letters, "port/llm.chat")).toEqual([]);
  expect(lettersTo(call.letters, "synt")[0]?.event).toMatchObject({ answered: 100 });
  expect(lettersTo(call.send(reserved), "port/llm.chat")).toHaveLength(1);
});

it("[SN101] sets aside for each byte of its prompt, as a token is one at least", () => {
  const asked = (request: string) => {
    const { letters } = driven(paidCall, { ...input, view: { ...input.view, request } });
    const { event } = lettersTo(letters, "synt")[0] as { event: MailOf<"money.asked"> };
    return event.asked;
  };

  expect(asked("größer") - asked("groser")).toBe(2);
});

it("[SN31] settles what the tokens cost", () => {
  const call = begun();
  call.send(reserved);
  const letters = call.send({
    type: "llm.replied",
    text: "{}",
    tokens: { asked: 50, answered: 7 },
  });

  expect(settledBy(letters)).toMatchObject({ actual: 170 });
  expect(lettersTo(letters, "synt/req-0001")[0]?.event).toMatchObject({ text: "{}", cost: 170 });
});

it("[SN31] none at all cost nothing", () => {
  const call = begun();
  call.send(reserved);
  const tokens = { asked: 0, answered: 0 };

  expect(settledBy(call.send({ type: "llm.replied", text: "{}", tokens }))).toMatchObject({
    actual: 0,
  });
});

it("[SN101] a call that counts more than it was allowed costs what it cost", () => {
  const call = begun();
  call.send(reserved);
  const letters = call.send({
    ...{ type: "llm.replied", text: "{}", tokens: { asked: 50, answered: 1_000 } },
  });

  expect(settledBy(letters)).toMatchObject({ actual: 10_100 });
  expect(lettersTo(letters, "synt/req-0001")[0]?.event).toMatchObject({ cost: 10_100 });
});

it.each([
  { asked: -50, answered: 7 },
  { asked: 50, answered: Number.NaN },
  { asked: 0.25, answered: 7 },
  { asked: Number.MAX_SAFE_INTEGER, answered: Number.MAX_SAFE_INTEGER },
])("[SN101] a count that is none is no count, and the call is settled in full: %j", (tokens) => {
  const call = begun();
  call.send(reserved);
  const letters = call.send({ type: "llm.replied", text: "{}", tokens });

  expect(settledBy(letters)).toMatchObject({ actual: null });
  expect(lettersTo(letters, "synt/req-0001")[0]?.event).toMatchObject({ cost: 5_000 });
});

it("[SN31] settles in full what was never answered", () => {
  const [late, failed] = [begun(), begun()];
  for (const call of [late, failed]) call.send(reserved);

  for (const letters of [
    late.fire("modelTimeout"),
    failed.send({ type: "llm.failed", error: "it is busy" }),
  ]) {
    expect(settledBy(letters)).toMatchObject({ actual: null });
    expect(lettersTo(letters, "synt/req-0001")[0]?.event).toMatchObject({
      text: null,
      cost: 5_000,
    });
  }
});

it("[SN33] asks the person at the soft cap, and makes no call without a yes", () => {
  const yes = begun();
  const question: typeof reserved = {
    ...reserved,
    outcome: "ask",
    spent: 7_000,
    soft: 10_000,
    cap: 50_000,
  };
  const [asked, ...more] = lettersTo(yes.send(question), "port/person.decide");
  expect(more).toEqual([]);
  expect(asked?.event).toMatchObject({
    purpose: "soft-cap",
    dossier: { call: "synt.naming", spent: 7_000, atMost: 5_000, soft: 10_000, cap: 50_000 },
  });
  const goesOn = yes.send({ type: "person.decided", decision: "approve" });
  expect(goesOn.map(({ event }) => event.type)).toContain("money.decided");
  expect(yes.value).toBe("reserving");

  const [no, silence] = [begun(), begun()];
  for (const call of [no, silence]) call.send({ ...reserved, outcome: "ask" });
  for (const letters of [
    no.send({ type: "person.decided", decision: "discard" }),
    silence.fire("gateTimeout"),
  ]) {
    expect(lettersTo(letters, "port/llm.chat")).toEqual([]);
    expect(mailIn(letters, "money.decided")).toMatchObject([{ goesOn: false }]);
  }
  expect([no.ended, silence.ended]).toEqual([true, true]);
});
