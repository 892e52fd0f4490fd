// The sentences that are told of skills, macros, lessons and dreams.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/skills/words.ts";
import { expectTold, type Told, unheld } from "../../sentences.ts";

const counted = (given: object, says: string): Told => [
  "skill.counted",
  { skill: "news", outcome: "failure", cause: null, status: "active", failureCount: 1, ...given },
  says,
];
const nothing = { skills: 0, migrated: [], filesAlone: [], rowsAlone: [], fault: null };

const skills: readonly Told[] = [
  ["skill.stepped", { skill: "news", stage: "parse", detail: "ok" }, "news passed parse: ok."],
  ["skill.registering", { skill: "news" }, "news is in the store; its row is written last."],
  ["skill.registered", { ok: true }, "news is a skill now.", { to: "skill/news#2" }],
  [
    "skill.registered",
    { ok: false, error: "full" },
    "news could not be registered: full.",
    { to: "skill/news" },
  ],
  ["skill.registered", { ok: false }, "x could not be registered: no reason given.", { to: "x" }],
  [
    "skill.refused",
    { skill: "", stage: "name", cause: "empty", found: "nothing" },
    "A skill without a name was refused at name (empty): nothing.",
  ],
  [
    "skill.refused",
    { skill: "news", stage: "name", cause: "long", found: "it is" },
    "news was refused at name (long): it is.",
  ],
  counted({ outcome: "success" }, "news did what it is for."),
  counted({ outcome: "infra" }, "A call of news was broken off by the machine: no reason given."),
  counted({ cause: "it raised" }, "news failed: it raised."),
  counted(
    { status: "degraded", failureCount: 3 },
    "news failed: no reason given. It is degraded after 3 failures in a row.",
  ),
  counted(
    { status: "degraded" },
    "news failed: no reason given. It is degraded after 1 failure in a row.",
  ),
  ["skill.left", { skill: "news", how: "retired", because: "old" }, "news was retired: old."],
  [
    "skill.wrapped",
    { skill: "news", agent: "cedar", wrap: "news()", isTold: true },
    "cedar reached for news with `news()` instead of calling it by its name; the prompts say how it is called.",
  ],
  [
    "skill.wrapped",
    { skill: "news", agent: "cedar", wrap: "news()", isTold: false },
    "cedar reached for news with `news()` instead of calling it by its name; no prompt says how it is called.",
  ],
  ["store.found", nothing, null],
  ["store.found", { ...nothing, skills: 2 }, "The store of skills holds 2 skills."],
  [
    "store.found",
    {
      ...{ skills: 1, migrated: ["a", "b"], filesAlone: ["c"], rowsAlone: ["d"], fault: "torn" },
      ...{ unfit: [{ skill: "", why: "no name" }], changed: ["e", "f"] },
    },
    "The store of skills holds 1 skill; torn; copied from the sandbox: a, b; files without a row: c; " +
      'rows without a file: d; rows that cannot be taken: "" (no name); files changed behind their rows: e, f.',
  ],
  ["sandbox.wiped", {}, "The sandbox was emptied."],
];

const MACROS = { to: "macros", from: "engine" };
const macros: readonly Told[] = [
  [
    "macro.learned",
    { macro: { name: "m", steps: [{ tool: "a" }, { tool: "b" }] }, goals: ["cedar/1", "cedar/2"] },
    "a, then b recurred in 2 completed goals (cedar/1, cedar/2) and became the macro m.",
  ],
  [
    "macro.evicted",
    { name: "m", uses: 0, by: "n" },
    "The macro m gave its place to n: nobody had used it.",
  ],
  [
    "macro.evicted",
    { name: "m", uses: 1, by: "n" },
    "The macro m gave its place to n: it was used once, the least of all.",
  ],
  [
    "macro.evicted",
    { name: "m", uses: 2, by: "n" },
    "The macro m gave its place to n: it was used 2 times, the least of all.",
  ],
  ["macro.retired", { name: "m", by: "cedar" }, "cedar retired the macro m."],
  [
    "macro.ended",
    { name: "m", agent: "cedar", ok: true, ran: 2 },
    "cedar's macro m went well, in 2 steps.",
  ],
  [
    "macro.ended",
    { name: "m", agent: "cedar", ok: false, ran: 1, reason: "torn" },
    "cedar's macro m failed after 1 step: torn.",
  ],
];
/** The engine's answer is told of macros by this part, where the part of agents leaves it. */
it("[VB12] a call of a macro is told as the macro's", () => {
  const of = (fields: object) =>
    words["call.finished"]?.(fields as never, { to: MACROS.to } as never, undefined);

  expect(of({ capability: "a", ok: true })).toBe("The macro's call of a succeeded.");
  expect(of({ capability: null, ok: false, error: "torn" })).toBe("The macro's call failed: torn.");
  expect(words["call.finished"]?.({} as never, { to: "agent/a" } as never, undefined)).toBeNull();
});

