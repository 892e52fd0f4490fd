/** Draws a world with installs as one SVG string: each revision and each approval by its states, on a shared axis of virtual time. */
import * as Plot from "@observablehq/plot";
import type { Mark } from "../../../edges/report/moments.ts";
import {
  type Frame,
  frameOf,
  haloed,
  ink,
  margin,
  within,
  words,
} from "../../../edges/report/pictureFrame.ts";
import {
  clean,
  dayHourMinute,
  flow,
  rowCount,
  textWidth,
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

const labelRows = 6;
/** Rows and dots that keep a picture under 2 MB. */
const most = { rows: 120, dots: 400 };
/** Px. */
const rowHeight = 36;
const bar = { from: 20, to: 28 };

export interface InstallRow {
  readonly label: string;
  readonly outcome: string;
  readonly spans: readonly {
    readonly phase: string;
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  /** What was refused. */
  readonly dots: readonly number[];
}

/** What a picture shows. Instants are virtual milliseconds since the run began. */
export interface InstallsPicture extends Titled {
  readonly rows: readonly InstallRow[];
  readonly marks: readonly Mark[];
}

/** After Okabe and Ito. */
const colours: { readonly [phase: string]: string } = {
  draft: "#c9c9c9",
  gated: "#e69f00",
  approved: "#9fd3f2",
  active: "#009e73",
  superseded: "#0072b2",
  "rolled back": "#cc79a7",
  rejected: "#d55e00",
  open: "#f0e442",
  expired: "#8a8a8a",
  used: "#56b4e9",
};

export function drawInstalls(
  data: InstallsPicture,
  options: { readonly width?: number } = {},
): string {
  const frame = frameOf(data.endMs, options.width ?? 960, labelRows);
  const rows = data.rows.slice(0, most.rows);
  const hidden = data.rows.length - rows.length;
  const labels = placeEvents(data.marks, frame, dayHourMinute);
  const legend = flow(legendItems(rows, data.marks), frame, 28);

  const body = Math.max(1, rows.length) * rowHeight;
  const top = paperHeights.title + rowCount(labels) * paperHeights.label;
  const legendTop = body + paperHeights.axis;
  const bottom = paperHeights.axis + rowCount(legend) * legendRowHeight + margin.outer;
  const more = hidden > 0 ? [`${hidden} more rows not drawn`] : [];
  return svgOf({
    className: "ghostlight-installs",
    ariaLabel: "Revisions and approvals by state over virtual time",
    frame,
    heights: { top, body, bottom },
    // Px below the upper edge of the panels.
    scales: { y: { domain: [body, 0], axis: null } },
    marks: [
      paper(top, bottom),
      axisMarks(frame, body),
      labels.map((label) => lineMark(label)),
      rows.map((row, index) => rowMarks(row, index * rowHeight, frame)),
      Plot.ruleY([body], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
      labels.map((label) => labelMark(label)),
      titleMarks(data, top, frame, { format: dayHourMinute, more }),
      legend.map((item) => legendMarks(item, legendTop)),
    ],
  });
}

/** A row whose upper edge is `top` px below that of the panels. */
function rowMarks(row: InstallRow, top: number, frame: Frame): Plot.Markish[] {
  const { endMs, msInPx } = frame;
  const outcome = clean(row.outcome, 70);
  const room = frame.right - frame.left - textWidth(outcome, 11) - 24;
  const label = clean(row.label, Math.max(8, Math.floor(room / 6)));
  const quiet = { ...haloed, fill: ink.quiet, textAnchor: "end" } as const;
  const dots = row.dots.slice(0, most.dots).map((atMs) => ({ x: within(atMs, endMs) }));
  const red = { r: 1.8, fill: ink.abandoned } as const;
  return [
    Plot.ruleY([top], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
    words(label, { x: margin.outer, y: top + 10 }, haloed),
    words(outcome, { x: frame.right, y: top + 10 }, quiet),
    row.spans.map(({ phase, fromMs, toMs }) => {
      // A state that lasts no time is still seen.
      const from = Math.min(within(fromMs, endMs), endMs - 2 * msInPx);
      const to = Math.max(within(toMs, endMs), from + 2 * msInPx);
      const told = `${phase}, ${dayHourMinute(from)} to ${dayHourMinute(to)}`;
      return Plot.rect([{ from, to, told }], {
        ...{ x1: "from", x2: "to", y1: top + bar.from, y2: top + bar.to, title: "told" },
        fill: colours[phase] ?? ink.line,
      });
    }),
    dots.length === 0 ? null : Plot.dot(dots, { x: "x", y: top + bar.to + 3, ...red }),
  ];
}

/** Only what the picture shows. */
function legendItems(rows: readonly InstallRow[], marks: readonly Mark[]): LegendItem[] {
  const phases = new Set(rows.flatMap(({ spans }) => spans.map(({ phase }) => phase)));
  const items: (LegendItem | false)[] = [
    ...Object.entries(colours).map(
      ([phase, colour]) => phases.has(phase) && { text: phase, colour, sign: signs.bar },
    ),
    rows.some(({ dots }) => dots.length > 0) && {
      ...{ text: "refused", colour: ink.abandoned, sign: signs.disc },
    },
    marks.length > 0 && { text: "event", colour: ink.text, sign: signs.upright },
  ];
  return items.filter((item) => item !== false);
}
