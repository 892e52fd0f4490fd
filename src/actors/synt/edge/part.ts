/** What reports and pictures say of a pool that grows, and the person who decides about it. */
import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import { syntContracts } from "./contracts.ts";
import { syntGate } from "./gate.ts";
import { syntPicture } from "./picture.ts";
import {
  executorsTable,
  requestsTable,
  syntColumns,
  syntSummary,
  syntTimeline,
  turnsTable,
} from "./report.ts";

export const synt = {
  name: "synt",
  gate: syntGate,
  contracts: syntContracts,
  report: {
    summary: ({ story, result }, figures) =>
      figures.synt === undefined ? "" : syntSummary(story.synt, figures.synt, result.policy),
    timeline: ({ story }, moments) => syntTimeline(story.synt, moments),
    before: ({ observed: { story, result } }) => [
      turnsTable(story.synt),
      requestsTable(story.synt, result.virtualMs),
    ],
    after: ({ observed }) => [executorsTable(observed.story.synt)],
    // Nothing was prevented in a world whose subject is how a pool grows.
    variants: { title: "What else could have happened", columns: syntColumns },
    picture: syntPicture,
  },
} as const satisfies EdgePart;
