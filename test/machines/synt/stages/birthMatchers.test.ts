// What a birth test may expect: nothing holds of what is not there, and nothing expects nothing.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/machines/letter.ts";
import {
  MATCHERS,
  matchers,
  testFault,
  testsFrom,
} from "../../../../src/machines/synt/stages/birthTests.ts";

const test = (expected: object) => ({
  ...{ name: "one", setup: {}, input: {}, teardown: [] },
  expect: expected as never,
});
const faultOf = (expected: object, answer: Json) => testFault(test(expected), answer);
const holds = (expected: object, answer: Json) => faultOf(expected, answer) === null;

/** An expectation of each matcher's kind, the least that it takes. */
const least: { readonly [matcher: string]: Json } = {
  ...{ ok: true, ok_count_eq: 0, fail_count_eq: 0, error_contains: "null", error_class: "a" },
  ...{ error_code: "a", ok_or_err_class: "a", content_contains: "null", content_length_eq: 0 },
  ...{ content_length_lte: 9, content_length_gte: 0, matches_contains: "null" },
  ...{ matches_count_eq: 0, decision: "a", field_eq: { a: null }, metadata_field_eq: { a: null } },
  ...{ metadata_field_lte: { a: 9 }, metadata_field_gte: { a: 0 }, has_field: "a" },
  ...{ entries_min: 0, entries_max: 9, entries_field_eq: { a: null } },
};

describe("what is not there", () => {
  it("has an expectation here for every matcher that there is", () => {
    expect(Object.keys(least).sort()).toEqual([...MATCHERS].sort());
  });

  const nothings: readonly Json[] = [
    {},
    Object.fromEntries(
      "error failed content matches entries metadata results".split(" ").map((one) => [one, null]),
    ),
    { metadata: {}, results: [], failed: [], entries: {}, content: {}, matches: 3 },
  ];

  it.each(MATCHERS)("[SN90] holds nothing, by whatever matcher: %s", (matcher) => {
    for (const answer of nothings) {
      expect(faultOf({ [matcher]: least[matcher] }, answer)).toContain("does not hold");
    }
  });

  it("[SN90] an answer that is no object is none, whatever is expected of it", () => {
    for (const answer of [null, [], "ok", 3]) {
      expect(faultOf({ ok: true }, answer)).toBe("one: the answer is no object");
    }
  });

  it("[SN90] an empty list of entries has none that could have a field", () => {
    expect(holds({ entries_field_eq: { kind: "a" } }, { entries: [] })).toBe(false);
    expect(holds({ entries_max: 0 }, { entries: [] })).toBe(true);
  });
});

describe("an expectation that expects nothing", () => {
  it.each([
    [{ field_eq: {} }],
    [{ metadata_field_lte: {} }],
    [{ metadata_field_gte: { pages: "3" } }],
    [{ entries_field_eq: {} }],
    [{ entries_field_eq: { 0: {} } }],
    [{ entries_min: null }],
    [{ entries_min: -1 }],
    [{ entries_max: "9" }],
    [{ content_contains: "" }],
    [{ content_contains: [] }],
    [{ content_contains: ["a", ""] }],
    [{ ok: "true" }],
    [{ has_field: ["a"] }],
  ])("[SN91] %j is refused with what its matcher wants", (expected) => {
    const [[matcher, given] = ["", null]] = Object.entries(expected);
    const said = `${matcher} wants ${matchers[matcher]?.wants}, and was given ${JSON.stringify(given)}`;
    const read = testsFrom([{ name: "a", input: {}, expect: expected }] as never, {
      ...{ least: 1, most: 1, kinds: false },
    });

    expect(read).toEqual({ fault: `test a: ${said}` });
    expect(faultOf(expected, { ok: true, entries: [], content: "" })).toBe(`one: ${said}`);
  });

  it("[SN91] the least that each matcher wants is taken", () => {
    for (const [matcher, given] of Object.entries(least)) {
      const read = testsFrom([{ name: "a", input: {}, expect: { [matcher]: given } }], {
        ...{ least: 1, most: 1, kinds: false },
      });
      expect([matcher, read]).toEqual([matcher, { tests: [expect.anything()] }]);
    }
  });

  it.each(["", "  "])("[SN91] a test named %j says not what it tests", (name) => {
    const read = testsFrom([{ name, input: {}, expect: { ok: true } }], {
      ...{ least: 1, most: 1, kinds: false },
    });

    expect(read).toEqual({ fault: "test 1 has an empty name; say what it tests" });
  });
});

