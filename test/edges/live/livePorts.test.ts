// What a live model is asked, call by call, and what is made of an answer. No server.
import { expect, it } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import { Fault } from "../../../src/edges/live/faults.ts";
import { LiveClock } from "../../../src/edges/live/liveClock.ts";
import { livePortsFor, replyOf } from "../../../src/edges/live/livePorts.ts";
import { identityOf, type Question, type Said } from "../../../src/edges/live/liveSetup.ts";
import { Inbox } from "../../../src/edges/play/inbox.ts";
import { redactor } from "../../../src/edges/redaction.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { policyWith } from "../../builtIn.ts";

const model = {
  ...{ name: "tiny", digest: "", parameters: "1B", quantization: "unknown" },
  ...{ contextLength: 0, canThink: false },
};
const said: Said = { text: "Yes.", model: "tiny", promptTokens: 1, answerTokens: 1, stop: "stop" };

/** A chat port, what reached its model, and what came of it. */
function chatting(
  seed = 1,
  work: (question: Question) => Promise<Said> = async () => said,
  set = {},
) {
  const asked: Question[] = [];
  const [inbox, stop] = [new Inbox(), new AbortController()];
  const port = livePortsFor(parts, {
    setup: {
      ...{ origin: "live:ollama", kind: "Ollama", version: "ollama 1", embed: null },
      models: {
        ...{ fast: { ...model, name: "small" }, middle: model },
        wise: { ...model, name: "large" },
      },
      chat: async (question) => {
        asked.push(question);
        return work(question);
      },
      embedAll: async () => ({}),
    },
    ...{ policy: policyWith({ "live.retries": 0, ...set }), seed, inbox, redactor: redactor({}) },
    ...{ clock: new LiveClock(), signal: stop.signal },
  })["port/llm.chat"];
  const ask = (request: Partial<PortRequest<"llm.asked">> = {}, maxTokens?: number) =>
    port?.answer({
      ...{ port: "port/llm.chat", from: "agent/cedar", purpose: "tool.chat", nth: 1, seq: 7 },
      ...{ nowMs: 0, request: "r" },
      event: {
        ...{ type: "llm.asked", purpose: "tool.chat", ...(maxTokens && { maxTokens }) },
        view: { purpose: "tool.chat", agent: "cedar", prompt: "Are you there?" },
      },
      ...request,
    });
  return { ask, asked, inbox, stop };
}

it("[LV12] the manifest names the model of each tier and the one that gives vectors", () => {
  const named = (name: string) => ({ ...model, name });
  const models = { fast: named("small"), middle: model, wise: named("large") };
  const identity = identityOf({ version: "1", models, embed: named("nomic") });

  const { canThink: _, ...told } = model;
  expect(identity).toEqual({
    ...{ server: "1", embed: { ...told, name: "nomic" } },
    models: {
      fast: { ...told, name: "small" },
      middle: told,
      wise: { ...told, name: "large" },
    },
  });
  expect(identityOf({ version: "1", models, embed: null }).embed).toBeNull();
});

it("[LV13] no secret comes in by an answer's words, the name of its model or why it ended", () => {
  const key = `sk-${"a1b2c3d4".repeat(5)}`;
  const value = { ...said, text: `Yes, ${key}.`, model: `tiny ${key}`, stop: `stop ${key}` };
  const { event, usage } = replyOf({ value, wallMs: 1, attempts: [] }, redactor({}));

  expect(event).toEqual({ type: "llm.replied", text: "Yes, [key 1 removed]." });
  expect(usage).toMatchObject({ model: "tiny [key 1 removed]", stop: "stop [key 1 removed]" });
});

it("[LV5] a question's seed is named by run, agent, purpose and number, and the same again for the same", async () => {
  const seedOf = async (request: Partial<PortRequest<"llm.asked">>, seed?: number) => {
    const { ask, asked, inbox } = chatting(seed);
    ask(request);
    await inbox.arrival(5_000);
    return asked[0]?.seed;
  };
  const seeds = await Promise.all([
    seedOf({}),
    seedOf({}, 2),
    seedOf({ from: "agent/birch" }),
    seedOf({ purpose: "judge.threat" }),
    seedOf({ nth: 2 }),
  ]);

  expect(new Set(seeds).size).toBe(5);
  expect(await seedOf({})).toBe(seeds[0]);
});

it("[LV11] a question reaches the model of the tier that serves its purpose", async () => {
  const set = { "live.tier.chat": "fast", "live.tier.judge": "middle", "live.tier.goal": "wise" };
  const { ask, asked, inbox } = chatting(1, async () => said, set);
  for (const purpose of ["tool.chat", "judge.goal", "goal.choose"] as const) {
    ask({
      purpose,
      event: {
        ...{ type: "llm.asked", purpose },
        view: { purpose: "tool.chat", agent: "cedar", prompt: "Are you there?" },
      },
    });
    await inbox.arrival(5_000);
    inbox.take();
  }

  expect(asked.map((question) => question.model.name)).toEqual(["small", "tiny", "large"]);
});

it("[LV20] an answer has as many tokens at most as were set aside, and never more than the policy allows", async () => {
  const { ask, asked, inbox } = chatting();
  for (const set of [undefined, 5, 1_000_000]) {
    ask({}, set);
    await inbox.arrival(5_000);
    inbox.take();
  }

  const { answerTokens } = policyWith({}).live;
  expect(asked.map(({ maxTokens }) => maxTokens)).toEqual([answerTokens, 5, answerTokens]);
});

it("[LV14] of a request that the end of the run ended nobody hears", async () => {
  const { ask, inbox, stop } = chatting(1, async ({ signal }) => {
    signal.throwIfAborted();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw new Fault("cancelled", "the run is over");
  });
  ask();
  await new Promise(setImmediate);
  stop.abort();
  await new Promise(setImmediate);

  expect(inbox.take()).toEqual([]);
});
