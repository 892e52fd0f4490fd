/** Whether an episode of self-play is worth a lesson at all. The seed says nothing of it. Source: dossier 1.8. */
import type { LessonGatePolicy } from "./playbookPolicy.ts";

export interface Episode {
  readonly passed: boolean;
  /** The number of the last attempt, from 0. */
  readonly attempt: number;
  /** Whether nothing was ever tried of this domain. */
  readonly isNewCluster: boolean;
  /** Whether the domain is solved so reliably that a lesson would be noise. */
  readonly isMastered: boolean;
  readonly wasAborted: boolean;
  readonly validatorCrashed: boolean;
  /** Whether the challenge comes from a journal, whose validators let everything pass. */
  readonly isFromJournal: boolean;
  /** How unlike earlier solutions it is, in thousandths; null when nobody compared. */
  readonly novelty: number | null;
  /** By how much it is shorter than earlier ones, in thousandths. */
  readonly compression: number;
}

export type EpisodeWorth =
  | "aborted"
  | "validator-crashed"
  | "mastered"
  | "journal"
  | "struggled"
  | "new"
  | "novel"
  | "familiar"
  | "first-failure"
  | "repeated-failure";

const WORTH_A_LESSON: ReadonlySet<EpisodeWorth> = new Set([
  "struggled",
  "new",
  "novel",
  "first-failure",
]);

/** Whether a lesson is extracted, and what decided. */
export function lessonGate(
  episode: Episode,
  by: Pick<LessonGatePolicy, "compression" | "novelty">,
): { readonly extracts: boolean; readonly worth: EpisodeWorth } {
  const worth = worthOf(episode, by);
  return { extracts: WORTH_A_LESSON.has(worth), worth };
}

function worthOf(
  episode: Episode,
  by: Pick<LessonGatePolicy, "compression" | "novelty">,
): EpisodeWorth {
  if (episode.wasAborted) return "aborted";
  if (episode.validatorCrashed) return "validator-crashed";
  if (episode.isMastered) return "mastered";
  if (!episode.passed) return episode.isNewCluster ? "first-failure" : "repeated-failure";
  if (episode.isFromJournal) return "journal";
  if (episode.attempt > 0) return "struggled";
  if (episode.isNewCluster || episode.compression > by.compression) return "new";
  return (episode.novelty ?? 0) >= by.novelty ? "novel" : "familiar";
}
