// Sections of SPEC.md: Blame and prevent.
import { expect, it } from "vitest";
import { between, choice, flag, integer, subset } from "../../src/machines/policyLeaf.ts";
import { valuesNear } from "../../src/run/causes/candidates.ts";

const told = { says: "It is tried.", source: "ours" };

it("[BL2] a leaf takes other values of a switch or a choice, one more or less of a list, half and double", () => {
  expect(valuesNear(flag(true, told), true)).toEqual([false]);
  expect(valuesNear(choice("a", ["a", "b", "c"], told), "b")).toEqual(["a", "c"]);
  expect(valuesNear(subset(["a"], ["a", "b"], told), ["a"])).toEqual([[], ["a", "b"]]);
  const number = integer(5, between(0, 10, "steps"), told);
  expect(valuesNear(number, 5)).toEqual([2, 10]);
  expect(valuesNear(number, 6)).toEqual([3]);
  expect(valuesNear(number, 0)).toEqual([1]);
  // Both bounds are values.
  expect(valuesNear(integer(4, between(2, 8, "steps"), told), 4)).toEqual([2, 8]);
  expect(valuesNear(integer(4, between(3, 7, "steps"), told), 4)).toEqual([]);
});
