/**
 * Reads what models answer in self-play. An answer is taken whole or not at all, and of one that is not it is
 * told what was found and what is allowed. Members that nothing was asked of count for nothing. Source: seed 001, path B.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { readObject } from "../readJson.ts";
import { MILLION } from "../units.ts";
import { DOMAINS } from "./playbookPolicy.ts";
import { type Challenge, DOMAINS_MAX, type Extracted } from "./selfPlay.ts";
import { showValue } from "./shownValue.ts";

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
  const fields = fieldsIn(answer);
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
  const fields = fieldsIn(answer);
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

const fieldsIn = (answer: string) =>
  readObject(answer) ?? readObject(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));

const noObject = (answer: string, members: string) =>
  refuse("no JSON object", showValue(answer), `one JSON object with ${members}`);

const refuse = (wrong: string, found: string, allowed: string): Read<never> => ({
  fault: { wrong, found, allowed },
});
