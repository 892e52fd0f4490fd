/** Which parts a report of a run tells of, and what it explains. */

import type { EdgePart, Pictured } from "../../contract/edge/edgePart.ts";
import { isPartIn } from "../../contract/partsIn.ts";
import type { Observed } from "../../run/compare.ts";
import type { Explainer, Explanation } from "../../run/why.ts";
import type { PartLists } from "../parts/partLists.ts";

/** Those that its world has; a world that is empty is told in the words of the first. */
export function toldParts(
  { parts, edgeParts }: PartLists,
  { scenario }: Pick<Pictured, "scenario">,
): readonly EdgePart[] {
  const absent = parts.filter((part) => !isPartIn(part, scenario)).map(({ name }) => name);
  const there = edgeParts.filter(({ name }) => !absent.includes(name));
  return there.length > 0 ? there : edgeParts.slice(0, 1);
}

/** What went wrong first, and whatever these parts find worth asking: each question once. */
export function explanationsOf(
  told: readonly EdgePart[],
  observed: Observed,
  explainer: Explainer,
): readonly Explanation[] {
  const asked = told.flatMap(({ report }) => report.questions?.(observed) ?? []);
  const all = [undefined, ...asked].flatMap((question) => explainer.why(question) ?? []);
  // What a part asks may be what a person wants explained first, and that says more.
  return all.filter(({ question }, at) => all.findIndex((one) => one.question === question) === at);
}
