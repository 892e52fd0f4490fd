import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluated, namesOf, parseExpression } from "../../../src/studies/outcomes/expression.ts";

function parsed(text: string) {
  const result = parseExpression(text);
  if ("fault" in result) throw new Error(result.fault);
  return result.expression;
}

const comesTo = (text: string, values: { readonly [name: string]: number } = {}) =>
  evaluated(parsed(text), new Map(Object.entries(values)));

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["8 - 3 - 2", 3],
  ["8 / 4 / 2", 1],
  ["3 * 0 + (4 - 0)", 4],
  ["-2 * -.5", 1],
  ["min(3, 1, 2)", 1],
  ["max(1, 3, 2)", 3],
  ["abs(-4) + abs(3)", 7],
  ["1e3", 1000],
])("[ST44] %s is %d", (text, value) => {
  expect(comesTo(text)).toEqual({ value });
});

test.each([
  ["<", [1, 0, 0]],
  ["<=", [1, 1, 0]],
  [">", [0, 0, 1]],
  [">=", [0, 1, 1]],
  ["==", [0, 1, 0]],
  ["!=", [1, 0, 1]],
])("[ST44] 1, 2 and 3 %s 2 are %j", (comparison, values) => {
  expect([1, 2, 3].map((one) => comesTo(`${one} ${comparison} 2`))).toEqual(
    values.map((value) => ({ value })),
  );
});

test("[ST44] names are those of outcomes", () => {
  expect(comesTo("lost / calls >= .5", { lost: 3, calls: 6 })).toEqual({ value: 1 });
  expect(namesOf(parsed("a + min(b, a) * -c_1"))).toEqual(["a", "b", "c_1"]);
});

test.each(["1 / 0", "0 / 0", "lost / (calls - calls)"])(
  "[ST45] %s is a fault, no number",
  (text) => {
    expect(comesTo(text, { lost: 3, calls: 6 })).toEqual({
      fault: expect.stringMatching(/ divided by 0$/),
    });
  },
);

test("[ST45] what is too great for a number is a fault", () => {
  expect(comesTo("big * big", { big: 1e200 })).toEqual({ fault: "* came to Infinity" });
});

test.each([
  ["", /nothing/],
  ["1 2", /several/],
  ["a; b", /several/],
  ["a.b", /MemberExpression/],
  ["a[0]", /MemberExpression/],
  ["[1]", /ArrayExpression/],
  ["'text'", /'text'/],
  ["true", /true/],
  ["this", /ThisExpression/],
  ["a && b", /&&/],
  ["!a", /!/],
  ["a ? b : c", /ConditionalExpression/],
  ["exp(1)", /exp/],
  ["constructor(1)", /constructor/],
  ["min()", /0 values/],
  ["abs(1, 2)", /2 values/],
  ["1 +", /./],
  ["(1", /./],
  ["1e999", /1e999/],
  ["=", /./],
  ["a.b(1)", /^a value\(…\), which means nothing here/],
])("[ST44] %j is refused with what is wrong", (text, fault) => {
  expect(parseExpression(text)).toEqual({ fault: expect.stringMatching(fault) });
});

test("[ST44] no text breaks it", () => {
  expect(parseExpression("(".repeat(10_000))).toHaveProperty("fault");
  expect(parseExpression("-".repeat(499))).toHaveProperty("fault");
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      const result = parseExpression(text);
      expect("fault" in result || "expression" in result).toBe(true);
    }),
  );
});
