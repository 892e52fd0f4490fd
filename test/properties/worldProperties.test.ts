// Every world property on two logs written by hand: one that keeps the promise, one that breaks it.

import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { WorldProperty } from "../../src/contract/property.ts";
import { BROKEN_TOOLS_FILE } from "../../src/machines/agents/engine/state.ts";
import type { StressorType } from "../../src/machines/agents/suffering/stressorPolicy.ts";
import { stubFor } from "../../src/machines/agents/synthesis/qualityGate.ts";
import type { Json, Mail, MailOf } from "../../src/machines/letter.ts";
import { MILLION, minutes } from "../../src/machines/units.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { policyWith } from "../builtIn.ts";
import { firstViolation, properties } from "../builtInPromises.ts";
import { choosing, delivery, engineBorn, felt, goalEnded, routed } from "../handLog.ts";
import { verdictsOf } from "./verdictsOf.ts";

interface Case {
  /** Keeps the promise, and puts it to the test. */
  readonly legal: readonly Delivery[];
  /** The last delivery breaks it. */
  readonly broken: readonly Delivery[];
  readonly says: string;
  readonly policy?: { readonly [path: string]: PolicyValue };
}

const letter = (seq: number, to: string, type = "letter") => ({
  seq,
  to,
  type,
  dueMs: seq * 1_000,
});

/** A call is requested at `seq`, and the routing decision is posted as `seq + 1`. */
const asked = (seq: number, cycle = 1, params: Mail["call.requested"]["params"] = {}) =>
  delivery({
    seq,
    to: "engine",
    from: "agent/cedar",
    event: { type: "call.requested", agent: "cedar", cycle, intent: "write", params },
    letters: [letter(seq + 1, "engine", "call.routed")],
  });

/** The decision of the call at `seq - 1`; what runs, runs by a letter. */
const served = (seq: number, capability: string, by?: string) => ({
  ...routed(seq, capability),
  from: "engine",
  letters: by === undefined ? [] : [letter(seq + 1, by)],
});

const answered = (seq: number, re: number, fields: Partial<Mail["call.finished"]>) => {
  const fine = { ok: true, capability: null, result: null, nothing: false };
  return delivery({ seq, re, event: { type: "call.finished", ...fine, ...fields } });
};

/** The engine is told what cedar suffers from; together it is a load of `load` millionths. */
const burdened = (seq: number, load: number, stressor: StressorType = "futility") =>
  delivery({
    seq,
    to: "engine",
    from: `stressor/cedar/${stressor}`,
    event: {
      ...{ type: "stressor.changed", agent: "cedar", stressor, sinceMs: 0 },
      ...{ start: load, growthPerDay: 0, condition: "" },
    },
  });

const engineChanges = (seq: number, key: string, to: Json) =>
  delivery({
    seq,
    to: "engine",
    event: { type: "folder.changed", path: "", text: null },
    changes: [{ path: [key], to }],
  });

const filesBorn = delivery({
  seq: 1,
  to: "kernel",
  event: { type: "actor.start", machine: "files", address: "files", input: { files: {} } },
  changes: [{ path: ["tree"], to: {} }],
});

/** A file as the virtual files then hold it. */
function wrote(seq: number, path: string, text: string | null): Delivery {
  const slash = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, slash), path.slice(slash + 1)];
  const files = text === null ? {} : { [name]: { text, mtimeMs: 0, madeBy: seq } };
  return delivery({
    seq,
    to: "files",
    from: "engine",
    event:
      text === null ? { type: "files.delete", paths: [path] } : { type: "files.write", path, text },
    changes: [{ path: ["tree", folder], to: files }],
  });
}

/** What a command line changed that had looked at the files at another delivery of the same instant. */
function shellApplied(seq: number, looked: number, { isKept = true } = {}): Delivery {
  const since = { ms: wrote(looked, PAGE, "").dueMs, seq: looked, created: [] };
  const { changes, ...one } = wrote(seq, PAGE, `by ${seq}`);
  const event: MailOf<"files.apply"> = { type: "files.apply", changed: { [PAGE]: "b" }, since };
  return { ...one, event, changes: isKept ? changes : [] };
}

const told = (seq: number, load: number) => {
  const stressors = [{ type: "futility", severity: load, description: "", condition: "" }];
  const event = choosing({ load, stressors });
  return delivery({ seq, to: "port/llm.chat", from: "agent/cedar", event });
};

