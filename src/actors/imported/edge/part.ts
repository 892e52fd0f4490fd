/** What the page of an imported log says of it. Its report is its own: nobody wrote a world for it. */

import { countOf } from "../../../contract/countOf.ts";
import type { EdgePart } from "../../../contract/edge/edgePart.ts";
import type { MetricName } from "../../../contract/gauge.ts";
import { WORLD } from "../../../contract/gauge.ts";
import { logPicture } from "./picture.ts";

export const imported = {
  name: "imported",
  // Loaded when there is something to read.
  reads: async (sources, out, signal) =>
    (await import("./readInto.ts")).readInto(sources, out, signal),
  report: {
    summary: ({ story, meter, result }) => {
      const count = (metric: MetricName, one: string): string =>
        countOf(meter.valueAt(metric, WORLD, result.virtualMs), one);
      const agents = story.imported.speakers.filter(({ role }) => role === "agent").length;
      return (
        `${countOf(agents, "agent")}, ${count("log.messages", "message")}, ` +
        `${count("log.calls", "call")}, ${count("log.errors", "error")}, ${count("log.empty", "empty result")}.`
      );
    },
    variants: { title: "", columns: () => ({ head: [], cells: () => [] }) },
    picture: ({ scenario, observed: { story } }) =>
      logPicture({ story, imported: { clock: scenario.imported?.clock ?? "log" } }),
  },
} as const satisfies EdgePart;
