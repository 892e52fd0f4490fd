// JSON of models and agents: what is read, and why the rest is not.
import { expect, it } from "vitest";
import type { Json } from "../../src/machines/letter.ts";
import { jsonFault, objectWithin, readFault, readJson } from "../../src/machines/readJson.ts";

const lists = (levels: number): string => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
const HALF = "half a character, a lone surrogate";

it.each([
  ['{"a": [1, "b", null, true]}', null],
  ["1e308", null],
  [lists(64), null],
  ["{", "no JSON"],
  ["", "no JSON"],
  ['"\\ud800"', HALF],
  ['{"a": ["\\udfff"]}', HALF],
  ['{"\\ud800": 1}', HALF],
  ["1e309", "a number past all bounds"],
  ["[-1e309]", "a number past all bounds"],
  ['{"a": {"__proto__": 1}}', "a key __proto__"],
  [lists(65), "nesting deeper than 64"],
])("[MO5] of %j it says: %s", (text, fault) => {
  expect(readFault(text)).toBe(fault);
  expect(readJson(text)).toEqual(fault === null ? JSON.parse(text) : undefined);
  // The last one is read once.
  expect(readJson(text)).toEqual(fault === null ? JSON.parse(text) : undefined);
});

it("[MO5] a value may be nested as deep as it is told", () => {
  const value: Json = { a: [1] };

  expect([jsonFault(value, 2), jsonFault(value, 1) === null]).toEqual([null, false]);
});

it.each([
  ['{"a": 1}', { a: 1 }],
  ['Well: {"a": 1}. So.', { a: 1 }],
  ['{"a": 1} or {"b": 2}', undefined],
  ["[1]", undefined],
  ["Well.", undefined],
  ["} {", undefined],
])("[MO5] the object within %j is %j", (text, value) => {
  expect(objectWithin(text)).toEqual(value);
});
