// What the report of an imported log tells of its speakers and tools, and how much of it is kept.
import { expect, it } from "vitest";
import { bounds } from "../../../src/actors/imported/bounds.ts";
import { logPicture } from "../../../src/actors/imported/edge/picture.ts";
import { Importer } from "../../../src/actors/imported/importer.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { book } from "../../../src/actors/imported/story.ts";
import type { Moment } from "../../../src/contract/book.ts";
import type { SeenDelivery } from "../../../src/substrate/envelope.ts";
import { called, judged, offered, returned, said } from "./pieces.ts";

function folded(deliveries: Iterable<SeenDelivery>) {
  const facts = book.start({});
  const moments: Moment[] = [];
  for (const delivery of deliveries) book.step(facts, delivery, moments);
  return { ...facts.told.imported, moments };
}

/** Times are in seconds. */
const at = <T extends LogRecord>(seconds: number, record: T): T => ({
  ...record,
  atMs: 1_000 * seconds,
});

function told(...records: readonly LogRecord[]) {
  const importer = new Importer({ name: "talk", format: "openai", file: "log.jsonl" });
  return folded([...records.flatMap((record) => importer.add(record)), ...importer.end()]);
}

const latencies = (story: ReturnType<typeof told>) =>
  Object.fromEntries(story.tools.map(({ name, latencies: own }) => [name, own]));

it("[IM58] a call took from its beginning to its result, in whichever order results come", () => {
  const tools = ["a", "b", "c", "d", "e"];
  const story = told(
    ...tools.map((tool, second) => at(second, called(tool, {}, { call: tool }))),
    ...["c", "a", "e", "b", "d"].map((call, nth) => at(10 + nth, returned([1], { call }))),
  );

  expect(latencies(story)).toEqual({
    a: [11_000],
    b: [12_000],
    c: [8_000],
    d: [11_000],
    e: [8_000],
  });
});

it("[VW50] the row of a tool shows each call until its result; without times there are none", () => {
  const spansOf = (imported: ReturnType<typeof told>, clock: "log" | "steps") => {
    const { moments } = imported;
    const { lanes } = logPicture({ story: { imported, moments } as never, imported: { clock } });
    return lanes.flatMap((lane) =>
      (lane.spans ?? []).map(({ phase, fromMs, toMs }) => [phase, fromMs, toMs]),
    );
  };
  const records = [
    at(0, called("find", {}, { call: "a" })),
    at(2, called("find", {}, { call: "b" })),
    at(5, returned([1], { call: "b" })),
    at(9, returned([1], { call: "a", error: "no" })),
    // It took no time.
    at(9, called("find", {}, { call: "c" })),
    at(9, returned([1], { call: "c" })),
  ];
  const timeless = records.map((record) => ({ ...record, atMs: null }));

  expect(spansOf(told(...records), "log")).toEqual([
    ["ran to an error", 0, 9_000],
    ["ran to a result", 2_000, 5_000],
  ]);
  expect(spansOf(told(...timeless), "steps")).toEqual([]);
});

it("[IM58] what the log says that a call took goes before its times", () => {
  const story = told(
    at(0, called("find", {}, { call: "a" })),
    at(5, returned([1], { call: "a", latencyMs: 700 })),
  );

  expect(latencies(story)).toEqual({ find: [700] });
});

it("[IM58] without times, and without its call, nothing says how long a result took", () => {
  const none = told(called("find", {}, { call: "a" }), returned([1], { call: "a" }));
  const lone = told(at(0, said("user", "Go")), at(3, returned([1], { tool: "find", call: "b" })));

  expect([latencies(none), latencies(lone)]).toEqual([{ find: [] }, { find: [] }]);
});

