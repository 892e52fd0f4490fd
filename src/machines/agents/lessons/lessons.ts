/**
 * What an agent learns from its goals: candidates, what makes two of them one, and when a candidate
 * becomes a rule of its environment. Source: seed 004, "Lessons"; ruling U12.
 */
import { between, flag, integer, subset, type ValuesOf } from "../../policyLeaf.ts";
import { readJson, readObject } from "../../readJson.ts";
import { terms } from "../../stemmer.ts";
import { hours, minutes } from "../../units.ts";

/** The seed names the first two; the others are ours. */
export const categories = [
  "environment",
  "constraints",
  "tools",
  "planning",
  "quality",
  "peers",
] as const;

export type Category = (typeof categories)[number];

export const lessonLeaves = {
  enabled: flag(true, {
    says: "Whether lessons are drawn from goals; without, no model is asked for any.",
    source: "seed 004, Lessons",
  }),
  observations: integer(2, between(1, 1_000, "goals"), {
    says: "From so many different goals on, a candidate is a lesson.",
    source: "seed 004, Lessons; RULINGS U12",
  }),
  singleShot: subset(["environment", "constraints"], [...categories], {
    says: "Categories in which one observation of high confidence is enough.",
    source: "seed 004, Lessons",
  }),
  similarity: integer(550, between(1, 1_000, "thousandths"), {
    says: "From this Jaccard similarity of their words on, two lessons are one.",
    source: "seed 004, Lessons",
  }),
  families: flag(true, {
    says: "Whether lessons of one family are one, however they are worded.",
    source: "seed 004, Lessons; the table of families is ours",
  }),
  candidatesMax: integer(100, between(1, 10_000, "lessons"), {
    says: "Most candidates; one more pushes out the one that was observed longest ago.",
    source: "ours",
  }),
  lessonsMax: integer(50, between(1, 10_000, "lessons"), {
    says: "Most lessons; while there are so many, candidates stay candidates.",
    source: "ours: lessons are durable, so none is pushed out",
  }),
  queueMax: integer(20, between(1, 1_000, "goals"), {
    says: "Most ended goals that wait for their lesson; one more is let go.",
    source: "ours",
  }),
  charsMax: integer(300, between(1, 10_000, "characters"), {
    says: "Where a lesson is cut.",
    source: "ours",
  }),
  modelTimeoutMs: integer(minutes(10), between(1, hours(24), "ms"), {
    says: "How long a lesson is waited for, its turn in the model's queue included.",
    source: "ours, as long as an agent waits for its model",
  }),
};

export type LessonPolicy = ValuesOf<typeof lessonLeaves>;

/** What the model says it learnt. */
export interface Lesson {
  readonly lesson: string;
  readonly category: Category;
  readonly confidence: Confidence;
}

export type Confidence = "high" | "low";

/** A lesson and the goals it was seen in, by number; the latest last. */
export interface Observed extends Lesson {
  readonly observations: readonly number[];
}

export interface Memory {
  readonly candidates: readonly Observed[];
  /** In the order in which they were promoted. */
  readonly lessons: readonly Observed[];
}

/**
 * `full`: ready to be promoted, and no room for it. `known`: a lesson already, or a candidate seen
 * in this very goal before.
 */
export type Learnt = "candidate" | "observed" | "promoted" | "full" | "known";

/** The memory after one more observation, and what became of it. */
export function learn(
  memory: Memory,
  seen: Lesson,
  n: number,
  policy: LessonPolicy,
): { readonly memory: Memory; readonly outcome: Learnt; readonly lesson: string } {
  const { candidates, lessons } = memory;
  const known = lessons.find((one) => isAlike(one.lesson, seen.lesson, policy));
  if (known !== undefined) return { memory, outcome: "known", lesson: known.lesson };
  const before = candidates.find((one) => isAlike(one.lesson, seen.lesson, policy));
  const others = candidates.filter((one) => one !== before);
  const isAgain = before?.observations.includes(n) ?? false;
  // More goals than a promotion asks for need not be remembered while there is no room for it.
  const observations = [...new Set([...(before?.observations ?? []), n])].slice(
    -policy.observations,
  );
  const confidence = before?.confidence === "high" ? "high" : seen.confidence;
  const now: Observed = { ...(before ?? seen), confidence, observations };
  const isReady = observations.length >= policy.observations || isCertain(seen, policy);
  if (isReady && lessons.length < policy.lessonsMax) {
    const after = { candidates: others, lessons: [...lessons, now] };
    return { memory: after, outcome: "promoted", lesson: now.lesson };
  }
  if (isAgain) return { memory, outcome: "known", lesson: now.lesson };
  const after = { candidates: [...others, now].slice(-policy.candidatesMax), lessons };
  const outcome = isReady ? "full" : before ? "observed" : "candidate";
  return { memory: after, outcome, lesson: now.lesson };
}

/** One such observation is enough. */
const isCertain = ({ category, confidence }: Lesson, { singleShot }: LessonPolicy): boolean =>
  confidence === "high" && singleShot.includes(category);

/** Whether two texts say the same: by family, or by the share of the words they have in common. */
export function isAlike(one: string, other: string, policy: LessonPolicy): boolean {
  const family = policy.families ? familyOf(one) : undefined;
  if (family !== undefined && family === familyOf(other)) return true;
  const words = new Set(terms(one));
  const others = new Set(terms(other));
  const shared = [...words].filter((word) => others.has(word)).length;
  const all = words.size + others.size - shared;
  // Texts without words of ours, in another script, are compared as they stand.
  return all === 0 ? one === other : shared * 1_000 >= policy.similarity * all;
}

