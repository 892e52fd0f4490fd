/**
 * Birth tests: which file of tests is in order, what they may expect, and whether an answer is what a
 * test expects. Source: seed 002, 4.2.3; ruling Y13; names and meanings are the real system's.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import { sortedJson } from "../../sortedJson.ts";
import type { BirthTest } from "../contract.ts";

const testCount = (value: number, says: string, source: string) =>
  integer(value, between(1, 50, "tests"), {
    says,
    source,
  });

export const birthTestLeaves = {
  testsMin: testCount(4, "Fewest birth tests of the multistage pipeline.", "seed 002, 4.2.3"),
  testsMax: testCount(6, "Most birth tests.", "seed 002, 4.2.3"),
  pocTestsMin: testCount(3, "Fewest birth tests of the proof of concept.", "seed 002, 4.2.1"),
  pocTestsMax: testCount(5, "Most birth tests of the proof of concept.", "seed 002, 4.2.1"),
};

export type BirthTestPolicy = ValuesOf<typeof birthTestLeaves>;

/** The tests of stage 3, and of a rewrite. */
export const stageTests = ({ testsMin, testsMax }: BirthTestPolicy): TestsWanted => ({
  ...{ least: testsMin, most: testsMax, kinds: true },
});

export const pocTests = ({ pocTestsMin, pocTestsMax }: BirthTestPolicy): TestsWanted => ({
  ...{ least: pocTestsMin, most: pocTestsMax, kinds: false },
});

