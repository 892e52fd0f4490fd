// What is told of the lives of skills, lessons and macros: story, report, picture, metrics.
import { describe, expect, it } from "vitest";
import { skillsPicture } from "../../../src/actors/skills/edge/picture.ts";
import {
  lifeTables,
  skillsColumns,
  skillsSummary,
} from "../../../src/actors/skills/edge/report.ts";
import type { SkillsFigures } from "../../../src/actors/skills/figures.ts";
import { glance } from "../../../src/actors/skills/glance.ts";
import { book, type SkillsStory } from "../../../src/actors/skills/story.ts";
import type { Moment } from "../../../src/contract/book.ts";
import { drawPicture } from "../../../src/edges/report/picture.ts";
import type { Mail, MailEvent } from "../../../src/machines/letter.ts";
import type { Macro } from "../../../src/machines/skills/macro.ts";
import type { RoundEnd } from "../../../src/machines/skills/selfPlay.ts";
import { figuresOf } from "../../../src/run/compare.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { metricChecks, observe } from "../../builtIn.ts";
import { loadScenario } from "../../builtInScenarios.ts";
import { delivery } from "../../handLog.ts";

const macro = (name: string): Macro => ({
  ...{ name, description: `does ${name}`, branches: {} },
  steps: [{ tool: "fs_read", description: "read", params: {} }],
});
const toMacros = (seq: number, event: MailEvent) =>
  delivery({ seq, to: "macros", from: "macros", event });
const ended = (seq: number, name: string, ok = true) =>
  toMacros(seq, {
    ...{ type: "macro.ended", name, agent: "cedar", cycle: 1, run: seq, ok, ran: 2, total: 1 },
    reason: ok ? null : "no",
  });
const born = (seq: number, name: string, kept: "active" | null) =>
  delivery({
    seq,
    to: "kernel",
    event: {
      ...{ type: "actor.start", machine: "skill", address: `skill/${name}` },
      input: { name, kept, description: `does ${name}` },
    },
  });
const counted = (seq: number, more: Partial<Mail["skill.counted"]>) =>
  delivery({
    seq,
    to: "skill/news",
    from: "skills",
    event: {
      ...{ type: "skill.counted", skill: "news", outcome: "failure", agent: "cedar", cause: "no" },
      ...{ status: "active", usageCount: 0, failureCount: 1 },
      ...more,
    },
  });
const lesson = (seq: number, more: Partial<Mail["playbook.changed"]>) =>
  delivery({
    seq,
    to: "playbook",
    from: "playbook",
    event: {
      ...{ type: "playbook.changed", lesson: "lesson-1", how: "written", cause: null },
      ...{ trigger: "sums", source: "self_play", challenge: "c", verified: false },
      ...{ utility: 500_000, size: 1, pins: 0 },
      ...more,
    },
  });

const log = [
  toMacros(1, { type: "macro.learned", macro: macro("brief"), goals: ["cedar/1"] }),
  ended(2, "brief"),
  ended(3, "brief", false),
  toMacros(4, { type: "macro.evicted", name: "brief", uses: 2, by: "other" }),
  born(5, "news", "active"),
  counted(6, {}),
  counted(7, { failureCount: 3, status: "degraded" }),
  delivery({
    seq: 8,
    to: "skill/news",
    from: "skills",
    event: { type: "skill.left", skill: "news", how: "retired", because: "3 failures" },
  }),
  lesson(9, {}),
  lesson(10, { how: "credited", verified: true, utility: 900_000 }),
  lesson(11, { how: "dropped", verified: true, cause: "oldest-pin" }),
];

const toKeeper = (seq: number, event: MailEvent) =>
  delivery({ seq, to: "skills", from: "skills", event });
const roundEnded = (seq: number, end: RoundEnd) =>
  delivery({
    ...{ seq, to: "playbook", from: "dreamer" },
    event: {
      ...{
        type: "dream.ended",
        dream: 1,
        round: seq,
        challenge: "c",
        end,
        attempts: 1,
        lesson: null,
      },
      reason: end === "refused" ? "it copies the challenge" : null,
    },
  });
