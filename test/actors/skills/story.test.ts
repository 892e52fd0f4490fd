// What is kept and measured of skills, lessons and macros, from logs written by hand.
import { expect, it } from "vitest";
import { macroQuestions } from "../../../src/actors/skills/macroQuestions.ts";
import { book } from "../../../src/actors/skills/story.ts";
import type { Moment } from "../../../src/contract/book.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { Meter } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

type Said = readonly [type: string, fields: object, given?: Partial<Delivery>];
const logOf = (log: readonly Said[]): readonly Delivery[] =>
  log.map(([type, fields, given], at) =>
    delivery({ seq: at + 1, ...given, event: strangeEvent(type, fields) }),
  );

function told(...log: readonly Said[]) {
  const facts = book.start({});
  const moments: Moment[] = [];
  const meter = new Meter(["cedar"], { skills: { playbook: [], macros: [] } as never });
  const tells = logOf(log).map((one) => {
    book.step(facts, one, moments);
    meter.observe(one);
    return book.tellsOf?.(one);
  });
  const measured = Object.entries(meter.finals()).flatMap(([name, { world = 0, cedar }]) =>
    world === 0 || name.startsWith("goals.")
      ? []
      : [[name, cedar === undefined ? world : [world, cedar]]],
  );
  const labels = moments.map(({ kind, label }) => `${kind}: ${label}`);
  return { ...facts.told.skills, labels, tells, measured: Object.fromEntries(measured) };
}

const NEWS = { to: "skill/news", from: "skill/news" };
const born = (given: object = {}, address = "skill/news"): Said => [
  "actor.start",
  { machine: "skill", address, input: { name: "news", description: "tells news", ...given } },
];
const registered = (given: object = {}, to = "skill/news"): Said => [
  "skill.registered",
  { ok: true, status: "active", ...given },
  { to },
];
const counted = (outcome: string, status = "active"): Said => [
  "skill.counted",
  { skill: "news", outcome, status, agent: "cedar" },
  NEWS,
];
const left = (how: string): Said => ["skill.left", { skill: "news", how, because: "old" }, NEWS];
const listed = (...names: readonly string[]): Said => [
  "tools.answered",
  { broken: names.map((name) => ({ name })) },
];
const phases = (life: { readonly phases: readonly { readonly phase: string }[] } | undefined) =>
  life?.phases.map(({ phase }) => phase);

it("[SK98] a skill has its states, its uses and its end, and counts in each", () => {
  const { lives, labels, measured } = told(
    born(),
    ["skill.registering", { skill: "news", agent: "cedar" }, NEWS],
    registered(),
    counted("success"),
    counted("failure"),
    ["skill.wrapped", { skill: "news", agent: "cedar" }],
    counted("failure", "degraded"),
    counted("failure", "degraded"),
    left("retired"),
  );

  expect(lives).toEqual([
    {
      ...{ kind: "skill", name: "news", about: "tells news", end: "retired", endMs: 9_000 },
      ...{ because: "old", wraps: [6_000], utility: [] },
      phases: [
        { phase: "being made", atMs: 1_000 },
        { phase: "active", atMs: 3_000 },
        { phase: "degraded", atMs: 7_000 },
      ],
      uses: [
        { atMs: 4_000, ok: true },
        { atMs: 5_000, ok: false },
        { atMs: 7_000, ok: false },
        { atMs: 8_000, ok: false },
      ],
    },
  ]);
  expect(labels).toEqual([
    "skill: news is a skill",
    "skill: news is degraded",
    "skill: news is retired",
  ]);
  expect(measured).toEqual({
    ...{ "skills.created": [1, 1], "skills.degraded": 1, "skills.retired": 1 },
    ...{ "skills.called": [1, 1], "skills.failed": [3, 3], "skills.wraps": [1, 1] },
  });
});

