/** What a report says in its head and of its parts, as data. */

import { fruitless } from "../fruitless.ts";
import { modelUse } from "../modelUse.ts";
import { runChanges } from "../runChanges.ts";
import { modelJson } from "./modelText.ts";
import type { PartLists } from "./partLists.ts";
import type { ReportInput } from "./reportInput.ts";

export function reportJson({ parts, edgeParts }: PartLists, input: ReportInput): object {
  const { scenario, observed, deliveries, inputs } = input;
  const { variant, result } = observed;
  const use = modelUse(parts, deliveries, inputs);
  return {
    nothingCameOf: fruitless(parts, observed, deliveries, use),
    changes: runChanges(parts, scenario, { ...input, variant, result }),
    model: modelJson(use),
    ...Object.assign({}, ...edgeParts.map(({ report }) => report.json?.(input))),
  };
}
