// What a kill leaves: every prefix of a live recording, and every torn last line.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CatchUp } from "../../../src/edges/live/catchUp.ts";
import { certainMs } from "../../../src/run/playRecorded.ts";
import type { Input } from "../../../src/substrate/port.ts";
import { replay } from "../../builtIn.ts";
import { deliveriesOf, readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { forge, rechain } from "../../recordedRun.ts";
import { loopback } from "../ollama/loopbackServer.ts";
import { recordLive, setupFor } from "./liveSession.ts";

it("[LV15] a live run killed anywhere replays as far as its recording is certain", async () => {
  const server = await loopback({
    latencyMs: [0, 12],
    faultPercent: 10,
    faults: ["server", "reset", "truncated"],
  });
  const folder = newFolder();
  await recordLive({
    ...{ live: await setupFor(server), folder, agents: ["cedar", "birch", "alder"] },
    set: { "model.parallel": 3, "router.kind": "embedding" },
    untilMs: 16_000,
  });
  await server.close();
  const whole = readBundle(folder);
  forge(folder, () => ({ final: undefined }));
  const file = join(folder, "inputs.jsonl");
  const lines = readFileSync(file, "utf8").split("\n");

  const reached: number[] = [];
  for (let kept = 0; kept < lines.length - 1; kept++) {
    const torn = kept % 3 === 0 ? (lines[kept] ?? "").slice(0, 25) : "";
    writeFileSync(file, lines.slice(0, kept).join("\n") + (kept > 0 ? "\n" : "") + torn);

    const bundle = readBundle(folder);
    const result = replay(bundle);

    expect(result.difference).toBeNull();
    expect(result).toMatchObject({ matches: true, partial: true });
    expect(result.envelopes).toBeLessThanOrEqual(whole.manifest.final?.envelopes ?? 0);
    expect(deliveriesOf(bundle).length).toBe(result.envelopes);
    reached.push(result.envelopes);
  }

  // Every line takes it as far as before, or further; the last ones nearly to the end.
  expect(reached).toEqual([...reached].sort((a, b) => a - b));
  expect(reached.at(-1)).toBeGreaterThan((whole.manifest.final?.envelopes ?? 0) * 0.8);
  expect(new Set(reached).size).toBeGreaterThan(10);
});

it("[LV15] a recording is certain up to its last live reply, or its last question to anybody else", () => {
  const reply = (port: string, deliveredAt: number, latencyMs: number) =>
    ({ kind: "reply", port, deliveredAt, latencyMs }) as Input;
  const outside = { kind: "outside", deliveredAt: 40 } as Input;
  const live = new Set(["port/llm.chat"]);

  expect(certainMs([], live)).toBe(0);
  expect(certainMs([outside, reply("port/llm.chat", 30, 20)], live)).toBe(40);
  expect(certainMs([outside, reply("port/llm.chat", 130, 20)], live)).toBe(130);
  expect(certainMs([outside, reply("port/llm.embed", 130, 20)], live)).toBe(110);
});

it("[LV15, LV16] a run that was resumed may be killed and resumed again", async () => {
  const server = await loopback({
    latencyMs: [0, 12],
    faultPercent: 10,
    faults: ["server", "reset", "truncated"],
  });
  const live = await setupFor(server);
  const options = { live, agents: ["cedar", "birch"], set: { "model.parallel": 2 } };
  const copies: string[] = [];
  /** Plays on from `from` and keeps what a kill would leave, every now and then. */
  const play = async (from: string | undefined, untilMs: number): Promise<string> => {
    const folder = newFolder();
    const bundle = from === undefined ? undefined : readBundle(from);
    let slices = 0;
    await recordLive({
      ...{ ...options, folder, untilMs },
      ...(bundle && { catchUp: new CatchUp(bundle), set: bundle.manifest.policy }),
      onSlice: () => {
        if (slices++ % 3 !== 0) return false;
        const copy = newFolder();
        cpSync(folder, copy, { recursive: true });
        copies.push(copy);
        return false;
      },
    });
    expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
    return folder;
  };

  await play(undefined, 10_000);
  const first = copies.at(-1);
  await play(first, 16_000);
  await play(copies.at(-1), 22_000);
  await server.close();

  for (const copy of copies) {
    expect(replay(readBundle(copy))).toMatchObject({ matches: true, difference: null });
  }
  expect(copies.length).toBeGreaterThan(5);
});

/** A live run as a kill left it: its log and its end are gone, and it had calls open. */
async function killedRun() {
  const server = await loopback({ latencyMs: [0, 12] });
  const live = await setupFor(server);
  const options = { live, agents: ["cedar", "birch"], set: { "model.parallel": 2 } };
  const folder = newFolder();
  await recordLive({ ...options, folder, untilMs: 12_000, withLog: false });
  forge(folder, () => ({ final: undefined }));
  return { server, options, folder };
}

/** In the order in which they were heard; their lines may stand in another. */
const repliesOf = (inputs: readonly Input[]) =>
  inputs
    .filter((one) => one.kind === "reply" && one.port === "port/llm.chat")
    .sort((a, b) => a.deliveredAt - b.deliveredAt);

it("[LV16] resume of a killed run keeps every reply, the last one too, and asks for none again", async () => {
  const { server, options, folder } = await killedRun();
  const bundle = readBundle(folder);
  const asked = server.chats.length;
  const next = newFolder();

  const resumed = await recordLive({
    ...{ ...options, folder: next, untilMs: 18_000 },
    ...{ catchUp: new CatchUp(bundle), set: bundle.manifest.policy },
  });
  await server.close();

  const [before, after] = [repliesOf(bundle.inputs), repliesOf(resumed.inputs)];
  expect(before.length).toBeGreaterThan(3);
  expect(after.slice(0, before.length)).toEqual(before);
  const unanswered = resumed.inputs.filter(({ kind }) => kind === "unanswered");
  expect(server.chats.length - asked).toBe(after.length - before.length + unanswered.length);
});

it("[LV16] resume refuses a killed run that asks something else now, and asks nobody", async () => {
  const { server, options, folder } = await killedRun();
  const { inputs, manifest } = readBundle(folder);
  const third = repliesOf(inputs)[2];
  rechain(
    folder,
    inputs.map((one) => (one === third ? { ...one, request: "0".repeat(64) } : one)),
  );
  const asked = server.chats.length;

  const resuming = recordLive({
    ...{ ...options, folder: newFolder(), untilMs: 18_000 },
    ...{ catchUp: new CatchUp(readBundle(folder)), set: manifest.policy },
  });

  await expect(resuming).rejects.toThrow(/something the recording does not hold/);
  expect(server.chats.length).toBe(asked);
  await server.close();
});
