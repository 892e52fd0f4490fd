/** The oracle's lessons as ours. */
import type { Lesson, LessonDraft } from "../../../src/machines/skills/lesson.ts";
import { MILLION } from "../../../src/machines/units.ts";
import type { GhostLesson } from "./ghostOracle.ts";

export const draftFrom = (raw: GhostLesson): LessonDraft => ({
  trigger: raw.trigger || raw.task || "",
  antiPattern: raw.anti_pattern || raw.mistake || "",
  correctPattern: raw.correct_pattern || raw.solution || "",
  domains: Array.isArray(raw.domains)
    ? raw.domains.filter((one) => typeof one === "string")
    : typeof raw.domains === "string"
      ? raw.domains.split(/[,\s]+/).filter((one) => one !== "")
      : [],
  confidence: Math.round(Number(raw.confidence ?? 0.5) * MILLION),
  sourceChallengeHash: raw.source_challenge_hash ?? "",
  verified: raw.verified ?? false,
  verificationAttempted: raw.verification_attempted ?? false,
  source: raw.source ?? "",
});

export const lessonFrom = (raw: GhostLesson): Lesson => ({
  ...draftFrom(raw),
  retrievals: Number(raw.retrievals ?? 0),
  helpfulRetrievals: raw.helpful_retrievals ?? 0,
  lastRetrievedAtMs: (raw.last_retrieved_at ?? "") === "" ? null : msOf(raw.last_retrieved_at),
  lastCreditedAtMs: null,
  frequency: raw.frequency ?? 1,
  writtenAtMs: raw.timestamp === undefined ? 0 : msOf(raw.timestamp),
});

/** Some of the recorded times have seconds beyond 59, which sort all the same. */
export function msOf(time = ""): number {
  const [, until = "", secs = ""] = /^(.*:)(\d\d)/.exec(time) ?? [];
  return Date.parse(`${until}00Z`) + Number(secs) * 1_000;
}
