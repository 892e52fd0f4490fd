/**
 * The gates between self-play and the playbook: whether an episode is worth a lesson at all, the guard against what is copied, and
 * whether the lesson helped. Source: seed 001, Path B; RULINGS K15; dossier 1.8.
 */
import { between, integer, subset, thousandths, type ValuesOf } from "../policyLeaf.ts";
import { DOMAINS, type Lesson } from "./lesson.ts";

const SILENT = "ours, as in the real system: the seed says nothing";

export const lessonGateLeaves = {
  domains: subset(DOMAINS, DOMAINS, {
    says: "The taxonomy: a lesson must be of at least one of these domains.",
    source: "seed 001, Path B; names: dossier 1.7",
  }),
  ngram: integer(6, between(2, 100, "words"), {
    says: "So many words in a row that a lesson shares with its challenge, setup or validator refuse it.",
    source: "seed 001, Path B",
  }),
  novelty: integer(500, thousandths, {
    says: "From this novelty on, a solution found at once is worth a lesson.",
    source: SILENT,
  }),
  compression: integer(50, thousandths, {
    says: "Above this saving in length, a solution found at once is worth a lesson.",
    source: SILENT,
  }),
};

export type LessonGatePolicy = ValuesOf<typeof lessonGateLeaves>;

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

const WORTH_A_LESSON = ["struggled", "new", "novel", "first-failure"] as const;

export type EpisodeWorth =
  | (typeof WORTH_A_LESSON)[number]
  | "aborted"
  | "validator-crashed"
  | "mastered"
  | "journal"
  | "familiar"
  | "repeated-failure";

type WorthBy = Pick<LessonGatePolicy, "compression" | "novelty">;

/** Whether a lesson is extracted, and what decided. */
export function lessonGate(episode: Episode, by: WorthBy) {
  const worth = worthOf(episode, by);
  return { extracts: WORTH_A_LESSON.some((one) => one === worth), worth };
}

function worthOf(episode: Episode, by: WorthBy): EpisodeWorth {
  if (episode.wasAborted) return "aborted";
  if (episode.validatorCrashed) return "validator-crashed";
  if (episode.isMastered) return "mastered";
  if (!episode.passed) return episode.isNewCluster ? "first-failure" : "repeated-failure";
  if (episode.isFromJournal) return "journal";
  if (episode.attempt > 0) return "struggled";
  if (episode.isNewCluster || episode.compression > by.compression) return "new";
  return (episode.novelty ?? 0) >= by.novelty ? "novel" : "familiar";
}

interface GuardRefusal {
  readonly cause: "empty" | "domains" | "challenge" | "setup" | "validator";
  /** The words in a row that are shared; none where that is not the cause. */
  readonly shared: readonly string[];
}

/**
 * The generalisation guard's first cause to refuse a lesson; null for none. One that repeats its challenge, or copies from the
 * setup or the validator, says nothing of the next task. Words have two characters or more; numbers and single letters are
 * none, so a copied number alone passes.
 */
export function guardRefusal(
  { trigger, correctPattern, domains }: Pick<Lesson, "trigger" | "correctPattern" | "domains">,
  from: { readonly [of in "challenge" | "setup" | "validator"]: string },
  by: Pick<LessonGatePolicy, "domains" | "ngram">,
): GuardRefusal | null {
  if (trigger.trim() === "" || correctPattern.trim() === "") return { cause: "empty", shared: [] };
  const known: readonly string[] = by.domains;
  if (!domains.some((domain) => known.includes(domain))) return { cause: "domains", shared: [] };
  for (const cause of ["challenge", "setup", "validator"] as const) {
    const theirs = new Set(wordRuns(from[cause], by.ngram).map((run) => run.join(" ")));
    const own = wordRuns(cause === "challenge" ? trigger : correctPattern, by.ngram);
    const shared = own.find((run) => theirs.has(run.join(" ")));
    if (shared !== undefined) return { cause, shared };
  }
  return null;
}

/** So many words in a row, wherever they begin. */
function wordRuns(text: string, length: number): readonly (readonly string[])[] {
  const words: readonly string[] = text.toLowerCase().match(/[a-z_][a-z0-9_]+/g) ?? [];
  return Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
    words.slice(start, start + length),
  );
}

/**
 * Whether a lesson helped: only a strict improvement counts. `without` it the solver had so many attempts, up to the one that
 * passed; with it, it has one.
 */
export const isVerified = (
  without: { readonly passed: boolean; readonly attempts: number },
  { passed }: { readonly passed: boolean },
): boolean => passed && (!without.passed || without.attempts >= 2);
