// What is measured of synt, event by event, from logs written by hand.
import { expect, it } from "vitest";
import type { ProposalLabel } from "../../../src/actors/synt/stage.ts";
import { ALL, NONE } from "../../../src/machines/synt/score/exactShare.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { Meter } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

type Said = readonly [type: string, fields: object, given?: Partial<Delivery>];

/** All of synt that is not 0 at the end. */
function measured(log: readonly Said[], labels: readonly ProposalLabel[] = []) {
  const meter = new Meter([], { synt: { labels } as never });
  log.forEach(([type, fields, given], at) => {
    meter.observe(
      delivery({ seq: at + 1, to: "synt", ...given, event: strangeEvent(type, fields) }),
    );
  });
  return Object.fromEntries(
    Object.entries(meter.finals()).flatMap(([name, { world = 0 }]) =>
      name.startsWith("synt.") && world !== 0 ? [[name.slice("synt.".length), world]] : [],
    ),
  );
}
const proposal = (passes: boolean, artefact: unknown = ["read", "sort"]) => ({
  strategy: "compose",
  artefact,
  scored: { reward: { total: passes ? ALL : NONE, passes } },
});
const stated = (request: string, state: string, more: object = {}): Said => [
  "synth.stated",
  { request, state, weighed: [], ...more },
];
const file = (path: string, given: Partial<Delivery>): Said => [
  "files.write",
  { path: `/agentOS/workspace/.audit/synt/${path}` },
  { to: "files", ...given },
];

it.each<[Said, object]>([
  [["paid.ended", { cost: 1_500_000 }], { cents: 1.5 }],
  [["money.exceeded", { cost: 3_000_000, setAside: 1_000_000 }], { exceeded: 2 }],
  [["night.locked", {}], { nightLocks: 1 }],
  [["money.ran", { cents: 3 }], { runningCents: 3 }],
  [["money.answered", { outcome: "reserved", isExternal: true }], { externalCalls: 1 }],
  [["money.answered", { outcome: "reserved", isExternal: false }], {}],
  [["money.answered", { outcome: "denied", isExternal: true }], {}],
  [["person.asked", {}], { asked: 1 }],
  [["turn.closed", { ms: 7, ok: true, replayed: false }], { turnMs: 7, answered: 1 }],
  [["turn.closed", { ms: 7, ok: false, replayed: true }], { turnMs: 7, declined: 1, replayed: 1 }],
  [["chain.replayed", {}], { unasked: 1 }],
  [["pattern.filtered", {}], { refusedPatterns: 1 }],
  [["name.collided", {}], { collisions: 1 }],
  [["files.append", { path: "/agentOS/workspace/.audit/synt/2026.jsonl" }], { auditLines: 1 }],
  [["files.append", { path: "/agentOS/workspace/notes.md" }], {}],
  [file("boot-error.txt", { from: "synt" }), { bootFaults: 1 }],
  [file("boot-error.txt", { from: "pool" }), {}],
  [file("boot-error.txt", { from: "synt", to: "synt" }), {}],
  [file("other.txt", { from: "synt" }), {}],
  [stated("r", "abandoned", { locked: true }), { abandoned: 1, locked: 1 }],
])("[VB16] %j counts as %j", (one, counts) => {
  expect(measured([one])).toEqual(counts);
});

it("[SN101] costs are summed exactly, and never rounded to whole cents", () => {
  const cost = (millionths: number): Said[] => [
    ["paid.ended", { cost: millionths }],
    ["money.exceeded", { cost: millionths, setAside: 0 }],
  ];

  expect(measured([...cost(100_000), ...cost(200_000)])).toEqual({ cents: 0.3, exceeded: 0.3 });
});

it("[VB16] a request counts once in each state, and a birth takes from its first word to its last", () => {
  const log = [
    ...[stated("r-1", "composing"), stated("r-1", "composing"), stated("r-2", "composing")],
    ...[stated("r-2", "born"), stated("r-1", "generating"), stated("r-1", "born")],
  ];

  expect(measured(log.slice(0, 4))).toEqual({ composing: 2, born: 1, buildMs: 1_000 });
  expect(measured(log)).toEqual({ composing: 2, generating: 1, born: 2, buildMs: 5_000 });
});

it("[VB16] executors count as they are now, each once", () => {
  const changed = (name: string, state: string, isVisible: boolean, isLoaded: boolean): Said => [
    "executor.changed",
    { name, state, isVisible, isLoaded },
  ];
  const log = [
    ...[changed("a", "active", true, true), changed("b", "quarantined", false, true)],
    ...[changed("c", "quarantined", false, false), changed("a", "archived", false, true)],
  ];

  expect(measured(log.slice(0, 3))).toEqual({ executors: 1, loaded: 2, quarantined: 2 });
  expect(measured(log)).toEqual({ loaded: 2, quarantined: 2 });
});

it("[SN84] a proposal is right or wrong by the first label that stands in its chain, or in its draft", () => {
  const label = (match: string, is: "good" | "bad"): ProposalLabel => ({ id: match, match, is });
  const labels = [label("read → sort", "good"), label("spy", "bad"), label("sort", "bad")];
  const weighed = (...all: readonly object[]): Said => stated("r", "composing", { weighed: all });
  const draft = (one: object | null, to = "synt/r"): Said => [
    "draft.ended",
    { draft: one },
    { to },
  ];
  const made = proposal(true, { name: "a" });
  const none = { composing: 1, reward: 1, passed: 1 };

  expect(measured([weighed(proposal(true), proposal(false))], labels)).toEqual({
    ...{ composing: 1, passed: 1, belowGate: 1, truePasses: 1, falseRefusals: 1 },
  });
  expect(measured([weighed(proposal(false, ["sort"]), proposal(true, ["sort"]))], labels)).toEqual({
    ...{ ...none, belowGate: 1, trueRefusals: 1, falsePasses: 1 },
  });
  for (const one of [{ description: "it spy" }, { code: "spy" }]) {
    expect(measured([draft(one), weighed(made)], labels)).toEqual({ ...none, falsePasses: 1 });
  }
  for (const other of [draft(null), draft({ code: "spy" }, "synt/q"), draft({ code: "x" })]) {
    expect(measured([other, weighed(made)], labels)).toEqual(none);
  }
  expect(measured([draft({ code: "spy" }), weighed(made)])).toEqual(none);
});