const changed = (given: object, says: string): Told => [
  "playbook.changed",
  { lesson: "l-1", how: "dropped", cause: null, trigger: "t", size: 7, verified: false, ...given },
  says,
];
const round = (end: string, says: string): Told => [
  "dream.ended",
  { challenge: "sorting", end, reason: null },
  `Self-play at sorting ${says}.`,
];
const replied = (text: unknown, says: string | null, choice?: string): Told => [
  "llm.replied",
  { text: typeof text === "string" ? text : JSON.stringify(text) },
  says,
  { to: "dreamer", ...(choice !== undefined && { choice }) },
];

const dreams: readonly Told[] = [
  ["dream.began", { dream: 2 }, "Dream 2 began.", { to: "playbook" }],
  ["dream.began", { dream: 2 }, null, { to: "dreamer" }],
  [
    "dream.challenged",
    { dream: 2, challenge: "c-1", domain: "text", text: "Sort!" },
    "Dream 2 set itself c-1 (text): Sort!",
  ],
  [
    "dream.tried",
    { isVerification: false, attempt: 3, passed: true },
    "Attempt 3: the solver passed.",
  ],
  [
    "dream.tried",
    { isVerification: true, attempt: 1, passed: false, error: "torn" },
    "With the lesson, the solver failed: torn.",
  ],
  [
    "dream.tried",
    { isVerification: false, attempt: 1, passed: false },
    "Attempt 1: the solver failed: no reason given.",
  ],
  round("mastered", "taught nothing"),
  round("lost", "taught nothing"),
  round("empty", "left no lesson"),
  round("refused", "left a lesson that the guard refused"),
  round("unverified", "left a lesson that did not prove that it helps"),
  round("verified", "left a lesson that proved that it helps"),
  ["dream.ended", { challenge: "", end: "broken", reason: "torn" }, "Self-play broke off: torn."],
  changed({ how: "written" }, 'l-1 ("t") came into the playbook, unverified; it has 7.'),
  changed(
    { how: "written", verified: true },
    'l-1 ("t") came into the playbook, verified; it has 7.',
  ),
  changed({ how: "reinforced" }, 'l-1 ("t") was learnt once more.'),
  changed({ how: "credited" }, "l-1 was credited with the success."),
  changed({ how: "blocked" }, 'l-1 ("t") found no room in the playbook.'),
  changed(
    { how: "blocked", cause: "blocked-by-pins" },
    'l-1 ("t") found no room in the playbook: verified ones fill the playbook.',
  ),
  ...Object.entries({
    "oldest-pin": "it was the oldest of too many verified ones",
    "lowest-utility": "its utility was the lowest",
    "never-helpful": "it was shown often and never helped",
    "lowest-quarter": "its utility was in the lowest quarter",
  }).map(([cause, why]) => changed({ cause }, `l-1 ("t") left the playbook: ${why}.`)),
  [
    "playbook.surfaced",
    { agent: "cedar", purpose: "plan", lesson: "l-1", counts: true },
    "cedar's prompt (plan) was shown l-1.",
  ],
  [
    "playbook.surfaced",
    { agent: "cedar", purpose: "plan", lesson: "l-1", counts: false },
    "cedar's prompt (plan) was shown l-1, which had been counted for this goal.",
  ],
  replied("hello", "The model answered the dreamer."),
  replied("def solve():\n    return 1", "The model wrote an attempt at the dreamer's task."),
  replied("hello", "The model answered the dreamer [dream:a].", "dream:a"),
  ["llm.failed", { error: "torn" }, "The model gave dreamer no answer: torn.", { to: "dreamer" }],
  ["llm.failed", { error: "torn" }, null, { to: "nobody" }],
];

it.each([
  ["skills and their store", skills],
  ["macros", macros],
  ["lessons and dreams", dreams],
])("[VB12] %s are told in these words", (_, rows) => {
  expectTold(rows);
});

it("[VB12] of skills nothing else is told", () => {
  expect(unheld(words, [...skills, ...macros, ...dreams])).toEqual(["call.finished"]);
});
