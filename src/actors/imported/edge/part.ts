/** What the page of an imported log says of it. Its report is its own: nobody wrote a world for it. */

import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import { countsText, logCounts } from "./logEntry.ts";
import { logPicture } from "./picture.ts";

export const imported = {
  name: "imported",
  // Loaded when there is something to read.
  reads: async (sources, out, signal) =>
    (await import("./readInto.ts")).readInto(sources, out, signal),
  report: {
    summary: ({ story, meter, result }) =>
      countsText(story.imported, logCounts(meter, result.virtualMs)),
    variants: { title: "", columns: () => ({ head: [], cells: () => [] }) },
    picture: ({ scenario, observed: { story } }) =>
      logPicture({ story, imported: { clock: scenario.imported?.clock ?? "log" } }),
  },
} as const satisfies EdgePart;
