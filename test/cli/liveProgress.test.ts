import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { liveCount } from "../../src/cli/live/liveFigures.ts";
import { liveProgress, watched } from "../../src/cli/live/liveProgress.ts";
import { clearProgress, note } from "../../src/cli/output.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { medianOf } from "../../src/run/askedModels.ts";
import type { Run } from "../../src/run/simulate.ts";
import type { SeenDelivery } from "../../src/substrate/envelope.ts";
import type { Input } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";
import { Emulator } from "./terminal.ts";

const written = vi.hoisted(() => ({ text: "" }));
vi.mock("node:fs", async (original) => ({
  ...(await original<typeof import("node:fs")>()),
  writeSync: (file: number, bytes: Buffer) => {
    if (file === 2) written.text += bytes.toString();
    return bytes.length;
  },
}));

const { isTTY, columns, rows } = process.stderr;
beforeEach(() => {
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => {
  clearProgress();
  vi.unstubAllEnvs();
  Object.assign(process.stderr, { isTTY, columns, rows });
  vi.useRealTimers();
  written.text = "";
});

const model = { name: "tiny" };
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

/** A display of a world with these agents. */
const watching = () =>
  liveProgress(
    parts,
    watched({ name: "village", runsForMs: 600_000 }, null, { models: { middle: model } }),
  );

type Reply = Extract<Input, { kind: "reply" }>;
const took = { model: "tiny", answerTokens: 100, wallMs: 1, stop: "stop" };
const reply = (event: MailEvent, tokens: number, port = "port/llm.chat"): Reply => ({
  ...{ kind: "reply", seq: 1, port, from: "agent/cedar", purpose: "goal.choose", nth: 1 },
  ...{ request: "r", latencyMs: 1_250, deliveredAt: 1_250, event },
  ...(tokens > 0 && { usage: { ...took, promptTokens: tokens } }),
});
const answer: MailEvent = { type: "llm.replied", text: '{"action": "rest"}' };
const failure: MailEvent = { type: "llm.failed", error: "gone" };

const asks = (seq: number, from: string, purpose = "plan", dueMs = 0) =>
  ({
    ...{ seq, from, dueMs, to: "port/llm.chat" },
    event: { type: "llm.asked", purpose },
  }) as unknown as SeenDelivery;

const onScreen = (columns: number, rows: number): void => {
  Object.assign(process.stderr, { isTTY: true, columns, rows });
};

/** What a person sees of what was written. */
async function seen(size: { columns: number; rows: number }): Promise<string> {
  const screen = new Emulator(size);
  await screen.write(written.text.replaceAll("\n", "\r\n"));
  return screen.text();
}

it("[LD1] on a terminal: times, calls, the usable share, tokens, latency, cost, and a line an agent", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onScreen(120, 20);
  const shown = watching();
  vi.advanceTimersByTime(39_500);
  for (const [seq, from] of [
    [1, "agent/cedar"],
    [2, "agent/cedar"],
    [3, "agent/birch#2"],
  ] as const)
    shown.delivery(asks(seq, from));
  vi.advanceTimersByTime(1_500);
  shown.input(reply(answer, 400));
  shown.input({
    ...reply({ type: "llm.replied", text: "no" }, 0),
    unusable: "it is no JSON object",
  });
  shown.input(reply(failure, 0));
  shown.input(reply({ type: "embed.replied", vectors: {} }, 9, "port/llm.embed"));

  shown.slice(run);

  expect(await seen({ columns: 120, rows: 20 })).toBe(`\
village 1:01 of 10:00 · 0:41 gone · 6 asked, 2 answered, 1 failed, 3 open · usable 1 of 2 (50 %)
tokens 400 in, 100 out · latency 1.3 s median, 1.3 s last · cost 0.001
last error: agent/cedar, goal.choose: gone
cedar (load 0.00): waits 1.5 s for plan; Write a page
birch#2 (load 0.00): waits 1.5 s for plan; no goal`);
});

it("[LD1] a question is counted once: answered out of turn, before it is seen, or by whom nobody saw ask", () => {
  const count = liveCount();
  const figures = () => {
    const { asked, answered, failed, open } = count.figures();
    return [asked, answered, failed, open];
  };
  count.delivery(asks(1, "agent/cedar", "goal.choose", 0));
  count.delivery(asks(2, "agent/cedar", "goal.choose", 10));
  expect(figures()).toEqual([2, 0, 0, 2]);
  // The later one first.
  count.input({ ...reply(answer, 0), deliveredAt: 1_260 });
  expect(figures()).toEqual([2, 1, 0, 1]);
  expect(count.waits().size).toBe(1);
  count.input(reply(failure, 0));
  expect(figures()).toEqual([2, 1, 1, 0]);
  // A recording answers while the question is on its way, and the run may end before that is heard.
  count.input({ ...reply(answer, 0), deliveredAt: 1_270 });
  count.delivery(asks(3, "agent/cedar", "goal.choose", 20));
  expect(figures()).toEqual([3, 2, 1, 0]);
  expect(count.waits().size).toBe(0);
  // Asked before a fork.
  count.input({ ...reply(answer, 0), deliveredAt: 1_280 });
  count.delivery(asks(4, "agent/cedar", "goal.choose", 40));
  expect(figures()).toEqual([5, 3, 1, 1]);
});

it("[LD1] of errors the last is told, that of a question that was asked again too", () => {
  const count = liveCount();
  const told = (error: string, attempts: readonly string[] = []) => {
    const tries = attempts.map((one) => ({ kind: "timeout" as const, error: one, wallMs: 1 }));
    count.input({ ...reply({ ...failure, error }, 0), attempts: tries });
    return count.figures().lastError;
  };

  expect(told("gone", ["late"])).toBe("agent/cedar, goal.choose: gone");
  expect(told("shut")).toBe("agent/cedar, goal.choose: shut");
  count.input({ ...reply(answer, 0), attempts: [{ kind: "busy", error: "full", wallMs: 1 }] });
  expect(count.figures().lastError).toBe("agent/cedar, goal.choose: busy: full");
});

