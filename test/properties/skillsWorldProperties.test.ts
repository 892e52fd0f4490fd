// What is promised of skills, lessons and macros in any world: on logs written by hand, one that keeps the promise and one
// that breaks it; and in random worlds with skills, where a rule that is broken on purpose is found.

import { afterEach, describe, expect, it, vi } from "vitest";
import { codeProperties } from "../../src/actors/skills/properties/code.ts";
import { promises } from "../../src/actors/skills/properties/promises.ts";
import { randomSkillWorld } from "../../src/actors/skills/properties/world.ts";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { WorldProperty } from "../../src/contract/property.ts";
import { scenarioOfSource, sourceText } from "../../src/edges/scenario/scenarioFile.ts";
import type { MailOf } from "../../src/machines/letter.ts";
import { contentHash } from "../../src/machines/skills/contentHash.ts";
import * as credit from "../../src/machines/skills/lesson.ts";
import { type Lesson, newLesson } from "../../src/machines/skills/lesson.ts";
import * as skillBook from "../../src/machines/skills/skillBook.ts";
import * as store from "../../src/machines/skills/skillStore.ts";
import { registryPath, skillPath, storeFolder } from "../../src/machines/skills/skillStore.ts";
import { shrunk, tryUnit, tryWorld, worldOf } from "../../src/run/check/check.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { policyLeaves, policyWith } from "../builtIn.ts";
import { firstViolation, properties, randomWorlds } from "../builtInPromises.ts";
import { lists } from "../builtInRuns.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { delivery } from "../handLog.ts";
import { breachesIn } from "./breachesIn.ts";
import { verdictsOf } from "./verdictsOf.ts";

vi.mock(import("../../src/machines/skills/skillBook.ts"), async (original) => {
  const real = await original();
  return { ...real, withoutRow: vi.fn(real.withoutRow), countCall: vi.fn(real.countCall) };
});
vi.mock(import("../../src/machines/skills/lesson.ts"), async (original) => {
  const real = await original();
  return { ...real, creditLesson: vi.fn(real.creditLesson) };
});
vi.mock(import("../../src/machines/skills/skillStore.ts"), async (original) => {
  const real = await original();
  return { ...real, readStore: vi.fn(real.readStore) };
});
afterEach(() => {
  for (const one of [
    skillBook.withoutRow,
    skillBook.countCall,
    credit.creditLesson,
    store.readStore,
  ]) {
    vi.mocked(one).mockReset();
  }
});

interface Case {
  /** Keeps the promise, and puts it to the test. */
  readonly legal: readonly Delivery[];
  /** The last delivery breaks it. */
  readonly broken: readonly Delivery[];
  readonly says: string;
  readonly policy?: { readonly [path: string]: PolicyValue };
}

const posted = (seq: number, to: string, type: string) => ({ seq, to, type, dueMs: seq * 1_000 });

// The registry.

const CODE = "print(1)\n";
const REGISTRY = registryPath("memory");
const PATH = skillPath("news", "memory");

const registry = (uses = 0, failures = 0, status = "active") =>
  JSON.stringify({
    news: {
      ...{ name: "news", description: "d", parameters_schema: {}, usage_count: uses },
      ...{ failure_count: failures, status, content_hash: contentHash(CODE, {}, "d") },
    },
  });

const keeps = (seq: number, given: Partial<Delivery> & Pick<Delivery, "event">) =>
  delivery({ seq, to: "skills", from: "files", ...given });
const toFiles = (seq: number, cause: number, event: Delivery["event"]) =>
  delivery({ seq, to: "files", from: "skills", cause, event });

const storeRead = (files: { readonly [path: string]: string }) => [
  toFiles(3, 2, {
    ...{ type: "files.snapshot", folders: [storeFolder("memory"), storeFolder("sandbox")] },
  }),
  keeps(4, { re: 3, event: { type: "files.replied", ok: true, files } }),
];
const written = (seq: number, text: string) =>
  toFiles(seq, seq - 1, { type: "files.write", path: REGISTRY, text });

