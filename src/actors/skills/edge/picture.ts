/** The picture of skills, lessons and macros, gathered from their story. */

import { countOf } from "../../../contract/countOf.ts";
import type { Pictured } from "../../../contract/edge/edgePart.ts";
import {
  ink,
  type PhaseLook,
  type PhaseLooks,
  type Picture,
  type Point,
  type Row,
  type SignLook,
  type SignLooks,
  type Step,
  type Steps,
} from "../../../contract/picture.ts";
import { merged } from "../../../edges/report/moments.ts";
import { groupedBy } from "../../../machines/grouped.ts";
import { folded, type Life, MAKING } from "../lives.ts";
import type { Round } from "../story.ts";
import { untilText, utilityText } from "./report.ts";

const bar = (colour: string): PhaseLook => ({ shape: "bar", colour });
const above = (says: string): SignLook => ({ shape: "disc", colour: ink.text, at: "over", says });
const below = (says: string): SignLook => ({ shape: "disc", colour: ink.bad, at: "under", says });

/** What the marks above a bar say, those of what went well, and those below it. */
const phases: PhaseLooks = {
  "being made": bar(ink.orange),
  active: bar(ink.green),
  degraded: bar(ink.bad),
  "listed as broken": bar(ink.wine),
  unverified: bar(ink.sky),
  verified: bar(ink.good),
  kept: bar(ink.pink),
  "self-play": bar(ink.grey),
};

const signs: SignLooks = {
  "skill well": above("went well"),
  "macro well": above("went well"),
  "lesson well": above("credited"),
  "self-play well": above("proved a lesson"),
  "skill badly": below("failed"),
  "macro badly": below("failed"),
  "lesson badly": below("shown"),
  "self-play badly": below("proved none"),
  wrap: { shape: "square", colour: ink.bad, at: "under", says: "program run to reach it" },
  end: { shape: "times", colour: ink.bad, at: "behind" },
};

export function skillsPicture({ observed: { result, story } }: Pictured): Picture {
  const endMs = result.virtualMs;
  const { lives, rounds } = story.skills;
  const told = new Set(["skill", "lesson", "macro"]);
  const { steps, undrawn } = panelsOf(lives);
  return {
    says: "Lives of skills, lessons and macros over virtual time",
    phases,
    signs,
    lanes: [...folded(lives).map((life) => rowOf(life, endMs)), ...roundsRow(rounds), ...steps],
    // The rows tell what became of each.
    marks: merged(story.moments.filter(({ kind }) => !told.has(kind))),
    undrawn,
  };
}

const usePoints = (kind: Life["kind"] | "self-play", uses: Life["uses"]): readonly Point[] =>
  uses.map(({ atMs, ok }) => ({ kind: `${kind} ${ok ? "well" : "badly"}`, atMs }));

function rowOf(life: Life, endMs: number): Row {
  const { kind, name, about, phases, uses, wraps, end } = life;
  const until = untilText(life);
  return {
    is: "row",
    label: `${name}: ${about}`,
    outcome: [usesText(life), until].filter((text) => text !== "").join("  ·  "),
    spans: phases.map(({ phase, atMs }, index) => ({
      phase,
      fromMs: atMs,
      toMs: phases[index + 1]?.atMs ?? life.endMs ?? endMs,
    })),
    points: [
      ...usePoints(kind, uses),
      ...wraps.map((atMs) => ({ kind: "wrap", atMs })),
      ...(end === null || life.endMs === null ? [] : [{ kind: "end", atMs: life.endMs }]),
    ],
  };
}

function usesText({ kind, uses, wraps, end }: Life): string {
  if (end === "refused" || end === "blocked") return "";
  const ok = uses.filter((one) => one.ok).length;
  if (kind === "lesson") {
    return uses.length === 0 ? "never shown" : `shown ${uses.length - ok}, credited ${ok}`;
  }
  const called = uses.length === 0 ? "never called" : `${ok} of ${uses.length} went well`;
  return wraps.length === 0 ? called : `${called}, ${countOf(wraps.length, "program")} run instead`;
}

