/** What pictures of runs have in common around their panels: the `<svg>`, paper, title, time axis, named events. */

import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import type { Mark } from "./moments.ts";
import { type Frame, ink, margin, upright, within, words } from "./pictureFrame.ts";
import { clean, hourMinute, type Placed, placeLabels, timeTicks } from "./pictureLayout.ts";

/** Px. */
export const paperHeights = { title: 68, label: 17, axis: 46 };
export const fonts = "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif";
const eventsMost = 120;

/** An ISO instant that needs no seconds. */
const wholeMinute = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):00(?:\.0+)?Z$/;

/** What stands over a picture. */
export interface Titled {
  readonly title: string;
  /** ISO instant of virtual time 0; shown, never computed with. Null where there is none. */
  readonly startsAt: string | null;
  readonly endMs: number;
}

/** How an instant reads, such as h:mm. */
type Clock = (ms: number) => string;

/** What a picture is drawn of, px. */
interface Drawn {
  readonly className: string;
  readonly ariaLabel: string;
  readonly frame: Frame;
  /** Above the panels, of the panels, and below them. */
  readonly heights: { readonly top: number; readonly body: number; readonly bottom: number };
  /** The scale of a panel, and of the panels one below the other where they repeat. */
  readonly scales: Pick<Plot.PlotOptions, "y" | "fy">;
  readonly marks: Plot.Markish[];
}

/** One standalone `<svg>`; the same marks give the same string. */
export function svgOf({ frame, heights: { top, body, bottom }, scales, ...drawn }: Drawn): string {
  const svg = Plot.plot({
    ...{ ...drawn, ...scales },
    document: parseHTML("<!doctype html><html><body></body></html>").document,
    style: { background: "white", color: ink.text, fontFamily: fonts, fontSize: "11px" },
    ...{ width: frame.width, height: top + body + bottom },
    ...{ marginTop: top, marginBottom: bottom, marginLeft: margin.left, marginRight: margin.right },
    x: { domain: [0, frame.endMs], axis: null },
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  return svg.outerHTML;
}

/** A white ground of our own: the picture also stands in dark pages. */
export function paper(top: number, bottom: number): Plot.Markish {
  const insets = { insetTop: -top, insetBottom: -bottom };
  const sides = { insetLeft: -margin.left, insetRight: -margin.right };
  return Plot.frame({ facet: "super", fill: "white", stroke: "none", ...insets, ...sides });
}

/** Title and facts: how long it took, when it began, and what else this picture says. */
export function titleMarks(
  data: Titled,
  top: number,
  frame: Frame,
  { format, more }: { readonly format: Clock; readonly more: readonly string[] },
): Plot.Markish {
  const facts = [
    `${format(within(data.endMs, frame.endMs))} h of virtual time`,
    ...(data.startsAt === null
      ? []
      : [`0:00 is ${clean(data.startsAt, 40).replace(wholeMinute, "$1 $2 UTC")}`]),
    ...more,
  ].join("  ·  ");
  const title = clean(data.title, Math.floor((frame.right - frame.left) / 10));
  const x = margin.outer;
  return [
    words(title, { x, y: 26 - top }, { fontSize: 17, fontWeight: 600 }),
    words(facts, { x, y: 48 - top }, { fontSize: 12, fill: ink.quiet }),
  ];
}

/** Ticks of virtual time through all panels, `y` px high in total. */
export function axisMarks(frame: Frame, y: number): Plot.Markish {
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

export function placeEvents(
  marks: readonly Mark[],
  frame: Frame,
  format: Clock = hourMinute,
): Placed[] {
  const labels = marks.slice(0, eventsMost).map((mark) => ({
    text: `${format(within(mark.atMs, frame.endMs))} ${clean(mark.label, 40)}`,
    at: frame.px(mark.atMs),
  }));
  return placeLabels(labels, frame);
}

/** From the label's row down through all panels; fainter if there was no row for it. */
export function lineMark(label: Placed): Plot.Markish {
  const strokeOpacity = label.row < 0 ? 0.25 : 0.7;
  return upright(label.at, (label.row + 1) * paperHeights.label, {
    stroke: ink.text,
    strokeOpacity,
  });
}

export function labelMark(label: Placed): Plot.Markish {
  if (label.row < 0) return null;
  const y = -(label.row + 0.5) * paperHeights.label;
  if (label.from < label.at)
    return words(label.text, { x: label.at - 5, y }, { textAnchor: "end" });
  return words(label.text, { x: label.at + 5, y });
}
