/** A success soon after a lesson was shown is the lesson's too. Source: seed 001, Retrieval feedback loop; dossier 1.9. */
import { holdConfidence, type Lesson } from "./lesson.ts";
import type { PlaybookPolicy } from "./playbookPolicy.ts";
import { tellingWords, triggerKey } from "./triggerKey.ts";

type By = Pick<PlaybookPolicy, "creditConfidence" | "creditWithinMs" | "creditWords">;

/** What the success was about; with neither, it is every recent lesson's. */
export interface Success {
  readonly query?: string;
  readonly triggers?: readonly string[];
}

/** The lesson with its credit; itself when it gets none. Each showing is credited once. */
export function creditLesson(lesson: Lesson, success: Success, nowMs: number, by: By): Lesson {
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

function concerns({ query, triggers }: Success, lesson: Lesson, by: By): boolean {
  if (query === undefined && triggers === undefined) return true;
  const key = triggerKey(lesson.trigger);
  if (triggers?.some((trigger) => triggerKey(trigger) === key)) return true;
  if (query === undefined) return false;
  const own = new Set([...tellingWords(lesson.trigger), ...tellingWords(lesson.correctPattern)]);
  const shared = [...new Set(tellingWords(query))].filter((word) => own.has(word));
  return shared.length >= by.creditWords;
}