/** All rounds of self-play in one row: above it those that proved a lesson. */
function roundsRow(rounds: readonly Round[]): Row[] {
  const ended = (how: Round["end"]) => rounds.filter(({ end }) => end === how).length;
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (first === undefined || last === undefined) return [];
  return [
    {
      is: "row",
      label: "self-play of the dreamer, by round",
      outcome: `${countOf(rounds.length, "round")}: ${ended("verified")} proved a lesson, ${ended("refused")} refused by the guard`,
      spans: [{ phase: "self-play", fromMs: first.atMs, toMs: last.atMs }],
      points: usePoints(
        "self-play",
        rounds.map(({ atMs, end }) => ({ atMs, ok: end === "verified" })),
      ),
    },
  ];
}

const COUNTED: readonly (readonly [Life["kind"], string])[] = [
  ["skill", "skills"],
  ["lesson", "lessons"],
  ["macro", "macros"],
];

/** Panels of utility: more would bury the lives. */
const UTILITIES_MAX = 6;

/** How many there are of each kind, where that says more than the rows; and the utility of lessons. */
function panelsOf(lives: readonly Life[]): {
  readonly steps: readonly Steps[];
  readonly undrawn: readonly string[];
} {
  const utilities = utilitySteps(lives);
  const undrawn = utilities.length - UTILITIES_MAX;
  return {
    steps: [...countPanels(lives), ...utilities.slice(0, UTILITIES_MAX)],
    undrawn: undrawn > 0 ? [`the utility of ${countOf(undrawn, "more lesson")} not drawn`] : [],
  };
}

const countPanels = (lives: readonly Life[]): Steps[] =>
  COUNTED.flatMap(([kind, name]) => {
    const steps = countSteps(lives.filter((one) => one.kind === kind));
    const most = Math.max(0, ...steps.map(({ value }) => value));
    // Of one alone its own row tells as much.
    if (steps.length < 2 || most < 2) return [];
    const label = `${steps.at(-1)?.value} at the end, at most ${most}`;
    return [
      {
        is: "steps",
        name: `how many ${name}`,
        lines: [{ label, steps }],
        bound: null,
        format: String,
      },
    ];
  });

/** What is being made is none yet, and what found no room never was one. */
function countSteps(lives: readonly Life[]): Step[] {
  const changes = lives.flatMap(({ phases, endMs, end }) => {
    const born = phases.find(({ phase }) => phase !== MAKING);
    if (born === undefined || end === "blocked") return [];
    return [{ atMs: born.atMs, by: 1 }, ...(endMs === null ? [] : [{ atMs: endMs, by: -1 }])];
  });
  if (changes.length === 0) return [];
  const values = new Map([[0, 0]]);
  let value = 0;
  for (const { atMs, by } of changes.toSorted((a, b) => a.atMs - b.atMs)) {
    value += by;
    values.set(atMs, value);
  }
  return [...values].map(([atMs, known]) => ({ atMs, value: known }));
}

/** A panel for each lesson that was ever weighed and kept; those of one course share it. */
function utilitySteps(lives: readonly Life[]): Steps[] {
  const weighed = lives.filter(({ utility, end }) => utility.length > 0 && end !== "blocked");
  const alike = groupedBy(weighed, ({ utility, endMs }) => JSON.stringify([utility, endMs]));
  return [...alike.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)?.name];
    if (first === undefined) return [];
    const { name, utility, endMs } = first;
    const value = utilityText(utility.at(-1)?.value ?? 0);
    const line = {
      label: endMs === null ? `${value} at the end` : `${value} when it left`,
      steps: utility,
      ...(endMs === null ? {} : { untilMs: endMs }),
    };
    return [
      {
        is: "steps",
        name: `utility of ${group.length === 1 ? name : `${name} … ${last}, each`}`,
        lines: [line],
        bound: null,
        format: utilityText,
      },
    ];
  });
}
