// What is told of the lives of skills, lessons and macros: story, report, picture, metrics.
import { describe, expect, it } from "vitest";
import { drawSkills } from "../../../src/actors/skills/edge/picture.ts";
import { skillsPictureOf } from "../../../src/actors/skills/edge/pictureOf.ts";
import {
  lifeTables,
  skillsColumns,
  skillsSummary,
} from "../../../src/actors/skills/edge/report.ts";
import { glance } from "../../../src/actors/skills/glance.ts";
import { story } from "../../../src/actors/skills/story.ts";
import type { Moment } from "../../../src/actors/story.ts";
import { figuresOf } from "../../../src/compare.ts";
import type { Mail, MailEvent } from "../../../src/machines/letter.ts";
import type { Macro } from "../../../src/machines/skills/macro.ts";
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

function told() {
  const moments: Moment[] = [];
  const teller = story({}, moments);
  for (const one of log) teller.observe(one);
  const { skills } = teller.told;
  if (skills === undefined) throw new Error("the story of skills is told");
  return { skills, moments };
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
    expect(lifeTables({ lives: [] })).toEqual(["", "", ""]);
  });
});

describe("macro-learned", () => {
  const { scenario } = loadScenario("macro-learned", metricChecks);
  const observed = observe(scenario, {});
  const { skills } = figuresOf(observed);
  const svg = drawSkills(skillsPictureOf({ scenario, observed }));

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

it("[SK98] a person who watches sees how many there are, and which macros run", () => {
  const run = { agent: "cedar", macro: macro("brief") };
  const contexts = {
    playbook: { book: [{ verified: true }, { verified: false }] },
    macros: { book: [macro("brief")], runs: { 7: run } },
    "skill/news": {},
  };

  expect(glance(contexts)).toEqual([
    "skills: 1 alive; playbook: 2 lessons, 1 verified; macros: 1; cedar runs brief",
  ]);
  expect(glance({})).toEqual([]);
});
