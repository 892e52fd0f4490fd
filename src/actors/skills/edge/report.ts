/** What a report says of skills, lessons and macros: the life of each. */

import { markdownTable } from "markdown-table";
import { countOf } from "../../../contract/countOf.ts";
import type { Columns } from "../../../contract/edge/edgePart.ts";
import type { Figures } from "../../../contract/figures.ts";
import { shortClock } from "../../../edges/report/moments.ts";
import { tableCell } from "../../../edges/report/tableCell.ts";
import { groupedBy } from "../../../machines/grouped.ts";
import { MILLION } from "../../../machines/units.ts";
import { ROUND_ENDS } from "../dreamWords.ts";
import type { SkillsFigures } from "../figures.ts";
import { folded, type Life, MAKING } from "../lives.ts";
import type { Round, SkillsStory } from "../story.ts";

/** Characters and rows; what is cut is in `events`. */
const most = { name: 60, about: 80, rows: 60 };

/** What happened, in sentences. */
export const skillsSummary = (story: SkillsStory, figures: SkillsFigures): string =>
  [
    skillsSentence(story, figures),
    lessonsSentence(story, figures),
    roundsSentence(story),
    macrosSentence(story, figures),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");

function skillsSentence({ lives }: SkillsStory, figures: SkillsFigures): string {
  const { created, refused, degraded, retired, lost, wraps } = figures;
  const those = lives.filter(({ kind }) => kind === "skill");
  if (those.length === 0 && refused === 0) return "";
  const uses = those.flatMap((one) => one.uses);
  const wereThere = those.filter(({ phases }) => phases[0]?.phase !== MAKING).length;
  const facts = [
    ...(wereThere === 0 ? [] : [`${wereThere} from the start`]),
    `${created} created`,
    `${refused} refused`,
    `${degraded} degraded`,
    `${retired} retired`,
    `${lost} lost`,
  ];
  return [
    `Skills: ${facts.join(", ")}`,
    ...(uses.length === 0 ? [] : [`${wellOf(uses)} of ${countOf(uses.length, "call")} went well`]),
    ...(wraps === 0 ? [] : [`${countOf(wraps, "program")} run to reach one, instead of a call`]),
  ]
    .join("; ")
    .concat(".");
}

function lessonsSentence({ lives }: SkillsStory, { lessons, pins }: SkillsFigures): string {
  const those = lives.filter(({ kind }) => kind === "lesson");
  if (those.length === 0) return "";
  const uses = those.flatMap((one) => one.uses);
  const ended = (how: string) => those.filter(({ end }) => end === how).length;
  return (
    `The playbook has ${countOf(lessons, "lesson")}, ${pins} of them verified; ${ended("dropped")} left it, ` +
    `${ended("blocked")} found no room. Lessons were shown ${countOf(uses.length - wellOf(uses), "time")} and ` +
    `${wellOf(uses) === 0 ? "never credited" : `credited ${countOf(wellOf(uses), "time")}`}.`
  );
}

function roundsSentence({ rounds }: SkillsStory): string {
  if (rounds.length === 0) return "";
  const ended = (how: Round["end"]) => rounds.filter(({ end }) => end === how).length;
  return (
    `Self-play: ${countOf(rounds.length, "round")}, of which ${ended("verified")} proved that a lesson helps; ` +
    `the guard refused ${countOf(ended("refused"), "lesson")}.`
  );
}

function macrosSentence({ lives }: SkillsStory, figures: SkillsFigures): string {
  const { macrosLearned, macrosEvicted, macroRuns } = figures;
  return lives.some(({ kind }) => kind === "macro")
    ? `Macros: ${macrosLearned} learnt, ${macrosEvicted} evicted, ${countOf(macroRuns, "run")}.`
    : "";
}

const wellOf = (uses: Life["uses"]): number => uses.filter(({ ok }) => ok).length;

const TITLES: { readonly [K in Life["kind"]]: readonly [title: string, head: readonly string[]] } =
  {
    skill: ["Skills", ["Skill", "What for", "States", "Until", "Calls that went well"]],
    lesson: ["Lessons", ["Lesson", "What for", "States", "Until", "Shown", "Credited", "Utility"]],
    macro: ["Macros", ["Macro", "Calls", "Since", "Until", "Runs that went well"]],
  };

/** A table for each kind that there is, and one of self-play. */
export const lifeTables = ({ lives, rounds }: SkillsStory): string[] => [
  ...KINDS.flatMap((kind) => lifeTable(kind, lives)),
  ...roundsTable(rounds),
];

const KINDS = ["skill", "lesson", "macro"] as const;

function lifeTable(kind: Life["kind"], lives: readonly Life[]): string[] {
  const those = folded(lives.filter((one) => one.kind === kind));
  if (those.length === 0) return [];
  const [title, head] = TITLES[kind];
  const wraps = those.some((one) => one.wraps.length > 0);
  const more = those.length - most.rows;
  const tail = more > 0 ? `\n\n${more} more rows; \`events\` shows all.` : "";
  const rows = those
    .slice(0, most.rows)
    .map((life) => [...rowOf(life), ...(wraps ? [String(life.wraps.length)] : [])]);
  const heads = [...head, ...(wraps ? ["Programs run to reach it"] : [])];
  return [`## ${title}\n\n${markdownTable([heads, ...rows])}${tail}`];
}

/** How rounds of self-play ended; a reason is that of the first that has one. */
function roundsTable(rounds: readonly Round[]): string[] {
  if (rounds.length === 0) return [];
  const rows = [...groupedBy(rounds, ({ end }) => end)].map(([end, those]) => [
    ROUND_ENDS[end],
    String(those.length),
    `${shortClock(those[0]?.atMs ?? 0)} to ${shortClock(those.at(-1)?.atMs ?? 0)}`,
    tableCell(those.find(({ reason }) => reason !== null)?.reason ?? "", most.about),
  ]);
  const head = ["A round", "Times", "First and last", "Such as"];
  return [`## Self-play\n\n${markdownTable([head, ...rows])}`];
}

function rowOf(life: Life): string[] {
  const { kind, name, about, phases, uses, utility } = life;
  const head = [tableCell(name, most.name), tableCell(about, most.about)];
  const until = tableCell(untilText(life), most.about);
  if (kind === "macro") {
    return [...head, shortClock(phases[0]?.atMs ?? 0), until, ofAll(uses)];
  }
  const states = phases.map(({ phase, atMs }) => `${phase} ${shortClock(atMs)}`).join(" → ");
  if (kind === "skill") return [...head, states, until, life.end === "refused" ? "" : ofAll(uses)];
  const last = utility.at(-1);
  return [
    ...[...head, states, until, String(uses.length - wellOf(uses)), String(wellOf(uses))],
    last === undefined ? "" : utilityText(last.value),
  ];
}

const ofAll = (uses: Life["uses"]): string =>
  uses.length === 0 ? "never called" : `${wellOf(uses)} of ${uses.length}`;

/** `retired at 1:20:00: it failed too often in a row`; nothing for what lasts. */
export const untilText = ({ end, endMs, because }: Life): string =>
  end === null || endMs === null
    ? ""
    : `${end} at ${shortClock(endMs)}${because === null ? "" : `: ${because}`}`;

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
