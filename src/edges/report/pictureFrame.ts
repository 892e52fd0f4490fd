/** What the lanes of a picture and what goes through them share: the time axis, margins and lines of text placed by px. */
import * as Plot from "@observablehq/plot";
import { ink } from "../../contract/picture.ts";
import type { Bounds } from "./pictureLayout.ts";

/** Px around the panels; `outer` parts all texts from the picture's edges. */
export const margin = { left: 84, right: 40, outer: 16 };
/** From the frame's left edge back to where the texts begin, px. */
export const toOuter = margin.outer - margin.left;
const labelRowsMost = 6;

/** The axis of a run in a picture, px. */
export interface Frame extends Bounds {
  readonly width: number;
  /** At least 1, so that a run which never began has an axis too. */
  readonly endMs: number;
  /** Virtual ms in one pixel. */
  readonly msInPx: number;
  /** An instant as px from the picture's left edge. */
  readonly px: (ms: number) => number;
}

export function frameOf(runMs: number, widthAsked: number): Frame {
  const width = Math.min(2400, Math.max(480, Math.round(widthAsked)));
  const endMs = Number.isFinite(runMs) && runMs > 1 ? runMs : 1;
  const msInPx = endMs / (width - margin.left - margin.right);
  const px = (ms: number): number => margin.left + within(ms, endMs) / msInPx;
  const sides = { left: margin.outer, right: width - margin.outer };
  return { width, endMs, msInPx, px, ...sides, rowsMax: labelRowsMost };
}

/** A quantity brought into 0 to `end`; what is no number becomes 0. */
export const within = (quantity: number, end: number): number =>
  quantity > 0 ? Math.min(quantity, end) : 0;

/** One line of text; `x` px from the picture's left edge, `y` px below the lanes' upper edge. */
export function words(
  text: string,
  at: { readonly x: number; readonly y: number },
  options: Plot.TextOptions = {},
): Plot.Markish {
  return Plot.text([text], {
    frameAnchor: "top-left",
    dx: at.x - margin.left,
    dy: at.y,
    textAnchor: "start",
    lineAnchor: "middle",
    fill: ink.text,
    ...options,
  });
}

/** A line down through all lanes, from `above` px over them; `x` px from the picture's left edge. */
export const upright = (x: number, above: number, options: Plot.FrameOptions): Plot.Markish =>
  Plot.frame({ anchor: "left", insetLeft: x - margin.left, insetTop: -above, ...options });