/** A playbook that begins with so many lessons; the oldest stands last. */
const given = (seq: number, count: number) =>
  delivery({
    ...{ seq, to: "kernel", from: "outside/skills", dueMs: 0 },
    event: {
      ...{ type: "actor.start", machine: "playbook", address: "playbook" },
      input: {
        lessons: Array.from({ length: count }, (_, index) => ({
          ...{ trigger: `trigger ${index + 1}`, verified: true },
        })),
      },
    },
  });
const shown = (seq: number, name: string) =>
  delivery({
    ...{ seq, to: "playbook", from: "playbook" },
    event: {
      ...{ type: "playbook.surfaced", lesson: name, source: "self_play", challenge: "c" },
      ...{ agent: "cedar", n: 1, purpose: "plan", way: "recent", score: null, counts: true },
      utility: 400_000,
    },
  });

const none: SkillsFigures = {
  ...{ created: 0, refused: 0, degraded: 0, retired: 0, lost: 0, called: 0, failed: 0, wraps: 0 },
  ...{
    lessons: 0,
    pins: 0,
    dropped: 0,
    refusedByGuard: 0,
    shown: 0,
    credited: 0,
    macrosLearned: 0,
    macrosEvicted: 0,
    macroRuns: 0,
  },
};

const { scenario } = loadScenario("macro-learned", metricChecks);
const observed = observe(scenario, {});
/** That story in place of its own. */
function pictured(skills: SkillsStory) {
  const other: typeof observed.story = Object.create(observed.story, { skills: { value: skills } });
  const { lanes } = skillsPicture({ scenario, observed: { ...observed, story: other } });
  return {
    rows: lanes.filter((lane) => lane.is === "row"),
    steps: lanes.filter((lane) => lane.is === "steps"),
  };
}

function told(deliveries: readonly Delivery[] = log) {
  const moments: Moment[] = [];
  const facts = book.start({});
  for (const one of deliveries) book.step(facts, one, moments);
  return { skills: facts.told.skills, moments };
}

describe("the story", () => {
  it("[SK98] has a life for each skill, lesson and macro: its states, its uses, its end", () => {
    const { lives } = told().skills;

    expect(lives).toMatchObject([
      {
        kind: "macro",
        name: "brief",
        end: "evicted",
        endMs: 4_000,
        uses: [{ ok: true }, { ok: false }],
      },
      {
        ...{ kind: "skill", name: "news", end: "retired", endMs: 8_000 },
        phases: [{ phase: "active" }, { phase: "degraded", atMs: 7_000 }],
      },
      {
        ...{ kind: "lesson", name: "lesson-1", end: "dropped", uses: [{ ok: true }] },
        ...{ phases: [{ phase: "unverified" }, { phase: "verified" }] },
        utility: [{ value: 500_000 }, { value: 900_000 }, { value: 500_000 }],
      },
    ]);
  });

  it("[SK98] is told in tables, each kind in its own", () => {
    const [skills = "", lessons = "", macros = ""] = lifeTables(told().skills);

    expect(skills).toContain("active 0:00:05 → degraded 0:00:07");
    expect(skills).toContain("retired at 0:00:08");
    expect(skills).toContain("0 of 2");
    expect(lessons).toContain("dropped at 0:00:11");
    expect(macros).toContain("evicted at 0:00:04");
    expect(macros).toContain("1 of 2");
  });

  it("[SK98] leaves out the kinds that there are none of", () => {
    expect(lifeTables({ lives: [], rounds: [] })).toEqual([]);
    expect(lifeTables({ lives: told().skills.lives.slice(1, 2), rounds: [] })).toHaveLength(1);
  });

  it("[SK98] says why a life ended, where the log does", () => {
    expect(told().skills.lives.map(({ because }) => because)).toEqual([
      null,
      "3 failures",
      "it was the oldest of too many verified ones",
    ]);
  });

  it("[SK98] knows the programs that were run to reach a skill, and what a store copied", () => {
    const { skills, moments } = told([
      born(1, "news", "active"),
      toKeeper(2, {
        type: "skill.wrapped",
        skill: "news",
        agent: "cedar",
        wrap: "import",
        isTold: true,
      }),
      toKeeper(3, {
        ...{ type: "store.found", skills: 1, migrated: ["news"], filesAlone: [] },
        ...{ rowsAlone: [], fault: null },
      }),
    ]);

    expect(skills.lives[0]?.wraps).toEqual([2_000]);
    expect(lifeTables(skills)[0]).toMatch(/Programs run to reach it.*never called *\| 1 /s);
    expect(moments).toContainEqual(
      expect.objectContaining({ atMs: 3_000, label: "copied from the sandbox: news" }),
    );
  });

  it("[SK98] counts rounds of self-play by how they ended", () => {
    const { skills } = told([
      roundEnded(1, "refused"),
      roundEnded(2, "refused"),
      roundEnded(3, "verified"),
    ]);

    expect(lifeTables(skills)).toEqual([
      expect.stringMatching(/the guard refused *\| 2 .*it copies.*proved that it helps *\| 1 /s),
    ]);
    expect(skillsSummary(skills, none)).toBe(
      "Self-play: 3 rounds, of which 1 proved that a lesson helps; the guard refused 2 lessons.",
    );
  });
});

