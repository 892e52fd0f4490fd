/**
 * Draws a world with skills as one SVG string: the life line of each skill, lesson and macro with its uses,
 * how many there are, and the utility of lessons, on a shared axis of virtual time.
 */
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
import { type Steps, stepsHeight, stepsMarks } from "../../../edges/report/pictureSteps.ts";
import type { Life } from "../lives.ts";

const labelRows = 6;
/** Rows and uses that keep a picture under 2 MB. */
const most = { rows: 120, uses: 400 };
/** Px. */
const rowHeight = 36;
const bar = { from: 22, to: 30 };

export interface LifeRow {
  readonly kind: Life["kind"] | "self-play";
  readonly label: string;
  readonly outcome: string;
  readonly spans: readonly {
    readonly phase: string;
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  readonly uses: Life["uses"];
  readonly wraps: readonly number[];
  /** Null while it lasts. */
  readonly endMs: number | null;
}

/** What a picture shows. Instants are virtual milliseconds since the run began. */
export interface SkillsPicture extends Titled {
  readonly rows: readonly LifeRow[];
  readonly marks: readonly Mark[];
  readonly steps: readonly Steps[];
  /** What there was no room for, in words. */
  readonly undrawn: readonly string[];
}

/** After Okabe and Ito. */
const colours: { readonly [phase: string]: string } = {
  "being made": "#e69f00",
  active: "#009e73",
  degraded: "#d55e00",
  "listed as broken": "#882255",
  unverified: "#9fd3f2",
  verified: "#0072b2",
  kept: "#cc79a7",
  "self-play": "#c9c9c9",
};

export function drawSkills(data: SkillsPicture, options: { readonly width?: number } = {}): string {
  const frame = frameOf(data.endMs, options.width ?? 960, labelRows);
  const rows = data.rows.slice(0, most.rows);
  const hidden = data.rows.length - rows.length;
  const labels = placeEvents(data.marks, frame, dayHourMinute);
  const legend = flow(legendItems(rows, data.marks), frame, 28);

  const stepsTop = rows.length * rowHeight;
  const body = Math.max(rowHeight, stepsTop + data.steps.length * stepsHeight);
  const top = paperHeights.title + rowCount(labels) * paperHeights.label;
  const legendTop = body + paperHeights.axis;
  const bottom = paperHeights.axis + rowCount(legend) * legendRowHeight + margin.outer;
  const more = [...(hidden > 0 ? [`${hidden} more lives not drawn`] : []), ...data.undrawn];
  return svgOf({
    className: "ghostlight-skills",
    ariaLabel: "Lives of skills, lessons and macros over virtual time",
    frame,
    heights: { top, body, bottom },
    // Px below the upper edge of the panels.
    scales: { y: { domain: [body, 0], axis: null } },
    marks: [
      paper(top, bottom),
      axisMarks(frame, body),
      labels.map((label) => lineMark(label)),
      rows.map((row, index) => rowMarks(row, index * rowHeight, frame)),
      data.steps.map((steps, index) => stepsMarks(steps, stepsTop + index * stepsHeight, frame)),
      Plot.ruleY([body], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
      labels.map((label) => labelMark(label)),
      titleMarks(data, top, frame, { format: dayHourMinute, more }),
      legend.map((item) => legendMarks(item, legendTop)),
    ],
  });
}

/** A row whose upper edge is `top` px below that of the panels. */
function rowMarks(row: LifeRow, top: number, frame: Frame): Plot.Markish[] {
  const outcome = clean(row.outcome, 70);
  const room = frame.right - frame.left - textWidth(outcome, 11) - 24;
  const quiet = { ...haloed, fill: ink.quiet, textAnchor: "end" } as const;
  return [
    Plot.ruleY([top], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
    words(fitting(row.label, room), { x: margin.outer, y: top + 11 }, haloed),
    words(outcome, { x: frame.right, y: top + 11 }, quiet),
    spanMarks(row, top, frame),
    useMarks(row, top, frame),
    wrapMarks(row, top, frame),
    endMark(row, top, frame),
  ];
}

/** As much of a text as fits into `px` pixels. */
function fitting(text: string, px: number): string {
  let charactersMax = 160;
  let cut = clean(text, charactersMax);
  while (charactersMax > 4 && textWidth(cut, 11) > px) {
    charactersMax -= 2;
    cut = clean(text, charactersMax);
  }
  return cut;
}

function spanMarks({ spans }: LifeRow, top: number, { endMs, msInPx }: Frame): Plot.Markish[] {
  return spans.map(({ phase, fromMs, toMs }) => {
    const from = Math.min(within(fromMs, endMs), endMs - 2 * msInPx);
    const to = Math.max(within(toMs, endMs), from + 2 * msInPx);
    const told = `${phase}, ${dayHourMinute(from)} to ${dayHourMinute(to)}`;
    return Plot.rect([{ from, to, told }], {
      ...{ x1: "from", x2: "to", y1: top + bar.from, y2: top + bar.to, title: "told" },
      fill: colours[phase] ?? ink.active,
    });
  });
}

/** Above the bar what went well, below it what did not. */
function useMarks({ uses }: LifeRow, top: number, { endMs }: Frame): Plot.Markish[] {
  return [true, false].map((ok) => {
    const those = uses.filter((one) => one.ok === ok).slice(0, most.uses);
    const drawn = those.map(({ atMs }) => ({ x: within(atMs, endMs) }));
    const y = top + (ok ? bar.from - 2 : bar.to + 2);
    return drawn.length === 0
      ? null
      : Plot.dot(drawn, { x: "x", y, r: 1.8, fill: ok ? ink.text : ink.abandoned });
  });
}

function wrapMarks({ wraps }: LifeRow, top: number, { endMs }: Frame): Plot.Markish {
  const drawn = wraps.slice(0, most.uses).map((atMs) => ({ x: within(atMs, endMs) }));
  const sign = { symbol: "square", r: 2.2, stroke: ink.abandoned, fill: "none" } as const;
  return drawn.length === 0 ? null : Plot.dot(drawn, { x: "x", y: top + bar.to + 2.5, ...sign });
}

function endMark({ endMs }: LifeRow, top: number, frame: Frame): Plot.Markish {
  if (endMs === null) return null;
  const at = [{ x: within(endMs, frame.endMs) }];
  const y = top + (bar.from + bar.to) / 2;
  const sign = { symbol: "times", stroke: ink.abandoned, strokeWidth: 1.8 } as const;
  return Plot.dot(at, { x: "x", y, dx: 8, r: 3.5, ...sign });
}

/** What the marks above a bar say, and those below it. */
const USES: { readonly [K in LifeRow["kind"]]: readonly [above: string, below: string] } = {
  skill: ["went well", "failed"],
  lesson: ["credited", "shown"],
  macro: ["went well", "failed"],
  "self-play": ["proved a lesson", "proved none"],
};

/** Only what the picture shows. */
function legendItems(rows: readonly LifeRow[], marks: readonly Mark[]): LegendItem[] {
  const phases = new Set(rows.flatMap(({ spans }) => spans.map(({ phase }) => phase)));
  const kinds = (ok: boolean) =>
    new Set(rows.filter(({ uses }) => uses.some((one) => one.ok === ok)).map(({ kind }) => kind));
  const named = (ok: boolean) =>
    [...new Set([...kinds(ok)].map((kind) => USES[kind][ok ? 0 : 1]))].join(" or ");
  const items: (LegendItem | false)[] = [
    ...Object.entries(colours).map(
      ([phase, colour]) => phases.has(phase) && { text: phase, colour, sign: signs.bar },
    ),
    named(true) !== "" && { text: named(true), colour: ink.text, sign: signs.disc },
    named(false) !== "" && { text: named(false), colour: ink.abandoned, sign: signs.disc },
    rows.some(({ wraps }) => wraps.length > 0) && {
      ...{ text: "program run to reach it", colour: ink.abandoned, sign: signs.square },
    },
    rows.some(({ endMs }) => endMs !== null) && {
      ...{ text: "end", colour: ink.abandoned, sign: signs.times },
    },
    marks.length > 0 && { text: "event", colour: ink.text, sign: signs.upright },
  ];
  return items.filter((item) => item !== false);
}
