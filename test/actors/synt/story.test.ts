// What is kept of a world with synt, from logs written by hand.
import { expect, it } from "vitest";
import { book } from "../../../src/actors/synt/story.ts";
import { ALL, NONE } from "../../../src/machines/synt/score/exactShare.ts";
import { TERMS } from "../../../src/machines/synt/score/reward.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

type Given = Partial<Delivery> & { readonly nr?: number };

/** Numbered from 2 on, a second each, unless `nr` says otherwise. The pool begins first, with one executor by hand. */
function storyOf(...log: readonly (readonly [type: string, fields: object, given?: Given])[]) {
  const facts = book.start({});
  const pool = { machine: "pool", input: { executors: [{ name: "read" }] } };
  const all = [["actor.start", pool, { to: "kernel" }] as const, ...log];
  all.forEach(([type, fields, { nr, ...given } = {}], at) => {
    const event = strangeEvent(type, fields);
    book.step(facts, delivery({ seq: nr ?? at + 1, to: "synt", ...given, event }), []);
  });
  return facts.told.synt;
}
const labels = (story: ReturnType<typeof storyOf>) => story.moments.map(({ label }) => label);

const reward = (total: unknown, passes: boolean) => ({ reward: { total, passes } });
const stated = {
  ...{ request: "req-1", intent: "sort", strategy: "compose", rationale: "so" },
  ...{ weighed: [], scored: null, artefact: null },
};
const begun = (request: string, cause: number) =>
  [
    "actor.start",
    { machine: "synthesisRequest", input: { request, budgetCents: 500 } },
    { to: "kernel", cause },
  ] as const;

it("[VB22] nothing is told of synt before its pool is there, and nothing of what nobody handled", () => {
  const facts = book.start({});
  book.step(facts, delivery({ seq: 1, to: "pool", event: strangeEvent("night.came") }), []);

  expect(facts.told.synt).toMatchObject({ isThere: false, nights: [] });
  expect(
    storyOf(
      ["night.came", {}, { to: "pool", fate: "ignored" }],
      ["night.came", {}, { to: "pool", fate: "stale" }],
      ["night.came", {}, { to: "pool", fate: "served" }],
      ["night.came", {}, { to: "pool" }],
      ["night.came", {}, { to: "synt" }],
    ),
  ).toMatchObject({ isThere: true, nights: [4_000, 5_000] });
});

it("[VB22] a request has its asker and cap, each state once while it lasts, its last R and what it made", () => {
  const story = storyOf(
    ["synth.requested", {}, { from: "gateway/first#2" }],
    begun("req-1", 2),
    ["synth.stated", { ...stated, state: "composing" }],
    ["synth.stated", { ...stated, state: "composing", rationale: "still" }],
    [
      "synth.stated",
      {
        ...{ ...stated, state: "generating", strategy: "generate" },
        weighed: [
          { strategy: "compose", scored: reward(NONE, false) },
          { strategy: "generate", scored: reward(ALL, true) },
        ],
      },
    ],
    [
      "synth.stated",
      { ...stated, state: "born", strategy: null, artefact: { name: "sort_files" } },
    ],
  );

  expect(story.requests).toEqual([
    {
      ...{ request: "req-1", asker: "turn first#2", intent: "sort", strategy: "generate" },
      states: [
        { state: "composing", atMs: 4_000 },
        { state: "generating", atMs: 6_000 },
        { state: "born", atMs: 7_000 },
      ],
      ...{ rationale: "so", cap: 500, isRefused: false, reward: 1, terms: null, spent: 0 },
      ...{ made: "sort_files", endMs: 7_000 },
      weighed: [
        { strategy: "compose", reward: 0, passes: false },
        { strategy: "generate", reward: 1, passes: true },
      ],
    },
  ]);
  expect(labels(story)).toEqual(["req-1 is born: sort_files"]);
});

it("[VB22] R is that of the proposal at hand, else of the last one that was weighed", () => {
  const weighed = [{ strategy: "compose", scored: reward([1, 2], true) }];
  const rewards = (...scored: readonly object[]) =>
    storyOf(
      ...scored.map((one) => ["synth.stated", { ...stated, state: "composing", ...one }] as const),
    ).requests[0]?.reward;

  expect(rewards({})).toBe(null);
  expect(rewards({ weighed, scored: reward([1, 4], false) })).toBe(0.25);
  expect(rewards({ weighed }, { scored: null })).toBe(0.5);
});

