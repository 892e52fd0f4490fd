/** What a skill is made of on its way into the store, and what it knows of itself. Source: seed 001, path A. */
import type { Delivered, Json } from "../letter.ts";
import type { ParseVerdict } from "./normalise.ts";
import type { SkillRow } from "./skillBook.ts";

/** Where something may be found wrong with it. */
export type SkillStage = "asking" | "normalising" | "testing" | "persisting";

export interface SkillRefusal {
  readonly stage: SkillStage;
  readonly cause: string;
  readonly found: string;
  /** What its author should do. */
  readonly todo: string;
}

export interface SkillInput {
  readonly name: string;
  /** The agent that creates it; empty for one that was there from the start. */
  readonly agent: string;
  readonly keeper: string;
  readonly description: string;
  readonly parametersSchema: Json;
  /** As given. */
  readonly code: string;
  /** JSON text. */
  readonly payload: string;
  /** Of one that is in the store already. */
  readonly kept: SkillRow["status"] | null;
}

export type SkillEvent = Delivered<
  | "python.parsed"
  | "files.replied"
  | "sandbox.replied"
  | "skill.registered"
  | "skill.counted"
  | "skill.left"
  | "ask.bounced"
>;

export interface SkillContext {
  readonly input: SkillInput;
  /** What CPython said of each text that it was asked about. */
  readonly verdicts: readonly (readonly [string, ParseVerdict])[];
  /** The text that it is asked about now. */
  readonly needs: string | null;
  /** What stands in the store. */
  readonly code: string;
  readonly changed: readonly string[];
  readonly refusal: SkillRefusal | null;
  readonly counts: Pick<SkillRow, "status" | "usageCount" | "failureCount"> | null;
}

export const openingSkill = (input: SkillInput): SkillContext => ({
  input,
  verdicts: [],
  needs: null,
  code: input.code,
  changed: [],
  refusal: null,
  counts: null,
});
