/**
 * Draws a world with synt as one SVG string: turns, a row for each request with its states, the size
 * of the pool and the day's money, on a shared axis of virtual time.
 */

import * as Plot from "@observablehq/plot";
import type { Mark } from "../../../edges/report/moments.ts";
import { type Frame, frameOf, ink, margin, upright } from "../../../edges/report/pictureFrame.ts";
import { dayHourMinute, flow, rowCount } from "../../../edges/report/pictureLayout.ts";
import {
  type LegendItem,
  legendMarks,
  legendRowHeight,
  signs,
} from "../../../edges/report/pictureLegend.ts";
import {
  axisMarks,
  labelMark,
  lineMark,
  paper,
  paperHeights,
  placeEvents,
  svgOf,
  type Titled,
  titleMarks,
} from "../../../edges/report/picturePaper.ts";
import { type Steps, stepsHeight, stepsMarks } from "../../../edges/report/pictureSteps.ts";
import {
  type RequestRow,
  requestMarks,
  rowHeight,
  rowsLegend,
  type TurnMark,
  turnMarks,
  turnsHeight,
} from "./pictureRequests.ts";

const labelRows = 6;
/** Rows that keep a picture under 2 MB and on a page that can still be scrolled. */
const rowsMost = 120;
const nightsMost = 400;

/** What a picture shows. Instants are virtual milliseconds since the run began. */
export interface SyntPicture extends Titled {
  readonly turns: readonly TurnMark[];
  readonly requests: readonly RequestRow[];
  readonly nights: readonly number[];
  /** What came from outside, and farewells of executors. */
  readonly marks: readonly Mark[];
  /** The size of the pool, and the day's money where there was any. */
  readonly steps: readonly Steps[];
}

export function drawSynt(data: SyntPicture, options: { readonly width?: number } = {}): string {
  const frame = frameOf(data.endMs, options.width ?? 960, labelRows);
  const rows = data.requests.slice(0, rowsMost);
  const hidden = data.requests.length - rows.length;
  const labels = placeEvents(data.marks, frame, dayHourMinute);
  const legend = placeLegend(data, labels.filter(({ row }) => row < 0).length, frame);

  const rowsTop = data.turns.length > 0 ? turnsHeight : 0;
  const stepsTop = rowsTop + rows.length * rowHeight;
  const body = Math.max(rowHeight, stepsTop + data.steps.length * stepsHeight);
  const top = paperHeights.title + rowCount(labels) * paperHeights.label;
  const legendTop = body + paperHeights.axis;
  const bottom = paperHeights.axis + rowCount(legend) * legendRowHeight + margin.outer;
  const more = hidden > 0 ? [`${hidden} more rows of requests not drawn`] : [];
  return svgOf({
    className: "ghostlight-synt",
    ariaLabel: "Requests to synt, the pool and money over virtual time",
    frame,
    heights: { top, body, bottom },
    scales: {
      // Px below the upper edge of the panels.
      y: { domain: [body, 0], axis: null },
    },
    marks: [
      paper(top, bottom),
      axisMarks(frame, body),
      data.nights.slice(0, nightsMost).map((atMs) => upright(frame.px(atMs), 0, night)),
      labels.map((label) => lineMark(label)),
      turnMarks(data.turns, frame),
      rows.map((row, index) => requestMarks(row, rowsTop + index * rowHeight, frame)),
      data.steps.map((steps, index) => stepsMarks(steps, stepsTop + index * stepsHeight, frame)),
      Plot.ruleY([body], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
      labels.map((label) => labelMark(label)),
      titleMarks(data, top, frame, { format: dayHourMinute, more }),
      legend.map((item) => legendMarks(item, legendTop)),
    ],
  });
}

const night = { stroke: ink.band, strokeOpacity: 0.35 };

/** Only what the picture shows, and what it had to omit. */
function placeLegend(data: SyntPicture, unnamed: number, frame: Frame) {
  const items: (LegendItem | false)[] = [
    ...rowsLegend(data.turns, data.requests),
    data.nights.length > 0 && { text: "night", colour: ink.bandTint, sign: signs.upright },
    data.marks.length > 0 && { text: "event", colour: ink.text, sign: signs.upright },
    unnamed > 0 && { text: `${unnamed} events unnamed`, colour: ink.axis, sign: signs.upright },
    data.steps.some(({ bound }) => bound !== null) && {
      ...{ text: "cap", colour: ink.abandoned, sign: signs.dashes },
    },
  ];
  return flow(
    items.filter((item) => item !== false),
    frame,
    28,
  );
}