it("[SK98] of skills those count as active that are registered or kept so, until they degrade or leave", () => {
  const active = (...log: readonly Said[]) => told(...log).measured["skills.active"] ?? 0;

  expect(active(born())).toBe(0);
  expect(active(born({ kept: "active" }))).toBe(1);
  expect(active(born({ kept: "degraded" }))).toBe(0);
  expect(active(born(), registered())).toBe(1);
  expect(active(born(), registered({ ok: false }))).toBe(0);
  expect(active(born(), registered({ status: "degraded" }))).toBe(0);
  expect(active(born({ kept: "active" }), counted("failure", "degraded"))).toBe(0);
  expect(active(born({ kept: "active" }), left("replaced"))).toBe(1);
  expect(active(born({ kept: "active" }), left("lost"))).toBe(0);
  expect(told(born(), registered({ saving: "same" })).measured).toMatchObject({
    ...{ "skills.savedAgain": [1, 0], "skills.active": 1 },
  });
  const lost = (how: string) => told(born({ kept: "active" }), left(how)).measured["skills.lost"];
  expect(["lost", "retired", "replaced"].map(lost)).toEqual([1, undefined, undefined]);
});

it("[SK98] a refusal ends what was being made, with its cause; one that is created again is another life", () => {
  const { lives, labels, measured } = told(
    born(),
    [
      "skill.refused",
      { skill: "news", stage: "testing", cause: "it raised", agent: "cedar" },
      NEWS,
    ],
    born({ kept: undefined }, "skill/news#2"),
    registered({}, "skill/news#2"),
  );

  expect(lives.map(({ end, because }) => [end, because])).toEqual([
    ["refused", "it raised"],
    [null, null],
  ]);
  expect(phases(lives[1])).toEqual(["being made", "active"]);
  expect(labels).toEqual(["skill: news is refused: it raised", "skill: news is a skill"]);
  expect(measured).toMatchObject({ "skills.refused": [1, 1], "skills.refused.testing": [1, 1] });
});

it("[SK106] what the engine lists as broken is so as long as it is listed, but for lessons and what is made", () => {
  const states = (...log: readonly Said[]) => phases(told(...log).lives[0]);
  const kept = born({ kept: "active" });

  expect(states(kept, listed("news"))).toEqual(["active", "listed as broken"]);
  expect(states(kept, listed("news"), listed("news"), listed())).toEqual([
    ...["active", "listed as broken", "active"],
  ]);
  expect(states(kept, listed("other"), listed())).toEqual(["active"]);
  expect(states(born(), listed("news"))).toEqual(["being made"]);
  expect(states(kept, left("retired"), listed("news"))).toEqual(["active"]);
});

it("[SK98] a store says what it copied and lacks, and that it holds what it should is no news", () => {
  const found = (given: object) =>
    told([
      "store.found",
      { skills: 1, migrated: [], filesAlone: [], rowsAlone: [], fault: null, ...given },
    ]).labels;

  expect(found({})).toEqual([]);
  expect(found({ migrated: ["a", "b"], filesAlone: ["c"], rowsAlone: ["d"] })).toEqual([
    "store: copied from the sandbox: a, b",
    "store: file and row disagree: c, d",
  ]);
  expect(found({ rowsAlone: ["d"] })).toEqual(["store: file and row disagree: d"]);
  expect(found({ unfit: [{ skill: "a", why: "w" }], changed: ["b"], fault: "torn" })).toEqual([
    "store: rows that cannot be taken: a (w)",
    "store: files changed behind their rows: b",
    "store: the store could not be read: torn",
  ]);
});

const lesson = (how: string, given: object = {}): Said => [
  "playbook.changed",
  {
    ...{ lesson: "l-1", how, cause: null, trigger: "sorting", verified: false, utility: 7 },
    ...{ size: 2, pins: 1, ...given },
  },
];
const shown: Said = ["playbook.surfaced", { lesson: "l-1", utility: 9, agent: "cedar" }];