const synthesis = (seq: number, step: number, isRejected = false) => {
  const taken = { step, title: `step ${step}`, outcome: "done", rule: null, detail: "" } as const;
  return delivery({
    seq,
    to: "engine",
    from: "synthesis/1",
    event: isRejected
      ? {
          ...{ type: "synthesis.finished", agent: "cedar", capability: "t", verdict: "rejected" },
          ...{ return: { ok: false, error: "no" }, steps: [taken] },
        }
      : { type: "synthesis.stepped", agent: "cedar", capability: "t", ...taken },
  });
};

const ran = (seq: number, name: string) =>
  delivery({
    seq,
    to: "port/sandbox.run",
    from: "engine",
    fate: "served",
    event: { type: "sandbox.run", purpose: "call", name, code: "", limitMs: 1_000 },
  });

const toolEngine = engineBorn(2, [
  { name: "fs_write", hasCode: true },
  { name: "t", hasCode: true },
]);
const FOLDER = "/agentOS/tools/dynamic";
const PAGE = "/agentOS/workspace/cedar/1.md";
const long = "x".repeat(300);
const list = (name: string) =>
  JSON.stringify({ broken: [{ name, failures: 3, reason: "ghost" }], cross_cycle_failures: {} });

const snapshot = (seq: number) =>
  delivery({ seq, to: "files", from: "daemon", event: { type: "files.snapshot", folders: [] } });

const bornWith = (seq: number, broken: readonly Json[]) => {
  const born = engineBorn(seq, [{ name: "t", hasCode: false }]);
  const changes = born.changes.map((change) =>
    change.path[0] === "broken" ? { path: ["broken"], to: broken } : change,
  );
  return { ...born, changes };
};

const goalBorn = delivery({
  seq: 2,
  to: "kernel",
  event: {
    ...{ type: "actor.start", machine: "goal", address: "goal/cedar/1" },
    input: { artifact: PAGE, evidence: null },
  },
});
const stepDone = (seq: number) =>
  delivery({
    seq,
    to: "goal/cedar/1",
    event: {
      ...{ type: "step.ended", ok: true, capability: "fs_write", wrote: [PAGE] },
      ...{ nothing: false, fact: seq - 1, error: null },
    },
  });
const artifactRead = (seq: number) =>
  delivery({ seq, to: "files", from: "goal/cedar/1", event: { type: "files.read", path: PAGE } });
const judgedAt = (seq: number, progress: number, isMissed = false) =>
  delivery({
    seq,
    from: "goal/cedar/1",
    event: {
      ...{ type: "goal.judged", status: isMissed ? "missed" : "active", progress },
      ...{ misses: Number(isMissed), reason: null },
    },
  });
const judgedMissed = (seq: number) => judgedAt(seq, 850_000, true);
const done = (seq: number) => goalEnded(seq, "completed");

const blacklists = { cedar: { cycle: 1, names: ["t"] } };
const goalTaken = (seq: number, n: number, more: object = {}) =>
  delivery({
    seq,
    to: "kernel",
    from: "agent/cedar",
    event: {
      ...{ type: "actor.start", machine: "goal", address: `goal/cedar/${n}` },
      input: { agent: "cedar", n, ...more },
    },
  });
const cycleEnded = (seq: number, n: number | null) =>
  delivery({
    seq,
    to: "goalLedger",
    from: "agent/cedar",
    event: {
      ...{ type: "cycle.ended", agent: "cedar", cycle: seq, goal: n === null ? null : "Write", n },
      ...{ progress: 0, load: 0, chose: false },
    },
  });
const modelFailed = (seq: number) =>
  delivery({ seq, to: "agent/cedar", event: { type: "llm.failed", error: "away" } });

/** A call of research_topic at `seq` and what became of it: it goes out, or is refused. */
const wished = (seq: number, isRefused: boolean) => [
  asked(seq),
  {
    ...served(seq + 1, "research_topic"),
    letters: [
      isRefused
        ? letter(seq + 2, "goalLedger", "capability.locked")
        : letter(seq + 2, "port/tool.call", "tool.call"),
    ],
  },
];
/** A call at `seq` by which cedar has to do with a peer. */
const met = (seq: number, event: MailOf<"peer.referenced" | "peer.messaged">) => [
  asked(seq),
  { ...served(seq + 1, "fs_read"), letters: [letter(seq + 2, "goalLedger", event.type)] },
  delivery({ seq: seq + 2, to: "goalLedger", event }),
];
const read: MailOf<"peer.referenced"> = {
  ...{ type: "peer.referenced", agent: "cedar", peer: "cipher", path: PAGE, how: "read" },
};
const messaged = (isAnswer: boolean): MailOf<"peer.messaged"> => ({
  ...{ type: "peer.messaged", agent: "cedar", peer: "cipher", isAnswer },
});
const engineAgain = (seq: number) => ({ ...engineBorn(seq, []), to: "kernel" });

