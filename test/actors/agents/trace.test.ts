// Which deliveries of the agents' world are facts that every log shares.
import { expect, it } from "vitest";
import { agentsTrace } from "../../../src/actors/agents/trace.ts";
import { installsTrace } from "../../../src/actors/installs/trace.ts";
import type { TraceReader } from "../../../src/contract/trace.ts";
import { GATEWAY_TOOLS } from "../../../src/machines/installs/gateway/gateway.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { delivery } from "../../handLog.ts";

const read = (reader: TraceReader, ...log: readonly Delivery[]) => log.flatMap(reader);
const params = { path: "a.md" };
const asked = (seq: number): Delivery =>
  delivery({
    seq,
    to: "engine",
    event: { type: "call.requested", agent: "cedar", cycle: 1, intent: "write", params },
  });
const routedTo = (seq: number, call: number, capability: string): Delivery => {
  const scores = { score: 2, runnerUp: null, runnerUpScore: 0 };
  const event = {
    type: "call.routed",
    call,
    agent: "cedar",
    intent: "write",
    capability,
    ...scores,
  } as const;
  return delivery({ seq, to: "engine", event });
};
const ended = (seq: number, re: number, given: object = {}): Delivery => {
  const event = {
    type: "call.finished",
    ok: true,
    capability: "fs_write",
    result: 4,
    nothing: false,
    ...given,
  };
  return delivery({ seq, re, event: event as MailEvent });
};

it("[FI1] a call stands at its request with the tool that it was routed to, once, and its result names it", () => {
  const facts = read(
    agentsTrace(),
    asked(1),
    routedTo(2, 1, "fs_write"),
    routedTo(3, 1, "other"),
    ended(4, 1),
  );

  expect(facts).toEqual([
    {
      ...{ is: "called", seq: 1, atMs: 1_000, step: null, agent: "cedar", tool: "fs_write" },
      ...{ intent: "write", args: params, raw: null },
    },
    {
      ...{ is: "returned", seq: 4, atMs: 4_000, step: null, agent: "cedar", tool: "fs_write" },
      ...{ call: 1, result: 4, ok: true, error: null },
    },
  ]);
});

it("[FI1] a call that no tool serves is one all the same, and an end without a call says nothing", () => {
  const none = { ok: false, capability: null, result: null, error: "no capability fits" };

  expect(read(agentsTrace(), asked(1), ended(2, 1, none))).toMatchObject([
    { is: "called", seq: 1, tool: null },
    { is: "returned", tool: null, ok: false, error: "no capability fits" },
  ]);
  expect(read(agentsTrace(), ended(2, 1))).toEqual([]);
  expect(read(agentsTrace(), routedTo(2, 1, "fs_write"))).toEqual([]);
  expect(read(agentsTrace(), { ...asked(1), fate: "undeliverable" }, ended(2, 1))).toEqual([]);
});

it("[FI1] a tool is offered when it is new, or described anew", () => {
  const listed = (seq: number, description: string): Delivery =>
    delivery({
      seq,
      event: { type: "tools.answered", broken: [], capabilities: [{ name: "look", description }] },
    });

  const facts = read(
    agentsTrace(),
    listed(1, "looks"),
    listed(2, "looks"),
    listed(3, "looks twice"),
  );

  expect(facts.map(({ seq }) => seq)).toEqual([1, 3]);
  expect(facts[0]).toMatchObject({
    is: "offered",
    tool: "look",
    description: "looks",
    schema: null,
  });
});