/** A call of news that ends so. */
const called = (exitCode: number, more: { readonly timedOut?: boolean } = {}) => [
  ...storeRead({ [PATH]: CODE, [REGISTRY]: registry() }),
  keeps(5, {
    from: "engine",
    event: {
      ...{ type: "capability.called", agent: "cedar", cycle: 1, capability: "news" },
      ...{ intent: "news", params: {} },
    },
  }),
  toFiles(6, 5, { type: "files.snapshot", folders: [PATH] }),
  keeps(7, { re: 6, event: { type: "files.replied", ok: true, files: { [PATH]: CODE } } }),
  delivery({
    ...{ seq: 8, to: "port/sandbox.run", from: "skills", cause: 7, fate: "served" },
    event: { type: "sandbox.run", purpose: "skill", name: "run", code: "", limitMs: 1 },
  }),
  keeps(9, {
    ...{ re: 8, from: "port/sandbox.run", letters: [posted(10, "files", "files.write")] },
    event: {
      ...{ type: "sandbox.replied", ok: true, result: { exitCode, stdout: "1", stderr: "" } },
      ...more,
    },
  }),
];

const filesBorn = delivery({
  ...{ seq: 1, to: "kernel", changes: [{ path: ["tree"], to: {} }] },
  event: { type: "actor.start", machine: "files", address: "files", input: { files: {} } },
});
const codeWritten = (seq: number, text: string) =>
  delivery({
    ...{ seq, to: "files", from: "skill/news" },
    event: { type: "files.write", path: PATH, text },
    changes: [
      {
        path: ["tree", storeFolder("memory")],
        to: { "news.py": { text, mtimeMs: 0, madeBy: seq } },
      },
    ],
  });

const found = (seq: number, filesAlone: readonly string[]) =>
  keeps(seq, {
    ...{ from: "skills", cause: seq - 1 },
    event: {
      ...{ type: "store.found", skills: 0, migrated: [], filesAlone, rowsAlone: [], fault: null },
    },
  });

const retired = [
  ...storeRead({ [PATH]: CODE, [REGISTRY]: registry(0, 3, "degraded") }),
  keeps(5, {
    ...{ from: "dreamer", event: { type: "dream.began", dream: 1 } },
    letters: [posted(6, "files", "files.move"), posted(7, "engine", "entries.listed")],
  }),
  toFiles(6, 5, { type: "files.move", path: PATH, to: `${storeFolder("memory")}/retired/news.py` }),
];
const listed = (names: readonly string[]) =>
  delivery({
    ...{ seq: 7, to: "engine", from: "skills", cause: 5 },
    event: {
      ...{ type: "entries.listed", kind: "skill" },
      entries: names.map((name) => ({ name, description: "d" })),
    },
  });

// The playbook.

const lesson = (trigger: string, given: Partial<Lesson> = {}): Lesson => ({
  ...newLesson(
    {
      ...{ trigger, antiPattern: "", correctPattern: "look first", domains: ["algo"] },
      ...{ confidence: 600_000, sourceChallengeHash: "", verified: false, source: "scenario" },
      verificationAttempted: false,
    },
    0,
  ),
  ...given,
});

/** The newest first; the oldest is called lesson-1. */
const bookBorn = (lessons: readonly Lesson[], words = 0) =>
  delivery({
    ...{ seq: 1, to: "kernel" },
    event: {
      ...{ type: "actor.start", machine: "playbook", address: "playbook" },
      input: { lessons },
    },
    letters: Array.from({ length: words }, (_, n) => posted(2 + n, "playbook", "playbook.changed")),
  });
const toBook = (seq: number, cause: number, event: Delivery["event"], words: string[] = []) =>
  delivery({
    ...{ seq, to: "playbook", from: "playbook", cause, event },
    letters: words.map((type, n) => posted(seq + 1 + n, "playbook", type)),
  });
const changed = (seq: number, cause: number, given: Partial<MailOf<"playbook.changed">>) =>
  toBook(seq, cause, {
    ...{ type: "playbook.changed", lesson: "lesson-1", how: "credited", cause: null },
    ...{ trigger: "", source: "scenario", challenge: "", verified: false },
    ...{ utility: 300_000, size: 1, pins: 0, ...given },
  });
const dropped = (seq: number, name: string, cause: "lowest-utility" | "never-helpful") =>
  changed(seq, 1, { lesson: name, how: "dropped", cause });

