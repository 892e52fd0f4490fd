// What is kept and measured of installs, from logs written by hand.
import { expect, it } from "vitest";
import { book } from "../../../src/actors/installs/story.ts";
import type { Moment } from "../../../src/contract/book.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { Meter } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

type Said = readonly [type: string, fields: object, given?: Partial<Delivery>];

function told(...log: readonly Said[]) {
  const facts = book.start({});
  const moments: Moment[] = [];
  const meter = new Meter([], { installs: {} as never });
  const tells = log.map(([type, fields, given], at) => {
    const event = strangeEvent(type, fields);
    const one = delivery({ seq: at + 1, to: "gateway", from: "gateway", ...given, event });
    book.step(facts, one, moments);
    meter.observe(one);
    return book.tellsOf?.(one);
  });
  const measured = Object.entries(meter.finals()).flatMap(([name, { world = 0 }]) =>
    world === 0 || name.startsWith("goals.") ? [] : [[name, world] as const],
  );
  const labels = moments.map(({ kind, label }) => `${kind}: ${label}`);
  return { ...facts.told.installs, moments, labels, tells, measured: Object.fromEntries(measured) };
}

const of = { revision: "rev-1", agent: "ink", by: "builder", reason: null };
const created: Said = ["revision.created", { ...of, artifact: "art-1" }];
const stepped = (step: string, more: object = {}, given: Partial<Delivery> = {}): Said => [
  `revision.${step}`,
  { ...of, ...more },
  given,
];

it("[INS119] a revision has each state once, when and by whom it came about, and counts in each", () => {
  const { revisions, labels, measured } = told(
    stepped("activated"),
    ...[created, created, stepped("gated"), stepped("approved"), stepped("activated")],
    stepped("activated"),
    stepped("rolledBack", { reason: "it spies", by: "person" }, { from: "approval/apr-1" }),
    stepped("activated", {}, { from: "agent/cedar" }),
  );

  expect(revisions).toEqual([
    {
      ...{ id: "rev-1", agent: "ink", artifact: "art-1" },
      phases: [
        { phase: "draft", atMs: 2_000, by: "builder", reason: null },
        { phase: "gated", atMs: 4_000, by: "builder", reason: null },
        { phase: "approved", atMs: 5_000, by: "builder", reason: null },
        { phase: "active", atMs: 6_000, by: "builder", reason: null },
        { phase: "rolled_back", atMs: 8_000, by: "person", reason: "it spies" },
      ],
    },
  ]);
  expect(labels).toEqual([
    ...["draft", "gated", "approved", "active", "rolled back"].map(
      (state) => `revision: ink rev-1 is ${state}`,
    ),
  ]);
  expect(measured).toEqual({
    ...{ "installs.created": 1, "installs.activated": 1, "installs.rolledBack": 1 },
  });
});

it("[INS119] what takes the place of another leaves as many active", () => {
  const next = { revision: "rev-2" };
  const { measured } = told(
    ...[created, stepped("activated"), ["revision.created", { ...of, ...next }] as const],
    ...[stepped("superseded"), stepped("activated", next), stepped("rejected")],
  );

  expect(measured).toEqual({
    ...{ "installs.created": 2, "installs.activated": 2, "installs.active": 1 },
    ...{ "installs.superseded": 1, "installs.rejected": 1 },
  });
});

it("[INS119] an approval is open until it is decided or expires, and each of it counts once", () => {
  const apr = { approval: "apr-1", agent: "ink", factors: ["network"], by: "planner" };
  const asked: Said = ["approval.requested", apr];
  const decided = (isApproved: boolean): Said => [
    "approval.decided",
    { approval: "apr-1", isApproved, by: "person", reason: "fine" },
  ];
  const other = { ...apr, approval: "apr-2" };
  const { approvals, labels, measured } = told(
    ...[decided(true), asked, asked, decided(true), decided(true)],
    ...[["approval.used", { approval: "apr-1" }] as const, ["approval.requested", other] as const],
  );

  expect(approvals).toEqual([
    {
      ...{ id: "apr-1", agent: "ink", factors: ["network"] },
      phases: [
        { phase: "open", atMs: 2_000, by: "planner", reason: null },
        { phase: "approved", atMs: 4_000, by: "person", reason: "fine" },
        { phase: "used", atMs: 6_000, by: "", reason: null },
      ],
    },
    {
      ...{ id: "apr-2", agent: "ink", factors: ["network"] },
      phases: [{ phase: "open", atMs: 7_000, by: "planner", reason: null }],
    },
  ]);
  expect(labels).toEqual([
    ...["apr-1 of ink is open", "apr-1 of ink is approved", "apr-1 of ink is used"].map(
      (label) => `approval: ${label}`,
    ),
    "approval: apr-2 of ink is open",
  ]);
  expect(measured).toEqual({
    ...{ "approvals.asked": 2, "approvals.open": 1, "approvals.approved": 1, "approvals.used": 1 },
  });
  const ends = (end: Said) => told(asked, end).measured;
  expect(ends(decided(false))).toEqual({ "approvals.asked": 1, "approvals.rejected": 1 });
  expect(ends(["approval.expired", { approval: "apr-1" }])).toEqual({
    ...{ "approvals.asked": 1, "approvals.expired": 1 },
  });
});

