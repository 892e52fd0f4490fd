// The sentences that are told of what happens in synt.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/synt/words.ts";
import { expectTold, type Told, unheld } from "../../sentences.ts";

const at = (to: string, from = "engine") => ({ to, from });
const model = (answer: unknown, says: string | null, to = "synt/req-0007/draft-1/call-2"): Told => [
  "llm.replied",
  { text: typeof answer === "string" ? answer : JSON.stringify(answer) },
  says,
  { to },
];
const need = { name: "sort_files", intent: "Sort my files" };
const long = "x".repeat(200);

const pool = { executors: [{}, {}], traces: [], missing: [], memos: [] };
const chain = ["read_files", "sort_files"];
const turns: readonly Told[] = [
  ["actor.start", { machine: "pool", input: pool }, "The world began with a pool of 2 executors."],
  [
    "actor.start",
    { machine: "pool", input: { executors: [{}], traces: [{}], missing: [{}, {}], memos: [{}] } },
    "The world began with a pool of 1 executor, 1 trace, 2 proto-mnests, 1 memoised sequence.",
  ],
  [
    "actor.start",
    { machine: "userTurn", input: { says: "Sort it.", turn: "first" } },
    'The user said: "Sort it." (turn first).',
  ],
  ["actor.start", { machine: "syntDesk", input: {} }, null],
  ["user.told", { text: "It is done." }, 'The user was told: "It is done."'],
  ["turn.closed", { turn: "first", ok: true }, "Turn first was done."],
  ["turn.closed", { turn: "first", ok: false }, "Turn first ended without a result."],
  ["plan.made", { steps: [] }, "There was no plan for turn first.", at("gateway/first")],
  ["plan.made", { steps: chain }, null, at("gateway/first")],
  ["catalogue.answered", { replay: null }, null, at("planner/first")],
  [
    "catalogue.answered",
    { replay: chain },
    "What turn first wants was done before: the fast path replays read_files → sort_files.",
    at("planner/first"),
  ],
  [
    "chain.replayed",
    { chain, cleanRuns: 5, turn: "first" },
    "read_files → sort_files was replayed in turn first, and the person was not asked: 5 clean runs grant it.",
  ],
  [
    "chain.ran",
    { chain, query: long, ok: true },
    `read_files → sort_files was run for "${"x".repeat(80)}".`,
  ],
  [
    "chain.ran",
    { chain, query: "sort", ok: false },
    'read_files → sort_files was run for "sort" and did not come to its end.',
  ],
  ["executor.found", { name: "sort_files", isLoaded: true }, null],
  ["executor.found", { name: "sort_files", isLoaded: false }, "sort_files cannot be called."],
  ["executor.ended", { ok: true }, null, at("gateway/first")],
  [
    "executor.ended",
    { ok: false, error: "disk full!" },
    "An executor failed in turn first: disk full!",
    at("gateway/first"),
  ],
  [
    "executor.ended",
    { ok: false },
    "An executor failed in turn first: no reason given.",
    at("gateway/first"),
  ],
  ["executor.ran", { executor: "sort", ok: true, behind: null }, "sort did its work."],
  ["executor.ran", { executor: "sort", ok: false, behind: "read" }, "sort failed behind read."],
  ["proto.raised", { missing: need }, "sort_files was missed: a proto-mnest."],
];

