/** Which parts a report of a run tells of. */

import type { EdgePart, Pictured } from "../../contract/edge/edgePart.ts";
import type { Scenario } from "../../contract/scenario.ts";
import type { PartLists } from "../parts/partLists.ts";

/** Those that its world has; a world that is empty is told in the words of the first. */
export function toldParts(
  { parts, edgeParts }: PartLists,
  { scenario }: Pictured,
): readonly EdgePart[] {
  const isThere = (name: string, world: Scenario): boolean =>
    parts.find((part) => part.name === name)?.isThere?.(world) ?? true;
  const there = edgeParts.filter(({ name }) => isThere(name, scenario));
  return there.length > 0 ? there : edgeParts.slice(0, 1);
}
