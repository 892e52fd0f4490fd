/** Draws an imported log as one SVG string: a lane for each who spoke and each tool, on one axis of time. */
import * as Plot from "@observablehq/plot";
import { frameOf, ink, margin, words } from "../../../edges/report/pictureFrame.ts";
import { clean, hourMinute, rowCount } from "../../../edges/report/pictureLayout.ts";
import {
  axisMarks,
  labelMark,
  lineMark,
  paper,
  paperHeights,
  placeEvents,
  svgOf,
  titleMarks,
} from "../../../edges/report/picturePaper.ts";
import type { Point } from "../logPoints.ts";
import type { WrittenLog } from "./logWriter.ts";

/** Ours, px. */
const width = 960;
const laneHeight = 26;
const labelRowsMost = 4;
const lanesMost = 24;
const marksMost = 12;

const fills: { readonly [kind in Point["kind"]]: string } = {
  said: ink.completed,
  heard: ink.quiet,
  called: ink.band,
  returned: ink.axis,
  error: ink.abandoned,
};
const meanings =
  "blue said by an agent · grey said by others · violet called · light returned · red error";

/** The same log gives the same string. */
export function drawLog({ head, story, endMs, startsAt, imported }: WrittenLog): string {
  const { points, speakers, tools } = story.imported;
  const frame = frameOf(endMs, width, labelRowsMost);
  const errors = story.moments.filter(({ kind }) => kind === "error").slice(0, marksMost);
  const labels = placeEvents(errors, frame);
  const lanes = [...new Set([...speakers, ...tools].map(({ name }) => name))].slice(0, lanesMost);
  const top = paperHeights.title + rowCount(labels) * paperHeights.label;
  const body = Math.max(1, lanes.length) * laneHeight;
  const bottom = paperHeights.axis + margin.outer;
  const place = (lane: string): number => (lanes.indexOf(lane) + 0.5) * laneHeight;
  const drawn = points.filter(({ lane }) => lanes.includes(lane));
  const steps = imported.clock === "steps" ? ["no times: a second for each record"] : [];
  return svgOf({
    className: "ghostlight-log",
    ariaLabel: "who spoke and which tools answered, over time",
    frame,
    heights: { top, body, bottom },
    scales: { y: { domain: [body, 0], axis: null } },
    marks: [
      paper(top, bottom),
      axisMarks(frame, body),
      labels.map(lineMark),
      lanes.map((lane) => laneMarks(lane, place(lane))),
      Plot.dot(drawn, {
        ...{ x: "atMs", y: ({ lane }: Point) => place(lane), r: 3.2 },
        ...{ fill: ({ kind }: Point) => fills[kind], fillOpacity: 0.8, stroke: "none" },
      }),
      labels.map(labelMark),
      words(meanings, { x: margin.outer, y: body + 32 }, { fill: ink.quiet }),
      titleMarks(
        { title: head.name, startsAt: imported.clock === "steps" ? null : startsAt, endMs },
        top,
        frame,
        { format: hourMinute, more: steps },
      ),
    ],
  });
}

function laneMarks(lane: string, y: number): Plot.Markish[] {
  return [
    Plot.ruleY([y], { stroke: ink.line }),
    words(clean(lane, 13), { x: margin.outer, y }, { fill: ink.text }),
  ];
}
