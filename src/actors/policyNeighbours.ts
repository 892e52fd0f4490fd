/** Other values of single policy leaves: what a random world, or one near a scenario, tries. */
import fc from "fast-check";
import type { IntegerLeaf, Leaf } from "../machines/policyLeaf.ts";
import { MILLION } from "../machines/units.ts";
import type { PolicyValue } from "./policy.ts";
import { policyLeaves } from "./policy.ts";

export interface Overrides {
  readonly [path: string]: PolicyValue;
}

/** Up to so many leaves with another value, always within their bounds; shrinks to none. */
export function policyNeighbours(
  leavesMax: number,
  fixed: readonly string[],
  /** Only leaves below this. */
  prefix = "",
): fc.Arbitrary<Overrides> {
  const leaves = policyLeaves().filter(
    ([path]) => path.startsWith(prefix) && !fixed.includes(path),
  );
  const one = fc
    .constantFrom(...leaves)
    .chain(([path, leaf]) =>
      otherValue(path, leaf).map((value): [string, PolicyValue] => [path, value]),
    );
  return fc
    .uniqueArray(one, { maxLength: leavesMax, selector: ([path]) => path })
    .map((entries) => Object.fromEntries(entries));
}

function otherValue(path: string, leaf: Leaf): fc.Arbitrary<PolicyValue> {
  switch (leaf.kind) {
    case "integer":
      return fc.constantFrom(...numbersNear(path, leaf));
    case "flag":
      return fc.constantFrom(leaf.default, !leaf.default);
    case "choice":
      return fc.constantFrom(leaf.default, ...leaf.options);
    case "subset":
      return fc.shuffledSubarray([...leaf.options]);
  }
}

/** The default first: half of it, twice, one beside it, the least; what has no bite in a short run, more. */
function numbersNear(path: string, leaf: IntegerLeaf): number[] {
  const near = [
    leaf.default,
    leaf.default >> 1,
    leaf.default * 2,
    leaf.default - 1,
    leaf.default + 1,
    leaf.min,
    ...(/^stressors\..*start/i.test(path) ? [400_000, 700_000, MILLION] : []),
    ...(/^stressors\..*growth/i.test(path) ? [100 * MILLION] : []),
  ];
  const inside = near.filter((value) => value >= leaf.min && value <= leaf.max);
  return [...new Set(inside)];
}
