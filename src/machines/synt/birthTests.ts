/**
 * Birth tests: which file of tests is in order, and whether an answer is what a test expects. A
 * matcher nobody knows fails. Source: seed 002, 4.2.3; ruling Y13; the real system's matchers.
 */
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { BirthTest } from "./contract.ts";

type Fields = { readonly [field: string]: Json };
type Matcher = (answer: Fields, expected: Json) => boolean;

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const isSame = (a: Json | undefined, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);
const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0);
const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
/** `{field: value}`: each field of what is expected stands in `found`. */
const holds = (found: Json | undefined, expected: Json): boolean =>
  isFields(expected) &&
  isFields(found) &&
  Object.entries(expected).every(([field, value]) => isSame(ownValue(found, field), value));

/** Where a tool says more than one thing about one thing: of the thing itself, else of its first result. */
const metadataOf = ({ metadata, results }: Fields): Json | undefined =>
  metadata ?? (Array.isArray(results) ? results[0] : undefined);

/** `{field: bound}`: each field is a number on the right side of its bound. */
const isBounded = (
  found: Json | undefined,
  bounds: Json,
  isWithin: (value: number, bound: number) => boolean,
): boolean =>
  isFields(bounds) &&
  isFields(found) &&
  Object.entries(bounds).every(([field, bound]) => {
    const value = ownValue(found, field);
    return isNumber(value) && isNumber(bound) && isWithin(value, bound);
  });

const matchers: { readonly [name: string]: Matcher } = {
  ok: (answer, expected) => answer["ok"] === expected,
  ok_count_eq: (answer, expected) => answer["ok_count"] === expected,
  fail_count_eq: (answer, expected) => answer["fail_count"] === expected,
  error_contains: ({ error, failed }, expected) =>
    `${textOf(error)}\n${textOf(failed)}`.includes(String(expected)),
  error_class: (answer, expected) => answer["error_class"] === expected,
  error_code: (answer, expected) => answer["error_code"] === expected,
  ok_or_err_class: (answer, expected) =>
    answer["ok"] === true || answer["error_class"] === expected,
  content_contains: ({ content }, expected) => textOf(content).includes(String(expected)),
  content_length_eq: ({ content }, expected) => textOf(content).length === expected,
  matches_contains: ({ matches }, expected) =>
    Array.isArray(matches) && matches.some((one) => textOf(one).includes(String(expected))),
  matches_count_eq: ({ matches }, expected) =>
    Array.isArray(matches) && matches.length === expected,
  decision: (answer, expected) => answer["decision"] === expected,
  field_eq: holds,
  metadata_field_eq: (answer, expected) => holds(metadataOf(answer), expected),
  metadata_field_lte: (answer, expected) =>
    isBounded(metadataOf(answer), expected, (value, bound) => value <= bound),
  metadata_field_gte: (answer, expected) =>
    isBounded(metadataOf(answer), expected, (value, bound) => value >= bound),
  has_field: (answer, expected) => (ownValue(answer, String(expected)) ?? null) !== null,
  entries_min: ({ entries }, expected) => lengthOf(entries) >= Number(expected),
  entries_max: ({ entries }, expected) => lengthOf(entries) <= Number(expected),
  entries_field_eq: ({ entries }, expected) =>
    Array.isArray(entries) && entries.every((entry) => holds(entry, expected)),
};

export const MATCHERS = Object.keys(matchers);

/** Why an answer is not what a test expects; null when it is. An empty expectation expects nothing. */
export function testFault({ name, expect }: BirthTest, answer: Json): string | null {
  if (!isFields(answer)) return `${name}: the answer is no object`;
  const entries = Object.entries(expect);
  if (entries.length === 0) return `${name}: it expects nothing`;
  for (const [matcher, expected] of entries) {
    const test = ownValue(matchers, matcher);
    if (test === undefined) return `${name}: unknown matcher ${matcher}`;
    if (!test(answer, expected)) {
      return `${name}: ${matcher} ${JSON.stringify(expected)} does not hold`;
    }
  }
  return null;
}