it("[SK98] a lesson has when it was shown and credited, its worth, and how it left", () => {
  const { lives, labels, measured } = told(
    shown,
    lesson("written"),
    shown,
    lesson("credited", { verified: true }),
    lesson("dropped", { cause: "lowest-utility", size: 1, pins: 0 }),
    shown,
    lesson("blocked", { trigger: "counting" }),
  );

  expect(lives).toMatchObject([
    {
      ...{ kind: "lesson", name: "l-1", about: "sorting", end: "dropped", endMs: 5_000 },
      because: "its utility was the lowest",
      uses: [
        { atMs: 3_000, ok: false },
        { atMs: 4_000, ok: true },
      ],
      utility: [2, 3, 4, 5].map((second, at) => ({
        atMs: 1_000 * second,
        value: at === 1 ? 9 : 7,
      })),
    },
    { about: "counting", end: "blocked", because: null },
  ]);
  expect(phases(lives[0])).toEqual(["unverified", "verified", "unverified"]);
  expect(labels).toEqual([
    ...["lesson: l-1 is written, unverified", "lesson: l-1 is dropped", "lesson: l-1 is blocked"],
  ]);
  expect(measured).toMatchObject({
    ...{ "playbook.size": 2, "playbook.verified": 1, "playbook.written": 1 },
    ...{ "playbook.surfaced": 3, "playbook.credited": 1, "playbook.blocked": 1 },
    "playbook.dropped": 1,
  });
});

it("[SK98] credits are shared out among the goals that were completed, as the playbook hears of them", () => {
  const reported = (status: string, to = "playbook"): Said => ["goal.reported", { status }, { to }];
  const shares = (...log: readonly Said[]) => told(...log).measured["playbook.creditsPerGoal"];
  const credited = lesson("credited");

  expect(shares(reported("completed"), credited, credited)).toBe(2);
  expect(shares(credited, reported("completed"), reported("completed"))).toBe(0.5);
  // No run credits before a goal was completed, but a log that was made up may.
  expect(shares(credited)).toBe(1);
  expect(shares(reported("completed"), reported("abandoned"), credited)).toBe(1);
  expect(shares(reported("completed"), reported("completed", "clerk"), credited)).toBe(1);
});

it("[VB16] dreams count where the playbook hears of them, and their rounds by how they end", () => {
  const began = (to: string): Said => ["dream.began", {}, { to }];
  const ended = (end: string): Said => ["dream.ended", { end, reason: "so" }, { to: "playbook" }];
  const { measured } = told(
    ...[began("playbook"), began("dreamer"), ["dream.tried", {}, { to: "playbook" }] as const],
    ...["refused", "refused", "verified", "verified", "verified", "mastered"].map(ended),
  );

  expect(measured).toEqual({
    ...{ "dreams.begun": 1, "dreams.tried": 1, "dreams.verified": 3 },
    "playbook.refusedByGuard": 2,
  });
});

const MACROS = { to: "macros", from: "macros" };
const learned: Said = [
  "macro.learned",
  { macro: { name: "m", steps: [{ tool: "a" }, { tool: "b" }] }, goals: [] },
  MACROS,
];
const ran = (ok: boolean): Said => [
  "macro.ended",
  { name: "m", ok, ran: 2, agent: "cedar" },
  MACROS,
];
const gone = (how: string): Said => [`macro.${how}`, { name: "m" }, MACROS];