it("[INS124] what was refused, judged, held, found and beyond its reach is kept, as far as it was heard", () => {
  const log: readonly Said[] = [
    ["install.refused", { tool: "agent.revise", by: "planner", reasons: ["no host"] }],
    [
      "promotion.recorded",
      {
        ...{ artifact: "art-1", role: "auditor", pass: false, by: "eve" },
        findings: [{ severity: "high", description: "it spies" }],
      },
    ],
    [
      "promotion.recorded",
      { artifact: "art-1", role: "auditor", pass: true, by: "eve", findings: [] },
    ],
    ["install.held", { wanted: "install", does: "audit", why: "no record" }, { from: "planner" }],
    ["install.closed", { agent: "ink", isInstalled: true }],
    ["install.closed", { agent: "ink", isInstalled: false }],
    ["gateway.foreign", { paths: ["/a", "/b"] }],
    ["reach.refused", { agent: "ink", call: "fs_write", missing: "WriteAccess", why: "no" }],
    ["reach.breached", { agent: "ink", call: "tool", missing: "WriteAccess", why: "no" }],
    ["tools.withdrawn", { agent: "ink", paths: ["/a", "/b"] }],
  ];
  const { refusals, judgements, held, beyond, found, labels } = told(...log);
  const unheard = told(...log.map(([type, fields]): Said => [type, fields, { fate: "ignored" }]));

  expect(refusals).toEqual([
    { atMs: 1_000, tool: "agent.revise", by: "planner", agent: null, reasons: ["no host"] },
  ]);
  expect(judgements).toEqual([
    {
      ...{ atMs: 2_000, artifact: "art-1", role: "auditor", pass: false, by: "eve" },
      findings: ["high: it spies"],
    },
    { atMs: 3_000, artifact: "art-1", role: "auditor", pass: true, by: "eve", findings: [] },
  ]);
  expect(held).toEqual([
    { atMs: 4_000, by: "planner", wanted: "install", does: "audit", why: "no record" },
  ]);
  const why = "the gateway never wrote it, so it counts for nothing";
  expect(found).toEqual(
    ["/a", "/b"].map((what) => ({ atMs: 7_000, what, did: "left as it is", why })),
  );
  const ink = { agent: "ink", missing: "WriteAccess", why: "no" };
  expect(beyond).toEqual([
    { atMs: 8_000, ...ink, call: "fs_write", isBreach: false },
    { atMs: 9_000, ...ink, call: "tool", isBreach: true },
  ]);
  expect(labels).toEqual([
    "refusal: planner is refused agent.revise",
    "judgement: eve fails art-1",
    "judgement: eve passes art-1",
    "end: ink is not installed",
    "gateway: the gateway finds /a",
    "gateway: the gateway finds /b",
    "reach: ink wrote beyond its reach",
    "tools: tools of ink are withdrawn",
  ]);
  expect([unheard.labels, unheard.refusals, unheard.held, unheard.measured]).toEqual([
    ...[[], [], []],
    // What planner and builder say to themselves is news to nobody.
    { "installs.held": 1 },
  ]);
});

it.each<[Said, string | null]>([
  [["install.wanted", { intent: { agent_id: "ink" } }], "ink is wanted"],
  [["install.wanted", { intent: {} }], "an agent without a name is wanted"],
  [["attempt.made", { tool: "agent.revise" }, { to: "rogue.one" }], "rogue.one calls agent.revise"],
  [["approval.ruled", { by: "ops", isApproved: true, of: "ink" }], "ops approves of ink"],
  [["approval.ruled", { by: "ops", isApproved: false, of: "ink" }], "ops rejects ink"],
  [["rollback.wanted", { agent: "ink" }], "ink is to be rolled back"],
  [["turn.interrupted", {}], "the builder's turn breaks off"],
  [["gateway.restarted", {}], "the gateway is restarted"],
  [["gateway.opened", {}], null],
])("[INS124] of what comes from outside %j is told as: %s", ([type, fields, given], label) => {
  const from = "outside/wish";
  const outside = told([type, fields, { ...given, from, cause: null, fate: "ignored" }]);
  const inside = told([type, fields, { ...given, from, cause: 7 }]);

  expect(outside.labels).toEqual(label === null ? [] : [`outside: ${label} (wish)`]);
  expect(outside.tells).toEqual([label !== null]);
  expect([inside.labels, inside.tells]).toEqual([[], [false]]);
});

it("[INS124] that those who install begin is told by nobody, that others do by others", () => {
  const start = (from: string, cause: number | null): Said => [
    "actor.start",
    { machine: "warden" },
    { from, cause },
  ];

  expect(
    told(
      start("outside/installs", null),
      start("outside/stage", null),
      start("outside/installs", 3),
    ).tells,
  ).toEqual([true, false, false]);
});