describe("a skill that is created again", () => {
  const again = delivery({
    seq: 6,
    to: "kernel",
    event: {
      ...{ type: "actor.start", machine: "skill", address: "skill/news#2" },
      input: { name: "news", kept: null, description: "does news better" },
    },
  });
  const left = delivery({
    ...{ seq: 7, to: "skill/news", from: "skills" },
    event: { type: "skill.left", skill: "news", how: "replaced", because: "it was created again" },
  });
  const registered = delivery({
    ...{ seq: 8, to: "skill/news#2", from: "skills" },
    event: { type: "skill.registered", ok: true, status: "active", saving: "changed" },
  });
  const refused = delivery({
    ...{ seq: 7, to: "skills", from: "skill/news#2" },
    event: {
      ...{ type: "skill.refused", skill: "news", agent: "cedar", stage: "testing" },
      ...{ cause: "test-run", found: "KeyError", todo: "Mend it." },
    },
  });
  const ends = (deliveries: readonly Delivery[]) =>
    told(deliveries).skills.lives.map(({ end, about, phases }) => [
      ...[about, end, phases.at(-1)?.phase],
    ]);

  it("[SK98] takes the place of the old one, whose life ends as replaced; its own goes on", () => {
    expect(ends([born(5, "news", "active"), again, left, registered])).toEqual([
      ["does news", "replaced", "active"],
      ["does news better", null, "active"],
    ]);
  });

  it("[SK98] and when it is refused, the old one goes on, with what is counted meanwhile", () => {
    const meanwhile = [counted(6, { failureCount: 3, status: "degraded" }), refused];

    expect(ends([born(5, "news", "active"), again, ...meanwhile])).toEqual([
      ["does news", null, "degraded"],
      ["does news better", "refused", "being made"],
    ]);
  });

  it("[SK106] what the engine lists as broken is told among its states, as long as it is listed", () => {
    const asked = (seq: number, names: readonly string[]) =>
      delivery({
        ...{ seq, to: "agent/cedar", from: "engine" },
        event: {
          ...{ type: "tools.answered", capabilities: [] },
          broken: names.map((name) => ({ name, failures: 3, reason: "no" })),
        },
      });
    const { lives } = told([
      ...[born(5, "news", "active"), asked(6, []), asked(7, ["news"]), asked(8, ["news"])],
      asked(9, []),
    ]).skills;

    expect(lives[0]?.phases.map(({ phase, atMs }) => [phase, atMs])).toEqual([
      ["active", 5_000],
      ["listed as broken", 7_000],
      ["active", 9_000],
    ]);
  });
});

