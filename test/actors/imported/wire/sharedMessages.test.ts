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
import { bodyValue } from "../../../../src/actors/imported/edge/wire/recorder.ts";
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

  it("[WR29] whoever reads remembers as much as who wrote: what was forgotten is written again", () => {
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 20 }),
        fc.integer({ min: 0, max: 6 }),
        (all, most) => {
          const [sharing, unsharing] = [new Sharing(most), new Unsharing(most)];
          for (const one of all as Json[]) {
            const line = JSON.stringify({ api: "openai", ...sharing.of(one) });
            expect(unsharing.line(JSON.parse(line))?.["request"]).toEqual(one);
          }
        },
      ),
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
    ["a message that comes later", { from: 0, said: [], lists: { messages: 0 } }],
    ["a message that follows itself", { from: 0, said: [[0, {}]], lists: { messages: 0 } }],
    ["a number that is none", { from: 0, said: [[null, {}]], lists: { messages: "0" } }],
    ["no list", { from: 0, said: [[null, {}]], lists: 3 }],
    ["nothing new", { from: 0, lists: {} }],
    ["more lines than there are", { from: 1, said: [], lists: {} }],
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

  it("[WR29] behind a line that was lost or refused nothing is taken for something else", () => {
    const sharing = new Sharing();
    const [one, two, three] = ["one", "two", "three"].map((content) => ({
      ...{ api: "openai", ...sharing.of({ messages: [{ role: "user", content }] }) },
    }));
    const reader = new Unsharing();
    const refused = {
      ...two,
      shared: {
        from: 1,
        said: [
          [null, {}],
          [99, {}],
        ],
        lists: {},
      },
    };

    expect(reader.line(one as never)).toBeDefined();
    expect(reader.line(three as never)).toBeUndefined();
    expect(reader.line(refused as never)).toBeUndefined();
    expect(reader.line(two as never)?.["request"]).toEqual({
      messages: [{ role: "user", content: "two" }],
    });
    expect(reader.line(three as never)).toBeDefined();
  });

  it("[WR29] a list that no reader takes is not shared, and one that names far more than it holds is refused", () => {
    const long = { messages: Array.from({ length: 100_001 }, () => ({})) };
    const most = { messages: long.messages.slice(1) };
    const line = (of: Json) => {
      const sharing = new Sharing();
      return { sharing, reader: new Unsharing(), ...sharing.of(of) };
    };
    const [over, within] = [line(long), line(most)];
    const forged = {
      from: 0,
      said: long.messages.map((one, at) => [at === 0 ? null : at - 1, one]),
    };

    expect(over.shared).toBeUndefined();
    expect(within.reader.line(within as never)?.["request"]).toEqual(most);
    expect(
      new Unsharing().line({
        request: { messages: [] },
        shared: { ...forged, lists: { messages: 100_000 } },
      } as never),
    ).toBeUndefined();
  });

  it("[WR29] a body that nests deeper than a line can hold is kept as text", () => {
    const deep = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;

    expect(bodyValue(deep(50))).toEqual(JSON.parse(deep(50)));
    expect(bodyValue(deep(51))).toBe(deep(51));
    const folder = written([{ messages: [JSON.parse(deep(50))] }]);
    expect(readExchanges(exchangesIn(folder)).exchanges).toHaveLength(1);
  });
});
