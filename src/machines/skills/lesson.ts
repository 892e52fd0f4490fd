/** A lesson of the playbook: what to do differently in a class of tasks, and what it is credited with. Source: seed 001, Path B; dossier 1.7. */
import { byCodePoint } from "../codePoints.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";
import { MILLION, minutes } from "../units.ts";

/** The classes of tasks a lesson may be of. Source: dossier 1.7; the seed names none. */
export const DOMAINS = [
  "algo",
  "bash",
  "concurrency",
  "data_analysis",
  "python_general",
  "regex_parse",
  "sql",
  "web_automation",
] as const;

/** What its writer says of a lesson; the playbook keeps the rest. */
export interface LessonDraft {
  /** The class of tasks it is for, in words close to those of a query. */
  readonly trigger: string;
  /** What went wrong; empty when nothing did. */
  readonly antiPattern: string;
  readonly correctPattern: string;
  readonly domains: readonly string[];
  /** Millionths. */
  readonly confidence: number;
  readonly sourceChallengeHash: string;
  readonly verified: boolean;
  readonly verificationAttempted: boolean;
  /** Who wrote it, such as `self_play`. */
  readonly source: string;
}

export interface Lesson extends LessonDraft {
  /** How often it was put into a prompt. */
  readonly retrievals: number;
  readonly helpfulRetrievals: number;
  readonly lastRetrievedAtMs: number | null;
  readonly lastCreditedAtMs: number | null;
  /** How often it was learned. */
  readonly frequency: number;
  readonly writtenAtMs: number;
}

/** A new lesson; its confidence is held in 0 … 1. */
export const newLesson = (draft: LessonDraft, nowMs: number): Lesson => ({
  ...draft,
  confidence: holdConfidence(draft.confidence),
  retrievals: 0,
  helpfulRetrievals: 0,
  lastRetrievedAtMs: null,
  lastCreditedAtMs: null,
  frequency: 1,
  writtenAtMs: nowMs,
});

export const holdConfidence = (millionths: number): number =>
  Math.max(0, Math.min(MILLION, Math.round(millionths)));

/** As it stands in a prompt; a tick is for verified ones. */
export function renderLesson(lesson: Lesson): string {
  const { trigger, domains, antiPattern, correctPattern, verified } = lesson;
  return [
    `TRIGGER (${verified ? "✓" : "·"}): ${trigger}`,
    ...(domains.length === 0 ? [] : [`DOMAINS: ${domains.join(", ")}`]),
    ...(antiPattern === "" ? [] : [`ANTI-PATTERN: ${antiPattern}`]),
    ...(correctPattern === "" ? [] : [`CORRECT-PATTERN: ${correctPattern}`]),
  ].join("\n   ");
}

/** Whoever writes a prompt of it ends the line with a colon. */
export const PLAYBOOK_TITLE = "### SKILL PLAYBOOK";

/** The section of a prompt; empty when nothing was retrieved. */
export function playbookSection(lessons: readonly Lesson[], isRecent = false): string {
  if (lessons.length === 0) return "";
  return [
    `${PLAYBOOK_TITLE}:`,
    `## ${isRecent ? "RECENT" : "RELEVANT"} LESSONS LEARNED (Follow these to avoid repeats):`,
    ...lessons.map((lesson, index) => `${index + 1}. ${renderLesson(lesson)}`),
  ].join("\n");
}

/** Words of a question that say nothing of its subject, by what they are. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  [
    "a an the this that it its",
    "i me my we you",
    "how what when why",
    "and or",
    "at for in of on to with",
    "be is are do does did",
    "can could should would",
    "get need please want",
  ].flatMap((line) => line.split(" ")),
);

/** In order of appearance; all of them when none tells anything. */
export function tellingWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\s]/gu, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !QUESTION_WORDS.has(word));
  return telling.length === 0 ? words : telling;
}

/** Two triggers are the same lesson by their telling words, in any order. */
export const triggerKey = (trigger: string): string =>
  tellingWords(trigger).toSorted(byCodePoint).join(" ");

export const creditLeaves = {
  creditWithinMs: integer(minutes(5), between(0, minutes(24 * 60), "ms"), {
    says: "How long after it was surfaced a lesson is credited with a success.",
    source: "seed 001, Retrieval feedback loop",
  }),
  creditWords: integer(2, between(0, 20, "words"), {
    says: "Words a query must share with a lesson for its success to be the lesson's too.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  creditConfidence: integer(50_000, between(0, MILLION, "millionths"), {
    says: "What a credit adds to confidence.",
    source: "ours, as in the real system: the seed says nothing",
  }),
};

export type CreditPolicy = ValuesOf<typeof creditLeaves>;

/** What the success was about; with neither, it is every recent lesson's. */
export interface Success {
  readonly query?: string;
  readonly triggers?: readonly string[];
}

/**
 * A success soon after a lesson was shown is the lesson's too: it with its credit, or itself when it gets none. Each showing is
 * credited once. Source: seed 001, Retrieval feedback loop; dossier 1.9.
 */
export function creditLesson(
  lesson: Lesson,
  success: Success,
  nowMs: number,
  by: CreditPolicy,
): Lesson {
  const { lastRetrievedAtMs: shownMs, lastCreditedAtMs: creditedMs } = lesson;
  if (shownMs === null || shownMs < nowMs - by.creditWithinMs) return lesson;
  if (creditedMs !== null && creditedMs >= shownMs) return lesson;
  if (!concerns(success, lesson, by)) return lesson;
  return {
    ...lesson,
    helpfulRetrievals: lesson.helpfulRetrievals + 1,
    confidence: holdConfidence(lesson.confidence + by.creditConfidence),
    lastCreditedAtMs: nowMs,
  };
}

function concerns({ query, triggers }: Success, lesson: Lesson, by: CreditPolicy): boolean {
  if (query === undefined && triggers === undefined) return true;
  const key = triggerKey(lesson.trigger);
  if (triggers?.some((trigger) => triggerKey(trigger) === key)) return true;
  if (query === undefined) return false;
  const own = new Set([...tellingWords(lesson.trigger), ...tellingWords(lesson.correctPattern)]);
  const shared = [...new Set(tellingWords(query))].filter((word) => own.has(word));
  return shared.length >= by.creditWords;
}
