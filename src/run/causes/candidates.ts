/** What a search for causes tries: each outside input and each choice left out, and each leaf that was read, a little different. */

import type { Overrides, PolicyValue } from "../../contract/policy.ts";
import type { Leaf } from "../../machines/policyLeaf.ts";
import type { Change } from "./changes.ts";

/** A change that is tried, and what of a kind it is. */
export interface Candidate {
  readonly changes: readonly Change[];
  /** Of a variant of the scenario. */
  readonly variant?: string;
}

export interface Reach {
  /** Every leaf of the policy by its path. */
  readonly leaves: readonly (readonly [path: string, leaf: Leaf])[];
  /** What the run had. */
  readonly policy: Overrides;
  /** Paths of the leaves that anything read before the effect was certain. */
  readonly read: ReadonlySet<string>;
  /** Ids of outside inputs, and names of choices that were made by then. */
  readonly events: readonly string[];
  readonly choices: readonly string[];
  /** Tools whose answers looked like success. */
  readonly tools: readonly string[];
}

/** In a fixed order: what is left out, then tools that fail so that it is heard, then what is turned on or off, then numbers. */
export function singleChanges(reach: Reach): readonly Change[] {
  const { leaves, policy, read, events, choices, tools } = reach;
  const near = leaves
    .filter(([path]) => read.has(path))
    .flatMap(([path, leaf]) => {
      const now = policy[path] ?? leaf.default;
      return valuesNear(leaf, now).map((value) => ({ leaf, change: setTo(path, now, value) }));
    });
  // The order of leaves of one kind stays.
  const sorted = near.toSorted((a, b) => rank(a.leaf) - rank(b.leaf));
  return [
    ...choices.map((id): Change => ({ kind: "choice", id })),
    ...events.map((id): Change => ({ kind: "event", id })),
    ...tools.map((tool): Change => ({ kind: "fault", does: "fails", tool })),
    ...sorted.map(({ change }) => change),
  ];
}

function setTo(path: string, now: PolicyValue, value: PolicyValue): Change {
  if (typeof now !== "object" || typeof value !== "object") return { kind: "set", path, value };
  const less = now.find((one) => !value.includes(one));
  const more = value.find((one) => !now.includes(one));
  const says = less === undefined ? `${path} with ${more}` : `${path} without ${less}`;
  return { kind: "set", path, value, says };
}

/** Switches are what a person turns first. */
const rank = ({ kind }: Leaf): number =>
  ["flag", "choice", "subset", "integer", "folders"].indexOf(kind);

/** The other values of a switch or a choice; of a list, one more or one less of what it may hold; of a number its half and double. */
export function valuesNear(leaf: Leaf, now: PolicyValue): readonly PolicyValue[] {
  switch (leaf.kind) {
    case "flag":
      return [now !== true];
    case "choice":
      return (leaf.tried ?? leaf.options).filter((option) => option !== now);
    case "subset": {
      const has = Array.isArray(now) ? now : [];
      return leaf.options.map((option) =>
        has.includes(option)
          ? has.filter((one) => one !== option)
          : leaf.options.filter((one) => one === option || has.includes(one)),
      );
    }
    case "integer": {
      const number = Number(now);
      const near = [Math.floor(number / 2), number * 2, ...(number === 0 ? [1] : [])];
      const inside = near.filter(
        (value) => value >= leaf.min && value <= leaf.max && value !== number,
      );
      return [...new Set(inside)];
    }
    // Folders make sense only in a world that is written for them.
    case "folders":
      return [];
  }
}