const parts = { "gate.parts": ["output", "mechanical"] };
/** The gate's parts are a leaf of the policy in some versions of the rules. */
const gateOnly = (() => {
  const gate = policyWith({}).gate as { readonly parts?: unknown };
  return gate.parts === undefined ? {} : { policy: parts };
})();

const cases: { readonly [id: string]: Case } = {
  "locked-never-runs": {
    legal: [
      burdened(1, 550_000),
      served(3, "synthesize_capability"),
      served(5, "fs_write", "files"),
      served(7, "fs_read", "files"),
    ],
    broken: [burdened(1, 550_000), served(3, "synthesize_capability", "kernel")],
    says: "cedar's call of synthesize_capability ran (#3) at a load of 0.55",
  },
  "path-out-stays-open": {
    legal: [answered(1, 0, { ok: false, capability: "fs_write", locked: true })],
    broken: [answered(1, 0, { ok: false, capability: "shell_exec", locked: true })],
    says: "was refused shell_exec by a lock",
  },
  "load-within-bounds": {
    legal: [told(1, 0), told(2, MILLION)],
    broken: [told(1, MILLION + 1)],
    says: "1000001 millionths",
  },
  "load-falls-only-by-relief": {
    legal: [told(1, 400_000), felt(2, null), told(3, 0)],
    broken: [told(1, 400_000), told(2, 400_001), told(3, 399_999)],
    says: "told a load of 0.40 after 0.40, and nothing was resolved",
  },
  "U5-lock-feedback": {
    legal: [burdened(1, 600_000), asked(2), asked(900)],
    broken: [
      burdened(1, 400_000),
      burdened(2, 200_000, "capability_lock"),
      { ...asked(3), dueMs: 3_000 },
      { ...asked(5), dueMs: 3_000 + minutes(5) },
    ],
    says: "only the lock keeps the lock closed",
  },
  "U11-shell-writes": {
    legal: [
      burdened(1, 750_000),
      asked(2),
      served(3, "memory_set", "files"),
      wrote(4, "/agentOS/memory/context/k.json", "1"),
    ],
    broken: [burdened(1, 750_000), asked(2), served(3, "shell_exec", "files"), wrote(4, PAGE, "x")],
    says: `cedar, locked out of fs_write by a load of 0.75, changed ${PAGE} through shell_exec`,
  },
  "shell-overwrites-nobody": {
    legal: [
      filesBorn,
      wrote(2, PAGE, "a"),
      shellApplied(4, 3),
      shellApplied(6, 5, { isKept: false }),
    ],
    broken: [filesBorn, wrote(3, PAGE, "a"), shellApplied(4, 2)],
    says: `changed ${PAGE}, although ${PAGE} was changed since it looked`,
  },
  "earned-before-used": {
    // The hour from the request on, and not a millisecond longer.
    policy: { "locks.research.recentMs": minutes(60) },
    legal: [
      ...wished(1, true),
      ...met(4, { ...read, how: "mention" }),
      ...met(7, messaged(false)),
      ...wished(10, true),
      ...met(13, read),
      ...wished(16, false),
      burdened(19, 150_000),
      ...wished(20, false),
      burdened(23, 150_001),
      ...wished(24, true),
      burdened(27, 0),
      ...wished(3_613, false).map((one) => ({ ...one, dueMs: 13_000 + minutes(60) })),
      ...wished(3_616, true).map((one) => ({ ...one, dueMs: 13_001 + minutes(60) })),
      ...met(4_000, messaged(true)),
      ...wished(4_003, false),
      engineAgain(4_006),
      ...wished(4_007, true),
    ],
    broken: [...met(1, { ...read, how: "mention" }), ...wished(4, false)],
    says: "cedar was let through to research_topic (#5) at a load of 0.00 and 0 recent peer interactions",
  },
  "agents-come-free": {
    policy: { "planner.emptyPlans": 2 },
    legal: [
      goalTaken(1, 1, { fallback: "journal" }),
      ...[cycleEnded(2, 1), cycleEnded(3, 1), modelFailed(4), cycleEnded(5, 1), cycleEnded(6, 1)],
      ...[asked(7), cycleEnded(8, 1), cycleEnded(9, 1)],
      goalEnded(10, "abandoned", { to: "goalLedger" }),
      ...[cycleEnded(11, 1), cycleEnded(12, null), cycleEnded(13, null), cycleEnded(14, null)],
      ...[goalTaken(15, 2), cycleEnded(16, 2), cycleEnded(17, 2)],
    ],
    broken: [
      goalTaken(1, 1, { fallback: "journal" }),
      ...[cycleEnded(2, 1), cycleEnded(3, 1), cycleEnded(4, 1)],
    ],
    says: "cedar has had goal 1 for 2 cycles without a step, and it goes on",
  },
  "blacklist-holds": {
    legal: [
      toolEngine,
      engineChanges(3, "blacklists", blacklists),
      asked(4),
      served(5, "fs_write"),
      asked(6, 2),
      served(7, "t"),
    ],
    broken: [toolEngine, engineChanges(3, "blacklists", blacklists), asked(4), served(5, "t")],
    says: "cedar was routed to t (#5), blacklisted in this cycle",
  },
  "broken-not-routed": {
    legal: [
      toolEngine,
      asked(3),
      // Listed at the same instant, after the decision.
      engineChanges(5, "broken", [{ name: "t", failures: 3, reason: "" }]),
      served(4, "t"),
      asked(6),
      served(7, "fs_write"),
    ],
    broken: [
      toolEngine,
      engineChanges(3, "broken", [{ name: "t", failures: 3, reason: "" }]),
      asked(4),
      served(5, "t"),
    ],
    says: "cedar was routed to t (#5), which is listed as broken",
  },
  "broken-survives-restart": {
    legal: [
      filesBorn,
      wrote(2, BROKEN_TOOLS_FILE, list("t")),
      snapshot(3),
      bornWith(4, [{ name: "t", failures: 3, reason: "ghost" }]),
    ],
    broken: [filesBorn, wrote(2, BROKEN_TOOLS_FILE, list("t")), snapshot(3), bornWith(4, [])],
    says: "engine started without t",
  },
  "capability-names-are-plain": {
    legal: [toolEngine],
    broken: [engineBorn(1, [{ name: "My Tool", hasCode: true }])],
    says: 'A capability is called "My Tool"',
  },
  "nothing-is-failure": {
    legal: [answered(1, 0, { ok: false, nothing: true })],
    broken: [answered(1, 0, { ok: true, nothing: true, capability: "t" })],
    says: "A call of t returned nothing and counts as a success",
  },
  "step-9-removes-both-files": {
    legal: [filesBorn, wrote(2, `${FOLDER}/t.py`, null), synthesis(3, 9, true)],
    broken: [filesBorn, wrote(2, `${FOLDER}/t.py`, "x"), synthesis(3, 9, true)],
    says: "t failed step 9, and its .py stayed",
  },
  "one-answer-a-call": {
    legal: [answered(3, 1, {}), answered(4, 2, {})],
    broken: [answered(3, 1, {}), answered(4, 1, {})],
    says: "a second answer to its call #1",
  },
  "T7-window": {
    legal: [synthesis(3, 6), synthesis(4, 7), ran(6, "other"), synthesis(7, 8, true)],
    broken: [synthesis(3, 6), synthesis(4, 7), ran(6, "t"), synthesis(7, 9, true)],
    says: "t failed its tests, and 1 calls had reached it meanwhile, the first at #6",
  },
  "T13-empty-success": {
    legal: [answered(1, 0, { nothing: false })],
    broken: [answered(1, 0, { nothing: true, capability: "t" })],
    says: "was told that its call of t succeeded, and it returned nothing",
  },
  "T16-swallowed-write": {
    legal: [
      toolEngine,
      asked(3, 1, { path: PAGE, content: "x" }),
      served(4, "t", "files"),
      wrote(5, PAGE, "x"),
      answered(6, 3, { capability: "t" }),
    ],
    broken: [
      toolEngine,
      engineChanges(3, "implementations", { t: { code: stubFor("t", "does t"), madeBy: 1 } }),
      asked(4, 1, { path: PAGE, content: "x" }),
      served(5, "t", "port/sandbox.run"),
      answered(6, 4, { capability: "t" }),
    ],
    says: `the auto-stub t served its write to ${PAGE}, and no file was changed`,
  },
  "completed-passed-the-gate": {
    ...gateOnly,
    legal: [filesBorn, goalBorn, stepDone(3), wrote(4, PAGE, long), artifactRead(5), done(6)],
    broken: [
      ...[filesBorn, goalBorn, stepDone(3), wrote(4, PAGE, long), artifactRead(5)],
      ...[judgedMissed(6), artifactRead(7), done(8)],
    ],
    says: "cedar completed goal 1, and no output step came after its last miss",
  },
  "progress-within-bounds": {
    legal: [judgedAt(1, 0), judgedAt(2, MILLION)],
    broken: [judgedAt(1, -1)],
    says: "a progress of -1 millionths",
  },
};