/** Why an answer is not what a test expects; null when it is. An empty expectation expects nothing. */
export function testFault({ name, expect }: BirthTest, answer: Json): string | null {
  if (!isMap(answer)) return `${name}: the answer is no object`;
  const entries = Object.entries(expect);
  if (entries.length === 0) return `${name}: it expects nothing`;
  for (const [matcher, expected] of entries) {
    const fault = expectationFault(matcher, expected);
    if (fault !== null) return `${name}: ${fault}`;
    if (!ownValue(matchers, matcher)?.holds(answer, expected)) {
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
  if (!isMap(one)) return `test ${index + 1} is no object`;
  const { name, input, expect, setup = {}, teardown = [] } = one;
  if (typeof name !== "string" || !isMap(input) || !isMap(expect)) {
    return `test ${index + 1} has not name, input and expect; the last two are objects`;
  }
  if (name.trim() === "") return `test ${index + 1} has an empty name; say what it tests`;
  const faults = Object.entries(expect).map(([matcher, one]) => expectationFault(matcher, one));
  const fault = faults.find((one) => one !== null);
  if (fault != null) return `test ${name}: ${fault}`;
  if (faults.length === 0) return `test ${name} expects nothing`;
  if (!isMap(setup) || !Object.values(setup).every((text) => typeof text === "string")) {
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

/*
 * What a birth test may expect of an answer, matcher by matcher. Each looks at something: what is not
 * there holds nothing, and an expectation that any answer would meet is none.
 */
export type Fields = { readonly [field: string]: Json };

interface Kind {
  /** In words: a model that gives something else is told so. */
  readonly wants: string;
  readonly is: (expected: Json) => boolean;
}

interface Matcher extends Kind {
  /** `expected` is of its kind. */
  readonly holds: (answer: Fields, expected: Json) => boolean;
}

const isNumber = (value: Json | undefined): value is number => typeof value === "number";
const isText = (value: Json): boolean => typeof value === "string" && value !== "";
const isFilled = (value: Json): value is Fields => isMap(value) && Object.keys(value).length > 0;

const flag: Kind = { wants: "true or false", is: (value) => typeof value === "boolean" };
const count: Kind = {
  wants: "a whole number from 0",
  is: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
const text: Kind = { wants: "a text that is not empty", is: isText };
const texts: Kind = {
  wants: "a text that is not empty, or a list of such texts",
  is: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
};
const code: Kind = { wants: "a text or a number", is: (value) => isText(value) || isNumber(value) };
const fields: Kind = { wants: "values by field, at least one", is: isFilled };
const bounds: Kind = {
  wants: "numbers by field, at least one",
  is: (value) => isFilled(value) && Object.values(value).every(isNumber),
};
const INDEX = /^\d{1,6}$/;
const isByIndex = (value: Fields): boolean => Object.keys(value).every((key) => INDEX.test(key));
const ofEntries: Kind = {
  wants: "values by field for each entry, or such values by the number of an entry, from 0",
  is: (value) => isFilled(value) && (!isByIndex(value) || Object.values(value).every(isFilled)),
};

const same = (a: Json | undefined, b: Json): boolean =>
  a !== undefined && sortedJson(a) === sortedJson(b);

/** Each field of what is expected stands in `found`, whatever the order of its keys. */
const has = (found: Json | undefined, expected: Json): boolean =>
  isMap(expected) &&
  isMap(found) &&
  Object.entries(expected).every(([field, value]) => same(ownValue(found, field), value));

/** Every text and number in a value, at whatever depth: tools nest their lists. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** One text, or each of several. */
const contains = (found: Json | undefined, expected: Json): boolean => {
  const wanted = Array.isArray(expected) ? expected : [expected];
  return wanted.every((part) => textsIn(found).some((one) => one.includes(String(part))));
};

/** Characters of a text, as Python counts them, or elements of a list; undefined for anything else. */
function lengthOf(value: Json | undefined): number | undefined {
  if (typeof value === "string") return [...value].length;
  return Array.isArray(value) ? value.length : undefined;
}

type Compares = (found: number, bound: number) => boolean;
const equal: Compares = (found, bound) => found === bound;
const atMost: Compares = (found, bound) => found <= bound;
const atLeast: Compares = (found, bound) => found >= bound;

/** What has no length is neither long nor short. */
const sized =
  (field: string, compares: Compares): Matcher["holds"] =>
  (answer, expected) => {
    const length = lengthOf(ownValue(answer, field));
    return length !== undefined && compares(length, Number(expected));
  };

/** Where a tool may say something about the one thing that it answers with: beside it, as its only result, or at the top. */
const metadataOf = (answer: Fields): Fields => {
  const { metadata, results } = answer;
  const list: readonly Json[] = Array.isArray(results) ? results : [];
  const [only = null] = list.length === 1 ? list : [];
  const ofResult: Fields = isMap(only) ? only : {};
  return isMap(metadata) ? { ...answer, ...ofResult, ...metadata } : { ...answer, ...ofResult };
};

const bounded =
  (compares: Compares): Matcher["holds"] =>
  (answer, expected) => {
    const found = metadataOf(answer);
    return Object.entries(expected as { readonly [field: string]: number }).every(
      ([field, bound]) => {
        const value = ownValue(found, field);
        return isNumber(value) && compares(value, bound);
      },
    );
  };

/** The same fields of each entry, of which there is one at least; or fields of some entries by number. */
function hasEntries({ entries }: Fields, expected: Json): boolean {
  if (!Array.isArray(entries) || !isMap(expected)) return false;
  if (isByIndex(expected)) {
    return Object.entries(expected).every(([index, one]) => has(entries[Number(index)], one));
  }
  return entries.length > 0 && entries.every((entry) => has(entry, expected));
}

const hasValue =
  (field: string): Matcher["holds"] =>
  (answer, expected) =>
    ownValue(answer, field) === expected;

export const matchers: { readonly [name: string]: Matcher } = {
  ok: { ...flag, holds: hasValue("ok") },
  ok_count_eq: { ...count, holds: hasValue("ok_count") },
  fail_count_eq: { ...count, holds: hasValue("fail_count") },
  error_contains: {
    ...text,
    holds: ({ error, failed }, expected) => contains([error ?? null, failed ?? null], expected),
  },
  error_class: { ...text, holds: hasValue("error_class") },
  error_code: { ...code, holds: hasValue("error_code") },
  ok_or_err_class: {
    ...text,
    holds: (answer, expected) => answer["ok"] === true || answer["error_class"] === expected,
  },
  content_contains: { ...texts, holds: ({ content }, expected) => contains(content, expected) },
  content_length_eq: { ...count, holds: sized("content", equal) },
  content_length_lte: { ...count, holds: sized("content", atMost) },
  content_length_gte: { ...count, holds: sized("content", atLeast) },
  matches_contains: { ...text, holds: ({ matches }, expected) => contains(matches, expected) },
  matches_count_eq: { ...count, holds: sized("matches", equal) },
  decision: { ...text, holds: hasValue("decision") },
  field_eq: { ...fields, holds: has },
  metadata_field_eq: { ...fields, holds: (answer, expected) => has(metadataOf(answer), expected) },
  metadata_field_lte: { ...bounds, holds: bounded(atMost) },
  metadata_field_gte: { ...bounds, holds: bounded(atLeast) },
  has_field: {
    ...text,
    holds: (answer, expected) => (ownValue(answer, String(expected)) ?? null) !== null,
  },
  entries_min: { ...count, holds: sized("entries", atLeast) },
  entries_max: { ...count, holds: sized("entries", atMost) },
  entries_field_eq: { ...ofEntries, holds: hasEntries },
};

export const MATCHERS: readonly string[] = Object.keys(matchers);

/** What is wrong with an expectation itself, whatever the answer; null for nothing. */
function expectationFault(matcher: string, expected: Json): string | null {
  const known = ownValue(matchers, matcher);
  if (known === undefined) return `unknown matcher ${matcher}`;
  return known.is(expected)
    ? null
    : `${matcher} wants ${known.wants}, and was given ${JSON.stringify(expected)}`;
}