export interface TestsWanted {
  readonly least: number;
  readonly most: number;
  /** Whether each of the seed's four kinds must be there. */
  readonly kinds: boolean;
}

/** The tests of a model's answer, or what is wrong with them. */
export function testsFrom(
  found: Json | undefined,
  { least, most, kinds }: TestsWanted,
): { readonly tests: readonly BirthTest[] } | { readonly fault: string } {
  if (!Array.isArray(found)) return { fault: "tests is no list" };
  if (found.length < least || found.length > most) {
    return { fault: `${found.length} tests; ${least} … ${most} are wanted` };
  }
  const tests: BirthTest[] = [];
  for (const [index, one] of found.entries()) {
    const test = testFrom(one, index);
    if (typeof test === "string") return { fault: test };
    tests.push(test);
  }
  const fault = kinds ? kindFault(tests) : null;
  return fault === null ? { tests } : { fault };
}

const expectsOk = ({ expect }: BirthTest): boolean => expect["ok"] === true;
const expectsError = (test: BirthTest): boolean =>
  !expectsOk(test) &&
  (test.expect["ok"] === false ||
    ["error_contains", "error_class", "error_code"].some((one) => Object.hasOwn(test.expect, one)));

/** Holds `[]`, `{}` or a blank text somewhere, or a text that is the JSON of something empty. */
function isEmptyish(value: Json): boolean {
  if (typeof value === "string") return /^\s*(?:\[\s*\]|\{\s*\})?\s*$/.test(value);
  if (typeof value !== "object" || value === null) return false;
  const members = Object.values(value);
  return members.length === 0 || members.some(isEmptyish);
}

const KINDS = {
  "happy path": { has: expectsOk, is: "a test that expects ok true" },
  "empty list": {
    has: ({ input }: BirthTest) => isEmptyish(input),
    is: 'a test whose input holds [], {} or ""',
  },
  "invalid arguments": { has: expectsError, is: "a test that expects ok false or an error" },
};

/**
 * What is missing of happy path, empty list, invalid arguments and domain edge; null for nothing. The
 * edge is any test besides three of the others. Ours: the real system looks at the number only.
 */
function kindFault(tests: readonly BirthTest[]): string | null {
  const missing = Object.entries(KINDS).filter(([, { has }]) => !tests.some(has));
  if (missing.length > 0) {
    return `no test for: ${missing.map(([kind, { is }]) => `${kind} (${is})`).join("; ")}`;
  }
  const isApart = tests.some(
    (empty) =>
      isEmptyish(empty.input) &&
      tests.some((happy) => happy !== empty && expectsOk(happy)) &&
      tests.some((invalid) => invalid !== empty && expectsError(invalid)),
  );
  if (!isApart) return "happy path, empty list and invalid arguments want a test each";
  return tests.length > Object.keys(KINDS).length ? null : "no test for an edge of the domain";
}

function testFrom(one: Json, index: number): BirthTest | string {
  if (!isFields(one)) return `test ${index + 1} is no object`;
  const { name, input, expect, setup = {}, teardown = [] } = one;
  if (typeof name !== "string" || !isFields(input) || !isFields(expect)) {
    return `test ${index + 1} has not name, input and expect; the last two are objects`;
  }
  const unknown = Object.keys(expect).find((matcher) => !MATCHERS.includes(matcher));
  if (unknown !== undefined) return `test ${name} uses the unknown matcher ${unknown}`;
  if (Object.keys(expect).length === 0) return `test ${name} expects nothing`;
  if (!isFields(setup) || !Object.values(setup).every((text) => typeof text === "string")) {
    return `the setup of test ${name} is no map of texts`;
  }
  if (!Array.isArray(teardown) || !teardown.every((path) => typeof path === "string")) {
    return `the teardown of test ${name} is no list of paths`;
  }
  return {
    name,
    setup: setup as BirthTest["setup"],
    input,
    expect,
    teardown: teardown as string[],
  };
}
