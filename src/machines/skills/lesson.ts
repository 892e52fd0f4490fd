/** A lesson of the playbook: what to do differently in a class of tasks. Source: seed 001, Path B; dossier 1.7. */
import { MILLION } from "../units.ts";

export interface Lesson {
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
  /** How often it was put into a prompt. */
  readonly retrievals: number;
  readonly helpfulRetrievals: number;
  readonly lastRetrievedAtMs: number | null;
  readonly lastCreditedAtMs: number | null;
  /** How often it was learned. */
  readonly frequency: number;
  readonly writtenAtMs: number;
  /** Who wrote it, such as `self_play`. */
  readonly source: string;
}

/** What its writer says of a lesson; the playbook keeps the rest. */
export type LessonDraft = Pick<
  Lesson,
  | "trigger"
  | "antiPattern"
  | "correctPattern"
  | "domains"
  | "confidence"
  | "sourceChallengeHash"
  | "verified"
  | "verificationAttempted"
  | "source"
>;

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
  const title = isRecent ? "RECENT" : "RELEVANT";
  const items = lessons.map((lesson, index) => `${index + 1}. ${renderLesson(lesson)}`);
  return [
    `${PLAYBOOK_TITLE}:`,
    `## ${title} LESSONS LEARNED (Follow these to avoid repeats):`,
    ...items,
  ].join("\n");
}
