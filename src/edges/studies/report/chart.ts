/**
 * What charts of a study share: the `<svg>`, colours, and spots: what a mark says when it is pointed at, and whose
 * points it shows. Marks carry numbers alone, as linkedom leaves `<` and `&` bare in attributes.
 */
import * as Plot from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { fonts } from "../../report/picture.ts";
import { clean } from "../../report/pictureLayout.ts";

/** Colours by their name in the page's style, which has others for the dark and for paper. */
export const ink = {
  text: "var(--text)",
  quiet: "var(--quiet)",
  axis: "var(--axis)",
  paper: "var(--paper)",
  blue: "var(--blue)",
  pale: "var(--pale)",
  orange: "var(--orange)",
  outcome: "var(--outcome)",
} as const;

/** As Okabe and Ito chose them for colour-blind readers; one for each line of a chart. */
export const LINES = [1, 2, 3, 4, 5, 6].map((at) => `var(--line${at})`);

export interface Spot {
  /** Lines of plain text. */
  readonly says: readonly string[];
  /** Indices of points; brushing fades a mark none of whose points is chosen. */
  readonly points: readonly number[];
}

/** One point, of which the page knows what it says: of all outcomes, or of the one in this place. */
export interface PointSpot {
  readonly point: number;
  readonly outcome?: number;
}

/** Where the axes of parallel coordinates stand, px, and where each point is on them. */
export interface Brush {
  readonly top: number;
  readonly bottom: number;
  readonly axes: readonly { readonly name: string; readonly x: number }[];
  /** By the index of the point, from 0 (below) to 1 on each axis; null where it has no value. */
  readonly at: { readonly [point: number]: readonly (number | null)[] };
}

export interface Chart {
  readonly title: string;
  /** What is shown and how, in a sentence or two. */
  readonly caption: string;
  /** What each colour is. */
  readonly legend?: readonly { readonly color: string; readonly text: string }[];
  readonly svg: string;
  readonly isWide?: true;
  readonly brush?: Brush;
}

/** What of an `<svg>` is needed here: the compiler knows no DOM. */
interface Svg {
  readonly outerHTML: string;
  readonly querySelectorAll: (selector: string) => Iterable<Svg>;
  readonly setAttribute: (name: string, value: string) => void;
}

/** Of one page, in the order in which marks were drawn. */
export class Spots {
  readonly all: Spot[] = [];

  /** Gives each mark below the groups of this class its spot, in their order. */
  mark(svg: Svg, className: string, spots: readonly (Spot | PointSpot)[]): void {
    const marks = [...svg.querySelectorAll(`.${className} > *`)];
    for (const [at, spot] of spots.entries()) {
      const mark = marks[at];
      if (mark === undefined) continue;
      if ("point" in spot) {
        const outcome = spot.outcome === undefined ? "" : ` ${spot.outcome}`;
        mark.setAttribute("data-at", `${spot.point}${outcome}`);
        continue;
      }
      mark.setAttribute("data-spot", String(this.all.length));
      this.all.push(spot);
    }
  }
}

/** Px. */
export const CHART = { width: 460, height: 260, wide: 940 } as const;
/** Ours: characters of a name on an axis. */
const NAME_MOST = 46;
/** Px of a character in a chart's text, at most. */
export const CHARACTER = 6.4;

export const nameText = (text: string): string => clean(text, NAME_MOST);

/** Its end, which tells paths apart, in so many characters. */
export function shortened(text: string, most: number): string {
  const own = nameText(text);
  return own.length <= most ? own : `…${own.slice(-Math.max(1, most - 1))}`;
}

/** The chart as an element, for `Spots.mark`. */
export function plotted(ariaLabel: string, options: Plot.PlotOptions): Svg {
  const svg = Plot.plot({
    width: CHART.width,
    height: CHART.height,
    ...options,
    className: "chart",
    document: parseHTML("<!doctype html><html><body></body></html>").document,
    style: { background: "none", color: ink.text, fontFamily: fonts, fontSize: "11px" },
  });
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", ariaLabel);
  return svg;
}
