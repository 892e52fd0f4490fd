/** What a report says of skills, lessons and macros: the life of each. */
import { markdownTable } from "markdown-table";
import type { Columns } from "../../../edges/edgePart.ts";
import { shortClock } from "../../../edges/moments.ts";
import { tableCell } from "../../../edges/tableCell.ts";
import { MILLION } from "../../../machines/units.ts";
import { countOf } from "../../countOf.ts";
import type { Figures } from "../../figures.ts";
import type { SkillsFigures } from "../figures.ts";
import type { Life } from "../lives.ts";
import type { SkillsStory } from "../story.ts";

/** Characters and rows; what is cut is in `events`. */
const most = { name: 60, about: 80, rows: 60 };

/** What happened, in sentences. */
export function skillsSummary({ lives }: SkillsStory, figures: SkillsFigures): string {
  const { created, refused, degraded, retired, lost, called, failed, wraps } = figures;
  const { lessons, pins, dropped, macrosLearned, macrosEvicted, macroRuns } = figures;
  const has = (kind: Life["kind"]) => lives.some((one) => one.kind === kind);
  return [
    ...(has("skill") || refused > 0
      ? [
          `Skills: ${created} created, ${refused} refused, ${degraded} degraded, ${retired} retired, ${lost} lost.`,
        ]
      : []),
    ...(called + failed > 0
      ? [`They were called ${countOf(called + failed, "time")}, ${failed} of them in vain.`]
      : []),
    ...(wraps > 0 ? [`A program reached for a skill ${countOf(wraps, "time")}.`] : []),
    ...(has("lesson")
      ? [
          `The playbook has ${countOf(lessons, "lesson")}, ${pins} of them verified; ${dropped} went.`,
        ]
      : []),
    ...(has("macro")
      ? [`Macros: ${macrosLearned} learnt, ${macrosEvicted} evicted, ${countOf(macroRuns, "run")}.`]
      : []),
  ].join(" ");
}

const TITLES: { readonly [K in Life["kind"]]: readonly [title: string, head: readonly string[]] } =
  {
    skill: ["Skills", ["Skill", "What for", "States", "Until", "Calls that went well"]],
    lesson: ["Lessons", ["Lesson", "What for", "States", "Until", "Shown", "Credited", "Utility"]],
    macro: ["Macros", ["Macro", "Calls", "Since", "Until", "Runs that went well"]],
  };

/** A table for each kind that there is. */
export const lifeTables = ({ lives }: SkillsStory): string[] =>
  (["skill", "lesson", "macro"] as const).map((kind) => {
    const those = lives.filter((one) => one.kind === kind);
    if (those.length === 0) return "";
    const [title, head] = TITLES[kind];
    const more = those.length - most.rows;
    const tail = more > 0 ? `\n\n${more} more rows; \`events\` shows all.` : "";
    const rows = those.slice(0, most.rows).map((life) => rowOf(life));
    return `## ${title}\n\n${markdownTable([[...head], ...rows])}${tail}`;
  });

function rowOf(life: Life): string[] {
  const { kind, name, about, phases, uses, utility } = life;
  const wellUsed = uses.filter(({ ok }) => ok).length;
  const head = [tableCell(name, most.name), tableCell(about, most.about)];
  const until = untilText(life);
  if (kind === "macro") {
    return [...head, shortClock(phases[0]?.atMs ?? 0), until, ofAll(wellUsed, uses.length)];
  }
  const states = phases.map(({ phase, atMs }) => `${phase} ${shortClock(atMs)}`).join(" → ");
  if (kind === "skill") return [...head, states, until, ofAll(wellUsed, uses.length)];
  const last = utility.at(-1);
  return [
    ...[...head, states, until, String(uses.length - wellUsed), String(wellUsed)],
    last === undefined ? "" : utilityText(last.value),
  ];
}

const ofAll = (some: number, all: number): string => (all === 0 ? "" : `${some} of ${all}`);

/** `retired at 1:20:00`; nothing for what lasts. */
export const untilText = ({ end, endMs }: Life): string =>
  end === null || endMs === null ? "" : `${end} at ${shortClock(endMs)}`;

export const utilityText = (millionths: number): string => (millionths / MILLION).toFixed(2);

type Column = readonly [name: string, of: (one: SkillsFigures) => number];

const COLUMNS: readonly Column[] = [
  ["Skills created", ({ created }) => created],
  ["Refused", ({ refused }) => refused],
  ["Degraded", ({ degraded }) => degraded],
  ["Retired", ({ retired }) => retired],
  ["Lost", ({ lost }) => lost],
  ["Skill calls", ({ called, failed }) => called + failed],
  ["Of these in vain", ({ failed }) => failed],
  ["Wraps", ({ wraps }) => wraps],
  ["Lessons kept", ({ lessons }) => lessons],
  ["Verified", ({ pins }) => pins],
  ["Lessons that went", ({ dropped }) => dropped],
  ["Refused by the guard", ({ refusedByGuard }) => refusedByGuard],
  ["Shown", ({ shown }) => shown],
  ["Credited", ({ credited }) => credited],
  ["Macros learnt", ({ macrosLearned }) => macrosLearned],
  ["Evicted", ({ macrosEvicted }) => macrosEvicted],
  ["Runs", ({ macroRuns }) => macroRuns],
];

/** The columns in which variants are compared: what is 0 in all is omitted. */
export function skillsColumns(worlds: readonly Figures[]): Columns {
  const columns = COLUMNS.filter(([, of]) =>
    worlds.some(({ skills }) => skills && of(skills) !== 0),
  );
  return {
    head: columns.map(([name]) => name),
    cells: ({ skills }) =>
      columns.map(([, of]) => (skills === undefined ? "" : String(of(skills)))),
  };
}