describe("the picture", () => {
  it("[SK98] has one row for all that only lasted, and a panel for lessons of one course", () => {
    const { skills } = told([given(1, 50), shown(2, "lesson-49"), shown(2, "lesson-50")]);
    const { rows, steps } = pictured(skills);

    expect(rows.map(({ label, outcome }) => [label.slice(0, 34), outcome])).toEqual([
      ["lesson-1 … lesson-48: 48 lessons, s", "never shown"].map((text) => text.slice(0, 34)),
      ["lesson-49: trigger 2", "shown 1, credited 0"],
      ["lesson-50: trigger 1", "shown 1, credited 0"],
    ]);
    expect(steps.map(({ name, lines }) => [name, lines[0]?.label])).toEqual([
      ["utility of lesson-49 … lesson-50, each", "0.40 at the end"],
    ]);
  });

  it("[SK98] three that only lasted share a row, and two do not", () => {
    const rowsOf = (count: number) => pictured(told([given(1, count)]).skills).rows.length;

    expect([rowsOf(2), rowsOf(3)]).toEqual([2, 1]);
  });

  it("[SK98] counts what is there: neither what is being made nor what found no room", () => {
    const { skills } = told([
      given(1, 2),
      lesson(2, { lesson: "lesson-3", how: "blocked", cause: "blocked-by-pins" }),
      lesson(3, { lesson: "lesson-1", how: "dropped", cause: "lowest-utility" }),
      lesson(3, { lesson: "lesson-3" }),
      born(4, "news", null),
      delivery({
        ...{ seq: 5, to: "skills", from: "skill/news" },
        event: {
          ...{ type: "skill.refused", skill: "news", agent: "cedar", stage: "normalising" },
          ...{ cause: "cdata-wrapper", found: "a wrapper", todo: "Send the code alone." },
        },
      }),
    ]);
    const { rows, steps } = pictured(skills);

    expect(steps[0]).toMatchObject({
      name: "how many lessons",
      lines: [
        {
          label: "2 at the end, at most 2",
          steps: [
            { atMs: 0, value: 2 },
            { atMs: 3_000, value: 2 },
          ],
        },
      ],
    });
    expect(steps.slice(1).map(({ name, lines }) => [name, lines[0]?.untilMs])).toEqual([
      ["utility of lesson-1", 3_000],
      ["utility of lesson-3", undefined],
    ]);
    expect(rows.at(-1)?.outcome).toBe("refused at 0:00:05: cdata-wrapper");
  });
});

describe("macro-learned", () => {
  const { skills } = figuresOf(observed);
  const { name: title, startsAt } = scenario;
  const head = { title, startsAt, endMs: observed.result.virtualMs };
  const svg = drawPicture(skillsPicture({ scenario, observed }), head);

  it("[SK98] is drawn with a row for each life", () => {
    const { lives } = observed.story.skills;

    expect(lives.length).toBeGreaterThanOrEqual(3);
    for (const { name } of lives) expect(svg).toContain(name);
    expect(svg).toContain("virtual time");
  });

  it("[SK98] is summed up in a sentence, and beside its variants in columns", () => {
    if (skills === undefined) throw new Error("a world with skills has figures of them");
    const columns = skillsColumns([{ ...figuresOf(observed) }]);

    expect(skillsSummary(observed.story.skills, skills)).toMatch(
      /^Macros: \d learnt, \d evicted, \d\d runs\.$/,
    );
    expect(columns.head).toEqual(["Macros learnt", "Evicted", "Runs"]);
  });

  it("[SK98] measures what a recount of the log finds", () => {
    const { lives } = observed.story.skills;
    const runs = lives.flatMap(({ uses }) => uses).length;

    expect(skills).toMatchObject({
      macrosLearned: lives.length,
      macrosEvicted: lives.filter(({ end }) => end === "evicted").length,
      macroRuns: runs,
    });
  });
});

it("[SK98] [LD1] a person who watches sees how many there are, and which macros run", () => {
  const run = { agent: "cedar", macro: macro("brief") };
  const contexts = {
    playbook: { book: [{ verified: true }, { verified: false }] },
    macros: { book: [macro("brief"), macro("post")], runs: { 7: run } },
    "skill/news": {},
  };

  expect(glance(contexts)).toEqual([
    "skills: 1 alive; playbook: 2 lessons, 1 verified; macros: 2; cedar runs brief",
  ]);
  expect(glance({ playbook: contexts.playbook })).toEqual([
    "skills: 0 alive; playbook: 2 lessons, 1 verified; macros: 0",
  ]);
  expect(glance({ macros: contexts.macros })).toEqual([
    "skills: 0 alive; playbook: 0 lessons, 0 verified; macros: 2; cedar runs brief",
  ]);
  expect(glance({})).toEqual([]);
});
