// Live runs inside this process, against the server on loopback.

import { readdirSync, readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CatchUp } from "../../../src/edges/live/catchUp.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import { certainMs } from "../../../src/run/playRecorded.ts";
import type { Input } from "../../../src/substrate/port.ts";
import { replay, why } from "../../builtIn.ts";
import { readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { mailIn } from "../../mail.ts";
import { rechain } from "../../recordedRun.ts";
import { type Loopback, type LoopbackOptions, loopback } from "../ollama/loopbackServer.ts";
import { type LiveOptions, recordLive, setupFor } from "./liveSession.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function opened(options: LoopbackOptions = {}): Promise<Loopback> {
  const server = await loopback(options);
  servers.push(server);
  return server;
}

async function record(server: Loopback, options: Partial<LiveOptions> = {}, embed = false) {
  const folder = options.folder ?? newFolder();
  const recorded = await recordLive({ live: await setupFor(server, embed), ...options, folder });
  return { folder, ...recorded };
}

type Reply = Extract<Input, { kind: "reply" }>;
const textIn = (event: MailEvent | undefined): string | undefined =>
  event?.type === "llm.replied" ? event.text : undefined;
const repliesOf = (inputs: readonly Input[], port = "port/llm.chat"): Reply[] =>
  inputs.filter((one): one is Reply => one.kind === "reply" && one.port === port);

const filesOf = (folder: string): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

it("[LV3] a live run replays bit for bit without its server", async () => {
  const server = await opened();
  const { folder, inputs, observed, deliveries } = await record(server);
  await server.close();

  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
  const said = deliveries.find(({ event }) => event.type === "llm.replied");
  expect(why(deliveries, inputs, String(said?.seq))?.origins).toMatchObject([
    { kind: "choice", id: expect.stringMatching(/^live:[a-z.]+\/1$/) },
  ]);
  expect(observed.result.outcome).toBe("ended");
  expect(repliesOf(inputs).length).toBeGreaterThan(4);
  // What is resumed of it answers later than all of that.
  const lastMs = Math.max(...repliesOf(inputs).map(({ deliveredAt }) => deliveredAt));
  expect(new CatchUp(readBundle(folder)).lastReplyMs).toBe(lastMs);
});

it("[LV3] a killed recording is certain up to its last live reply, or to where another was asked", () => {
  const replied = (port: string, deliveredAt: number) =>
    ({ kind: "reply", port, latencyMs: 5, deliveredAt }) as Input;
  const until = (...inputs: Input[]) => certainMs(inputs, new Set(["port/llm.chat"]));

  expect(until(replied("port/llm.chat", 6), replied("port/sandbox.run", 9))).toBe(6);
  expect(until(replied("port/llm.chat", 6), replied("port/sandbox.run", 12))).toBe(7);
});

it("[LV4] so many calls are in flight as the policy allows, and waiting is latency", async () => {
  const most: number[] = [];
  const latencies: number[][] = [];
  for (const parallel of [1, 3]) {
    const server = await opened({ latencyMs: [25, 30] });
    const { inputs } = await record(server, {
      ...{ agents: ["cedar", "birch", "alder"], set: { "model.parallel": parallel } },
      untilMs: 14_000,
    });
    most.push(server.mostOpen);
    latencies.push(repliesOf(inputs).map(({ latencyMs }) => latencyMs));
  }

  expect(most[0]).toBe(1);
  expect(most[1]).toBeGreaterThan(1);
  // Whoever waited for another's answer got none before two of them were made.
  expect(Math.max(...(latencies[0] ?? []))).toBeGreaterThanOrEqual(50);
});

it("[LV2] replies are delivered in the order in which they came, each at its recorded time", async () => {
  const server = await opened({ latencyMs: [0, 25] });
  const { inputs, deliveries } = await record(server, {
    ...{ agents: ["cedar", "birch", "alder"], set: { "model.parallel": 3 } },
  });

  const replies = repliesOf(inputs);
  const times = replies.map(({ deliveredAt }) => deliveredAt);
  expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  for (const { seq, deliveredAt } of replies) {
    const delivery = deliveries.find((one) => one.seq === seq);
    if (delivery !== undefined) expect(delivery.dueMs).toBe(deliveredAt);
  }
});

it("[LV5] each question has a seed of its own, from the run's; the format is the purpose's", async () => {
  const [one, other] = [await opened(), await opened()];
  for (const server of [one, other]) await record(server, { agents: ["cedar"] });

  const seeds = one.chats.map(({ options }) => options["seed"]);
  expect(new Set(seeds).size).toBe(seeds.length);
  expect(other.chats.slice(0, 2).map(({ options }) => options["seed"])).toEqual(seeds.slice(0, 2));
  expect(one.chats[0]).toMatchObject({
    ...{ stream: true, keep_alive: "1800000ms" },
    options: { temperature: 0.7, num_ctx: 8192, num_predict: 1024 },
    format: { required: ["action"] },
  });
  expect(one.chats[1]).toMatchObject({ format: { required: ["steps"] } });
  expect(one.chats[0]).not.toHaveProperty("think");
});