it("[VB22] so are the terms of R", () => {
  const scored = (one: typeof ALL) => {
    const parts = Object.fromEntries(TERMS.map((term) => [term, one]));
    return { reward: { total: one, passes: true, parts } };
  };
  const weighed = [NONE, ALL].map((one) => ({ strategy: "compose", scored: scored(one) }));
  const judgeIn = (...said: readonly object[]) =>
    storyOf(
      ...said.map((one) => ["synth.stated", { ...stated, state: "composing", ...one }] as const),
    ).requests[0]?.terms?.judge_score;

  expect(judgeIn({ weighed })).toBe(1);
  expect(judgeIn({ weighed, scored: scored(NONE) })).toBe(0);
  expect(judgeIn({ weighed }, {})).toBe(1);
});

it.each([
  ["born", { name: "a" }, "a"],
  ["fused", { name: "a" }, "a"],
  ["generalised", { name: "a" }, "a"],
  ["specialised", { name: "a" }, "a"],
  ["born", ["a", "b"], null],
  ["born", null, null],
  ["delivered", { name: "a" }, null],
  ["abandoned", { name: "a" }, null],
])("[VB22] a request that is %s with %j has made %s", (state, artefact, made) => {
  const story = storyOf(["synth.stated", { ...stated, state, artefact }]);

  expect(story.requests[0]).toMatchObject({ made, endMs: 2_000, asker: "the night", cap: null });
  expect(labels(story)).toEqual([`req-1 is ${state}${made === null ? "" : ": a"}`]);
});

it("[VB22] a refusal is told once for each asker and reason, another end each time", () => {
  const refused = { ...stated, state: "abandoned", locked: true, rationale: "locked" };
  const other = storyOf(
    ["synth.stated", { ...refused, request: "req-1" }],
    ["synth.stated", { ...refused, request: "req-2" }],
    ["synth.requested", {}, { from: "gateway/first" }],
    ["synth.stated", { ...refused, request: "req-3" }, { cause: 4 }],
    ["synth.stated", { ...refused, request: "req-4", rationale: "locked again" }],
    ["synth.stated", { ...refused, request: "req-5", locked: undefined }],
    ["synth.stated", { ...refused, request: "req-6", locked: undefined }],
  );

  expect(other.requests.map(({ asker }) => asker)).toEqual([
    ...["the night", "the night", "turn first", "the night", "the night", "the night"],
  ]);
  expect(labels(other)).toEqual([
    ...["req-1", "req-3", "req-4"].map((one) => `${one} is refused at once, and abandoned`),
    ...["req-5 is abandoned", "req-6 is abandoned"],
  ]);
});

it("[VB22] what a call cost is its request's, also where nobody waits for its answer", () => {
  const ended = (call: string, cost: number) =>
    ["paid.ended", { call, cost }, { fate: "stale" }] as const;
  const story = storyOf(
    ["synth.stated", { ...stated, state: "composing" }],
    ended("synt/req-1/draft-1/call-1", 1_250_000),
    ended("synt/req-1/call-2", 250_000),
    ended("synt/req-2/call-1", 9_000_000),
  );

  expect(story.requests.map(({ spent }) => spent)).toEqual([1.5]);
});

it("[VB22] each proposal of a dossier is a question, with the word on it, else with that on all", () => {
  const proposals = ["req-1", "req-2", "req-3"].map((request) => ({ request }));
  const words = (word: object) =>
    storyOf(
      ["person.asked", { purpose: "chain", request: "req-0" }],
      ["person.asked", { purpose: "proposals", dossier: { proposals } }],
      ["person.decided", word, { re: 3 }],
    );
  const [first, ...rest] = words({
    decisions: [
      { request: "req-3", decision: "discard" },
      { request: "req-1", decision: "approve" },
    ],
  }).questions;

  expect(first).toEqual({
    ...{ asking: 2, atMs: 2_000, purpose: "chain", request: "req-0" },
    ...{ decidedMs: null, decision: null },
  });
  expect(rest.map(({ request, decision, decidedMs }) => [request, decision, decidedMs])).toEqual([
    ["req-1", "approve", 4_000],
    ["req-2", null, null],
    ["req-3", "discard", 4_000],
  ]);
  expect(labels(words({ decision: "amend" }))).toEqual([
    "the person decides on req-1 (proposals): amend",
    "the person decides on req-2 (proposals): amend",
    "the person decides on req-3 (proposals): amend",
  ]);
  expect(labels(words({}))).toEqual([]);
});