describe("lengths and lists", () => {
  it.each([
    [{ content_length_gte: 3, content_length_lte: 3, content_length_eq: 3 }, "a😀b", true],
    [{ content_length_gte: 4 }, "a😀b", false],
    [{ content_length_lte: 2 }, "a😀b", false],
    [{ content_length_eq: 2 }, ["a", ["b"]], true],
    [{ content_length_gte: 0 }, 7, false],
  ])("[SN92] %j of the content %j: %s", (expected, content, isSo) => {
    expect(holds(expected, { content })).toBe(isSo);
  });

  it("[SN92] texts are found in lists within lists, as they are and not as JSON", () => {
    expect(holds({ content_contains: 'say "no"' }, { content: [[['they say "no" here']]] })).toBe(
      true,
    );
    expect(holds({ error_contains: "list" }, { failed: [[{ error: "no list" }]] })).toBe(true);
    expect(holds({ matches_contains: "b" }, { matches: [["a", ["abc"]]] })).toBe(true);
    expect(holds({ content_contains: "[[" }, { content: [["a"]] })).toBe(false);
  });

  it("[SN92] content contains each text of a list", () => {
    const answer = { content: [["they say no"], "here"] };

    expect(holds({ content_contains: ["say", "here"] }, answer)).toBe(true);
    expect(holds({ content_contains: ["say", "there"] }, answer)).toBe(false);
  });

  it("[SN92] a field of the metadata stands beside the answer, in its only result, or at its top", () => {
    const eq = { metadata_field_eq: { pages: 3 } };

    expect(holds(eq, { metadata: { pages: 3 } })).toBe(true);
    expect(holds(eq, { results: [{ pages: 3 }] })).toBe(true);
    expect(holds(eq, { pages: 3 })).toBe(true);
    expect(holds(eq, { metadata: { size: 1 }, pages: 3 })).toBe(true);
    expect(holds({ metadata_field_lte: { pages: 3 } }, { pages: 3 })).toBe(true);
    expect(holds({ metadata_field_lte: { pages: 2 } }, { pages: 3 })).toBe(false);
    expect(holds(eq, { results: [{ pages: 3 }, { pages: 3 }] })).toBe(false);
    expect(holds(eq, { metadata: { pages: 4 }, pages: 3 })).toBe(false);
  });

  it("[SN92] values are the same in whatever order their fields come, nested lists in their order", () => {
    const answer = { ok: true, found: { b: [[1, 2], []], a: { d: 1, c: 2 } } };

    expect(holds({ field_eq: { found: { a: { c: 2, d: 1 }, b: [[1, 2], []] } } }, answer)).toBe(
      true,
    );
    expect(holds({ field_eq: { found: { a: { c: 2, d: 1 }, b: [[2, 1], []] } } }, answer)).toBe(
      false,
    );
  });

  it("[SN92] entries are judged each, or by their number", () => {
    const answer = { entries: [{ name: "a", tags: [["x"]] }, { name: "b" }] };

    expect(holds({ entries_field_eq: { 0: { name: "a", tags: [["x"]] } } }, answer)).toBe(true);
    expect(holds({ entries_field_eq: { 1: { name: "a" } } }, answer)).toBe(false);
    expect(holds({ entries_field_eq: { 0: { name: "a" }, 1: { name: "a" } } }, answer)).toBe(false);
    expect(holds({ entries_field_eq: { 2: { name: "a" } } }, answer)).toBe(false);
    expect(holds({ entries_field_eq: { name: "a" } }, answer)).toBe(false);
  });
});
