/**
 * Self-play: what a round of it is about, and what the models are shown and asked for. Texts are ours.
 * Source: seed 001, path B; dossier ghost 1.8.
 */
import { cutText } from "../cutText.ts";
import { DOMAINS } from "./playbookPolicy.ts";

/** What the solver is set, what is there for it, and the code that judges what it made. */
export interface Challenge {
  readonly domain: string;
  readonly text: string;
  /** Files that are there, by path. */
  readonly setup: { readonly [path: string]: string };
  /** Python with a function `validate(answer)` that raises where the answer or the files are wrong. */
  readonly validator: string;
}

/** A try of the solver. */
export interface Attempt {
  readonly code: string;
  readonly passed: boolean;
  readonly error: string | null;
}

/** A lesson as the model worded it; confidence in millionths. */
export interface Extracted {
  readonly trigger: string;
  readonly antiPattern: string;
  readonly correctPattern: string;
  readonly domains: readonly string[];
  readonly confidence: number;
}

/**
 * How a round ended: solved at once, so that there is nothing to learn; lost once more; without a lesson; refused
 * by the guard; kept, without or with a proof that it helps; or something outside did not answer.
 */
export type RoundEnd =
  | "mastered"
  | "lost"
  | "empty"
  | "refused"
  | "unverified"
  | "verified"
  | "broken";

export interface ChallengeView {
  readonly purpose: "skill.challenge";
  readonly taxonomy: readonly string[];
  /** What was played before, newest last. */
  readonly played: readonly string[];
}

export interface SolveView {
  readonly purpose: "skill.solve";
  readonly challenge: string;
  readonly files: readonly string[];
  /** What went wrong with the earlier attempts, in their order. */
  readonly errors: readonly string[];
  /** The section of the playbook that it is shown; empty for none. */
  readonly playbook: string;
}

export interface ExtractView {
  readonly purpose: "skill.extract";
  readonly taxonomy: readonly string[];
  readonly challenge: string;
  readonly attempts: readonly Attempt[];
}

export type SkillView = ChallengeView | SolveView | ExtractView;

declare module "../portMail.ts" {
  interface Views {
    readonly skills: SkillView;
  }
}

/**
 * Ours: how much of the past a prompt shows, in characters, so that it stays within a live model's context however
 * many attempts or challenges there were.
 */
const SHOWN = { task: 6_000, played: 4_000, errors: 4_000, code: 8_000 };

/** Each item whole where all of them fit, else cut to its share. */
const shareOut = (items: readonly string[], charsMax: number): readonly string[] =>
  items.map((item) => cut(item, Math.floor(charsMax / items.length)));

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax)} …`;

const JSON_ONLY = "Answer with one JSON object and nothing else:";

export function renderSkill(view: SkillView): string {
  switch (view.purpose) {
    case "skill.challenge":
      return [
        "Set yourself a small programming task that can be checked by running code.",
        `It belongs to one of these domains: ${view.taxonomy.join(", ")}.`,
        listText("Played before, so choose something else", shareOut(view.played, SHOWN.played)),
        'setup: the files that are there, text by path, such as {"input.csv": "…"}. validator: Python with ' +
          "def validate(answer), which raises an AssertionError with a plain reason where the answer is wrong.",
        `${JSON_ONLY} {"domain", "challenge", "setup", "validator"}`,
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    case "skill.solve":
      return [
        view.playbook,
        `Solve this task: ${cut(view.challenge, SHOWN.task)}`,
        listText("Files", view.files),
        listText("What went wrong so far", shareOut(view.errors, SHOWN.errors)),
        "Answer with Python alone: def solve(), without arguments, which returns the answer.",
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    case "skill.extract":
      return [
        "Say what is to be learnt from these attempts, as a rule for a whole class of tasks.",
        `The task was: ${cut(view.challenge, SHOWN.task)}`,
        ...attemptTexts(view.attempts),
        "The trigger names the class of tasks, never this task. Copy no name, number or text out of the task, its " +
          `files or its check. domains: at least one of ${view.taxonomy.join(", ")}. confidence: 0 to 1.`,
        `${JSON_ONLY} {"trigger", "anti_pattern", "correct_pattern", "domains", "confidence"}`,
      ].join("\n\n");
  }
}

function attemptTexts(attempts: readonly Attempt[]): readonly string[] {
  const codes = shareOut(
    attempts.map(({ code }) => code),
    SHOWN.code,
  );
  const errors = shareOut(
    attempts.map(({ error }) => error ?? ""),
    SHOWN.errors,
  );
  return attempts.map(
    ({ passed }, index) =>
      `Attempt ${index + 1}, ${passed ? "which passed" : `which failed: ${errors[index]}`}:\n${codes[index]}`,
  );
}

const listText = (title: string, items: readonly string[]): string =>
  items.length === 0 ? "" : `${title}:\n${items.map((item) => `- ${item}`).join("\n")}`;

/** Ours: a lesson for more is one for none. */
export const DOMAINS_MAX = 3;

const text = { type: "string", minLength: 1 };
const object = (properties: { readonly [name: string]: object }) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** By purpose: what a live model's answer must look like; the solver's is code. */
export const skillSchemas: {
  readonly [purpose in SkillView["purpose"]]: { readonly [keyword: string]: unknown } | undefined;
} = {
  "skill.challenge": object({
    domain: { type: "string", enum: DOMAINS },
    challenge: text,
    setup: { type: "object", additionalProperties: { type: "string" } },
    validator: text,
  }),
  "skill.solve": undefined,
  "skill.extract": object({
    trigger: text,
    anti_pattern: { type: "string" },
    correct_pattern: text,
    domains: {
      type: "array",
      items: { type: "string", enum: DOMAINS },
      minItems: 1,
      maxItems: DOMAINS_MAX,
    },
    confidence: { type: "number", minimum: 0, maximum: 1 },
  }),
};
