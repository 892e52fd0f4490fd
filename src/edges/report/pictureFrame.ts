/**
 * What all parts of a run's picture share: colours, margins, the time axis and lines of text placed
 * by px. Text of strangers goes into text nodes only, because linkedom, which writes the SVG,
 * leaves `<` and `&` bare in attributes.
 */
import * as Plot from "@observablehq/plot";
import type { Bounds } from "./pictureLayout.ts";

/** Blue and vermillion as Okabe and Ito chose them for colour-blind readers; all on white. */
export const ink = {
  text: "#1f2933",
  quiet: "#5a6370",
  line: "#d5d9de",
  axis: "#9aa3ad",
  completed: "#0072b2",
  abandoned: "#d55e00",
  abandonedText: "#a84300",
  active: "#6b7280",
  band: "#7b5ea7",
  bandText: "#54387f",
  /** The band as it looks on white, for the legend. */
  bandTint: "#d8cfe5",
} as const;

/** Px around the panels; `outer` parts all texts from the picture's edges. */
export const margin = { left: 84, right: 40, outer: 16 } as const;

export interface Frame extends Bounds {
  readonly width: number;
  /** At least 1, so that a run which never began has an axis too. */
  readonly endMs: number;
  /** Virtual ms in one pixel. */
  readonly msInPx: number;
  /** An instant as px from the picture's left edge. */
  readonly px: (ms: number) => number;
}

/** The axis of a run of `runMs` in a picture about `width` px wide. */
export function frameOf(runMs: number, widthAsked: number, rowsMax: number): Frame {
  const width = Math.min(2400, Math.max(480, Math.round(widthAsked)));
  const endMs = Number.isFinite(runMs) && runMs > 1 ? runMs : 1;
  const msInPx = endMs / (width - margin.left - margin.right);
  const px = (ms: number): number => margin.left + within(ms, endMs) / msInPx;
  return { width, endMs, msInPx, px, left: margin.outer, right: width - margin.outer, rowsMax };
}

/** A quantity brought into 0 to `end`; what is no number becomes 0. */
export function within(quantity: number, end: number): number {
  return quantity > 0 ? Math.min(quantity, end) : 0;
}

/** One line of text; `x` px from the picture's left edge, `y` px below the panels' upper edge. */
export function words(
  text: string,
  at: { readonly x: number; readonly y: number },
  options: Plot.TextOptions = {},
): Plot.Markish {
  return Plot.text([text], {
    ...{ facet: "super", frameAnchor: "top-left", dx: at.x - margin.left, dy: at.y },
    ...{ textAnchor: "start", lineAnchor: "middle", fill: ink.text, ...options },
  });
}

/** For words that lines may run through. */
export const haloed = { stroke: "white", strokeWidth: 4 } as const;

/** A line down through all panels, from `above` px over them; `x` px from the picture's left edge. */
export function upright(x: number, above: number, options: Plot.FrameOptions): Plot.Markish {
  const place = { insetLeft: x - margin.left, insetTop: -above };
  return Plot.frame({ facet: "super", anchor: "left", ...place, ...options });
}
