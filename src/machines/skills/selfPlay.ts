/**
 * Self-play: what a round of it is about, what the models are shown and asked for, and how their answers are read. Texts are ours.
 * Source: seed 001, path B; dossier ghost 1.8.
 */
import { cutText } from "../cutText.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { objectWithin } from "../readJson.ts";
import { MILLION } from "../units.ts";
import { showValue } from "./creation.ts";
import { DOMAINS } from "./lesson.ts";

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

// Reads what models answer: an answer is taken whole or not at all. Members that nothing was asked of count for nothing.

/** Why an answer cannot be used. */
export interface AnswerFault {
  /** The same for all answers with this fault: what there is of it, or is not. */
  readonly wrong: string;
  readonly found: string;
  readonly allowed: string;
}

export type Read<T> =
  | { readonly value: T; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: AnswerFault };

export const faultText = ({ wrong, found, allowed }: AnswerFault): string =>
  `there is ${wrong}; found: ${found}; allowed: ${allowed}`;

/** Ours: no challenge that a round is worth is longer, and no text of a lesson. */
const CHALLENGE_CHARS_MAX = 20_000;
const LESSON_CHARS_MAX = 4_000;
const DOMAIN_CHARS_MAX = 100;

const TAXONOMY = DOMAINS.join(", ");

export function readChallenge(answer: string): Read<Challenge> {
  const fields = objectWithin(answer);
  if (fields === undefined) return noObject(answer, "domain, challenge, setup, validator");
  const { domain, challenge, setup = {}, validator } = fields;
  if (!isDomain(domain)) return refuse("no domain of the taxonomy", showValue(domain), TAXONOMY);
  if (!isWords(challenge)) return refuse("no task in words", showValue(challenge), "a text");
  const files = readSetup(setup);
  if (files.fault !== undefined) return files;
  const code = isWords(validator) ? unfence(validator, VALIDATE) : "";
  if (!VALIDATE.test(code)) {
    return refuse("no def validate", showValue(validator), "Python with def validate(answer)");
  }
  const whole = { domain, text: challenge, setup: files.value, validator: code };
  const chars = JSON.stringify(whole).length;
  return chars > CHALLENGE_CHARS_MAX
    ? refuse("too much of it", `${chars} characters`, `${CHALLENGE_CHARS_MAX} in all`)
    : { value: whole };
}

/** A file beside the solution, or below it. */
const PLAIN_PATH = /^(?=.{1,100}$)[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$/;

function readSetup(setup: Json): Read<Challenge["setup"]> {
  if (!isMap(setup)) return refuse("no setup of files", showValue(setup), "a map of texts by path");
  const files: [string, string][] = [];
  for (const [path, held] of Object.entries(setup)) {
    if (typeof held !== "string") {
      return refuse(
        "a file that is no text",
        `${path}: ${showValue(held)}`,
        "a map of texts by path",
      );
    }
    if (!PLAIN_PATH.test(path)) {
      return refuse("a path of no plain file", showValue(path), "paths such as data/input.csv");
    }
    files.push([path, held]);
  }
  const folder = files.find(([path]) => files.some(([other]) => other.startsWith(`${path}/`)));
  return folder === undefined
    ? { value: Object.fromEntries(files) }
    : refuse("a file that is a folder too", folder[0], "one of the two");
}

// Not `^`: to JavaScript a line begins behind U+2028 too, which to Python is any character of a literal.
const SOLVE = /(?<![^\r\n])def solve\(/;
const VALIDATE = /(?<![^\r\n])def validate\(/;

/** The Python of an answer. */
export function readSolution(answer: string): Read<string> {
  const code = unfence(answer, SOLVE).trimEnd();
  if (!SOLVE.test(code))
    return refuse("no def solve", showValue(answer), "Python with def solve()");
  return code.isWellFormed()
    ? { value: `${code}\n` }
    : refuse("half a character", "a lone surrogate", "Unicode");
}

/** Out of the first fence with what is asked for in it, as models put one around code now and then. */
function unfence(text: string, wanted: RegExp): string {
  const blocks = [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  return blocks.find((block) => wanted.test(block)) ?? text;
}

/** Whether the lesson may be kept is for the gates to say. */
export function readExtracted(answer: string): Read<Extracted> {
  const fields = objectWithin(answer);
  if (fields === undefined) {
    return noObject(answer, "trigger, anti_pattern, correct_pattern, domains, confidence");
  }
  const { trigger, correct_pattern: pattern, domains = [], confidence } = fields;
  const anti = fields["anti_pattern"] ?? "";
  if (!isText(trigger)) return refuse("no trigger", showValue(trigger), A_TEXT);
  if (!isText(anti)) return refuse("no anti_pattern in words", showValue(anti), A_TEXT);
  if (!isText(pattern)) return refuse("no correct_pattern", showValue(pattern), A_TEXT);
  if (!Array.isArray(domains) || !domains.every(isDomainText)) {
    return refuse("no list of domains", showValue(domains), A_LIST);
  }
  if (domains.length > DOMAINS_MAX) return refuse("too many domains", `${domains.length}`, A_LIST);
  if (typeof confidence !== "number") {
    return refuse("no confidence in numbers", showValue(confidence), A_SHARE);
  }
  if (confidence < 0 || confidence > 1) {
    return refuse("no confidence that is a share", `${confidence}`, A_SHARE);
  }
  const value: Extracted = {
    ...{ trigger, antiPattern: anti, correctPattern: pattern, domains },
    confidence: Math.round(confidence * MILLION),
  };
  return { value };
}

const A_LIST = `a list of ${TAXONOMY}; at most ${DOMAINS_MAX}`;
const A_SHARE = "a number 0 … 1";
const A_TEXT = `a text of up to ${LESSON_CHARS_MAX} characters`;

const isText = (value: Json | undefined): value is string =>
  typeof value === "string" && value.length <= LESSON_CHARS_MAX;

/** Whether it is one of the taxonomy is for the gates to say. */
const isDomainText = (value: Json): value is string =>
  typeof value === "string" && value.length <= DOMAIN_CHARS_MAX;

const isWords = (value: Json | undefined): value is string =>
  typeof value === "string" && value.trim() !== "";

const isDomain = (value: Json | undefined): value is string =>
  DOMAINS.some((domain) => domain === value);

const noObject = (answer: string, members: string) =>
  refuse("no JSON object", showValue(answer), `one JSON object with ${members}`);

const refuse = (wrong: string, found: string, allowed: string): Read<never> => ({
  fault: { wrong, found, allowed },
});