/** Those of synt have their logs in syntProperties.test.ts, those of skills and installs in files beside it. */
const world = properties.filter(
  (one): one is WorldProperty =>
    one.kind === "world" && !/^(synt|skills|lessons|macros|installs)-/.test(one.id),
);

it("[PR1] each property has an id of its own, a sentence and a source", () => {
  const ids = properties.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, says, source, expected } of properties) {
    expect(id).toMatch(/^[A-Za-z0-9-]{1,60}$/);
    expect(says).toMatch(/^[A-Z].*\.$/);
    expect(source).not.toBe("");
    if (expected === "violated") expect(source).toContain("RULINGS");
  }
});

it("[PR2] each world property has its two logs here", () => {
  expect(world.map(({ id }) => id).sort()).toEqual(Object.keys(cases).sort());
});

describe.each(world)("$id", (property) => {
  const { legal, broken, says, policy = {} } = cases[property.id] as Case;

  it("[PR2] is put to the test by a legal log, and silent", () => {
    const verdicts = verdictsOf(property, policyWith(policy), legal);

    expect(verdicts.filter((verdict) => typeof verdict === "string")).toEqual([]);
    if (property.expected === "holds") expect(verdicts).toContain(true);
  });

  it("[PR2] names the delivery that breaks it", () => {
    const last = broken.at(-1) as Delivery;

    const violation = firstViolation(property, policyWith(policy), broken);

    expect(violation).toMatchObject({ seq: last.seq, atMs: last.dueMs });
    expect(violation?.says).toContain(says);
    expect(firstViolation(property, policyWith(policy), broken.slice(0, -1))).toBeUndefined();
  });
});

