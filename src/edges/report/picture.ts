/**
 * Draws the lanes of a run as one SVG string on a shared axis of virtual time. Drawn on a server by Observable Plot in
 * a linkedom document; the same data gives the same string. Text of strangers goes into text nodes only, because
 * linkedom, which writes the SVG, leaves `<` and `&` bare in attributes.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import {
  ink,
  type Mark,
  type Picture,
  type PointShape,
  type SpanShape,
} from "../../contract/picture.ts";
import { hasUnder, UNDER } from "../../viewer/spanText.ts";
import { type Frame, frameOf, margin, toOuter, upright, within, words } from "./pictureFrame.ts";
import {
  BARS,
  bar,
  type CauseOf,
  heightOf,
  hitMarks,
  isCrowded,
  laneMarks,
  momentHit,
  type Place,
} from "./pictureLanes.ts";
import {
  clean,
  dayHourMinute,
  flow,
  type Placed,
  placeLabels,
  placeStretches,
  rowCount,
  timeTicks,
} from "./pictureLayout.ts";

/** What stands over a picture. */
export interface Titled {
  readonly title: string;
  /** ISO instant of virtual time 0; shown, never computed with. Null where there is none. */
  readonly startsAt: string | null;
  /** Virtual ms. */
  readonly endMs: number;
}

/** Together these keep any picture under 2 MB, and on a page that can still be scrolled. */
const most = {
  lanes: 120,
  events: 120,
  named: 7,
  instants: 400,
  bands: 8,
};
const bandRowsMost = 3;
/** Px. */
const heights = { title: 68, label: 17, band: 22, axis: 46, legend: 20 };
export const fonts = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";