const request = { request: "req-0007", state: "abandoned" };
const draft = { draft: { name: "sort_files" }, passed: 3, run: 4 };
const asked = { need, strategy: null, mode: "reactive" };
const requests: readonly Told[] = [
  ["synth.stated", { ...request, rationale: "no way" }, "req-0007 is abandoned: no way."],
  ["synth.stated", { ...request, rationale: 'it "sorts."' }, 'req-0007 is abandoned: it "sorts."'],
  [
    "synth.requested",
    { ...asked, need: { ...need, intent: long } },
    `Turn first asked synt for sort_files: "${"x".repeat(120)}"`,
    at("synt", "gateway/first"),
  ],
  [
    "synth.requested",
    { ...asked, mode: "introspective", strategy: "merge" },
    "The night asked to merge: Sort my files.",
  ],
  [
    "synth.requested",
    { ...asked, mode: "introspective" },
    "The night asked to generate: Sort my files.",
  ],
  [
    "pool.answered",
    { executors: [{}], edges: [{}, {}] },
    "req-0007 saw 1 executor and 2 traces in use.",
    at("synt/req-0007"),
  ],
  ["llm.failed", { error: "timed out" }, null, at("nobody")],
  ["llm.failed", { error: "timed out" }, "The model gave no answer: timed out.", at("synt/r")],
  model("hello", null, "nobody"),
  model("def invoke(args):", "req-0007's model wrote code."),
  model("hello", "req-0007's model gave an answer that is neither JSON nor code."),
  model({ steps: [] }, "The planner of turn first saw no way.", "planner/first"),
  model({ steps: ["a", "b"] }, "The planner of turn first planned a → b.", "planner/first#2"),
  model({ missing: "sort_files" }, "req-0007's model missed sort_files."),
  model(
    { score: 0.456, reasoning: long },
    `req-0007's model judged it at 0.46: ${"x".repeat(160)}.`,
  ),
  model(
    { score: 0, reasoning: "Far.", violates: "it spies" },
    "req-0007's model judged it at 0.00, and saw a breach: it spies: Far.",
  ),
  model({ name: null, reason: long }, `req-0007's model found no name: ${"x".repeat(160)}.`),
  model({ name: null }, "req-0007's model found no name: no reason given."),
  model({ name: "sort_files" }, "req-0007's model named it sort_files."),
  model({ name: "sort_files", code: "def" }, "req-0007's model wrote sort_files."),
  model({ tests: [1] }, "req-0007's model wrote 1 birth test."),
  model({ description: null }, "req-0007's model described it."),
  model({ args_schema: {} }, "req-0007's model wrote its signature."),
  model({}, "req-0007's model gave no answer that could be used."),
  model("null", "req-0007's model gave no answer that could be used."),
  model("7", "req-0007's model gave no answer that could be used."),
  [
    "llm.replied",
    { text: "{}" },
    "req-0007's model gave no answer that could be used [synt:nothing].",
    { to: "synt/req-0007", choice: "synt:nothing" },
  ],
  [
    "draft.ended",
    draft,
    "The draft of req-0007, sort_files, passed 3 of 4 birth tests.",
    at("synt/req-0007/draft-1"),
  ],
  [
    "draft.ended",
    { draft: null, why: "no code" },
    "The draft of req-0007 failed: no code.",
    at("synt/req-0007"),
  ],
  [
    "draft.ended",
    { draft: null, why: null },
    "The draft of req-0007 failed: no reason given.",
    at("synt/req-0007"),
  ],
  ["python.parsed", { ok: true }, null, at("synt/req-0007")],
  ["python.parsed", { ok: false, error: "bad" }, null, at("engine")],
  [
    "python.parsed",
    { ok: false, error: "line 3" },
    "The code is no Python: line 3.",
    at("synt/req-0007"),
  ],
  ["python.parsed", { ok: false }, "The code is no Python: invalid syntax.", at("synt/req-0007")],
];

