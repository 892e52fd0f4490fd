/**
 * Draws a run as one SVG string: a panel per agent on a shared axis of virtual time. Drawn on a
 * server by Observable Plot in a linkedom document; the same data gives the same string.
 */

import * as Plot from "@observablehq/plot";
import type { Mark } from "../../../edges/report/moments.ts";
import {
  type Frame,
  frameOf,
  ink,
  margin,
  upright,
  within,
  words,
} from "../../../edges/report/pictureFrame.ts";
import {
  clean,
  flow,
  hourMinute,
  type Placed,
  placeStretches,
  rowCount,
} from "../../../edges/report/pictureLayout.ts";
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
import {
  type AgentPicture,
  countedNote,
  isCounted,
  panelHeight,
  panelMarks,
  scaleMarks,
} from "./picturePanels.ts";

/** With the limits of a panel's goals and load, these keep any picture under 2 MB. */
const most = { agents: 24, intervals: 8, labelRows: 6, bandRows: 3 };
/** Px. */
const heights = { ...paperHeights, band: 22 };

/** What a picture shows. Instants are virtual milliseconds since the run began. */
export interface RunPicture extends Titled {
  readonly agents: readonly AgentPicture[];
  /** Tinted across all panels, such as "ghost safe_file_executor". */
  readonly intervals: readonly {
    readonly label: string;
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  /** Events as upright lines, such as "operator archives the JSON". */
  readonly marks: readonly Mark[];
}

/** A placed name and the stretch it names, px. */
interface Band extends Placed {
  readonly begin: number;
  readonly end: number;
}

/** The run as a standalone `<svg>`, `width` px wide (960 unless told, within 480 and 2400). */
export function drawRun(data: RunPicture, options: { readonly width?: number } = {}): string {
  const frame = frameOf(data.endMs, options.width ?? 960, most.labelRows);
  const agents = data.agents.slice(0, most.agents);
  const hidden = data.agents.length - agents.length;
  const more = hidden > 0 ? [`${hidden} more agents not drawn`] : [];
  const count = Math.max(1, agents.length);
  const labels = placeEvents(data.marks, frame);
  const bands = placeBands(data.intervals, frame);
  const named = labels.filter(({ row }) => row >= 0).length;
  const [events, intervals] = [data.marks.length, data.intervals.length];
  const legend = placeLegend({ agents, events, unnamed: events - named, intervals }, frame);

  const labelsHeight = rowCount(labels) * heights.label;
  const top = heights.title + labelsHeight + rowCount(bands) * heights.band;
  const legendTop = count * panelHeight + heights.axis;
  const bottom = heights.axis + rowCount(legend) * legendRowHeight + margin.outer;
  return svgOf({
    className: "ghostlight-run",
    ariaLabel: "Goals, fruitless calls and load of each agent over virtual time",
    frame,
    heights: { top, body: count * panelHeight, bottom },
    scales: {
      y: { domain: [0, panelHeight], axis: null },
      fy: { domain: Array.from({ length: count }, (_, index) => index), padding: 0, axis: null },
    },
    marks: [
      paper(top, bottom),
      bands.map((band) => bandMarks(band, labelsHeight, frame)),
      axisMarks(frame, count * panelHeight),
      agents.length > 0 ? scaleMarks() : emptyMarks(frame),
      labels.map((label) => lineMark(label)),
      agents.map((agent, index) => panelMarks(agent, { index, count, frame })),
      labels.map((label) => labelMark(label)),
      titleMarks(data, top, frame, { format: hourMinute, more }),
      legend.map((item) => legendMarks(item, legendTop)),
    ],
  });
}

function emptyMarks(frame: Frame): Plot.Markish {
  const middle = { x: (margin.left + frame.width - margin.right) / 2, y: panelHeight / 2 };
  return [
    Plot.frame({ facet: "super", stroke: ink.line }),
    words("No agents in this run.", middle, { fontSize: 15, textAnchor: "middle" }),
  ];
}

function placeBands(intervals: RunPicture["intervals"], frame: Frame): Band[] {
  const bands = intervals.slice(0, most.intervals).map((interval) => {
    const fromMs = within(interval.fromMs, frame.endMs);
    const toMs = Math.max(fromMs, within(interval.toMs, frame.endMs));
    const text = `${clean(interval.label, 60)}, ${hourMinute(fromMs)} to ${hourMinute(toMs)}`;
    const begin = frame.px(fromMs);
    return { text, at: begin, begin, end: frame.px(toMs) };
  });
  return placeStretches(bands, { ...frame, rowsMax: most.bandRows });
}

/** A tint over all panels, up to the row with its name, above the labels of events. */
function bandMarks(band: Band, labelsHeight: number, frame: Frame): Plot.Markish {
  if (band.row < 0) return null;
  const above = labelsHeight + (band.row + 1) * heights.band;
  const sides = {
    insetLeft: band.begin - margin.left,
    insetRight: frame.width - margin.right - band.end,
  };
  const edge = { stroke: ink.band, strokeOpacity: 0.45 };
  return [
    Plot.frame({
      ...{ facet: "super", ...sides, insetTop: -above },
      ...{ fill: ink.band, fillOpacity: 0.11, stroke: "none" },
    }),
    [band.begin, band.end].map((x) => upright(x, 0, edge)),
    words(
      band.text,
      { x: band.at, y: heights.band / 2 - above },
      { fill: ink.bandText, fontWeight: 600, textAnchor: "middle" },
    ),
  ];
}

/** What there is to explain. */
interface LegendFacts {
  readonly agents: readonly AgentPicture[];
  readonly events: number;
  /** Events without words, for lack of room. */
  readonly unnamed: number;
  readonly intervals: number;
}

/** Only what the picture shows, and what it had to omit. */
function placeLegend(facts: LegendFacts, frame: Frame): (LegendItem & Placed)[] {
  const { agents, events, unnamed, intervals } = facts;
  const has = (status: string): boolean =>
    agents.some(({ goals }) => goals.some((goal) => goal.status === status));
  const counted = agents.some((agent) => isCounted(agent, agents.length));
  const items: (LegendItem | false)[] = [
    has("completed") && { text: "goal completed", colour: ink.completed, sign: signs.block },
    has("abandoned") && { text: "goal abandoned", colour: ink.abandoned, sign: signs.cross },
    agents.some(({ calls }) => calls && calls.fruitlessMs.length > 0) && {
      ...{ text: "call that failed or returned nothing", colour: ink.abandoned },
      sign: signs.upright,
    },
    has("active") && { text: "goal still open", colour: ink.active, sign: signs.ring },
    counted && { text: countedNote, colour: ink.quiet, sign: signs.bars },
    agents.length > 0 && { text: "load; dotted: thresholds", colour: ink.text, sign: signs.steps },
    events > 0 && { text: "event", colour: ink.text, sign: signs.upright },
    intervals > 0 && { text: "interval", colour: ink.bandTint, sign: signs.block },
    unnamed > 0 && { text: `${unnamed} events unnamed`, colour: ink.axis, sign: signs.upright },
  ];
  const shown = items.filter((item) => item !== false);
  return flow(shown, frame, 28);
}
