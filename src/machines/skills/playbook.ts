/** The playbook as a value: what each thing that happens to lessons makes of it. Source: seed 001, Path B; RULINGS K4, K8. */
import { between, choice, integer, type ValuesOf } from "../policyLeaf.ts";
import { MILLION } from "../units.ts";
import {
  creditLeaves,
  creditLesson,
  holdConfidence,
  type Lesson,
  type LessonDraft,
  newLesson,
  type Success,
  triggerKey,
} from "./lesson.ts";
import {
  type Dropped,
  pruneLeaves,
  pruneLessons,
  trimLeaves,
  trimLessons,
  type UtilityPolicy,
} from "./retention.ts";
import { retrievalLeaves } from "./retrieval.ts";

export const playbookLeaves = {
  ...trimLeaves,
  ...retrievalLeaves,
  countRetrieval: choice("injection", ["injection", "turn"], {
    says: "Whether a lesson's retrievals grow with each prompt it enters, or once a turn. A lesson that both prompts of a turn show has a hit_rate of ½ or less.",
    source: "seed 001, Retrieval feedback loop; RULINGS K14",
  }),
  ...creditLeaves,
  verifiedConfidence: integer(200_000, between(0, MILLION, "millionths"), {
    says: "What being verified adds to confidence.",
    source: "ours, as in the real system: the seed says nothing",
  }),
  ...pruneLeaves,
};

/** What it reads of the policy. */
export interface PlaybookBy {
  readonly playbook: ValuesOf<typeof playbookLeaves>;
  readonly utility: UtilityPolicy;
}

/** The newest first, until a trimming has put the verified ones before the others. */
export type Playbook = readonly Lesson[];

/**
 * A lesson of the same trigger is reinforced; another goes to the head. `lesson` is how it now stands; it is among the dropped when
 * it was blocked.
 */
export function writeLesson(book: Playbook, given: LessonDraft, nowMs: number, by: PlaybookBy) {
  const draft = given.verified
    ? { ...given, confidence: given.confidence + by.playbook.verifiedConfidence }
    : given;
  const key = triggerKey(draft.trigger);
  const known = book.find(({ trigger }) => triggerKey(trigger) === key);
  const none: readonly Dropped[] = [];
  if (known !== undefined) {
    const lesson = reinforceLesson(known, draft);
    const next: Playbook = book.map((one) => (one === known ? lesson : one));
    return { book: next, lesson, outcome: "reinforced" as const, dropped: none };
  }
  const lesson = newLesson(draft, nowMs);
  const { kept, dropped } = trimLessons([lesson, ...book], by.playbook, by.utility);
  const isBlocked = dropped.some((one) => one.lesson === lesson);
  const outcome = isBlocked ? ("blocked" as const) : ("written" as const);
  return { book: kept, lesson, outcome, dropped };
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
) {
  const next = book.map((lesson) => creditLesson(lesson, success, nowMs, by.playbook));
  return { book: next, credited: next.filter((lesson, index) => lesson !== book[index]) };
}

export function pruneBook(book: Playbook, by: PlaybookBy) {
  const { kept, dropped } = pruneLessons(book, by.playbook, by.utility);
  return { book: kept, dropped };
}