it("[FI1] words are those of people, peers and the agent's own model", () => {
  const to = "agent/cedar#2";
  const facts = read(
    agentsTrace(),
    delivery({
      seq: 1,
      to: "daemon",
      event: { type: "host.message", agent: "cedar", text: "Hello" },
    }),
    delivery({ seq: 2, to, event: { type: "host.message", text: "Hello" } }),
    delivery({ seq: 3, to, event: { type: "peer.message", from: "vault", text: "Hi" } }),
    delivery({ seq: 4, to, event: { type: "llm.replied", text: "A plan" } }),
    delivery({ seq: 5, to: "goal/cedar/3", event: { type: "llm.replied", text: "A word" } }),
    delivery({ seq: 6, to: "engine", event: { type: "llm.replied", text: "A choice" } }),
    delivery({ seq: 7, to, event: { type: "outside.signal", text: "Rain" } }),
  );

  expect(facts).toMatchObject([
    { is: "said", seq: 2, speaker: "host", role: "user", to: "cedar", text: "Hello" },
    { is: "said", seq: 3, speaker: "vault", role: "agent", to: "cedar" },
    { is: "said", seq: 4, speaker: "cedar", role: "agent", to: null },
    { is: "said", seq: 5, speaker: "cedar", text: "A word" },
    { is: "said", seq: 7, speaker: "outside", role: "user", to: "cedar", text: "Rain" },
  ]);
  expect(facts).toHaveLength(5);
});

it.each(["ignored", "stale", "undeliverable"] as const)(
  "[FI1] a letter that was %s says nothing",
  (fate) => {
    const heard = delivery({
      seq: 4,
      to: "agent/cedar",
      event: { type: "host.message", text: "Hello" },
    });
    const log = [asked(1), routedTo(2, 1, "fs_write"), ended(3, 1), heard];

    expect(read(agentsTrace(), ...log)).toHaveLength(3);
    expect(read(agentsTrace(), ...log.map((one) => ({ ...one, fate })))).toEqual([]);
  },
);

it("[FI2] what an actor of installs asks the gateway is a call, and what waits for a person has not failed", () => {
  const ask = (seq: number): Delivery =>
    delivery({
      seq,
      to: "gateway",
      from: "coder.default",
      event: { type: "gateway.asked", tool: "artifact.build", params },
    });
  const answer = (seq: number, re: number, given: object): Delivery =>
    delivery({ seq, re, event: { type: "gateway.answered", ok: false, ...given } as MailEvent });
  const error = { ok: false, error_type: "permission", message: "not yours" };

  const facts = read(
    installsTrace(),
    ...[ask(1), answer(2, 1, { ok: true, result: { id: "a" } })],
    ...[ask(3), answer(4, 3, { error })],
    ...[ask(5), answer(6, 5, { approvalRequired: "apr-1" })],
    ...[ask(7), answer(8, 7, { reasons: ["the first", "the second"] })],
    ...[ask(9), answer(10, 9, {})],
  );

  expect(facts.filter(({ is }) => is === "offered")).toHaveLength(GATEWAY_TOOLS.length);
  expect(facts.filter(({ is }) => is !== "offered")).toMatchObject([
    {
      is: "called",
      seq: 1,
      agent: "coder.default",
      tool: "artifact.build",
      args: params,
      intent: null,
    },
    {
      ...{ is: "returned", seq: 2, call: 1, agent: "coder.default", tool: "artifact.build" },
      ...{ result: { id: "a" }, ok: true, error: null },
    },
    { is: "called", seq: 3 },
    { is: "returned", seq: 4, atMs: 4_000, step: null, ok: false, error: "not yours" },
    { is: "called", seq: 5 },
    { is: "returned", result: { approvalRequired: "apr-1" }, ok: true, error: null },
    { is: "called", seq: 7 },
    { is: "returned", seq: 8, ok: false, error: "the first" },
    { is: "called", seq: 9 },
    { is: "returned", seq: 10, ok: false, error: "refused" },
  ]);
});

it("[FI17] of 10,000 questions to the gateway the answers are known, of one more no longer the oldest's", () => {
  const ask = (seq: number) =>
    delivery({
      seq,
      event: { type: "gateway.asked", tool: "workflow.state", params: {} } as never,
    });
  const answer = (seq: number, re: number) =>
    delivery({ seq, re, event: { type: "gateway.answered", ok: true } as never });
  const known = (open: number) => {
    const reader = installsTrace();
    for (let seq = 1; seq <= open; seq++) reader(ask(seq));
    return [1, 2].map((re) => reader(answer(open + re, re)).length);
  };

  expect(known(10_000)).toEqual([1, 1]);
  expect(known(10_001)).toEqual([0, 1]);
});