export const candidatesPath = (agent: string): string =>
  `/agentOS/memory/lessons/${agent}/lessons_candidates.json`;

export const lessonsPath = (agent: string): string =>
  `/agentOS/memory/lessons/${agent}/lessons.json`;

/** JSON with one lesson a line, so that damage to one leaves the others. */
export const lessonsText = (lessons: readonly Observed[]): string =>
  lessons.length === 0
    ? "[]\n"
    : `[\n${lessons.map((lesson) => JSON.stringify(lesson)).join(",\n")}\n]\n`;

/** What is no lesson is omitted, be it one line or the whole text; no text makes the reading throw. */
export function readLessons(text: string | null | undefined, max: number): readonly Observed[] {
  const whole = readJson(text ?? "");
  const items = Array.isArray(whole)
    ? whole
    : (text ?? "").split("\n").map((line) => readObject(line.replace(/,\s*$/u, "")));
  return items.flatMap(observedOf).slice(0, max);
}

function observedOf(item: unknown): Observed[] {
  if (typeof item !== "object" || item === null) return [];
  const { lesson, category, confidence, observations } = item as Partial<Observed>;
  const isWhole =
    typeof lesson === "string" &&
    lesson !== "" &&
    (categories as readonly unknown[]).includes(category) &&
    (confidence === "high" || confidence === "low") &&
    Array.isArray(observations) &&
    observations.every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!isWhole) return [];
  const seen = [...new Set(observations as readonly number[])];
  return [{ lesson, category: category as Category, confidence, observations: seen }];
}

/**
 * Families of lessons: different wordings of one rule. The seed names the kind ("all 'verify path
 * exists' variants collapse to one") and no table; this one is ours. The first family that fits is
 * the lesson's.
 */
interface LessonFamily {
  readonly name: string;
  /** One of these fits; matched against the text in lower case. */
  readonly patterns: readonly RegExp[];
  readonly source: string;
}

const CHECK = String.raw`\b(?:verif|check|confirm|ensur|validat|make sure|test)\w*`;
const EXISTS = String.raw`\b(?:exist\w*|presen(?:t|ce)|is there|are there|missing)\b`;
const PLACE = String.raw`\b(?:path|file|folder|director|artifact)\w*`;

const source = "ours, after seed 004, Lessons";

export const lessonFamilies: readonly LessonFamily[] = [
  {
    name: "verify-existence",
    patterns: [
      new RegExp(`${CHECK}.*${PLACE}.*${EXISTS}`, "u"),
      new RegExp(`${CHECK}.*${EXISTS}.*${PLACE}`, "u"),
      new RegExp(`${PLACE}.*${EXISTS}.*\\bbefore\\b`, "u"),
      new RegExp(`\\blist\\b.*${PLACE}.*\\bbefore\\b.*\\b(?:read|open)\\w*`, "u"),
    ],
    source,
  },
  {
    name: "read-only-paths",
    patterns: [
      /\bread-?\s?only\b.*(?:\/agentos\/|\bpath|\bfile|\bfolder|\bdirector)/u,
      /(?:\/agentos\/|\bpath|\bfile|\bfolder|\bdirector).*\bread-?\s?only\b/u,
      /\b(?:never|not|cannot|can't|don't)\b.*\b(?:writ|edit|modif|chang|delet)\w*.*(?:\/agentos\/agents|\bsystem\b)/u,
      /(?:\/agentos\/agents|\bsystem (?:path|file|folder)s?).*\b(?:not|never|cannot|can't)\b.*\b(?:writ|edit|modif|chang|delet)\w*/u,
    ],
    source,
  },
  {
    name: "no-placeholders",
    patterns: [
      /\b(?:placeholder|lorem ipsum|todo|notimplementederror|scaffold|stub text)/u,
      /\b(?:empty|blank|hollow)\b.*\b(?:file|output|artifact|result|page)s?\b/u,
      /\b(?:file|output|artifact|page)s?\b.*\b(?:empty|too short|substance|at least \d+)\b/u,
    ],
    source,
  },
  {
    name: "failing-tools",
    patterns: [
      /\b(?:tool|capabilit)\w*.*\b(?:fail|broke|broken|error)\w*.*\b(?:again|repeat|twice|retry|other|another|different|instead|switch|stop|avoid)\w*/u,
      /\b(?:again|repeat|retry|retrying|avoid|stop)\w*.*\b(?:fail|broken)\w*.*\b(?:tool|capabilit)\w*/u,
      /\b(?:switch|try|use)\b.*\b(?:another|different|other)\b.*\b(?:tool|capabilit)\w*.*\bfail/u,
    ],
    source,
  },
  {
    name: "quote-what-stands",
    patterns: [
      /\b(?:quot|cit)\w*.*\b(?:exact|actual|word for word|verbatim|stands?|holds?|contents?)\b/u,
      /\b(?:claim|statement)s?\b.*\b(?:check|verif|match|actual)\w*.*\b(?:file|content)s?\b/u,
    ],
    source,
  },
];

/** The family of a lesson, by name. */
export const familyOf = (lesson: string): string | undefined => {
  const text = lesson.toLowerCase();
  return lessonFamilies.find(({ patterns }) => patterns.some((one) => one.test(text)))?.name;
};
