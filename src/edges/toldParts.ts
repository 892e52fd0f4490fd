/** Which parts a report of a run tells of. */
import type { EdgePart, Pictured } from "./edgePart.ts";
import type { PartLists } from "./partLists.ts";

/** Those that its world has; a world that is empty is told in the words of the first. */
export function toldParts({ edgeParts }: PartLists, of: Pictured): readonly EdgePart[] {
  const there = edgeParts.filter(({ report }) => report.isThere(of));
  return there.length > 0 ? there : edgeParts.slice(0, 1);
}
