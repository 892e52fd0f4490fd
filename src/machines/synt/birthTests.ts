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

const isSame = (a: Json | undefined, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);
const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0);
const textOf = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);
/** `{field: value}`: each field of what is expected stands in `found`. */
const holds = (found: Json | undefined, expected: Json): boolean =>
  isFields(expected) &&
  isFields(found) &&
  Object.entries(expected).every(([field, value]) => isSame(ownValue(found, field), value));

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
  field_eq: holds,
  metadata_field_eq: ({ metadata }, expected) => holds(metadata, expected),
  has_field: (answer, expected) => Object.hasOwn(answer, String(expected)),
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

export interface TestCount {
  readonly least: number;
  readonly most: number;
}

/** The tests of a model's answer, or what is wrong with them. */
export function testsFrom(
  found: Json | undefined,
  { least, most }: TestCount,
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
  return { tests };
}

function testFrom(one: Json, index: number): BirthTest | string {
  if (!isFields(one)) return `test ${index + 1} is no object`;
  const { name, input, expect, setup = {}, teardown = [] } = one;
  if (typeof name !== "string" || input === undefined || !isFields(expect)) {
    return `test ${index + 1} has not name, input and expect`;
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
