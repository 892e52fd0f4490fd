/** The legend of a picture: signs and words, in rows below the time axis. */
import * as Plot from "@observablehq/plot";
import { ink, margin, words } from "./pictureFrame.ts";
import type { Placed } from "./pictureLayout.ts";

export const legendRowHeight = 20;

export interface LegendItem {
  readonly text: string;
  readonly colour: string;
  /** Strokes, parted by "/", through points: px from the sign's middle. */
  readonly sign: string;
}

export const signs = {
  block: "-8,-3 8,-3 8,3 -8,3 -8,-3 / -8,-1.5 8,-1.5 / -8,0 8,0 / -8,1.5 8,1.5",
  cross: "-9,0 5,0 / 2,-3 8,3 / 8,-3 2,3",
  ring: "-9,0 1,0 2,2.5 4.5,3.5 7,2.5 8,0 7,-2.5 4.5,-3.5 2,-2.5 1,0",
  bars: "-5,5 -5,-5 / 0,5 0,-1 / 5,5 5,-4",
  steps: "-9,4 0,4 0,-4 9,-4",
  upright: "0,-7 0,7",
  bar: "-8,-4 8,-4 8,4 -8,4 -8,-4 / -8,-2.5 8,-2.5 / -8,-1 8,-1 / -8,0.5 8,0.5 / -8,2 8,2 / -8,3 8,3",
  times: "-3,-3 3,3 / 3,-3 -3,3",
  disc: "-3.3,0 -2.3,2.3 0,3.3 2.3,2.3 3.3,0 2.3,-2.3 0,-3.3 -2.3,-2.3 -3.3,0 / -1.6,0 0,1.6 1.6,0 0,-1.6 -1.6,0 / -1,0 1,0",
  square: "-3.5,-3.5 3.5,-3.5 3.5,3.5 -3.5,3.5 -3.5,-3.5",
  wait: "-9,0 -5,0 -2,3 1,0 -2,-3 -5,0 / 1,0 9,0",
  dashes: "-9,0 -4,0 / -1,0 4,0 / 7,0 9,0",
};

/** The part of a canvas path that a sign needs. */
interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** One item; `top` is the upper edge of the legend, px below the panels' upper edge. */
export function legendMarks(item: LegendItem & Placed, top: number): Plot.Markish {
  const y = top + (item.row + 0.5) * legendRowHeight;
  const symbol = { draw: (pen: Pen) => drawSign(pen, item.sign) };
  const place = { frameAnchor: "top-left", dx: item.at - 14 - margin.left, dy: y } as const;
  const line = { stroke: item.colour, strokeWidth: 1.6, fill: "none" };
  return [
    Plot.dot([0], { facet: "super", ...place, ...line, symbol }),
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
