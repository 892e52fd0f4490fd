/** What is likely to come to nothing in a run: each part is told what all of them attach and offer. */
import { attachedBy, attachingIn } from "../../contract/attached.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { prepare, type SimulateOptions } from "../../run/simulate.ts";
import type { ReadingLists } from "../parts/partLists.ts";

/** One sentence for each finding, in the order of the parts. */
export function foreseen(
  { parts, scenarioParts }: ReadingLists,
  scenario: Scenario,
  options: Required<Pick<SimulateOptions, "variant" | "set">>,
): readonly string[] {
  const { variant } = options;
  const { policy } = prepare(parts, scenario, options);
  const attached = attachedBy(attachingIn(parts, policy, scenario));
  const offered = scenarioParts.flatMap((part) => part.offers?.(scenario, policy) ?? []);
  const known = { variant, policy, attached, offered };
  return scenarioParts.flatMap((part) => part.foreseen?.(scenario, known) ?? []);
}
