// Where a run that plays a log differs from it, by what the run did in its place.
import { expect, it } from "vitest";
import { agreementOf, PlayedCalls } from "../../../src/actors/imported/agreement.ts";
import { differenceText } from "../../../src/actors/imported/edge/world/worldSaid.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { worldsOf } from "../../../src/actors/imported/worldOf.ts";
import { onlyRecording } from "../../../src/actors/imported/worldRecordings.ts";
import type { Json } from "../../../src/machines/letter.ts";
import { strangeEvent } from "../../mail.ts";
import { called, returned, said } from "./pieces.ts";

function worldOf(...records: readonly LogRecord[]) {
  const head = { name: "talk", format: "openai", file: "log.jsonl" } as const;
  const importer = new Importer(head);
  const deliveries = [...records.flatMap((one) => importer.add(one)), ...importer.end()];
  const log = { ...head, startsAt: "2026-01-01T00:00:00Z", clock: "steps" as const, deliveries };
  const [world] = worldsOf([onlyRecording(log)], []);
  if (world === undefined) throw new Error("no world");
  return world;
}

/** A call of the run, and how it ended, if it did. */
interface Done {
  readonly tool: string;
  readonly args: Json;
  readonly end?:
    | { readonly result?: Json; readonly ok?: boolean; readonly error?: string }
    | undefined;
  readonly agent?: string;
}

const compared = (records: readonly LogRecord[], ...done: readonly Done[]) =>
  agreementOf(worldOf(...records), playedOf(done));

function playedOf(done: readonly Done[]): PlayedCalls {
  const played = new PlayedCalls();
  done.forEach(({ tool, args, end, agent = "assistant" }, at) => {
    const seq = 10 * (at + 1);
    played.add({ seq, event: strangeEvent("call.requested", { agent, tool, params: args }) });
    if (end === undefined) return;
    const ended = { result: null, ok: true, ...end };
    played.add({ seq: seq + 1, re: seq, event: strangeEvent("call.finished", ended) });
  });
  return played;
}

const log = [
  said("user", "Book"),
  called("find", { day: "mon" }, { call: "a" }),
  returned("none", { call: "a" }),
  called("book", { day: "tue" }, { call: "b" }),
  returned("Error: full", { call: "b" }),
];
const find = { tool: "find", args: { day: "mon" }, end: { result: "none" } };
const book = { tool: "book", args: { day: "tue" }, end: { ok: false, error: "Error: full" } };

it("[IM90] the first difference is told with its place in the log, its number in the run and why", () => {
  const place = { seq: 3, file: null, line: 7, step: 2, atMs: 0 };
  const one = {
    what: "call",
    agent: "ann",
    log: place,
    seq: 9,
    reason: "other arguments",
  } as const;

  expect(differenceText(one, "a.json")).toBe(
    "first at a call of ann (a.json:7, step 2, record #3, #9 of the run): other arguments",
  );
  expect(differenceText({ ...one, log: null, seq: null }, "a.json")).toContain("(not in the log):");
});

it("[IM90] what a run does again counts as the same, call by call and result by result", () => {
  expect(compared(log, find, book)).toEqual({
    calls: { inLog: 2, same: 2, share: 1, results: 2, sameResults: 2 },
    messages: { inLog: 0, same: 0, share: 1 },
    first: null,
  });
  // In order: the same two calls the other way round are others.
  expect(compared(log, book, find).calls).toMatchObject({ inLog: 2, same: 0 });
});

it("[IM89] where the log goes on behind what was looked at, it is said where, and its calls count", () => {
  const world = worldOf(...log);
  const first = { seq: 40, file: "log.jsonl", line: 41, step: null, atMs: 40_000 };
  const { calls, first: differs } = agreementOf(
    { ...world, log: { ...world.log, beyond: { first, calls: 2 } } },
    playedOf([find, book]),
  );

  expect(calls).toMatchObject({ inLog: 4, same: 2, share: 0.5 });
  expect(differs).toMatchObject({ what: "call", log: first });
  expect(differs?.reason).toMatch(/^the scenario ends before it/);
});

