/** A panel of step lines in a picture of a world with synt: the pool's size, or the day's money. */
import * as Plot from "@observablehq/plot";
import { type Frame, haloed, ink, margin, within, words } from "./pictureFrame.ts";

export interface Step {
  readonly atMs: number;
  readonly value: number;
}

interface Line {
  readonly label: string;
  readonly steps: readonly Step[];
  /** Where it ends before the run does. */
  readonly untilMs?: number;
}

export interface Steps {
  readonly name: string;
  /** What the lines are, in the order in which they are drawn; the last is the strongest. */
  readonly lines: readonly Line[];
  /** A cap, drawn when the scale reaches it. */
  readonly bound: { readonly label: string; readonly value: number } | null;
  readonly format: (value: number) => string;
}

export const stepsHeight = 104;
const scale = { zero: 92, one: 34 };
const stepsMost = 2000;
/** A cap this many times above all values is told, not drawn. */
const BOUND_FAR = 3;

/** `top` px below the upper edge of the panels. */
export function stepsMarks(panel: Steps, top: number, frame: Frame): Plot.Markish[] {
  const { name, lines, bound, format } = panel;
  const peak = Math.max(0, ...lines.flatMap(({ steps }) => steps.map(({ value }) => value)));
  const isNear = bound !== null && bound.value <= BOUND_FAR * peak;
  const most = Math.max(peak, isNear ? bound.value : 0) || 1;
  const y = (value: number) =>
    top + scale.zero - ((scale.zero - scale.one) * within(value, most)) / most;
  const left = { ...haloed, textAnchor: "end", fill: ink.quiet } as const;
  const told = bound === null ? [] : [isNear ? bound.label : `${bound.label}, far above`];
  const notes = [...lines.map(({ label }) => label), ...told].filter((note) => note !== "");
  return [
    Plot.ruleY([top], { stroke: ink.line, insetLeft: margin.outer - margin.left }),
    words(name, { x: margin.outer, y: top + 14 }, { ...haloed, fontWeight: 600 }),
    words(notes.join("  ·  "), { x: frame.right, y: top + 14 }, left),
    Plot.ruleY([top + scale.zero], { stroke: ink.axis }),
    Plot.ruleY([top + scale.one], { stroke: ink.line }),
    words("0", { x: margin.left - 8, y: top + scale.zero }, left),
    words(format(most), { x: margin.left - 8, y: top + scale.one }, left),
    ...(isNear
      ? [Plot.ruleY([y(bound.value)], { stroke: ink.abandoned, strokeDasharray: "5,3" })]
      : []),
    ...lines.map((line, index) => lineMark(line, index === lines.length - 1, y, frame)),
  ];
}

function lineMark(
  { steps, untilMs }: Line,
  isStrong: boolean,
  y: (value: number) => number,
  { endMs }: Frame,
): Plot.Markish {
  const drawn = steps.filter(({ atMs }) => atMs >= 0 && atMs <= endMs).slice(-stepsMost);
  const last = drawn.at(-1);
  if (last === undefined) return null;
  return Plot.lineY([...drawn, { ...last, atMs: untilMs ?? endMs }], {
    ...{ x: "atMs", y: ({ value }: Step) => y(value), curve: "step-after" },
    ...(isStrong ? { stroke: ink.text, strokeWidth: 1.6 } : { stroke: ink.axis, strokeWidth: 2.4 }),
  });
}
