// Live runs with an OpenAI-compatible server, inside this process.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { CatchUp } from "../../../src/edges/live/catchUp.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import type { Input } from "../../../src/substrate/port.ts";
import { policyWith, replay } from "../../builtIn.ts";
import { readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { recordLive } from "../live/liveSession.ts";
import {
  type OpenAiFault,
  type OpenAiLoopback,
  type OpenAiOptions,
  openaiLoopback,
} from "./loopbackServer.ts";

const servers: OpenAiLoopback[] = [];
afterEach(async () => {
  delete process.env["OPENAI_API_KEY"];
  for (const server of servers.splice(0)) await server.close();
});

async function setup(options: OpenAiOptions = {}, key?: string) {
  const server = await openaiLoopback(options);
  servers.push(server);
  const live = await preflight({
    server: { host: server.host, key },
    names: {
      ...{ kind: "openai", tiers: { fast: "tiny", middle: "tiny", wise: "tiny" } },
      embed: "nomic-embed-text",
    },
    policy: policyWith({ "live.backoffMs": 1 }).live,
    warm: true,
  });
  return { server, live };
}

type Reply = Extract<Input, { kind: "reply" }>;
const repliesOf = (inputs: Iterable<Input>): Reply[] =>
  [...inputs].filter((one): one is Reply => one.kind === "reply" && one.port === "port/llm.chat");

const filesOf = (folder: string): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");

it("[LM10] a run replays bit for bit without its server, and says what answered, not where", async () => {
  const { server, live } = await setup({ fingerprint: "fp_1" });
  const folder = newFolder();
  const set = { "router.kind": "embedding" };
  const { inputs } = await recordLive({ live, folder, agents: ["cedar"], set });
  await server.close();

  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
  const [first] = repliesOf(inputs);
  expect(first?.usage).toMatchObject({ model: "tiny", promptTokens: 200, stop: "stop" });
  expect(readBundle(folder).manifest).toMatchObject({
    origin: "live:openai",
    providers: { "port/llm.chat": "live: tiny of an OpenAI-compatible server" },
    live: { models: { middle: { name: "tiny", digest: "fp_1" } } },
  });
  expect(filesOf(folder)).not.toContain(new URL(server.host).host);
  // One question before the run, then each of its own.
  expect(server.chats.length).toBe(repliesOf(inputs).length + 1);
});

const faults: readonly OpenAiFault[] = [
  ...(["reset", "busy", "server", "torn", "garbage", "choiceless", "html"] as const),
  ...(["midstream", "filtered", "length", "tools", "brokenTools", "denied", "missing"] as const),
];

it("[LM10] whatever a server does wrong stands in the recording, and replays", async () => {
  const { live } = await setup({
    script: (nth) => (nth % 2 === 1 ? faults[(nth - 1) / 2] : undefined),
  });
  const folder = newFolder();
  const set = { "live.retries": 1, "live.backoffMs": 0 };
  const { inputs, observed } = await recordLive({ live, folder, untilMs: 60_000, set });

  const tries = new Set(
    repliesOf(inputs).flatMap(({ attempts = [] }) => attempts.map(({ kind }) => kind)),
  );
  expect(observed.result.outcome).toBe("ended");
  for (const kind of ["gone", "busy", "server", "truncated", "garbage", "midstream"])
    expect(tries).toContain(kind);
  expect(replay(readBundle(folder)).matches).toBe(true);
});

it("[LM3] a server that asks to be left alone for a while is", async () => {
  const { live } = await setup({ script: (nth) => (nth === 1 ? "busy" : undefined) });
  const folder = newFolder();
  const { inputs } = await recordLive({ live, folder, agents: ["cedar"], untilMs: 14_000 });

  const [first] = repliesOf(inputs);
  expect(first?.attempts?.map(({ kind }) => kind)).toEqual(["busy"]);
  expect(first?.latencyMs).toBeGreaterThanOrEqual(200);
});

it("[LM6] a key that the server says back stands neither in the bundle nor in an error", async () => {
  const key = "correct-horse-battery-staple";
  process.env["OPENAI_API_KEY"] = key;
  const { live } = await setup(
    { key, fingerprint: key, script: (nth) => (["echo", "denied", "echo"] as const)[nth - 1] },
    key,
  );
  const folder = newFolder();
  const { inputs } = await recordLive({ live, folder, agents: ["cedar"] });

  const texts = repliesOf(inputs).map(({ event }) =>
    event.type === "llm.replied" ? event.text : "error" in event ? event.error : "",
  );
  expect(texts[0]).toBe("The key is [secret 1 removed].");
  expect(texts[1]).toMatch(/^denied: 401: Incorrect API key provided: \[secret 1 removed\]/);
  expect(filesOf(folder)).not.toContain(key);
});

it("[LM10] an interrupted run goes on, with what was still asked", async () => {
  const { live } = await setup();
  const folder = newFolder();
  await recordLive({ live, folder, untilMs: 60_000, onSlice: (nowMs) => nowMs > 20_000 });
  const bundle = readBundle(folder);

  const next = newFolder();
  await recordLive({
    ...{ live, folder: next, catchUp: new CatchUp(bundle), untilMs: 30_000 },
    set: bundle.manifest.policy,
  });

  const { manifest } = readBundle(next);
  expect([manifest.final?.outcome, manifest.resumed?.envelopes]).toEqual([
    "ended",
    bundle.manifest.final?.envelopes,
  ]);
  expect(replay(readBundle(next)).matches).toBe(true);
});
