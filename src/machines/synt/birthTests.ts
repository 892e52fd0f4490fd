/**
 * Birth tests: which file of tests is in order, and whether an answer is what a test expects. What
 * they may expect is in birthMatchers.ts. Source: seed 002, 4.2.3; ruling Y13.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { expectationFault, matchers } from "./birthMatchers.ts";
import type { BirthTest } from "./contract.ts";

/** Why an answer is not what a test expects; null when it is. An empty expectation expects nothing. */
export function testFault({ name, expect }: BirthTest, answer: Json): string | null {
  if (!isMap(answer)) return `${name}: the answer is no object`;
  const entries = Object.entries(expect);
  if (entries.length === 0) return `${name}: it expects nothing`;
  for (const [matcher, expected] of entries) {
    const fault = expectationFault(matcher, expected);
    if (fault !== null) return `${name}: ${fault}`;
    if (!matchers[matcher]?.holds(answer, expected)) {
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