it("[LV5] what a call took stands beside its reply, and in no digest", async () => {
  const { inputs, folder } = await record(await opened());
  const [first] = repliesOf(inputs);
  expect(first?.usage).toMatchObject({ model: "tiny", promptTokens: 200, stop: "stop" });

  rechain(
    folder,
    inputs.map((one) => {
      if (one.kind !== "reply") return one;
      const { usage: _, attempts: __, ...rest } = one;
      return rest;
    }),
  );
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[LV5, LV6] a server that goes and comes back is survived; each try stands in the recording", async () => {
  const server = await opened({
    script: (nth) => (["reset", "server", undefined, "hang"] as const)[nth],
  });
  const { inputs, folder } = await record(server, {
    agents: ["cedar"],
    set: { "live.retries": 3, "live.timeoutMs": 1_000 },
  });

  const [first, second] = repliesOf(inputs);
  expect(first?.event.type).toBe("llm.replied");
  expect(first?.attempts?.map(({ kind }) => kind)).toEqual(["gone", "server"]);
  // [LV5] What the call took stands beside its reply, however many tries came before.
  expect(first?.usage).toMatchObject({ model: "tiny", promptTokens: 200 });
  expect(second?.attempts?.map(({ kind }) => kind)).toEqual(["timeout"]);
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[LV6] a server that stays away makes every call fail, and the world goes on", async () => {
  const server = await opened({ script: () => "memory" });
  const { inputs, observed, folder } = await record(server, { agents: ["cedar"] });

  const replies = repliesOf(inputs);
  expect(observed.result.outcome).toBe("ended");
  expect(replies.length).toBeGreaterThan(3);
  expect(replies.every(({ event }) => event.type === "llm.failed")).toBe(true);
  expect(replies[0]?.event).toMatchObject({
    error: expect.stringMatching(/^memory: 500: model requires more system memory/),
  });
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[LV7] an answer that makes no sense reaches the agent as it is", async () => {
  const { inputs, observed } = await record(await opened({ answer: () => "I'd rather not." }));

  expect(repliesOf(inputs).every(({ event }) => textIn(event) === "I'd rather not.")).toBe(true);
  expect(observed.result.outcome).toBe("ended");
});

it("[LV23] an answer that its asker cannot read is recorded with why; one that it can, without", async () => {
  const answer = (prompt: string) => (prompt.includes("cedar") ? "I'd rather not." : undefined);
  const { inputs, folder } = await record(await opened({ answer }));

  const replies = repliesOf(inputs);
  const refused = replies.filter(({ event }) => textIn(event) === "I'd rather not.");
  expect(refused.length).toBeGreaterThan(0);
  expect(replies.length).toBeGreaterThan(refused.length);
  for (const one of replies) {
    expect(one.unusable).toBe(refused.includes(one) ? "it is no JSON object" : undefined);
  }
  // It enters no digest, and is still there when the recording is read.
  expect(replay(readBundle(folder)).matches).toBe(true);
  expect(repliesOf(readBundle(folder).inputs)).toEqual(replies);
});

it("[LV9] a live embedding serves the router; one that fails leaves it without vectors", async () => {
  const server = await opened();
  const set = { "router.kind": "embedding" };
  const { inputs, folder } = await record(server, { set }, true);
  const [reply] = mailIn(repliesOf(inputs, "port/llm.embed"), "embed.replied");
  expect(Object.values(reply?.vectors ?? {})[0]).toHaveLength(16);
  expect(replay(readBundle(folder)).matches).toBe(true);

  let isReady = false;
  const failing = await opened({
    lookScript: (_, url) => (isReady && url === "/api/embed" ? "server" : undefined),
  });
  const live = await setupFor(failing, true);
  isReady = true;
  const failed = await recordLive({ live, folder: newFolder(), set });
  const embeds = repliesOf(failed.inputs, "port/llm.embed");
  expect(failed.observed.result.outcome).toBe("ended");
  expect(embeds.length).toBeGreaterThan(0);
  expect(embeds.map(({ event }) => event)).toEqual(
    embeds.map(() => ({ type: "embed.replied", vectors: {} })),
  );
});

