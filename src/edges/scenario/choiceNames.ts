/** What `without` can take out of a scenario, besides its events. */

import type { InputSource, ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { faultChoice } from "../../faults/faults.ts";
import type { ScenarioSource } from "./scenarioSchema.ts";

/** Names of the choices that its models, people and faults may make. Of a scenario as it is written, or as it is decoded. */
export const choicesOf = (
  scenarioParts: readonly ScenarioPart[],
  scenario: ScenarioSource | Scenario,
): string[] => [
  ...scenarioParts.flatMap((part) => part.choices?.(scenario) ?? []),
  ...(scenario.faults ?? []).map(({ id }) => faultChoice(id)),
];

/** What comes from outside besides its events, such as what a user says. */
export const inputsOf = (
  scenarioParts: readonly ScenarioPart[],
  scenario: ScenarioSource | Scenario,
): InputSource[] => scenarioParts.flatMap((part) => part.inputs?.(scenario) ?? []);
