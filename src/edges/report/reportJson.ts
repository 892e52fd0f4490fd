/** What a report says in its head and of its parts, as data. */

import { faultsMet } from "../../run/faultsMet.ts";
import { fruitless } from "../../run/fruitless.ts";
import { modelUse } from "../../run/modelUse.ts";
import { runChanges } from "../../run/runChanges.ts";
import type { PartLists } from "../parts/partLists.ts";
import { modelJson } from "../play/modelText.ts";
import type { ReportInput } from "./reportInput.ts";

export function reportJson({ parts, edgeParts }: PartLists, input: ReportInput): object {
  const { scenario, observed, deliveries, inputs } = input;
  const { variant, result } = observed;
  const use = modelUse(parts, deliveries, inputs);
  const faults = faultsMet(scenario, variant, inputs);
  return {
    nothingCameOf: fruitless(parts, observed, deliveries, use),
    changes: runChanges(parts, scenario, { ...input, variant, result }),
    model: modelJson(use),
    ...(faults.length > 0 && { faults }),
    ...Object.assign({}, ...edgeParts.map(({ report }) => report.json?.(input))),
  };
}
