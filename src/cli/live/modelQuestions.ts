/** How often a run asks models at most, as far as that is known before it is played. */
import type { Scenario } from "../../contract/scenario.ts";
import type { ReadingLists } from "../../edges/parts/partLists.ts";
import { prepare, type SimulateOptions } from "../../run/simulate.ts";

interface Planned extends Required<Pick<SimulateOptions, "variant" | "set">> {
  readonly virtualMs: number;
}

/** By purpose; what depends on agents is not among them. */
export function modelQuestions(
  { parts, scenarioParts }: ReadingLists,
  scenario: Scenario,
  { virtualMs, ...options }: Planned,
): { readonly [purpose: string]: number } {
  const { policy } = prepare(parts, scenario, options);
  const asked = scenarioParts.map((part) => part.asks?.(scenario, { policy, virtualMs }));
  return Object.assign({}, ...asked);
}