const decided = (event: object, says: string | null, from = "port/person.decide"): Told => [
  "person.decided",
  event,
  says,
  { ...at("synt/req-0007", from) },
];
const about = (purpose: string) => ({ purpose, request: "req-0007" });
const file = (path: string, text: string | null, says: string | null): Told => [
  "folder.changed",
  { path, text },
  says,
  at("pool"),
];
const rest: readonly Told[] = [
  ["paid.ended", { why: null, error: null }, null],
  ["paid.ended", { why: "denied", error: "BudgetExceeded" }, null],
  ["paid.ended", { why: "timed out", error: null }, "The call brought no answer: timed out."],
  [
    "money.answered",
    { outcome: "ask" },
    "A call could go beyond the soft cap: the person must say whether to go on.",
  ],
  [
    "money.answered",
    { outcome: "denied", why: "the day is over" },
    "A call was denied its money: the day is over.",
  ],
  ["money.answered", { outcome: "reserved", amount: null }, null],
  ["money.answered", { outcome: "reserved", amount: 0 }, null],
  ["money.answered", { outcome: "reserved", amount: 1 }, "0.00 ct were set aside for a call."],
  [
    "money.answered",
    { outcome: "reserved", amount: 2_345_000 },
    "2.35 ct were set aside for a call.",
  ],
  [
    "money.settled",
    { actual: null },
    "What that call cost was not counted; what was set aside counts in full.",
  ],
  ["money.settled", { actual: 0 }, null],
  ["money.settled", { actual: 10_000 }, "That call cost 0.01 ct."],
  [
    "money.decided",
    { request: "req-0007", goesOn: true },
    "req-0007 may go on beyond its soft cap.",
  ],
  ["money.decided", { request: "req-0007", goesOn: false }, "req-0007 may spend nothing more."],
  [
    "money.exceeded",
    { request: "req-0007", call: "call-2", cost: 3_000_000, setAside: 1_000_000 },
    "call-2 cost 3.00 ct, and 1.00 ct were set aside: req-0007 begins no call any more.",
  ],
  [
    "money.dayPassed",
    { day: "2026-06-05", spent: 3_000_000, cap: 2_000_000 },
    "3.00 ct of 2026-06-05 are spent and set aside, above its cap of 2.00 ct: no call begins that day any more.",
  ],
  [
    "money.ran",
    { turn: "first", executor: "sort_files", cents: 3 },
    "Turn first ran sort_files for 3.00 ct.",
  ],
  ["gate.asked", { request: "req-0007" }, "req-0007 lies ready for the gate of the night."],
  [
    "person.asked",
    about("chain"),
    "The person was asked about req-0007: whether its chain may run.",
  ],
  [
    "person.asked",
    about("executor"),
    "The person was asked about req-0007: whether its executor may enter the pool.",
  ],
  [
    "person.asked",
    about("proposal"),
    "The person was asked about req-0007: whether its proposal may change the pool.",
  ],
  [
    "person.asked",
    about("soft-cap"),
    "The person was asked about req-0007: whether it may go on beyond its soft cap.",
  ],
  [
    "person.asked",
    { purpose: "proposals", dossier: { proposals: [{}, {}] } },
    "The person was asked about 2 proposals of the night.",
  ],
  decided({ decision: "approve" }, null, "synt"),
  decided({ decision: "approve" }, "The person approved."),
  decided({ decision: "discard" }, "The person turned it down."),
  decided({ decision: "toString" }, "The person said toString."),
  decided({ decision: "amend", feedback: long }, `The person wanted a change: ${"x".repeat(160)}.`),
  decided({ decisions: [] }, "The person decided nothing."),
  decided(
    {
      decisions: [
        { request: "r-1", decision: "approve" },
        { request: "r-2", decision: "wait" },
      ],
    },
    "The person approved (r-1), said wait (r-2).",
  ),
  [
    "person.decided",
    { decision: "approve" },
    "The person approved [person:yes].",
    { choice: "person:yes" },
  ],
  [
    "person.decided",
    { decisions: [{ request: "r-1", decision: "discard" }] },
    "The person turned it down (r-1) [person:no].",
    { choice: "person:no" },
  ],
  [
    "executor.offered",
    { offer: { request: "req-0007", facts: need } },
    "req-0007 offered sort_files to the pool, signed.",
  ],
  ["sign.verified", { ok: true }, null],
  ["sign.verified", { ok: false }, "The signature is not right."],
  ["pool.admitted", { ok: true, why: null }, null],
  ["pool.admitted", { ok: false, why: "it has it" }, "The pool turned it away: it has it."],
  [
    "executor.changed",
    { name: "sort_files", state: "active", into: null },
    "sort_files is active.",
  ],
  [
    "executor.changed",
    { name: "sort_files", state: "archived", into: "sort" },
    "sort_files is archived, in favour of sort.",
  ],
  ["residue.counted", { mnests: 1 }, "1 active mnest still cite sort.", at("executor/sort")],
  ["signature.broken", {}, "What lies under sort is not what was signed.", at("executor/sort")],
  ["night.came", { night: 3 }, "Night 3 came.", at("pool")],
  ["night.came", { night: 3 }, null, at("synt")],
  [
    "pattern.filtered",
    { pattern: "sort_files", reason: "it has a name" },
    "The nightly sweep left sort_files alone: it has a name.",
  ],
  [
    "hints.faulty",
    { path: "/p.toml", fault: "no text" },
    "The prompt repertoire in /p.toml is passed over: no text.",
  ],
  [
    "name.collided",
    { chain: ["a", "b"], name: "ab" },
    "a → b would be called ab, which the pool has already.",
  ],
  [
    "night.locked",
    { by: "req-0002", until: "2026-06-06", hits: "req-0001", how: "asked for" },
    "req-0002 of the night failed, and locks until 2026-06-06 what req-0001 was asked for.",
  ],
  file(
    "/agentOS/workspace/executors/sort/sort.py",
    "x",
    "sort/sort.py changed in the executors' folder.",
  ),
  file(
    "/agentOS/workspace/executors/sort/sort.py",
    null,
    "sort/sort.py left the executors' folder.",
  ),
  file("/agentOS/workspace/executors2/sort.py", null, null),
];

it.each([
  ["turns of a user, and the pool that they begin with", turns],
  ["requests, models and drafts", requests],
  ["money, the person, the pool and the nights", rest],
])("[VB12] %s are told in these words", (_, rows) => {
  expectTold(rows);
});

it("[VB12] of synt nothing else is told", () => {
  expect(unheld(words, [...turns, ...requests, ...rest])).toEqual([]);
});