/** A prompt shows “reading long pages”; `helped`: and then such a goal is done. */
const shown = (before: Partial<Lesson>, utility: number) => [
  bookBorn([lesson("reading long pages", before)]),
  toBook(
    2,
    1,
    { type: "section.asked", agent: "cedar", purpose: "plan", n: 1, goal: "Read", notes: [] },
    ["section.answered", "playbook.surfaced"],
  ),
  delivery({
    ...{ seq: 3, from: "playbook", cause: 2, re: 2 },
    event: {
      ...{ type: "section.answered", title: "### SKILL PLAYBOOK" },
      lines: ["TRIGGER (·): reading long pages\n   DOMAINS: algo"],
    },
  }),
  toBook(4, 2, {
    ...{ type: "playbook.surfaced", lesson: "lesson-1", source: "scenario", challenge: "" },
    ...{ agent: "cedar", n: 1, purpose: "plan", way: "meaning", score: 0, counts: true },
    utility,
  }),
];
const helped = [
  ...shown({}, 300_000),
  toBook(
    5,
    4,
    {
      ...{ type: "goal.reported", agent: "cedar", n: 1, status: "completed" },
      ...{ text: "Go on reading long pages", artifact: "/a", misses: 0, failedSteps: 0 },
      ...{ reason: null, notes: [] },
    },
    ["playbook.changed"],
  ),
];
const OFTEN = { retrievals: 4, helpfulRetrievals: 2 };
/** (.6 + .05) · .5, and shown once, and helpful. */
const AFTER = 1_125_000;

// Macros.

const macrosListed = (names: readonly string[]) =>
  delivery({
    ...{ seq: 2, to: "engine", from: "macros" },
    event: {
      ...{ type: "entries.listed", kind: "macro" },
      entries: names.map((name) => ({ name, description: "d" })),
    },
  });
const macroCalled = delivery({
  ...{ seq: 2, to: "macros", from: "engine" },
  event: {
    ...{ type: "capability.called", agent: "cedar", cycle: 1, capability: "twice" },
    ...{ intent: "twice", params: {} },
  },
});
const stepAsked = (seq: number, cause: number) =>
  delivery({
    ...{ seq, to: "engine", from: "macros", cause },
    event: { type: "call.requested", agent: "cedar", cycle: 1, intent: "read", params: {} },
  });
const stepDone = (seq: number, re: number) =>
  delivery({
    ...{ seq, to: "macros", from: "engine", re },
    event: { type: "call.finished", ok: true, capability: "fs_read", result: 1, nothing: false },
  });

const sure = lesson("listing a folder", { confidence: 900_000 });
const unsure = lesson("writing a page", { confidence: 100_000 });
const pin = lesson("adding numbers", { verified: true });

const cases: { readonly [id: string]: Case } = {
  "skills-registry-is-a-recount": {
    legal: [...called(0), written(10, registry(1))],
    broken: [...called(1), written(10, registry(1))],
    says: "news is written with 1 uses, 0 failures in a row, active; the log has 0 uses, 1 failures in a row, active",
  },
  "skills-row-is-written-last": {
    legal: [filesBorn, codeWritten(2, CODE), written(3, registry())],
    broken: [filesBorn, written(3, registry())],
    says: "the row of news is written, and its file is not there",
  },
  "skills-orphans-are-reported": {
    legal: [...storeRead({ [PATH]: CODE }), found(5, ["news"])],
    broken: [...storeRead({ [PATH]: CODE }), found(5, [])],
    says: "news has a file and no row, and nobody is told",
  },
  "skills-retired-stay-away": {
    legal: [...retired, listed([])],
    broken: [...retired, listed(["news"])],
    says: "news is listed as a skill, and it is not there",
  },
  "lessons-utility-is-a-recount": {
    legal: [...helped, changed(6, 5, { utility: AFTER })],
    broken: [...helped, changed(6, 5, { utility: 300_000 })],
    says: "lesson-1 is told with a utility of 300000 millionths; the log has confidence 0.325000, hitRate 0.800000",
  },
  "lessons-within-their-number": {
    policy: { "skills.playbook.size": 1 },
    legal: [bookBorn([sure, unsure], 1), dropped(2, "lesson-1", "lowest-utility")],
    broken: [bookBorn([sure, unsure], 1), changed(2, 1, {})],
    says: "the playbook has 2 lessons where 1 are kept",
  },
  "lessons-pins-stay": {
    legal: [bookBorn([sure, unsure, pin], 1), dropped(2, "lesson-2", "lowest-utility")],
    broken: [bookBorn([sure, unsure, pin], 1), dropped(2, "lesson-1", "lowest-utility")],
    says: "lesson-1, which is verified, left the playbook, and “writing a page” stays, which is not",
  },
  "lessons-least-useful-leave": {
    legal: [bookBorn([pin, sure, unsure], 1), dropped(2, "lesson-1", "lowest-utility")],
    broken: [bookBorn([pin, sure, unsure], 1), dropped(2, "lesson-2", "lowest-utility")],
    says: "lesson-2 left, which is worth 450000 millionths, and “writing a page” stays, which is worth 50000",
  },
  "macros-within-their-number": {
    policy: { "skills.macros.kept": 1 },
    legal: [macrosListed(["one"])],
    broken: [macrosListed(["one", "another"])],
    says: "there are 2 macros where 1 are kept",
  },
  "macros-runs-are-bounded": {
    policy: { "skills.macros.stepsMax": 1 },
    legal: [macroCalled, stepAsked(3, 2)],
    broken: [macroCalled, stepAsked(3, 2), stepDone(4, 3), stepAsked(5, 4)],
    says: "a run asks for 2 calls, of 1",
  },
};

