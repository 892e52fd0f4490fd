/** Other values of single policy leaves: what a random world, or one near a scenario, tries. */
import fc from "fast-check";
import type { IntegerLeaf, Leaf } from "../machines/policyLeaf.ts";
import type { Overrides, PolicyValue } from "./policy.ts";

/** The leaves of the whole policy, by path, and what is tried of one besides the values near its default. */
export type Leaves = readonly (readonly [path: string, leaf: Leaf, tried?: readonly number[]])[];

/** Up to `leavesMax` leaves with another value, always within their bounds; shrinks to none. */
export function policyNeighbours(
  all: Leaves,
  leavesMax: number,
  fixed: readonly string[],
  /** Only leaves below this. */
  prefix = "",
): fc.Arbitrary<Overrides> {
  const leaves = all.filter(
    ([path, { kind }]) =>
      // Folders make sense only in a world that is written for them.
      kind !== "folders" && path.startsWith(prefix) && !fixed.includes(path),
  );
  const one = fc
    .constantFrom(...leaves)
    .chain(([path, leaf, tried]) =>
      otherValue(leaf, tried).map((value): [string, PolicyValue] => [path, value]),
    );
  return fc
    .uniqueArray(one, { maxLength: leavesMax, selector: ([path]) => path })
    .map((entries) => Object.fromEntries(entries));
}

function otherValue(leaf: Leaf, tried: readonly number[] = []): fc.Arbitrary<PolicyValue> {
  switch (leaf.kind) {
    case "integer":
      return fc.constantFrom(...numbersNear(leaf, tried));
    case "flag":
      return fc.constantFrom(leaf.default, !leaf.default);
    case "choice":
      return fc.constantFrom(leaf.default, ...(leaf.tried ?? leaf.options));
    case "subset":
      return fc.shuffledSubarray([...leaf.options]);
    case "folders":
      return fc.constant(leaf.default);
  }
}

/** The default first: half of it, twice, one beside it, the least; then what else is tried. */
function numbersNear(leaf: IntegerLeaf, tried: readonly number[]): number[] {
  const near = [
    leaf.default,
    leaf.default >> 1,
    leaf.default * 2,
    leaf.default - 1,
    leaf.default + 1,
    leaf.min,
    ...tried,
  ];
  const inside = near.filter((value) => value >= leaf.min && value <= leaf.max);
  return [...new Set(inside)];
}
