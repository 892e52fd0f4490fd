// A file of exchanges holds each message once, whatever the conversations are.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLogs } from "../../../../src/actors/imported/edge/readLogs.ts";
import { bundleOf } from "../../../../src/actors/imported/edge/recordedBundle.ts";
import {
  type Exchange,
  ExchangeWriter,
  exchangesIn,
  readExchanges,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { Sharing, Unsharing } from "../../../../src/actors/imported/edge/wire/sharedMessages.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { GENESIS } from "../../../../src/substrate/digest.ts";
import { newFolder } from "../../../folders.ts";

const asked = (request: Json): Exchange => ({
  ...{ api: "openai", path: "/chat/completions", timestamp: "2026-01-01T00:00:00.000Z" },
  ...{ latency_ms: 1, request, status: 200, type: "application/json" },
  response: {
    object: "chat.completion",
    choices: [{ message: { role: "assistant", content: "ok" } }],
  },
});

function written(requests: readonly Json[]): string {
  const folder = newFolder();
  const writer = new ExchangeWriter(exchangesIn(folder));
  for (const request of requests) writer.add(asked(request));
  writer.close();
  return folder;
}

describe("messages of exchanges", () => {
  const message = fc.record({
    role: fc.constantFrom("user", "assistant", "tool"),
    content: fc.constantFrom("a", "b", "c".repeat(300)),
  });
  const request = fc.record(
    {
      model: fc.constant("m"),
      messages: fc.array(message, { maxLength: 5 }),
      input: fc.oneof(fc.array(fc.nat(9)), fc.array(fc.string()), fc.constant("x".repeat(250))),
      shared: fc.array(message, { maxLength: 2 }),
      system: fc.constantFrom("short", "s".repeat(200)),
    },
    { requiredKeys: ["model"] },
  );

  it("[WR29] of any requests a reader gets what was written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(request, fc.jsonValue()), { maxLength: 8 }), (requests) => {
        const [sharing, unsharing] = [new Sharing(), new Unsharing()];
        const read = requests.map((one) => {
          const line = JSON.stringify({ api: "openai", ...sharing.of(one as Json) });
          return unsharing.line(JSON.parse(line))?.["request"];
        });

        expect(read).toEqual(JSON.parse(JSON.stringify(requests)));
      }),
    );
  });

  it("[WR29] stand once: a conversation of many turns takes less than three times what was said", async () => {
    const said: Json[] = [];
    const requests = Array.from({ length: 200 }, (_, turn) => {
      said.push({ role: "user", content: `Turn ${turn}: ${`word${turn} `.repeat(400)}` });
      const whole = [...said];
      said.push({ role: "assistant", content: "ok" });
      return { model: "m", messages: whole };
    });
    const folder = written(requests);
    await bundleOf(folder);
    const bytes = (name: string): number => statSync(join(folder, name)).size;
    const once = JSON.stringify(said).length;

    expect(readExchanges(exchangesIn(folder)).exchanges.map((one) => one.request)).toEqual(
      requests,
    );
    expect(bytes("exchanges.jsonl") / once).toBeLessThan(1.2);
    expect(readdirSync(folder).reduce((sum, name) => sum + bytes(name), 0) / once).toBeLessThan(3);
  });

  it.each([
    ["a message that comes later", { said: [], lists: { messages: 0 } }],
    ["a message that follows itself", { said: [[0, {}]], lists: { messages: 0 } }],
    ["a number that is none", { said: [[null, {}]], lists: { messages: "0" } }],
    ["no list", { said: [[null, {}]], lists: 3 }],
    ["nothing new", { lists: {} }],
  ])("[WR29] a line that names %s is refused, and no import takes it", async (_, shared) => {
    const folder = newFolder();
    const line = { ...asked({ model: "m", messages: [] }), shared, before: GENESIS };
    writeFileSync(exchangesIn(folder), `${JSON.stringify(line)}\n`);
    const pieces = [];
    for await (const piece of readLogs([exchangesIn(folder)])) pieces.push(piece);

    expect(() => readExchanges(exchangesIn(folder))).toThrow("messages that no line before it has");
    expect(pieces.some(({ kind }) => kind === "unread")).toBe(true);
    expect(pieces.some(({ kind }) => kind === "record")).toBe(false);
  });

  it("[WR29] a line that names far more than it holds is refused", () => {
    const unsharing = new Unsharing();
    const said = Array.from({ length: 100_001 }, (_, at) => [at === 0 ? null : at - 1, 1]);
    const line = (end: number, more: Json = []) =>
      unsharing.line({ request: {}, shared: { said: more, lists: { messages: end } } });

    expect(line(0, said as Json)).toBeDefined();
    expect(
      unsharing.line({
        request: { messages: [] },
        shared: { said: [], lists: { messages: 100_000 } },
      }),
    ).toBeUndefined();
    expect(
      unsharing.line({
        request: { messages: [] },
        shared: { said: [], lists: { messages: 99_999 } },
      }),
    ).toBeDefined();
  });
});
