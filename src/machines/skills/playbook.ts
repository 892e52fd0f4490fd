/** The playbook as a value: what each thing that happens to lessons makes of it. Source: seed 001, Path B; RULINGS K4, K8. */
import { creditLesson, type Success } from "./credit.ts";
import { holdConfidence, type Lesson, type LessonDraft, newLesson } from "./lesson.ts";
import type { PlaybookPolicy } from "./playbookPolicy.ts";
import { pruneLessons } from "./prune.ts";
import { triggerKey } from "./triggerKey.ts";
import { type Dropped, trimLessons } from "./trim.ts";
import type { UtilityPolicy } from "./utility.ts";

/** What it reads of the policy. */
export interface PlaybookBy {
  readonly playbook: PlaybookPolicy;
  readonly utility: UtilityPolicy;
}

/** The newest first, until a trimming has put the verified ones before the others. */
export type Playbook = readonly Lesson[];

export interface Written {
  readonly book: Playbook;
  /** The lesson as it now stands; it is among the dropped when it was blocked. */
  readonly lesson: Lesson;
  readonly outcome: "written" | "reinforced" | "blocked";
  readonly dropped: readonly Dropped[];
}

/** A lesson of the same trigger is reinforced; another goes to the head. */
export function writeLesson(
  book: Playbook,
  given: LessonDraft,
  nowMs: number,
  by: PlaybookBy,
): Written {
  const draft = given.verified
    ? { ...given, confidence: given.confidence + by.playbook.verifiedConfidence }
    : given;
  const key = triggerKey(draft.trigger);
  const known = book.find(({ trigger }) => triggerKey(trigger) === key);
  if (known !== undefined) {
    const lesson = reinforceLesson(known, draft);
    const next = book.map((one) => (one === known ? lesson : one));
    return { book: next, lesson, outcome: "reinforced", dropped: [] };
  }
  const lesson = newLesson(draft, nowMs);
  const { kept, dropped } = trimLessons([lesson, ...book], by.playbook, by.utility);
  const isBlocked = dropped.some((one) => one.lesson === lesson);
  return { book: kept, lesson, outcome: isBlocked ? "blocked" : "written", dropped };
}

/** Learned once more: the longer pattern wins, domains are joined, and what was verified once stays so. */
function reinforceLesson(known: Lesson, draft: LessonDraft): Lesson {
  const isLonger = draft.correctPattern.length > known.correctPattern.length;
  const isUpgrade = draft.verified && !known.verified;
  return {
    ...known,
    frequency: known.frequency + 1,
    correctPattern: isLonger ? draft.correctPattern : known.correctPattern,
    domains: [...new Set([...known.domains, ...draft.domains])].toSorted(),
    verified: known.verified || draft.verified,
    verificationAttempted: known.verificationAttempted || draft.verificationAttempted,
    confidence: isUpgrade
      ? Math.max(known.confidence, holdConfidence(draft.confidence))
      : known.confidence,
  };
}

/** These lessons entered a prompt. */
export const countSurfacing = (
  book: Playbook,
  shown: ReadonlySet<Lesson>,
  nowMs: number,
): Playbook =>
  book.map((lesson) =>
    shown.has(lesson)
      ? { ...lesson, retrievals: lesson.retrievals + 1, lastRetrievedAtMs: nowMs }
      : lesson,
  );

/** Something succeeded. */
export function creditBook(
  book: Playbook,
  success: Success,
  nowMs: number,
  by: Pick<PlaybookBy, "playbook">,
): { readonly book: Playbook; readonly credited: readonly Lesson[] } {
  const next = book.map((lesson) => creditLesson(lesson, success, nowMs, by.playbook));
  return { book: next, credited: next.filter((lesson, index) => lesson !== book[index]) };
}

export function pruneBook(
  book: Playbook,
  by: PlaybookBy,
): { readonly book: Playbook; readonly dropped: readonly Dropped[] } {
  const { kept, dropped } = pruneLessons(book, by.playbook, by.utility);
  return { book: kept, dropped };
}
