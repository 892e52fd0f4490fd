/** Expectations of actors that are no agents: who there is, only the decoded scenario says. */

import type { Metric, MetricName } from "../../contract/gauge.ts";
import { metricTable } from "../../contract/metricTable.ts";
import type { Part } from "../../contract/part.ts";
import type { Expectation, Inhabited, Scenario } from "../../contract/scenario.ts";
import type { Finding } from "./finding.ts";
import { reference } from "./findingParts.ts";
import type { ScenarioSource } from "./scenarioSchema.ts";
import type { Path } from "./yamlText.ts";

/** The caller has found nothing else wrong with the source. */
export function actorFindings(
  parts: readonly Part[],
  { variants = {} }: ScenarioSource,
  scenario: Scenario,
): Finding[] {
  const table = metricTable(parts);
  return [
    ...inList(table, scenario.expect, ["expect"], scenario),
    ...Object.entries(scenario.variants).flatMap(([name, { expect }]) =>
      // What is inherited is said of the scenario itself.
      variants[name]?.expect === "inherit"
        ? []
        : inList(table, expect, ["variants", name, "expect"], scenario),
    ),
  ];
}

const inList = (
  table: ReturnType<typeof metricTable>,
  expectations: readonly Expectation[],
  base: Path,
  world: Inhabited,
): Finding[] =>
  expectations.flatMap(({ metric, actor }, index) => {
    const { each }: Partial<Metric> = table[metric as MetricName] ?? {}; // Any name, where none is checked.
    if (actor === null || each === undefined) return [];
    return reference([...base, index, "actor"], actor, each.namesIn(world), each.kind);
  });