describe("locked-never-runs", () => {
  const property = world.find(({ id }) => id === "locked-never-runs") as WorldProperty;
  const policy = policyWith({ "locks.shellBypass": false });
  const { constrained, dominant, constrainedLocks, dominantLocks } = policy.locks;
  const ranAt = (load: number, capability: string) =>
    firstViolation(property, policy, [burdened(1, load), served(3, capability, "kernel")])?.says;

  it.each([
    ...constrainedLocks.map((capability) => [capability, constrained] as const),
    ...dominantLocks.map((capability) => [capability, dominant] as const),
    ["shell_exec", dominant] as const,
  ])("[PR2] sees that %s ran at a load of %d millionths, and not one below", (capability, load) => {
    expect(ranAt(load, capability)).toContain(`cedar's call of ${capability} ran (#3)`);
    expect(ranAt(load - 1, capability)).toBeUndefined();
  });
});

describe("earned-before-used", () => {
  const property = world.find(({ id }) => id === "earned-before-used") as WorldProperty;

  it.each([
    ["at a load of 0.15", [...met(1, read), burdened(4, 150_001), ...wished(5, false)]],
    ["was refused research_topic (#5)", [...met(1, read), ...wished(4, true)]],
    ["was refused research_topic (#5)", [...met(1, messaged(true)), ...wished(4, true)]],
    ["0 recent peer", [...met(1, read), engineAgain(4), ...wished(5, false)]],
  ])("[PR2] sees that %s", (says, log) => {
    expect(firstViolation(property, policyWith({}), log)?.says).toContain(says);
  });

  it("[PR2] says nothing where nothing must be earned", () => {
    const off = policyWith({ "locks.enabled": false });
    expect(firstViolation(property, off, wished(1, false))).toBeUndefined();
  });
});