const own = (promises.properties ?? []).filter((one): one is WorldProperty => one.kind === "world");

it("[SK100] each promise of skills in the world has its two logs here", () => {
  expect(own.map(({ id }) => id).sort()).toEqual(Object.keys(cases).sort());
});

describe.each(own)("$id", (property) => {
  const { legal, broken, says, policy = {} } = cases[property.id] as Case;

  it("[SK100] is put to the test by a legal log, and silent", () => {
    const verdicts = verdictsOf(property, policyWith(policy), legal);

    expect(verdicts.filter((verdict) => typeof verdict === "string")).toEqual([]);
    expect(verdicts).toContain(true);
  });

  it("[SK100] names the delivery that breaks it", () => {
    const last = broken.at(-1) as Delivery;

    const violation = firstViolation(property, policyWith(policy), broken);

    expect(violation).toMatchObject({ seq: last.seq, atMs: last.dueMs });
    expect(violation?.says).toContain(says);
    expect(firstViolation(property, policyWith(policy), broken.slice(0, -1))).toBeUndefined();
  });
});

describe("other worlds that break a promise", () => {
  const breach = (id: string, log: readonly Delivery[], policy = {}) => {
    const property = own.find((one) => one.id === id) as WorldProperty;
    return firstViolation(property, policyWith(policy), log)?.says;
  };

  it("[SK66, SK100] a lesson that is told with what it was worth before the showing", () => {
    const id = "lessons-utility-is-a-recount";

    expect(breach(id, shown(OFTEN, 620_000))).toBeUndefined();
    expect(breach(id, shown(OFTEN, 700_000))).toContain(
      "the log has confidence 0.300000, hitRate 0.320000",
    );
  });

  it("[SK100] a lesson that is credited later than it may be, and none that is credited just in time", () => {
    const [shownMs, doneMs] = [2, 5].map((seq) => helped[seq - 1]?.dueMs ?? 0);
    const within = (ms: number) =>
      breach("lessons-utility-is-a-recount", [...helped, changed(6, 5, { utility: AFTER })], {
        "skills.playbook.creditWithinMs": (doneMs ?? 0) - (shownMs ?? 0) + ms,
      });

    expect(doneMs).toBeGreaterThan(shownMs ?? 0);
    expect(within(0)).toBeUndefined();
    expect(within(-1)).toContain(
      `told with a utility of ${AFTER} millionths; the log has confidence`,
    );
  });

  it("[SK100] a row with the hash of another file", () => {
    const log = [filesBorn, codeWritten(2, "print(2)\n"), written(3, registry())];
    expect(breach("skills-row-is-written-last", log)).toContain("another than the row's hash says");
  });

  it("[SK100] a use that the machine broke off, which counts for nothing", () => {
    const breaks = (exitCode: number, timedOut: boolean) =>
      breach("skills-registry-is-a-recount", [
        ...called(exitCode, { timedOut }),
        written(10, exitCode === 0 ? registry(1) : registry(0, 1)),
      ]);

    const nothing = "the log has 0 uses, 0 failures in a row";

    expect([breaks(0, false), breaks(1, false)]).toEqual([undefined, undefined]);
    for (const exitCode of [0, 1]) expect(breaks(exitCode, true)).toContain(nothing);
    for (const exitCode of [124, 137]) expect(breaks(exitCode, false)).toContain(nothing);
  });

  it("[SK100] a registry that has lost a skill, and one that has made one up", () => {
    const lost = breach("skills-registry-is-a-recount", [...called(0), written(10, "{}")]);
    const madeUp = registry(1).replaceAll("news", "gossip");
    const other = breach("skills-registry-is-a-recount", [...called(0), written(10, madeUp)]);

    expect(lost).toContain("has no row of news");
    expect(other).toContain("has a row of gossip, which the log does not");
  });

  it("[SK100] a degraded skill that runs", () => {
    const policy = { "skills.degradeAfter": 1 };
    const [first, second, ...rest] = called(0);
    const log = [first, second, ...rest] as Delivery[];
    const degraded = storeRead({ [PATH]: CODE, [REGISTRY]: registry(0, 1, "degraded") });
    const says = breach("skills-retired-stay-away", [...degraded, ...log.slice(2)], policy);

    expect(says).toBe("news runs, and it was degraded when it was called.");
  });

  it("[SK100] a lesson that is pruned although it helped", () => {
    const helpful = lesson("reading long pages", { retrievals: 9, helpfulRetrievals: 1 });
    const log = [bookBorn([helpful], 1), dropped(2, "lesson-1", "never-helpful")];

    expect(breach("lessons-least-useful-leave", log)).toContain("shown 9 times, helpful 1 times");
  });
});

