import fc from "fast-check";
import { expect, it } from "vitest";
import { anyText } from "../../src/contract/anyText.ts";

it("text of any code points: long ones, never half of one, of the length that is asked for", () => {
  const texts = fc.sample(anyText({ minLength: 2, maxLength: 9 }), 500);

  const points = texts.flatMap((text) => [...text]);
  expect(texts.every((text) => text.isWellFormed())).toBe(true);
  expect(texts.every((text) => [...text].length >= 2 && [...text].length <= 9)).toBe(true);
  expect(points.some((one) => one.length === 2)).toBe(true);
  expect(points.some((one) => one < " ")).toBe(true);
});

it("what fails shrinks to the least that fails", () => {
  const { counterexample } = fc.check(
    fc.property(anyText(), (text) => [...text].every((one) => one.length === 1)),
    { numRuns: 1_000 },
  );

  expect(counterexample).toEqual(["\u{10000}"]);
});