it.each<[Done, string, string, number | null]>([
  [{ ...find, tool: "look" }, "call", "the run calls look there", 10],
  [{ ...find, args: { day: "sun" } }, "call", "other arguments than in the log", 10],
  [{ ...find, end: { result: "one" } }, "result", "another result than in the log", 10],
  [{ tool: "find", args: { day: "mon" } }, "result", "the run ends before it returns", 10],
  [{ ...find, end: { ok: false, error: "torn" } }, "result", "it failed: torn", 10],
  [{ ...find, end: { ok: false } }, "result", "it failed: no reason given", 10],
  [
    { ...find, end: { ok: false, error: "x".repeat(300) } },
    "result",
    `it failed: ${"x".repeat(200)}`,
    10,
  ],
])("[IM90] the first that differs is told with its place: %j", (done, what, reason, seq) => {
  const { calls, first } = compared(log, done, book);

  expect(first).toMatchObject({ what, agent: "assistant", reason, seq, log: { seq: 2 } });
  expect(calls).toMatchObject(
    what === "call"
      ? { inLog: 2, same: 1, share: 0.5, results: 1, sameResults: 1 }
      : { inLog: 2, same: 2, share: 1, results: 2, sameResults: 1 },
  );
});

it.each<[Done["end"], string | undefined]>([
  [{ ok: false, error: "Error: full" }, undefined],
  [{ ok: false, error: "Error: shut" }, "another error than in the log"],
  [{ result: "Error: full" }, "it returned instead of failing"],
])("[IM90] an error of the log is met by the same error alone: %j", (end, reason) => {
  expect(compared(log, find, { ...book, end }).first?.reason).toBe(reason);
});

it("[IM90] an error without words is met by any, JSON by its text, arguments in whatever order", () => {
  const bare = [
    called("find", { b: 1, a: 2 }, { call: "a" }),
    returned(null, { call: "a", error: "" }),
  ];
  const list = [called("find", [1], { call: "a" }), returned([{ n: 1 }], { call: "a" })];
  const torn = [called("find", null, { call: "a", raw: "{" }), returned("x", { call: "a" })];
  const none = [called("find", null, { call: "a" }), returned("x", { call: "a" })];
  const first = (records: readonly LogRecord[], args: Json, end: Done["end"]) =>
    compared(records, { tool: "find", args, ...(end && { end }) }).first?.reason;

  expect(first(bare, { a: 2, b: 1 }, { ok: false, error: "any" })).toBeUndefined();
  expect(first(list, { value: [1] }, { result: '[{"n":1}]' })).toBeUndefined();
  expect(first(list, { json: '{"value":[1]}' }, { result: [{ n: 1 }] })).toBeUndefined();
  expect(first(torn, { raw: "{" }, { result: "x" })).toBeUndefined();
  expect(first(none, {}, { result: "x" })).toBeUndefined();
});

it("[IM90] what only the log has, or only the run, differs too", () => {
  const { calls, first } = compared(log, find);

  expect(first).toMatchObject({ what: "call", seq: null, reason: "the run does not come to it" });
  expect(calls).toEqual({ inLog: 2, same: 1, share: 0.5, results: 1, sameResults: 1 });
  expect(compared(log, find, book, { ...find, tool: "more" }).first).toEqual({
    ...{ what: "call", agent: "assistant", log: null, seq: 30 },
    reason: "the run calls more once more than the log",
  });
  expect(
    compared([...log, called("walk", {})], find, book, { tool: "walk", args: {} }),
  ).toMatchObject({ calls: { inLog: 3, same: 3, results: 2 }, first: null });
});

it("[IM90] messages of agents to one another are compared beside their calls", () => {
  const talk = [
    said("user", "Go"),
    said("ann", "Over to you", { to: "bob" }),
    called("find", {}, { agent: "ann", call: "a" }),
    returned("x", { call: "a" }),
    said("bob", "", { to: "ann" }),
    said("bob", "Bye", { to: "user" }),
  ];
  const send = (agent: string, to: string, text: string): Done => ({
    ...{ agent, tool: "message_send", args: { to, text }, end: { result: "sent" } },
  });
  const call = { agent: "ann", tool: "find", args: {}, end: { result: "x" } };
  const toBob = send("ann", "bob", "Over to you");

  expect(compared(talk, toBob, call, send("bob", "ann", "(no words)"))).toMatchObject({
    calls: { inLog: 1, same: 1 },
    messages: { inLog: 2, same: 2, share: 1 },
    first: null,
  });
  expect(compared(talk, toBob, call, send("bob", "ann", "Bye"))).toMatchObject({
    messages: { inLog: 2, same: 1, share: 0.5 },
    first: { what: "message", agent: "bob", seq: 30, reason: "other arguments than in the log" },
  });
  expect(compared(talk, call)).toMatchObject({
    messages: { inLog: 2, same: 0, share: 0 },
    first: { what: "message", agent: "ann", seq: null, reason: "the run does not come to it" },
  });
});
