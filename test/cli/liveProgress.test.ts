import { afterEach, expect, it, vi } from "vitest";
import { liveProgress } from "../../src/cli/liveProgress.ts";
import type { LiveSetup } from "../../src/edges/live/liveSetup.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { parts } from "../../src/parts.ts";
import type { Run } from "../../src/simulate.ts";
import type { Input } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";

const written = vi.hoisted(() => ({ text: "" }));
vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  writeSync: (file: number, bytes: Buffer) => {
    if (file === 2) written.text += bytes.toString();
    return bytes.length;
  },
}));

const { isTTY, columns } = process.stderr;
afterEach(() => {
  Object.assign(process.stderr, { isTTY, columns });
  vi.useRealTimers();
  written.text = "";
});

const model = { name: "tiny" };
const setup = { models: { fast: model, middle: model, wise: model } } as unknown as LiveSetup;

const run = {
  policy: policyWith({ "live.pricePerMillion": 2_000_000 }),
  kernel: {
    nowMs: 61_500,
    contexts: () => ({
      "agent/cedar": { goal: { text: "Write a page" }, suffering: [] },
      "agent/birch#2": { goal: null, suffering: [] },
      engine: {},
    }),
  },
} as unknown as Run;

type Reply = Extract<Input, { kind: "reply" }>;
const took = { model: "tiny", answerTokens: 100, wallMs: 1, stop: "stop" };
const reply = (event: MailEvent, tokens: number, port = "port/llm.chat"): Reply => ({
  ...{ kind: "reply", seq: 1, port, from: "agent/cedar", purpose: "plan", nth: 1, request: "r" },
  ...{ latencyMs: 0, deliveredAt: 0, event },
  ...(tokens > 0 && { usage: { ...took, promptTokens: tokens } }),
});
const answer: MailEvent = { type: "llm.replied", text: "{}" };
const failure: MailEvent = { type: "llm.failed", error: "gone" };

const LINE =
  "village 0:01:01 · 2 calls, 1 failed, 500000 tokens, cost 1 · " +
  "cedar: Write a page (load 0.00) · birch#2: no goal (load 0.00)";

it("[LV18] on a terminal one line shows time, calls, tokens, cost, goals and loads", () => {
  Object.assign(process.stderr, { isTTY: true, columns: 300 });
  const shown = liveProgress(parts, "village", setup);
  shown.input(reply(answer, 499_900));
  shown.input(reply(failure, 0));
  shown.input(reply({ type: "embed.replied", vectors: {} }, 9, "port/llm.embed"));

  shown.slice(run);

  expect(written.text).toBe(`\r${LINE}\u001b[K`);
});

it("[LV18] elsewhere there is a plain line now and then, and one at the end", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  Object.assign(process.stderr, { isTTY: false });
  const shown = liveProgress(parts, "village", setup);
  shown.input(reply(answer, 499_900));
  shown.input(reply(failure, 0));

  shown.slice(run);
  expect(written.text).toBe("");
  vi.advanceTimersByTime(11_000);
  shown.slice(run);
  shown.slice(run);
  expect(written.text).toBe(`${LINE}\n`);

  shown.summary();
  expect(written.text.split("\n")[1]).toBe(
    "tiny: 2 calls, 1 failed, 500000 tokens, cost 1, 0:01:01 of virtual time",
  );
  const attempts = ["server", "timeout", "server"].map((kind) => ({ kind, error: "", wallMs: 1 }));
  shown.input({ ...reply(failure, 0), attempts });
  shown.summary();
  expect(written.text).toContain("; tries that failed: server 2, timeout 1\n");
});

it("[SB16] a goal that a model worded steers no terminal", () => {
  Object.assign(process.stderr, { isTTY: true, columns: 300 });
  const goal = { text: "Write\u001b[2J\nverdict" };
  const contexts = () => ({ "agent/cedar": { goal, suffering: [] } });
  const kernel = { nowMs: 0, contexts };

  liveProgress(parts, "village", setup).slice({ ...run, kernel } as unknown as Run);

  expect(written.text).toContain("cedar: Write\\u{1b}[2J\\nverdict (load 0.00)");
  expect(written.text.split("\u001b")).toHaveLength(2);
});
