/** Which parts a report of a run tells of. */
import type { Scenario } from "../actors/scenario.ts";
import { edgeParts } from "../edgeParts.ts";
import { parts } from "../parts.ts";
import type { EdgePart, Pictured } from "./edgePart.ts";

/** Those that its world has; a world that is empty is told in the words of the first. */
export function toldParts({ scenario }: Pictured): readonly EdgePart[] {
  const there = edgeParts.filter(({ name }) => isThere(name, scenario));
  return there.length > 0 ? there : edgeParts.slice(0, 1);
}

const isThere = (name: string, scenario: Scenario): boolean =>
  parts.find((part) => part.name === name)?.isThere?.(scenario) ?? true;