it("[VB22] a turn has what was said and told, how it ended, and what was replayed unasked", () => {
  const story = storyOf(
    ["actor.start", { machine: "userTurn", input: { turn: "a", says: "Sort." } }],
    ["actor.start", { machine: "userTurn", input: { turn: "b", says: "Read." } }],
    ["user.told", { turn: "a", text: "Wait." }],
    ["user.told", { turn: "a", text: "Done." }],
    ["user.told", { turn: "c", text: "Who?" }],
    ["chain.replayed", { turn: "a", cleanRuns: 5 }],
    ["turn.closed", { turn: "a", ok: true, replayed: true }],
  );

  expect(story.turns).toEqual([
    {
      ...{ turn: "a", says: "Sort.", atMs: 2_000, endMs: 8_000, ok: true, isReplayed: true },
      ...{ unasked: 5, told: "Done." },
    },
    {
      ...{ turn: "b", says: "Read.", atMs: 3_000, endMs: null, ok: false, isReplayed: false },
      ...{ unasked: null, told: "" },
    },
  ]);
  expect(labels(story)).toEqual(['turn a: "Sort."', 'turn b: "Read."']);
});

it("[VB22] an executor has who made it, since when it is what it is, and how many runs went well", () => {
  const changed = (name: string, state: string, isVisible = true, isLoaded = true) =>
    ["executor.changed", { name, state, isVisible, isLoaded }] as const;
  const ran = (executor: string, ok: boolean) => ["executor.ran", { executor, ok }] as const;
  const offer = (request: string, name: string) =>
    ["executor.offered", { offer: { request, facts: { name } } }] as const;
  const story = storyOf(
    ...[offer("req-1", "sort"), offer("req-2", "sort"), offer("req-3", "read")],
    ...[changed("read", "active"), changed("sort", "synthesized", false), changed("odd", "active")],
    ...[ran("sort", true), ran("sort", false), ran("gone", true)],
    ...[changed("sort", "active"), changed("read", "archived", false, false)],
    ...[changed("sort", "quarantined"), changed("odd", "deprecated")],
  );

  expect(story.executors).toEqual([
    { name: "read", origin: "by hand", state: "archived", sinceMs: 12_000, runs: 0, wellRuns: 0 },
    { name: "sort", origin: "req-1", state: "quarantined", sinceMs: 13_000, runs: 2, wellRuns: 1 },
    { name: "odd", origin: "unknown", state: "deprecated", sinceMs: 14_000, runs: 0, wellRuns: 0 },
  ]);
  expect(story.pool.map(({ visible, loaded }) => [visible, loaded])).toEqual([
    ...[
      [1, 1],
      [1, 2],
      [2, 3],
      [3, 3],
      [2, 2],
      [2, 2],
      [2, 2],
    ],
  ]);
  expect(story.moments.map(({ label, isFarewell }) => [label, isFarewell])).toEqual([
    ["read is archived", true],
    ["sort is quarantined", true],
    ["odd is deprecated", true],
  ]);
});

it("[VB22] of several changes at one instant the pool has the last", () => {
  const at = (dueMs: number, name: string) =>
    ["executor.changed", { name, state: "active", isVisible: true }, { dueMs }] as const;

  expect(storyOf(at(5, "a"), at(5, "b"), at(6, "c")).pool).toEqual([
    { atMs: 5, visible: 2, loaded: 0 },
    { atMs: 6, visible: 3, loaded: 0 },
  ]);
});

it("[VB22] money is a step of each UTC day where it changed, and of an instant the last", () => {
  const DAY = 86_400_000;
  const desk = (machine: string, dueMs: number, changes: readonly unknown[], to = "kernel") =>
    ["actor.start", { machine }, { to, dueMs, changes } as Given] as const;
  const told = (dueMs: number, days: object, to = "synt") =>
    desk("x", dueMs, [{ path: ["accounts"], to: { days } }], to);
  const born = desk("syntDesk", 0, [
    { path: ["startsAtMs"], to: DAY / 2 },
    { path: ["accounts"], to: { days: {} } },
  ]);

  expect(
    storyOf(
      told(0, { 0: 7_000_000 }),
      born,
      told(1, { 0: 1_500_000 }),
      told(2, { 0: 1_500_000 }),
      told(3, { 0: 9_000_000 }, "pool"),
      told(4, { 0: 2_000_000 }, "synt#2"),
      told(4, { 0: 3_000_000 }),
      told(5, { 0: 4_000_000 }, "synt/req-1"),
      told(DAY / 2 - 1, { 0: 3_000_000 }),
      told(DAY / 2, { 0: 3_000_000 }),
      told(DAY / 2 + 1, { 0: 3_000_000, 1: 1_000_000 }),
    ).money,
  ).toEqual([
    { atMs: 0, day: 0, cents: 0 },
    { atMs: 1, day: 0, cents: 1.5 },
    { atMs: 4, day: 0, cents: 3 },
    { atMs: DAY / 2, day: 1, cents: 0 },
    { atMs: DAY / 2 + 1, day: 1, cents: 1 },
  ]);
});