// Random worlds.

const drawn = randomSkillWorld(policyLeaves()).map((world) => ({
  why: "w",
  source: "s",
  ...world,
}));
const worlds = {
  ...randomWorlds({}),
  drawing: () => ({ drawn, tests: () => true }),
  compile: (source: object) => scenarioOfSource(lists, source, "check"),
};
const seeds = Array.from({ length: 24 }, (_, index) => index);
const kept = [...own, ...properties.filter(({ kind }) => kind === "run")];
const named = (id: string) => own.find((one) => one.id === id) as WorldProperty;

describe("a random world with skills", () => {
  it("[PR4] is a scenario without a fault, and the same for the same seed", () => {
    for (const seed of seeds) {
      const source = worldOf(worlds, seed);

      const scenario = parseScenario(sourceText(source), "check.yaml");

      expect(scenario).toEqual(worlds.compile(source));
      expect(worldOf(worlds, seed)).toEqual(source);
    }
  });

  it("[PR6, PR14] keeps every promise, and puts each of skills to the test", async () => {
    const tried = await Promise.all(seeds.map((seed) => tryWorld(worlds, seed, kept)));

    expect(breachesIn(tried)).toEqual([]);
    const worldsThatTest = (id: string) =>
      tried.filter(({ fared }) => (fared[id]?.moments ?? 0) > 0).length;
    for (const { id } of own) {
      const least = id === "macros-runs-are-bounded" ? 1 : 2;
      expect([id, worldsThatTest(id)]).toEqual([id, expect.toSatisfy((n) => n >= least)]);
    }
  });
});

/** The first seed whose world breaks the promise, and with what. */
async function firstBreach(id: string, from = 0) {
  for (let seed = from; seed < from + 60; seed += 1) {
    const { fared } = await tryWorld(worlds, seed, [named(id)]);
    const violation = fared[id]?.violation;
    if (violation) return { seed, says: violation.says };
  }
  return undefined;
}

describe("a rule that is broken on purpose", () => {
  it("[SK15, SK100, PR7] a keeper that counts no call is found, and shrunk to a short run", async () => {
    vi.mocked(skillBook.countCall).mockImplementation((book) => [...book]);
    const id = "skills-registry-is-a-recount";
    const breach = await firstBreach(id);
    expect(breach?.says).toMatch(/ is written with 0 uses, .+; the log has /);

    const options = { playsMax: 25, onPlay: () => false };
    const { world, violation } = await shrunk(worlds, named(id), breach?.seed ?? 0, options);

    expect(violation.says).toContain("; the log has ");
    expect(worlds.compile(world).runsForMs).toBe(violation.atMs);
  });

  it("[SK45, SK100] a retired skill that stays in the book is found", async () => {
    vi.mocked(skillBook.withoutRow).mockImplementation((book) => book);

    expect((await firstBreach("skills-registry-is-a-recount"))?.says).toContain(
      "which the log does not",
    );
  });

  it("[SK26, SK100] credit that is never given is found", async () => {
    vi.mocked(credit.creditLesson).mockImplementation((one) => one);

    expect((await firstBreach("lessons-utility-is-a-recount"))?.says).toContain("the log has");
  });

  it("[SK48, SK100] orphans that nobody is told of are found", async () => {
    const real = await vi.importActual<typeof store>("../../src/machines/skills/skillStore.ts");
    vi.mocked(store.readStore).mockImplementation((files, where, taken) => ({
      ...real.readStore(files, where, taken),
      ...{ filesAlone: [], rowsAlone: [] },
    }));

    expect((await firstBreach("skills-orphans-are-reported"))?.says).toContain("nobody is told");
  });
});

describe.each(codeProperties)("$id", (property) => {
  it("[SK1, SK9, SK16] fares over drawn code as it is expected to", () => {
    const { violation, moments } = tryUnit(property, 1, 300);

    expect(violation === null).toBe(property.expected === "holds");
    expect(moments).toBeGreaterThan(0);
  });
});