/** A standalone `<svg>`, `width` px wide (960 unless told, within 480 and 2400). */
export function drawPicture(
  picture: Picture,
  head: Titled,
  options: { readonly width?: number; readonly causeOf?: CauseOf | undefined } = {},
): string {
  const { causeOf = () => undefined } = options;
  const frame = frameOf(head.endMs, options.width ?? 960);
  const lanes = picture.lanes.slice(0, most.lanes);
  const hidden = picture.lanes.length - lanes.length;
  const labels = placeEvents(picture.marks, frame);
  const bands = placeBands(picture.bands ?? [], frame);
  const crowded = new Set(lanes.filter((lane) => isCrowded(lane, picture, lanes.length)));
  const unnamed = labels.filter(({ row }) => row < 0).length;
  const legend = flow(legendItems({ ...picture, lanes }, crowded.size > 0, unnamed), frame, 28);

  let body = 0;
  const drawn = lanes.map((lane) => {
    const place: Place = { top: body, frame, count: lanes.length, picture, causeOf };
    body += heightOf(lane, picture);
    return laneMarks(lane, place, crowded.has(lane));
  });
  body = Math.max(body, bar.height);
  const labelsHeight = rowCount(labels) * heights.label;
  const top = heights.title + labelsHeight + rowCount(bands) * heights.band;
  const bottom = heights.axis + rowCount(legend) * heights.legend + margin.outer;
  const more = [
    ...(hidden > 0 ? [`${hidden} more rows not drawn`] : []),
    ...(picture.undrawn ?? []),
  ];
  const svg = Plot.plot({
    className: "ghostlight-run",
    ariaLabel: picture.says,
    document: parseHTML("<!doctype html><html><body></body></html>").document,
    style: { background: "white", color: ink.text, fontFamily: fonts, fontSize: "11px" },
    width: frame.width,
    height: top + body + bottom,
    marginTop: top,
    marginBottom: bottom,
    marginLeft: margin.left,
    marginRight: margin.right,
    x: { domain: [0, frame.endMs], axis: null },
    // Px below the upper edge of the lanes.
    y: { domain: [body, 0], axis: null },
    marks: [
      // A white ground of our own: the picture also stands in dark pages.
      Plot.frame({
        fill: "white",
        stroke: "none",
        insetTop: -top,
        insetBottom: -bottom,
        insetLeft: -margin.left,
        insetRight: -margin.right,
      }),
      bands.map((band) => bandMarks(band, labelsHeight, frame)),
      axisMarks(frame, body),
      (picture.instants?.at ?? [])
        .slice(0, most.instants)
        .map((atMs) => upright(frame.px(atMs), 0, { stroke: ink.band, strokeOpacity: 0.35 })),
      labels.map(lineMark),
      drawn,
      lanes.length === 0 && picture.none !== undefined ? noneMark(picture.none, frame) : null,
      Plot.ruleY([body], { stroke: ink.line, insetLeft: toOuter }),
      labels.map(labelMark),
      hitMarks(
        picture.marks.slice(0, most.events).map(({ atMs, label }) => momentHit(atMs, label, frame)),
        -EVENT,
        0,
        frame,
      ),
      titleMarks(head, top, frame, more),
      legend.map((item) => legendMarks(item, body + heights.axis)),
    ],
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  return svg.outerHTML;
}

const noneMark = (text: string, { width }: Frame): Plot.Markish =>
  words(
    text,
    { x: (margin.left + width - margin.right) / 2, y: bar.height / 2 },
    { fontSize: 15, textAnchor: "middle" },
  );

// What goes through all lanes.

/** An ISO instant that needs no seconds. */
const wholeMinute = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00(?:\.0+)?Z$/;

/** How long it took, when it began, and what else this picture says. */
function titleMarks(
  { title, startsAt, endMs }: Titled,
  top: number,
  frame: Frame,
  more: readonly string[],
): Plot.Markish {
  const began = startsAt === null ? null : clean(startsAt, 40).replace(wholeMinute, "$1 $2 UTC");
  const facts = [
    `${dayHourMinute(within(endMs, frame.endMs))} h of virtual time`,
    ...(began === null ? [] : [`0:00 is ${began}`]),
    ...more,
  ];
  const x = margin.outer;
  return [
    words(
      clean(title, Math.floor((frame.right - frame.left) / 10)),
      { x, y: 26 - top },
      { fontSize: 17, fontWeight: 600 },
    ),
    words(facts.join("  ·  "), { x, y: 48 - top }, { fontSize: 12, fill: ink.quiet }),
  ];
}

/** Ticks of virtual time through all lanes, `y` px high in total. */
function axisMarks(frame: Frame, y: number): Plot.Markish {
  const { at, unit, format } = timeTicks(frame.endMs, frame.msInPx);
  const quiet = { fill: ink.quiet, textAnchor: "middle" } as const;
  const right = frame.width - margin.right;
  return [
    at.map((tick) => [
      upright(frame.px(tick), 0, { stroke: ink.line, strokeOpacity: 0.55 }),
      words(format(tick), { x: frame.px(tick), y: y + 13 }, quiet),
    ]),
    words(`virtual time, ${unit}`, { x: right, y: y + 32 }, { ...quiet, textAnchor: "end" }),
  ];
}

/** Seven have a name: the first of those that say the same but for numbers and what a colon sets off, then the earliest. */
function placeEvents(marks: readonly Mark[], frame: Frame): Placed[] {
  const kinds = marks.map(({ label }) => label.split(":")[0]?.replaceAll(/\d+/g, ""));
  const labels = marks.slice(0, most.events).map((mark, nth) => ({
    text: `${dayHourMinute(within(mark.atMs, frame.endMs))} ${clean(mark.label, 40)}`,
    at: frame.px(mark.atMs),
    isLater: kinds.indexOf(kinds[nth]) < nth,
  }));
  const inTurn = labels.toSorted((a, b) => Number(a.isLater) - Number(b.isLater));
  const others = inTurn
    .slice(most.named)
    .map((one) => ({ ...one, from: one.at, to: one.at, row: -1 }));
  return [...placeLabels(inTurn.slice(0, most.named), frame), ...others];
}

/** Px above the lanes in which an event tells itself. */
const EVENT = 12;

/** From the label's row down through all lanes; fainter if there was no row for it. */
const lineMark = (label: Placed): Plot.Markish =>
  upright(label.at, Math.max(EVENT, (label.row + 1) * heights.label), {
    stroke: ink.text,
    strokeOpacity: label.row < 0 ? 0.25 : 0.7,
  });

function labelMark(label: Placed): Plot.Markish {
  if (label.row < 0) return null;
  const y = -(label.row + 0.5) * heights.label;
  return label.from < label.at
    ? words(label.text, { x: label.at - 5, y }, { textAnchor: "end" })
    : words(label.text, { x: label.at + 5, y });
}

/** A placed name and the stretch it names, px. */
interface Band extends Placed {
  readonly begin: number;
  readonly end: number;
}

function placeBands(bands: NonNullable<Picture["bands"]>, frame: Frame): Band[] {
  const stretches = bands.slice(0, most.bands).map((band) => {
    const fromMs = within(band.fromMs, frame.endMs);
    const toMs = Math.max(fromMs, within(band.toMs, frame.endMs));
    const text = `${clean(band.label, 60)}, ${dayHourMinute(fromMs)} to ${dayHourMinute(toMs)}`;
    const begin = frame.px(fromMs);
    return { text, at: begin, begin, end: frame.px(toMs) };
  });
  return placeStretches(stretches, { ...frame, rowsMax: bandRowsMost });
}

/** A tint over all lanes, up to the row with its name, above the labels of events. */
function bandMarks(band: Band, labelsHeight: number, frame: Frame): Plot.Markish {
  if (band.row < 0) return null;
  const above = labelsHeight + (band.row + 1) * heights.band;
  const edge = { stroke: ink.band, strokeOpacity: 0.45 };
  return [
    Plot.frame({
      insetLeft: band.begin - margin.left,
      insetRight: frame.width - margin.right - band.end,
      insetTop: -above,
      fill: ink.band,
      fillOpacity: 0.11,
      stroke: "none",
    }),
    [band.begin, band.end].map((x) => upright(x, 0, edge)),
    words(
      band.text,
      { x: band.at, y: heights.band / 2 - above },
      { fill: ink.bandText, fontWeight: 600, textAnchor: "middle" },
    ),
  ];
}

// The legend.

interface LegendItem {
  readonly text: string;
  readonly colour: string;
  readonly sign: string;
}

/** Strokes, parted by "/", through points: px from the sign's middle. */
const signs = {
  block: "-8,-3 8,-3 8,3 -8,3 -8,-3 / -8,-1.5 8,-1.5 / -8,0 8,0 / -8,1.5 8,1.5",
  stroke: "-9,0 5,0 / 2,-3 8,3 / 8,-3 2,3",
  open: "-9,0 1,0 2,2.5 4.5,3.5 7,2.5 8,0 7,-2.5 4.5,-3.5 2,-2.5 1,0",
  bars: "-5,5 -5,-5 / 0,5 0,-1 / 5,5 5,-4",
  steps: "-9,4 0,4 0,-4 9,-4",
  tick: "0,-7 0,7",
  bar: "-8,-4 8,-4 8,4 -8,4 -8,-4 / -8,-2.5 8,-2.5 / -8,-1 8,-1 / -8,0.5 8,0.5 / -8,2 8,2 / -8,3 8,3",
  times: "-3,-3 3,3 / 3,-3 -3,3",
  disc: "-3.3,0 -2.3,2.3 0,3.3 2.3,2.3 3.3,0 2.3,-2.3 0,-3.3 -2.3,-2.3 -3.3,0 / -1.6,0 0,1.6 1.6,0 0,-1.6 -1.6,0 / -1,0 1,0",
  ring: "-3.3,0 -2.3,2.3 0,3.3 2.3,2.3 3.3,0 2.3,-2.3 0,-3.3 -2.3,-2.3 -3.3,0",
  square: "-3.5,-3.5 3.5,-3.5 3.5,3.5 -3.5,3.5 -3.5,-3.5",
  diamond: "-3.5,0 0,3.5 3.5,0 0,-3.5 -3.5,0",
  awaited: "-9,0 -5,0 -2,3 1,0 -2,-3 -5,0 / 1,0 9,0",
  dashes: "-9,0 -4,0 / -1,0 4,0 / 7,0 9,0",
} as const satisfies {
  readonly [shape in SpanShape | PointShape | "bars" | "steps" | "dashes"]: string;
};

/** Only what the picture shows, and what it had to omit. */
function legendItems(picture: Picture, isCounted: boolean, unnamed: number): LegendItem[] {
  const { lanes, phases, signs: points, instants, bands = [], marks } = picture;
  const shown = new Set(
    lanes.flatMap((lane) =>
      lane.is === "row"
        ? [...lane.spans.map(({ phase }) => phase), ...lane.points.map(({ kind }) => kind)]
        : (lane.spans ?? []).map(({ phase }) => phase),
    ),
  );
  const named = Object.entries({ ...phases, ...points }).flatMap(
    ([name, { shape, colour, says = name }]) =>
      shown.has(name) && says !== null ? [{ text: says, colour, sign: signs[shape] }] : [],
  );
  const steps = lanes.filter((lane) => lane.is === "steps");
  const thresholds = steps.find(({ levels = [] }) => levels.length > 0);
  const items: (LegendItem | false)[] = [
    // Two phases may say the same.
    ...new Map(named.map((item) => [`${item.text} ${item.colour}`, item])).values(),
    isCounted && {
      text: `bars: goals that ended within 1/${BARS} of the run`,
      colour: ink.quiet,
      sign: signs.bars,
    },
    hasUnder(lanes) && { text: UNDER, colour: ink.axis, sign: signs.awaited },
    thresholds !== undefined && {
      text: `${thresholds.name}; dotted: ${(thresholds.levels ?? [])
        .map(({ name, value }) => `${name} ${thresholds.format(value)}`)
        .join(", ")}`,
      colour: ink.text,
      sign: signs.steps,
    },
    ...steps
      .flatMap(({ lines }) => lines)
      .flatMap(({ label, colour }) =>
        colour === undefined ? [] : [{ text: clean(label, 60), colour, sign: signs.steps }],
      ),
    instants !== undefined &&
      instants.at.length > 0 && { text: instants.says, colour: ink.bandTint, sign: signs.tick },
    marks.length > 0 && { text: "event", colour: ink.text, sign: signs.tick },
    bands.length > 0 && { text: "interval", colour: ink.bandTint, sign: signs.block },
    unnamed > 0 && { text: `${unnamed} more on hover`, colour: ink.axis, sign: signs.tick },
    steps.some(({ bound }) => bound !== null) && {
      text: "cap",
      colour: ink.bad,
      sign: signs.dashes,
    },
  ];
  return items.filter((item) => item !== false);
}

/** The part of a canvas path that a sign needs. */
interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** One item; `top` is the upper edge of the legend, px below the lanes' upper edge. */
function legendMarks(item: LegendItem & Placed, top: number): Plot.Markish {
  const y = top + (item.row + 0.5) * heights.legend;
  return [
    Plot.dot([0], {
      frameAnchor: "top-left",
      dx: item.at - 14 - margin.left,
      dy: y,
      stroke: item.colour,
      strokeWidth: 1.6,
      fill: "none",
      symbol: { draw: (pen: Pen) => drawSign(pen, item.sign) },
    }),
    words(item.text, { x: item.at, y }, { fill: ink.quiet }),
  ];
}

function drawSign(pen: Pen, sign: string): void {
  for (const line of sign.split(" / ")) {
    const points = line.split(" ").map((point) => point.split(",").map(Number));
    for (const [index, [x = 0, y = 0]] of points.entries()) {
      if (index === 0) pen.moveTo(x, y);
      else pen.lineTo(x, y);
    }
  }
}
