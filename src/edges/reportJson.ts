/** What a report says in its head and of its tools, as data. */

import { toolStatus } from "../actors/agents/edge/toolsTable.ts";
import { toolStories } from "../actors/agents/toolStory.ts";
import { fruitless } from "../fruitless.ts";
import { modelUse } from "../modelUse.ts";
import { runChanges } from "../runChanges.ts";
import { modelJson } from "./modelText.ts";
import type { ReportInput } from "./report.ts";

export function reportJson(input: ReportInput): object {
  const { scenario, observed, deliveries, inputs } = input;
  const { variant, result } = observed;
  const use = modelUse(deliveries, inputs);
  return {
    nothingCameOf: fruitless(observed, deliveries, use),
    changes: runChanges(scenario, { ...input, variant, result }),
    model: modelJson(use),
    tools: toolStories(deliveries).map((tool) => ({
      ...{ name: tool.name, status: toolStatus(tool), calls: tool.calls },
      ...{ standing: tool.standing.kind, broken: tool.broken },
    })),
  };
}
