/** Draws metrics of the world as one SVG string: a panel of steps for each, on one axis of virtual time. */

import type { Pictured } from "../../contract/edge/edgePart.ts";
import { type Metric, type MetricName, WORLD } from "../../contract/gauge.ts";
import { merged } from "./moments.ts";
import { frameOf, margin } from "./pictureFrame.ts";
import { hourMinute, rowCount } from "./pictureLayout.ts";
import {
  axisMarks,
  labelMark,
  lineMark,
  paper,
  paperHeights,
  placeEvents,
  svgOf,
  titleMarks,
} from "./picturePaper.ts";
import { stepsHeight, stepsMarks } from "./pictureSteps.ts";

/** Ours. */
const width = 960;
const labelRowsMost = 6;

/** The same run gives the same string. */
export function drawMetrics(
  { scenario, observed }: Pictured,
  names: readonly MetricName[],
  metrics: { readonly [name: string]: Metric },
): string {
  const { result, story, variant, meter } = observed;
  const frame = frameOf(result.virtualMs, width, labelRowsMost);
  const labels = placeEvents(merged(story.moments), frame);
  const top = paperHeights.title + rowCount(labels) * paperHeights.label;
  const body = Math.max(1, names.length) * stepsHeight;
  const bottom = paperHeights.axis + margin.outer;
  const title = variant === null ? scenario.name : `${scenario.name}: ${variant}`;
  const head = { title, startsAt: scenario.startsAt, endMs: result.virtualMs };
  const panels = names.map((name) => ({
    ...{ name, bound: null, format: String },
    lines: [{ label: metrics[name]?.unit ?? "", steps: [START, ...meter.series(name, WORLD)] }],
  }));
  return svgOf({
    className: "ghostlight-metrics",
    ariaLabel: `${names.join(", ")} over virtual time`,
    frame,
    heights: { top, body, bottom },
    scales: { y: { domain: [body, 0], axis: null } },
    marks: [
      paper(top, bottom),
      axisMarks(frame, body),
      labels.map(lineMark),
      panels.map((panel, index) => stepsMarks(panel, index * stepsHeight, frame)),
      labels.map(labelMark),
      titleMarks(head, top, frame, { format: hourMinute, more: [] }),
    ],
  });
}

const START = { atMs: 0, value: 0 };
