/** What reports and pictures say of installs. */
import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import { installsContracts } from "./contracts.ts";
import { installsGate } from "./gate.ts";
import { installsPicture } from "./picture.ts";
import { installsColumns, installsSummary, installTables } from "./report.ts";

export const installs = {
  name: "installs",
  gate: installsGate,
  contracts: installsContracts,
  report: {
    summary: ({ story }, figures) =>
      figures.installs === undefined ? "" : installsSummary(story.installs, figures.installs),
    after: ({ observed }) => installTables(observed.story.installs),
    variants: { title: "What else could have happened", columns: installsColumns },
    picture: installsPicture,
  },
} as const satisfies EdgePart;