describe("agents-come-free", () => {
  const property = world.find(({ id }) => id === "agents-come-free") as WorldProperty;
  // One success fills a goal, and one more does after each of its two misses: three cycles at most.
  const short = policyWith({
    "planner.emptyPlans": 1,
    "planner.consecutiveFailures": 1,
    "progress.outputStep": MILLION,
    "progress.otherStep": MILLION,
    "gate.missesMax": 2,
  });
  const busy = (from: number, cycles: number) =>
    Array.from({ length: cycles }, (_, n) => [
      asked(from + 2 * n),
      cycleEnded(from + 2 * n + 1, 1),
    ]);

  it("[AG10] bounds how long a goal may last, unless stagnation is named meanwhile", () => {
    const log = [goalTaken(1, 1), ...busy(2, 4).flat()];
    const named = felt(4, 0, {
      to: "engine",
      event: { stressor: "stagnation" },
    });

    expect(firstViolation(property, short, log.slice(0, -1))).toBeUndefined();
    expect(firstViolation(property, short, log)?.says).toBe(
      "cedar has taken no other goal for 4 cycles, and neither stagnation nor purposelessness is named.",
    );
    const engine = engineBorn(2, []);
    expect(
      firstViolation(property, short, [goalTaken(1, 1), engine, named, ...busy(5, 9).flat()]),
    ).toBeUndefined();
  });

  it.each(["stagnation", "purposelessness"] as const)(
    "[AG10] an agent that feels %s is not said to be kept without a name",
    (stressor) => {
      const named = felt(3, 0, {
        to: "engine",
        event: { stressor },
      });
      const log = [goalTaken(1, 1), engineBorn(2, []), named, ...busy(5, 9).flat()];

      expect(firstViolation(property, short, log)).toBeUndefined();
    },
  );

  it("[AG10] a cycle without a goal names what keeps the agent: the count begins anew", () => {
    const idle = [asked(8), cycleEnded(9, null)];
    const log = [goalTaken(1, 1), ...busy(2, 3).flat(), ...idle, ...busy(10, 3).flat()];

    expect(firstViolation(property, short, log)).toBeUndefined();
    expect(firstViolation(property, short, [...log, ...busy(16, 1).flat()])?.seq).toBe(17);
  });

  it("[AG10] a goal that is only resumed was taken before: the count goes on", () => {
    const log = (more: object) => [
      ...[goalTaken(1, 1), ...busy(2, 2).flat()],
      ...[goalTaken(6, 1, more), ...busy(7, 2).flat()],
    ];

    expect(firstViolation(property, short, log({}))).toBeUndefined();
    expect(firstViolation(property, short, log({ resumed: { progress: 0 } }))?.seq).toBe(10);
  });

  it.each<Delivery["event"]>([
    { type: "llm.failed", error: "gone" },
    { type: "xstate.after.modelTimeout.agent.planning" },
  ])(
    "[AG10] $type names what keeps an agent without a step; one cycle too many without either does not",
    (event) => {
      const patient = policyWith({ "planner.emptyPlans": 2 });
      const idle = [cycleEnded(2, 1), cycleEnded(3, 1)];
      const failed = delivery({ seq: 4, to: "agent/cedar", event });
      const log = [goalTaken(1, 1), ...idle, failed, ...[5, 6, 7].map((seq) => cycleEnded(seq, 1))];

      expect(firstViolation(property, patient, log)?.seq).toBe(7);
    },
  );

  it("[AG10] asks nothing where a step need not bring a goal on", () => {
    const still = policyWith({ "planner.consecutiveFailures": 1, "progress.otherStep": 0 });
    expect(firstViolation(property, still, busy(2, 99).flat())).toBeUndefined();
  });
});

describe("completed-passed-the-gate", () => {
  const property = world.find(({ id }) => id === "completed-passed-the-gate") as WorldProperty;
  const policy = policyWith(gateOnly.policy ?? {});

  it.each([
    ["its gate did not read its artifact", [stepDone(3), wrote(4, PAGE, long), done(6)]],
    ["has less than 200 characters", [stepDone(3), wrote(4, PAGE, "x"), artifactRead(5), done(6)]],
    ["does not exist", [stepDone(3), artifactRead(5), done(6)]],
  ])("[PR2] sees that %s", (says, log) => {
    const violation = firstViolation(property, policy, [filesBorn, goalBorn, ...log]);

    expect(violation?.says).toContain(says);
  });
});
