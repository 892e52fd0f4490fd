/**
 * The generalisation guard: a lesson that repeats its challenge, or copies from the setup or the validator, says
 * nothing of the next task. It sees words of two characters or more; numbers and single letters are none, so a
 * copied number alone passes. Source: seed 001, Path B; RULINGS K15; dossier 1.8.
 */
import type { Lesson } from "./lesson.ts";
import type { LessonGatePolicy } from "./playbookPolicy.ts";

/** What the lesson was learned from. */
export interface LearnedFrom {
  readonly challenge: string;
  readonly setup: string;
  readonly validator: string;
}

export type GuardCause = "empty" | "domains" | "challenge" | "setup" | "validator";

export interface GuardRefusal {
  readonly cause: GuardCause;
  /** The words in a row that are shared; none where that is not the cause. */
  readonly shared: readonly string[];
}

type Guarded = Pick<Lesson, "trigger" | "correctPattern" | "domains">;

/** The first cause to refuse the lesson; null for none. */
export function guardRefusal(
  { trigger, correctPattern, domains }: Guarded,
  { challenge, setup, validator }: LearnedFrom,
  by: Pick<LessonGatePolicy, "domains" | "ngram">,
): GuardRefusal | null {
  if (trigger.trim() === "" || correctPattern.trim() === "") return { cause: "empty", shared: [] };
  const known: readonly string[] = by.domains;
  if (!domains.some((domain) => known.includes(domain))) return { cause: "domains", shared: [] };
  for (const [cause, text, from] of [
    ["challenge", trigger, challenge],
    ["setup", correctPattern, setup],
    ["validator", correctPattern, validator],
  ] as const) {
    const shared = sharedRun(guardWords(text), guardWords(from), by.ngram);
    if (shared !== null) return { cause, shared };
  }
  return null;
}

const guardWords = (text: string): readonly string[] =>
  text.toLowerCase().match(/[a-z_][a-z0-9_]+/g) ?? [];

/** The first `length` words in a row of `text` that `from` has in a row too. */
function sharedRun(
  text: readonly string[],
  from: readonly string[],
  length: number,
): readonly string[] | null {
  const runs = new Set(runsOf(from, length).map((run) => run.join(" ")));
  return runsOf(text, length).find((run) => runs.has(run.join(" "))) ?? null;
}

const runsOf = (words: readonly string[], length: number): readonly (readonly string[])[] =>
  Array.from({ length: Math.max(0, words.length - length + 1) }, (_, start) =>
    words.slice(start, start + length),
  );