it.each<[number[], number | null]>([
  [[], null],
  [[7], 7],
  [[2_000, 13_000], 7_500],
  [[1, 2, 9], 2],
  [[1, 2, 5, 9], 4],
])("[LD1] [PQ5] the median of %j is %s", (latencies, median) => {
  expect(medianOf(latencies)).toBe(median);
});

it("[LD1] [LM30] what a recording answers in a changed replay was not asked of the model", () => {
  const count = liveCount({ isServed: true });
  count.input(reply(answer, 9));
  count.delivery(asks(1, "agent/cedar", "goal.choose", 0));
  count.delivery(asks(2, "agent/cedar", "goal.choose", 10));
  expect(count.figures()).toMatchObject({ asked: 1, answered: 0, open: 1, promptTokens: 0 });
  count.input({ ...reply(answer, 9), deliveredAt: 1_260 });
  expect(count.figures()).toMatchObject({ asked: 1, answered: 1, open: 0, promptTokens: 9 });
});

it("[LD2] it is drawn in its place, at most ten times a second, and nothing of it stays", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onScreen(80, 10);
  const shown = watching();
  shown.slice(run);
  const once = written.text;
  vi.advanceTimersByTime(99);
  shown.slice(run);
  expect(written.text).toBe(once);
  vi.advanceTimersByTime(1);
  shown.input(reply(answer, 5));
  shown.slice(run);

  const both = await seen({ columns: 80, rows: 10 });
  expect(both.match(/village/g)).toHaveLength(1);
  expect(both).toContain("1 asked, 1 answered");

  shown.summary(122_000);
  const left = await seen({ columns: 80, rows: 10 });
  expect(left.replaceAll("\n", "")).toBe(
    "tiny: 1 asked, 1 answered · usable 1 of 1 (100 %) · tokens 5 in, 100 out · latency 1.3 s " +
      "median, 1.3 s last · cost 0.00021 · 2:02 of virtual time in 0:00",
  );
});

it("[LD2] where agents take long to look at, they are looked at less often", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onScreen(80, 10);
  let looks = 0;
  const contexts = () => {
    looks += 1;
    vi.advanceTimersByTime(30);
    return {};
  };
  const slow = { ...run, kernel: { nowMs: 0, contexts } } as unknown as Run;
  const shown = watching();
  shown.slice(slow);
  vi.advanceTimersByTime(599);
  shown.slice(slow);
  expect(looks).toBe(1);
  vi.advanceTimersByTime(1);
  shown.slice(slow);
  expect(looks).toBe(2);
});

it("[LD6] whatever else is said goes above it, and it begins anew below", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onScreen(80, 10);
  const shown = watching();
  shown.slice(run);
  note("stopping");
  vi.advanceTimersByTime(200);
  shown.slice(run);

  const [first, second] = (await seen({ columns: 80, rows: 10 })).split("\n");
  expect([first, second]).toEqual(["stopping", expect.stringMatching(/^village 1:01/)]);
});

it.each([{ isTTY: false }, { isTTY: true, term: "dumb" }])(
  "[LD5] elsewhere there is a plain line every ten seconds, and one at the end: %j",
  ({ isTTY: isTerminal, term }) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    if (term !== undefined) vi.stubEnv("TERM", term);
    Object.assign(process.stderr, { isTTY: isTerminal, columns: 80 });
    const shown = watching();
    shown.input(reply(answer, 499_900));
    vi.advanceTimersByTime(9_999);
    shown.slice(run);
    expect(written.text).toBe("");
    vi.advanceTimersByTime(1);
    shown.slice(run);
    shown.slice(run);
    expect(written.text).toBe(
      "village 1:01 of 10:00 · 0:10 gone · 1 asked, 1 answered · usable 1 of 1 (100 %) · tokens 499900 in, " +
        "100 out · latency 1.3 s median, 1.3 s last · cost 1 · cedar (load 0.00): Write a page · " +
        "birch#2 (load 0.00): no goal\n",
    );

    const attempts = ["server", "timeout", "server"].map((kind) => ({
      kind,
      error: "e",
      wallMs: 1,
    }));
    shown.input({ ...reply(failure, 0), attempts });
    vi.advanceTimersByTime(10_000);
    shown.slice(run);
    expect(written.text.split("\n")[1]).toContain(
      " · last error: agent/cedar, goal.choose: gone · cedar",
    );
    shown.summary(61_500);
    expect(written.text).toContain(
      "1:01 of virtual time in 0:20; tries that failed: server 2, timeout 1\n",
    );
  },
);

it("[SB16] [LD1] a goal that a model worded, and an error of a server, steer no terminal", () => {
  onScreen(300, 20);
  const goal = { text: "Write\u001b[2J\r\nverdict" };
  const contexts = () => ({ "agent/cedar": { goal, suffering: [] } });
  const kernel = { nowMs: 0, contexts };
  const shown = watching();
  shown.input(reply({ type: "llm.failed", error: "gone\u001b]0;x\u0007" }, 0));

  shown.slice({ ...run, kernel } as unknown as Run);

  expect(written.text).toContain("cedar (load 0.00): Write\\u{1b}[2J\\u{d}\\nverdict");
  expect(written.text).toContain("gone\\u{1b}]0;x\\u{7}");
  const commands = written.text.split("\u001b").slice(1);
  expect(commands.filter((one) => !/^\[[KJ]/.test(one))).toEqual([]);
});
