// A small file of exchanges of a stranger's that would tell hundreds of megabytes.
import { statSync } from "node:fs";
import { expect, it } from "vitest";
import { readLogs } from "../../../../src/actors/imported/edge/readLogs.ts";
import {
  type Exchange,
  ExchangeWriter,
  exchangesIn,
} from "../../../../src/actors/imported/edge/wire/exchangeLog.ts";
import { Unsharing } from "../../../../src/actors/imported/edge/wire/sharedMessages.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { newFolder } from "../../../folders.ts";

it("[WR29] no file names more than twenty million messages", () => {
  // It remembers as many as one line names.
  const reader = new Unsharing(100_000);
  const said = Array.from({ length: 100_000 }, (_, at) => [at === 0 ? null : at - 1, {}]);
  const line = (from: number, more: Json[]) =>
    reader.line({
      request: { messages: [] },
      shared: { from, said: more, lists: { messages: 99_999 } },
    });

  expect(line(0, said as Json[])).toBeDefined();
  for (let nth = 2; nth < 200; nth++) line(100_000, []);
  expect(line(100_000, [])).toBeDefined();
  expect(line(100_000, [])).toBeUndefined();
});

const asked = (request: Json): Exchange => ({
  ...{ api: "openai", path: "/chat/completions", timestamp: "2026-01-01T00:00:00.000Z" },
  ...{ latency_ms: 1, request, status: 200, type: "application/json", response: "ok" },
});

it("[WR29] a file that names its messages far more often than it holds them is read up to there", async () => {
  const folder = newFolder();
  const writer = new ExchangeWriter(exchangesIn(folder));
  const big = { role: "user", content: "x".repeat(400_000) };
  // Each begins a conversation of its own, which tells all of it.
  for (let n = 0; n < 300; n++)
    writer.add(asked({ model: "m", messages: [big, { role: "user", content: `Turn ${n}.` }] }));
  writer.close();
  let chars = 0;
  const [reasons, ends]: [string[], string[]] = [[], []];
  for await (const piece of readLogs([exchangesIn(folder)])) {
    if (piece.kind === "record") chars += JSON.stringify(piece.record).length;
    if (piece.kind === "unread") reasons.push(`${piece.unread.place.line}: ${piece.unread.reason}`);
    if (piece.kind === "opened" || piece.kind === "closed") ends.push(piece.kind);
  }
  const size = statSync(exchangesIn(folder)).size;

  expect(300 * 400_000).toBeGreaterThan(64e6 + 64 * size);
  expect(chars).toBeLessThan(64e6 + 65 * size);
  expect(reasons).toEqual([
    expect.stringMatching(/^\d+: messages that stand once.*keep the lines/),
  ]);
  expect(ends.filter((kind) => kind === "opened")).toHaveLength(ends.length / 2);
});
