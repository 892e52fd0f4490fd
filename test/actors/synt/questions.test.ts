// What can be asked of a log of synt, and through what a chain of causes goes there.
import { expect, it } from "vitest";
import { questions, trail } from "../../../src/actors/synt/questions.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const one = (type: string, fields: object, given: Partial<Delivery> & { seq: number }) =>
  delivery({ to: "synt", ...given, event: strangeEvent(type, fields) });
const stated = (seq: number, request: string, state: string, given: Partial<Delivery> = {}) =>
  one("synth.stated", { request, state }, { seq, ...given });
const changed = (seq: number, name: string, state: string, given: Partial<Delivery> = {}) =>
  one("executor.changed", { name, state }, { seq, to: "pool", ...given });
const closed = (seq: number, turn: string, ok: boolean, given: Partial<Delivery> = {}) =>
  one("turn.closed", { turn, ok }, { seq, ...given });

const log = [
  changed(1, "read", "active", { dueMs: 0 }),
  stated(2, "req-1", "composing"),
  changed(3, "sort", "synthesized"),
  changed(4, "sort", "active"),
  changed(5, "read", "archived"),
  changed(6, "read", "active", { to: "synt" }),
  stated(7, "req-1", "abandoned"),
  stated(8, "req-2", "composing", { fate: "ignored" }),
  closed(9, "first", false),
  closed(10, "late", true, { fate: "stale" }),
];
const seqs = (found: readonly Delivery[] | undefined) => found?.map(({ seq }) => seq);

it("[VB12] requests, turns and executors that changed can be asked for, each for what was said of it last", () => {
  expect(questions.all(log)).toEqual([
    ...["request:req-1", "executor:sort", "executor:read", "turn:first"],
  ]);
  expect(questions.all(log).map((question) => questions.find(log, question)?.seq)).toEqual([
    7, 4, 5, 9,
  ]);
  expect(log.map(questions.of)).toEqual([
    ...["executor:read", "request:req-1", "executor:sort", "executor:sort", "executor:read"],
    ...[undefined, "request:req-1", undefined, "turn:first", undefined],
  ]);
  for (const none of ["request:req-2", "executor:none", "turn:late", "request:"]) {
    expect(questions.find(log, none)).toBeUndefined();
  }
  expect(questions.forms).toEqual(["request:REQ", "executor:NAME", "turn:ID"]);
});

it("[VB56] failures are turns without a result and requests that came to nothing, as far as they were heard", () => {
  const all = [
    ...log,
    stated(11, "req-3", "rejected"),
    stated(12, "req-4", "suspended"),
    stated(13, "req-5", "rejected", { fate: "ignored" }),
    closed(14, "second", false, { fate: "ignored" }),
    closed(15, "third", true),
  ];

  expect(seqs(questions.failures?.(all))).toEqual([7, 9, 11]);
  expect(all.map((each) => trail.wrong?.(each))).toEqual([
    ...[undefined, false, undefined, undefined, undefined, undefined, true, false, true, false],
    ...[true, false, false, false, false],
  ]);
  expect(questions.trouble(all)).toBeUndefined();
});

it.each([
  ["the last executor that was made", ["born", "delivered", "fused", "composing"], 3],
  ["the last one, whichever way", ["specialised", "generalised", "suspended"], 2],
  ["else what was served or suspended last", ["delivered", "suspended", "abandoned"], 2],
  ["else the last word of a request", ["abandoned", "composing"], 2],
])("[VB12] where nothing failed it takes %s", (_, states, seq) => {
  const said = states.map((state, at) => stated(at + 1, `req-${at}`, state));
  const unheard = stated(9, "req-9", "born", { fate: "ignored" });

  expect(questions.symptom?.([...said, closed(8, "first", true)])?.seq).toBe(seq);
  expect(questions.symptom?.([...said.slice(0, 3), unheard])?.seq).toBe(
    said.length === 2 ? 9 : seq,
  );
});

it("[VB12] where nothing was asked of synt it takes the last turn, and else nothing", () => {
  const turns = [closed(1, "first", true), closed(2, "second", true)];

  expect(questions.symptom?.(turns)?.seq).toBe(2);
  expect(questions.symptom?.([])).toBeUndefined();
});

it("[VB12] a chain is about the request to which, else from which, it passes", () => {
  const about = (to: string, from: string) => trail.subject?.(closed(1, "x", true, { to, from }));

  expect(about("synt/req-0002/draft-1", "synt/req-0001")).toBe("synt/req-0002");
  expect(about("pool", "synt/req-0001/draft-1")).toBe("synt/req-0001");
  expect(about("synt", "pool")).toBeUndefined();
  expect(about("old/synt/req-0001", "old/synt/req-0001")).toBeUndefined();
});

it("[VB12] of a dossier a chain takes the proposal that it is about, and the word on that, else all", () => {
  const facts = ["synt/req-1", "synt/req-2"].map((from, at) => stated(at, from, "x", { from }));
  const asked = one("person.asked", {}, { seq: 3 });
  const decided = (decisions?: readonly { readonly request: string }[]) =>
    one("person.decided", { decisions }, { seq: 4 });
  const both = decided([{ request: "req-1" }, { request: "req-2" }]);
  const choices = ["person:yes", "person:no"];

  expect(seqs(trail.behind?.(asked, facts, "synt/req-2") as Delivery[])).toEqual([1]);
  expect(trail.behind?.(asked, facts, "synt/req-3")).toBeUndefined();
  expect(trail.behind?.(both, facts, "synt/req-2")).toBeUndefined();
  expect(trail.chosen?.(both, choices, "synt/req-2")).toEqual(["person:no"]);
  expect(trail.chosen?.(both, choices, "synt/req-3")).toBeUndefined();
  expect(trail.chosen?.(both, ["person:yes"], "synt/req-1")).toBeUndefined();
  expect(trail.chosen?.(decided(), choices, "synt/req-1")).toBeUndefined();
  expect(trail.chosen?.(asked, choices, "synt/req-1")).toBeUndefined();
});
