/**
 * Self-play: what a round of it is about, and what the models are shown and asked for. Texts are ours.
 * Source: seed 001, path B; dossier ghost 1.8.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { readObject } from "../readJson.ts";
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

const JSON_ONLY = "Answer with one JSON object and nothing else:";

export function renderSkill(view: SkillView): string {
  switch (view.purpose) {
    case "skill.challenge":
      return [
        "Set yourself a small programming task that can be checked by running code.",
        `It belongs to one of these domains: ${view.taxonomy.join(", ")}.`,
        listed("Played before, so choose something else", view.played),
        'setup: the files that are there, text by path, such as {"input.csv": "…"}. validator: Python with ' +
          "def validate(answer), which raises an AssertionError with a plain reason where the answer is wrong.",
        `${JSON_ONLY} {"domain", "challenge", "setup", "validator"}`,
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    case "skill.solve":
      return [
        view.playbook,
        `Solve this task: ${view.challenge}`,
        listed("Files", view.files),
        listed("What went wrong so far", view.errors),
        "Answer with Python alone: def solve(), without arguments, which returns the answer.",
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    case "skill.extract":
      return [
        "Say what is to be learnt from these attempts, as a rule for a whole class of tasks.",
        `The task was: ${view.challenge}`,
        ...view.attempts.map(
          ({ code, passed, error }, index) =>
            `Attempt ${index + 1}, ${passed ? "which passed" : `which failed: ${error}`}:\n${code}`,
        ),
        "The trigger names the class of tasks, never this task. Copy no name, number or text out of the task, its " +
          `files or its check. domains: at least one of ${view.taxonomy.join(", ")}. confidence: 0 to 1.`,
        `${JSON_ONLY} {"trigger", "anti_pattern", "correct_pattern", "domains", "confidence"}`,
      ].join("\n\n");
  }
}

const listed = (title: string, items: readonly string[]): string =>
  items.length === 0 ? "" : `${title}:\n${items.map((item) => `- ${item}`).join("\n")}`;

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
    domains: { type: "array", items: { type: "string", enum: DOMAINS }, minItems: 1, maxItems: 3 },
    confidence: { type: "number", minimum: 0, maximum: 1 },
  }),
};

/** Ours: no challenge that a round is worth is longer. */
const CHALLENGE_CHARS_MAX = 20_000;

/** Null when the answer is no challenge. */
export function readChallenge(answer: string): Challenge | null {
  const fields = fieldsIn(answer);
  if (fields === undefined) return null;
  const { domain, challenge, setup = {}, validator } = fields;
  if (!isWords(domain) || !isWords(challenge) || !isWords(validator) || !isMap(setup)) return null;
  const files = Object.entries(setup).flatMap(([path, held]) =>
    typeof held === "string" && isPlain(path) ? [[path, held] as const] : [],
  );
  if (files.length < Object.keys(setup).length) return null;
  const whole = { domain, text: challenge, setup: Object.fromEntries(files), validator };
  return JSON.stringify(whole).length > CHALLENGE_CHARS_MAX ? null : whole;
}

/** The Python of an answer, out of a fence that models put around it now and then; null when it defines no `solve`. */
export function readSolution(answer: string): string | null {
  const code = (/```[a-z]*\n([\s\S]*?)```/.exec(answer)?.[1] ?? answer).trimEnd();
  return /^def solve\(/m.test(code) ? `${code}\n` : null;
}

/** Null when the answer is no lesson. Whether it may be kept is for the gates to say. */
export function readExtracted(answer: string): Extracted | null {
  const fields = fieldsIn(answer);
  if (fields === undefined) return null;
  const { trigger, anti_pattern, correct_pattern, domains = [], confidence } = fields;
  if (typeof trigger !== "string" || typeof correct_pattern !== "string") return null;
  if (typeof confidence !== "number" || !Array.isArray(domains)) return null;
  return {
    trigger,
    antiPattern: typeof anti_pattern === "string" ? anti_pattern : "",
    correctPattern: correct_pattern,
    domains: domains.filter((one) => typeof one === "string"),
    confidence: Math.round(Math.min(1, Math.max(0, confidence)) * 1_000_000),
  };
}

const fieldsIn = (answer: string) =>
  readObject(answer) ?? readObject(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));

const isWords = (value: Json | undefined): value is string =>
  typeof value === "string" && value.trim() !== "";

/** A name of a file beside the solution, or below it. */
const isPlain = (path: string): boolean =>
  /^[A-Za-z0-9_][A-Za-z0-9_./-]{0,99}$/.test(path) && !path.includes("..");
