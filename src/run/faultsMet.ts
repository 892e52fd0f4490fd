/** The faults of a run: how many calls met each. */

import { type Scenario, variantOf } from "../contract/scenario.ts";
import { type Fault, faultChoice, faultsIn, faultText } from "../faults/faults.ts";
import type { Input } from "../substrate/port.ts";

export interface FaultMet extends Pick<Fault, "id" | "does" | "tool"> {
  /** What it looks like. */
  readonly says: string;
  /** How many calls met it. */
  readonly calls: number;
}

/** In the order in which they are tried; without those that the variant omits. */
export function faultsMet(
  scenario: Scenario,
  variant: string | null,
  inputs: Iterable<Input>,
): readonly FaultMet[] {
  const { faults = [], without } = variantOf(scenario, variant);
  const own = faults.filter(({ id }) => !without.choices.includes(faultChoice(id)));
  if (own.length === 0) return [];
  const counts = new Map<string, number>();
  for (const input of inputs) {
    if (input.kind !== "reply") continue;
    for (const choice of faultsIn(input.choice)) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  }
  return own.map(({ id, does, tool }) => ({
    ...{ id, does, tool, says: faultText(does) },
    calls: counts.get(faultChoice(id)) ?? 0,
  }));
}