it("[SK98] a macro is learnt once while it lasts, has its runs and its end", () => {
  const { lives, labels, measured } = told(
    ...[ran(true), learned, learned, ran(true), ran(false), gone("evicted"), ran(true), learned],
    ...[gone("retired"), ["dream.ended", { end: "mastered", reason: "so" }] as const],
    ["macro.learned", { macro: { name: "n", steps: [] } }, { to: "playbook", from: "macros" }],
  );

  expect(lives).toMatchObject([
    {
      ...{ kind: "macro", name: "m", about: "a → b", end: "evicted", endMs: 6_000 },
      uses: [
        { atMs: 4_000, ok: true },
        { atMs: 5_000, ok: false },
      ],
    },
    { name: "m", end: "retired", uses: [] },
  ]);
  expect(labels).toEqual([
    ...["macro: m is learnt", "macro: m is evicted", "macro: m is learnt", "macro: m is retired"],
  ]);
  expect(measured).toMatchObject({
    ...{ "macros.evicted": 1, "macros.retired": 1, "macros.called": [4, 4] },
    ...{ "macros.failed": [1, 1], "macros.stepsRun": [8, 8] },
  });
  expect(told(learned, learned, gone("retired"), learned).measured).toMatchObject({
    ...{ "macros.learned": 2, "macros.kept": 1 },
  });
});

it("[SK98] rounds of self-play are kept as they ended, and nothing that nobody handled", () => {
  const round: Said = ["dream.ended", { end: "verified", reason: null }];
  const unheard: readonly Said[] = [born(), learned, lesson("written"), round].map(
    ([type, fields, given]): Said => [type, fields, { ...given, fate: "ignored" }],
  );

  expect(told(round).rounds).toEqual([{ atMs: 1_000, end: "verified", reason: null }]);
  expect(told(...unheard)).toMatchObject({ lives: [], rounds: [], labels: [] });
});

it("[SK98] what is there from the start has its life from there; its own actors set the stage", () => {
  const start = (machine: string, input: object, from = "outside/skills"): Said => [
    "actor.start",
    { machine, address: machine, input },
    { from, cause: null },
  ];
  const playbook = start("playbook", {
    lessons: [
      { trigger: "sorting", verified: true },
      { trigger: "counting", verified: false },
    ],
  });
  const macros = start("macroKeeper", { macros: [{ name: "m", steps: [{ tool: "a" }] }] });
  const { lives, tells } = told(playbook, macros, start("skill", { name: "a" }, "outside/other"), [
    "host.message",
    {},
    { from: "outside/skills", cause: null },
  ]);

  expect(lives.slice(0, 3).map((life) => [life.kind, life.about, phases(life)])).toEqual([
    // The newest stands first there.
    ["lesson", "counting", ["unverified"]],
    ["lesson", "sorting", ["verified"]],
    ["macro", "a", ["kept"]],
  ]);
  expect(tells).toEqual([true, true, false, false]);
});

it("[SK98] macros count as there from the start", () => {
  const given = { playbook: [], macros: [{ name: "m" }, { name: "n" }] };
  const kept = (log: readonly Said[]) => {
    const meter = new Meter([], { skills: given as never });
    for (const one of logOf(log)) meter.observe(one);
    return meter.finals()["macros.kept"]?.["world"];
  };

  expect([kept([]), kept([learned]), kept([gone("evicted")])]).toEqual([2, 2, 1]);
});

it("[SK51] why macro:NAME asks for its end, else the last run that failed, else the last run, anew where it is learnt again", () => {
  const asked = (...log: readonly Said[]) => macroQuestions.find(logOf(log), "macro:m")?.seq;

  expect(asked(learned, ran(true), ran(true))).toBe(3);
  expect(asked(learned, ran(false), ran(true))).toBe(2);
  expect(asked(learned, ran(false), gone("evicted"), ran(true))).toBe(3);
  expect(asked(learned, gone("retired"), learned, ran(true))).toBe(4);
  expect(
    asked(["macro.ended", { name: "m", ok: true }, { ...MACROS, to: "playbook" }]),
  ).toBeUndefined();
  expect(macroQuestions.all(logOf([learned, ran(true)]))).toEqual(["macro:m"]);
  expect(macroQuestions.trouble(logOf([learned, ran(true), ran(false), ran(false)]))?.seq).toBe(3);
  expect(macroQuestions.trouble(logOf([learned, ran(true)]))).toBeUndefined();
});