it("[IM58] a tool has its calls, errors and empty results; an error is not empty, too", () => {
  const story = told(
    offered("find", "finds"),
    ...[
      returned([1], { call: "0" }),
      returned([], { call: "1" }),
      returned("", { call: "2" }),
      returned(null, { call: "3", error: "no such file" }),
    ].flatMap((result, nth) => [called("find", {}, { call: `${nth}` }), result]),
  );

  expect(story.tools).toMatchObject([{ name: "find", calls: 4, errors: 1, empty: 2 }]);
  expect(story.offered).toBe(1);
  expect(story.moments.map(({ kind, label }) => `${kind}: ${label}`)).toEqual([
    "called: assistant calls find first",
    expect.stringMatching(/^error: .*no such file/),
  ]);
});

it("[IM58] a speaker has its messages, calls and tokens; what people said is a moment", () => {
  const usage = (promptTokens: number, answerTokens: number) => ({
    usage: { promptTokens, answerTokens },
  });
  const story = told(
    said("user", "Go"),
    said("assistant", "I go", usage(10, 2)),
    called("walk", {}),
    said("assistant", "I went", usage(20, 3)),
    judged({ reward: 0 }),
    judged({ reward: 1 }),
  );

  expect(story.speakers).toEqual([
    { name: "user", role: "user", messages: 1, calls: 0, promptTokens: 0, answerTokens: 0 },
    { name: "assistant", role: "agent", messages: 2, calls: 1, promptTokens: 30, answerTokens: 5 },
  ]);
  expect(story.moments.map(({ kind, who }) => [kind, who])).toEqual([
    ["said", "user"],
    ["called", undefined],
  ]);
  expect(story.judged).toMatchObject({ reward: 1 });
  expect(story.points.map(({ lane, kind }) => `${lane} ${kind}`)).toEqual([
    "user heard",
    "assistant said",
    "assistant called",
    "assistant said",
  ]);
});

it("[IM58] a moment quotes 200 characters of what a person said, and shows that there was more", () => {
  const label = (text: string) => told(said("user", text)).moments[0]?.label ?? "";

  expect(label("a".repeat(200))).toContain(`"${"a".repeat(200)}"`);
  expect(label("a".repeat(201))).toContain(`"${"a".repeat(200)}…"`);
  // What stands behind 4,000 blank characters is not looked at.
  expect(label(`a${" ".repeat(3_999)}`)).toContain('"a"');
  expect(label(`a${" ".repeat(4_000)}`)).toContain('"a…"');
});

// How much of a long log is kept. Its deliveries are made by hand: an importer links each record, which takes longer.

const fromLog = { step: null, timeMs: null, file: null, line: null, id: null, parent: null };
const delivery = (seq: number, event: object) =>
  ({ seq, dueMs: seq, event: { ...fromLog, links: [], ...event } }) as unknown as SeenDelivery;
const call = (seq: number, tool = "find") =>
  delivery(seq, { type: "log.called", agent: "ann", tool, call: null, args: null, raw: null });
const result = (seq: number, of: number | null, given: object = {}) =>
  delivery(seq, {
    ...{ type: "log.returned", caller: "ann", tool: "find", call: null, of, result: [1] },
    ...{ ok: null, error: null, latencyMs: null, ...given },
  });
const words = (seq: number, speaker: string, role = "agent") =>
  delivery(seq, {
    ...{ type: "log.said", speaker, role, to: null, text: "Hm", model: null },
    ...{ promptTokens: null, answerTokens: null, latencyMs: null },
  });
const many = <T>(count: number, of: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => of(nth));

it("[IM58] of a log's first 500 names each is told, of later ones how many records there are", () => {
  const names = (count: number) => many(count, (nth) => words(nth, `agent ${nth}`));
  const later = [
    ...names(501),
    words(502, "agent 499"),
    call(503, "walk"),
    words(504, "agent 501"),
  ];

  const tools = many(501, (nth) => call(nth, `tool ${nth}`));
  const lone = result(501, null, { tool: "tool 501" });

  // The last tool has no row, nor has that of a result without a call.
  expect(folded([...tools, lone])).toMatchObject({ tools: { length: 500 }, others: 2 });
  expect(folded(names(500))).toMatchObject({ speakers: { length: 500 }, others: 0 });
  expect(folded(names(501))).toMatchObject({ speakers: { length: 500 }, others: 1 });
  // Its caller is beyond them, its tool is the first of the tools.
  expect(folded(later)).toMatchObject({ others: 3, tools: [{ name: "walk", calls: 1 }] });
});

