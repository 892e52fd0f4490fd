/** How a run differs from the one that its scenario, or its variant, describes. In words. */

import type { Part } from "../contract/part.ts";
import { type Policy, policyValues, policyWith } from "../contract/policyTree.ts";
import { type Scenario, variantOf } from "../contract/scenario.ts";
import type { RunResult } from "./simulate.ts";

/** The providers of any run of the scenario: its script, and Python for what agents write. */
const OWN = /^(?:scripted|code that agents wrote: |just-bash )/;

export interface PlayedAs {
  readonly variant: string | null;
  readonly seed: number;
  readonly result: Pick<RunResult, "policy" | "virtualMs" | "outcome">;
  /** Who answered at each port. */
  readonly providers: { readonly [port: string]: string };
}

/** Empty for a run as the scenario describes it. */
export function runChanges(
  parts: readonly Part[],
  scenario: Scenario,
  played: PlayedAs,
): readonly string[] {
  const { seed, result, variant, providers } = played;
  const isShort = result.outcome === "ended" && result.virtualMs < scenario.runsForMs;
  return [
    ...(seed === scenario.seed ? [] : [`seed ${seed} (${scenario.seed})`]),
    ...policyChanges(parts, result.policy, policyWith(parts, variantOf(scenario, variant).policy)),
    ...(isShort ? ["an earlier end"] : []),
    ...new Set(
      Object.entries(providers).flatMap(([port, by]) =>
        OWN.test(by)
          ? []
          : [by.startsWith("a recording") ? "a recording answered" : `at ${port}: ${by}`],
      ),
    ),
  ];
}

function policyChanges(parts: readonly Part[], policy: Policy, own: Policy): string[] {
  const was = policyValues(parts, own);
  return Object.entries(policyValues(parts, policy))
    .filter(([path, value]) => `${value}` !== `${was[path]}`)
    .map(([path, value]) => `${path}=${value} (${was[path]})`);
}
