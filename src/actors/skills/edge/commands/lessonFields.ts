/** A lesson as people, files and batch lines give it: what its utility is made of. */
import { readFileSync } from "node:fs";
import type { Fields } from "../../../../cli/batch.ts";
import { BadInput, hintFor, type Problem, quoted } from "../../../../edges/errors.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Weighed } from "../../../../machines/skills/retention.ts";
import { MILLION } from "../../../../machines/units.ts";

/** Every name under which a field may be given; the first is the seed's. */
const NAMES = {
  confidence: ["confidence"],
  retrievals: ["retrievals"],
  helpfulRetrievals: ["helpful_retrievals", "helpfulRetrievals", "helpful"],
  frequency: ["frequency", "freq"],
  verified: ["verified"],
} as const;

/** What else a whole lesson holds, and its utility does not look at. */
const OTHERS = [
  ...[
    "id",
    "trigger",
    "anti_pattern",
    "antiPattern",
    "correct_pattern",
    "correctPattern",
    "domains",
  ],
  ...["source", "source_challenge_hash", "sourceChallengeHash", "verification_attempted"],
  ...["verificationAttempted", "last_retrieved_at", "lastRetrievedAtMs", "lastCreditedAtMs"],
  ...["timestamp", "writtenAtMs"],
];

const ALL_NAMES: readonly string[] = [...Object.values(NAMES).flat(), ...OTHERS];

const ASSUMED: Weighed = {
  ...{ confidence: MILLION / 2, retrievals: 0, helpfulRetrievals: 0, frequency: 1 },
  verified: false,
};

/** Ours: far beyond any count, and far from where whole numbers end. */
const COUNT_MAX = 1_000_000_000;

export interface GivenLesson {
  readonly lesson: Weighed;
  /** The seed's names of the fields that the caller did not give. */
  readonly assumed: readonly string[];
}

const EXAMPLE =
  "For example: npx ghostlight skill utility --confidence 0.8 --retrievals 10 --helpful 3";

const fieldError = (path: string, problem: Omit<Problem, "where">, file?: string): BadInput =>
  new BadInput({
    where: { path, ...(file !== undefined && { file }) },
    ...problem,
    todo: EXAMPLE,
  });

export function lessonFields(fields: Fields, file?: string): GivenLesson {
  const strange = Object.keys(fields).find((name) => !ALL_NAMES.includes(name));
  if (strange !== undefined) {
    const names = Object.values(NAMES).map(([name]) => name);
    const problem = { found: "a field that no lesson has", allowed: names.join(" | ") };
    throw fieldError(strange, { ...problem, ...hintFor(strange, names) }, file);
  }
  const assumed: string[] = [];
  const given = <T>(
    field: keyof typeof NAMES,
    otherwise: T,
    read: (path: string, value: unknown) => T,
  ) => {
    const names = NAMES[field].filter((name) => (fields[name] ?? null) !== null);
    const [name, another] = names;
    if (another !== undefined) {
      throw fieldError(another, { found: `${name} as well`, allowed: "one of the two" }, file);
    }
    if (name === undefined) assumed.push(NAMES[field][0]);
    return name === undefined ? otherwise : read(name, fields[name]);
  };
  const count = (path: string, value: unknown) => countOf(path, value, file);
  const lesson = {
    confidence: given("confidence", ASSUMED.confidence, (path, value) =>
      shareOf(path, value, file),
    ),
    retrievals: given("retrievals", ASSUMED.retrievals, count),
    helpfulRetrievals: given("helpfulRetrievals", ASSUMED.helpfulRetrievals, count),
    frequency: given("frequency", ASSUMED.frequency, count),
    verified: given("verified", ASSUMED.verified, (path, value) => flagOf(path, value, file)),
  };
  if (lesson.helpfulRetrievals > lesson.retrievals) {
    const found = `${lesson.helpfulRetrievals} of ${countText(lesson.retrievals, assumed)}`;
    throw fieldError(
      NAMES.helpfulRetrievals[0],
      { found, allowed: "at most the retrievals" },
      file,
    );
  }
  return { lesson, assumed };
}

const countText = (retrievals: number, assumed: readonly string[]): string =>
  assumed.includes("retrievals") ? "no retrievals given" : String(retrievals);

/** As people write a number: neither blank nor to another base than ten. */
const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const numberOf = (value: unknown): number => {
  if (typeof value === "number") return value;
  return typeof value === "string" && NUMERAL.test(value) ? Number(value) : Number.NaN;
};

function shareOf(path: string, value: unknown, file?: string): number {
  const share = numberOf(value);
  if (share >= 0 && share <= 1) return Math.round(share * MILLION);
  throw fieldError(path, { found: quoted(value), allowed: "a number 0 … 1" }, file);
}

function countOf(path: string, value: unknown, file?: string): number {
  const count = numberOf(value);
  if (Number.isInteger(count) && count >= 0 && count <= COUNT_MAX) return count;
  throw fieldError(
    path,
    { found: quoted(value), allowed: `a whole number 0 … ${COUNT_MAX}` },
    file,
  );
}

function flagOf(path: string, value: unknown, file?: string): boolean {
  if (typeof value === "boolean") return value;
  throw fieldError(path, { found: quoted(value), allowed: "true | false" }, file);
}

/** Throws BadInput. */
export function lessonFile(file: string): GivenLesson {
  const read = jsonOf(file);
  if (isMap(read)) return lessonFields(read as Fields, file);
  throw fieldError("lesson", { found: quoted(read), allowed: "one JSON object" }, file);
}

function jsonOf(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const found = (error as NodeJS.ErrnoException).code ?? String(error);
    throw fieldError("--file", { found, allowed: "a file that can be read" }, file);
  }
  return jsonText(text, { file, path: "--file" }, EXAMPLE);
}