it("[LV12] the bundle says what answered, and holds no host, user folder or header", async () => {
  const server = await opened({ script: (nth) => (nth === 0 ? "server" : undefined) });
  const { folder } = await record(server, {}, true);
  const { manifest } = readBundle(folder);

  expect(manifest).toMatchObject({
    origin: "live:ollama",
    providers: {
      "port/llm.chat": "live: tiny of Ollama",
      "port/python.parse": "code that agents wrote: pyodide",
    },
    live: { server: "ollama 0.12.6", models: { middle: { name: "tiny", parameters: "1.5B" } } },
  });
  const text = filesOf(folder);
  const { host } = new URL(server.host);
  for (const hidden of [host, homedir(), hostname(), "ollama-js", "User-Agent"]) {
    // A machine called "main" or a user whose folder is "/" would be found everywhere.
    if (hidden.length > 5) expect(text.includes(hidden)).toBe(false);
  }
});

it("[LV13] a secret that a model says reaches neither the agent nor the bundle", async () => {
  const secret = "sk-abcDEF0123456789abcDEF0123456789";
  const answer = () =>
    JSON.stringify({ action: "goal", content: secret, artifact: "/agentOS/a.md" });
  const { folder, inputs } = await record(await opened({ answer }));

  expect(filesOf(folder)).not.toContain(secret);
  expect(textIn(repliesOf(inputs)[0]?.event)).toContain("[key 1 removed]");
});

it("[LV14] an interrupted run says what was still asked, and ends those requests", async () => {
  const server = await opened({ script: (nth) => (nth >= 2 ? "hang" : undefined) });
  const { folder, inputs, observed } = await record(server, {
    agents: ["cedar", "birch"],
    // No time-out ends them in its place.
    set: { "model.parallel": 2, "live.timeoutMs": 290_000 },
    // The first two are answered by then; the others never are.
    onSlice: () => server.chats.length >= 4,
  });

  expect(observed.result.outcome).toBe("interrupted");
  expect(inputs.filter(({ kind }) => kind === "unanswered")).toHaveLength(2);
  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
  await expect.poll(() => server.aborted).toBe(2);
});

it("[LV16] a run that was interrupted goes on where it was, with what was still asked", async () => {
  const server = await opened();
  const first = await record(server, {
    untilMs: 60_000,
    onSlice: (nowMs) => nowMs > 20_000,
  });
  const bundle = readBundle(first.folder);
  const asked = server.chats.length;

  const { folder, deliveries, inputs, observed } = await record(server, {
    ...{ catchUp: new CatchUp(bundle), set: bundle.manifest.policy, untilMs: 60_000 },
  });

  const open = first.inputs.filter((one) => one.kind === "unanswered");
  expect(open.length).toBeGreaterThan(0);
  for (const { from, purpose, nth, request } of open) {
    expect(repliesOf(inputs)).toContainEqual(
      expect.objectContaining({ from, purpose, nth, request }),
    );
  }
  for (const reply of repliesOf(first.inputs)) expect(repliesOf(inputs)).toContainEqual(reply);
  expect([...deliveries].slice(0, first.deliveries.length)).toEqual(first.deliveries);
  expect(deliveries.length).toBeGreaterThan(first.deliveries.length);
  expect(observed.result.outcome).toBe("ended");
  expect(server.chats.length).toBeGreaterThan(asked);
  expect(readBundle(folder).manifest.resumed).toEqual({
    envelopes: first.deliveries.length,
    digest: first.observed.result.digest,
  });
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[LV16] a recording that goes differently now is not resumed", async () => {
  const server = await opened();
  const { folder } = await record(server, { untilMs: 60_000, onSlice: (nowMs) => nowMs > 20_000 });
  const bundle = readBundle(folder);

  const set = { ...bundle.manifest.policy, "engine.callMs": 1_001 };
  await expect(
    record(server, { catchUp: new CatchUp(bundle), set, untilMs: 60_000 }),
  ).rejects.toThrow(/replay .* shows the first difference/);
});

it("[LV1] [LV3] real Python runs between live calls, and the world stands still for it", async () => {
  const tool = {
    name: "count_words",
    description: "Counts the words of a text",
    implementation:
      "def count_words(text='a b c', **kwargs):\n    return {'words': len(text.split())}\n",
  };
  const steps = [
    { intent: "synthesize a new capability", params: tool },
    { intent: "count the words of a text", params: { text: "one two" } },
  ];
  const server = await opened({
    latencyMs: [5, 60],
    answer: (prompt) => (prompt.includes('"steps"') ? JSON.stringify({ steps }) : undefined),
  });
  const { folder, inputs } = await record(server, { set: { "model.parallel": 2 } });

  const python = repliesOf(inputs, "port/sandbox.run");
  expect(mailIn(python, "sandbox.replied").some(({ ok }) => ok)).toBe(true);
  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
});