it("[IM58] of a log's first 200 moments each is told, of later ones how many there are", () => {
  const asked = (count: number) => folded(many(count, (nth) => words(nth, "user", "user")));

  expect(asked(200)).toMatchObject({ moments: { length: 200 }, moreMoments: 0 });
  expect(asked(201)).toMatchObject({ moments: { length: 200 }, moreMoments: 1 });
});

it("[IM58] of a tool's first 10,000 results it is kept how long they took", () => {
  const story = folded([call(0), ...many(10_001, (nth) => result(nth + 1, 0))]);

  expect(story.tools[0]?.latencies).toHaveLength(10_000);
  expect(story.tools[0]?.latencies.at(-1)).toBe(10_000);
});

it("[IM58] of the latest calls it is known when they began, of one that many came after no longer", () => {
  const most = 2 * bounds.openCalls;
  const timed = (count: number, of: number) =>
    folded([...many(count, (nth) => call(nth)), result(count, of)]).tools[0]?.latencies;

  // No call has that number.
  expect(timed(3, 7)).toEqual([]);
  expect(timed(most - 1, 0)).toEqual([most - 1]);
  expect(timed(most, bounds.openCalls - 1)).toEqual([]);
  expect(timed(most, bounds.openCalls)).toEqual([most - bounds.openCalls]);
});

it("[VW52] of many calls in a row the longest are drawn, and what each lies within is told of at most 20,000", () => {
  const shown = (count: number) => {
    const turns = many(count, (nth) => [call(2 * nth + 2), result(2 * nth + 3, 2 * nth + 2)]);
    const end = result(2 * count + 3, 0, { tool: "task", caller: "bob" });
    const { moments, ...imported } = folded([call(0, "task"), call(1), ...turns.flat(), end]);
    const story = { imported, moments } as never;
    const { lanes, nested, undrawn } = logPicture({ story, imported: { clock: "log" } });
    const spans = lanes.map((lane) => [lane.is === "row" && lane.label, lane.spans?.length ?? 0]);
    return { spans: Object.fromEntries(spans), nested: nested?.length, undrawn };
  };

  expect(shown(1_999)).toEqual({
    ...{ spans: { ann: 0, task: 2_000, find: 1_999 }, nested: 1_999, undrawn: [] },
  });
  expect(shown(10_000)).toEqual({
    ...{ spans: { ann: 0, task: 2_000, find: 1_999 }, nested: 10_000 },
    undrawn: ["8001 shorter calls not drawn"],
  });
  // The call around all of them is the last to end.
  expect(shown(20_000)).toEqual({
    ...{ spans: { ann: 0, task: 2_000, find: 1_999 }, nested: 10_000 },
    undrawn: ["18001 shorter calls not drawn"],
  });
});

it("[IM58] the picture of a long log has every second record, then every fourth; of few errors all", () => {
  const places = (count: number, isError: (nth: number) => boolean = () => false) =>
    folded(many(count, (nth) => result(nth, null, isError(nth) ? { error: "no" } : {}))).points.map(
      ({ atMs }) => atMs,
    );

  expect(places(3_999)).toEqual(many(3_999, (nth) => nth));
  expect(places(4_000)).toEqual(many(2_000, (nth) => 2 * nth));
  expect(places(4_004)).toEqual([...many(2_000, (nth) => 2 * nth), 4_001, 4_003]);
  // An error at an odd place stays, as long as fewer than a quarter are errors.
  expect(places(4_000, (nth) => nth === 7)).toContain(7);
  expect(places(4_000, (nth) => nth % 4 === 1 && nth !== 1)).toHaveLength(2_999);
  expect(places(4_000, (nth) => nth % 4 === 1)).toHaveLength(2_000);
});
