/** Turns and requests in a picture: the asker and time of each, and which states each request passed. */
import * as Plot from "@observablehq/plot";
import {
  type Frame,
  haloed,
  ink,
  margin,
  within,
  words,
} from "../../../edges/report/pictureFrame.ts";
import { clean, dayHourMinute, textWidth } from "../../../edges/report/pictureLayout.ts";
import { type LegendItem, signs } from "../../../edges/report/pictureLegend.ts";

export interface TurnMark {
  readonly atMs: number;
  readonly label: string;
  readonly end: "done" | "declined" | "open";
}

/** How a request ended, as far as its sign tells. */
export type RequestEnd = "made" | "refused" | "suspended";

export interface RequestRow {
  /** Which request for whom, and what was wanted. */
  readonly label: string;
  /** How it ended, its R, cost and time. */
  readonly outcome: string;
  readonly spans: readonly {
    readonly state: string;
    readonly fromMs: number;
    readonly toMs: number;
  }[];
  readonly ends: readonly { readonly end: RequestEnd; readonly atMs: number }[];
  /** From a question at the gate to its decision, or to the end of waiting. */
  readonly questions: readonly {
    readonly atMs: number;
    readonly toMs: number;
    readonly isDecided: boolean;
  }[];
}

/** Px. */
export const turnsHeight = 32;
export const rowHeight = 36;
const bar = { from: 20, to: 30 };
const middle = (bar.from + bar.to) / 2;
/** From the frame's left edge back to where the texts begin. */
const toOuter = margin.outer - margin.left;

/** After Okabe and Ito; states that follow one another differ in lightness too. */
const colours: { readonly [state: string]: string } = {
  composing: "#9fd3f2",
  composed: "#0072b2",
  generating: "#e69f00",
  proposed: "#cc79a7",
};
const made = "#009e73";
const quiet = { ...haloed, fill: ink.quiet };
const states = Object.keys(colours);

export function turnMarks(turns: readonly TurnMark[], frame: Frame): Plot.Markish[] {
  if (turns.length === 0) return [];
  const of = (end: TurnMark["end"]) =>
    turns
      .filter((turn) => turn.end === end)
      .map(({ atMs, label }) => ({ x: within(atMs, frame.endMs), words: clean(label, 120) }));
  const place = { x: "x", y: turnsHeight / 2, title: "words", r: 3.5, strokeWidth: 1.6 } as const;
  return [
    Plot.ruleY([turnsHeight / 2], { stroke: ink.line }),
    Plot.dot(of("done"), { ...place, fill: ink.completed, stroke: ink.completed }),
    Plot.dot(of("declined"), { ...place, symbol: "times", stroke: ink.abandoned }),
    Plot.dot(of("open"), { ...place, fill: "white", stroke: ink.active }),
    words("turns", { x: margin.outer, y: turnsHeight / 2 }, { ...haloed, fontWeight: 600 }),
  ];
}

/** A row whose upper edge is `top` px below that of the panels. */
export function requestMarks(row: RequestRow, top: number, frame: Frame): Plot.Markish[] {
  const outcome = clean(row.outcome, 70);
  const room = frame.right - frame.left - textWidth(outcome, 11) - 24;
  return [
    Plot.ruleY([top], { stroke: ink.line, insetLeft: toOuter }),
    words(fitting(row.label, room), { x: margin.outer, y: top + 10 }, haloed),
    words(outcome, { x: frame.right, y: top + 10 }, { ...quiet, textAnchor: "end" }),
    ...spanMarks(row, top, frame),
    ...questionMarks(row, top, frame),
    ...endMarks(row, top, frame),
  ];
}

/** As much of a text as fits into `px` pixels. */
export function fitting(text: string, px: number): string {
  let charactersMax = 160;
  let cut = clean(text, charactersMax);
  while (charactersMax > 4 && textWidth(cut, 11) > px) {
    charactersMax -= 2;
    cut = clean(text, charactersMax);
  }
  return cut;
}

function spanMarks({ spans }: RequestRow, top: number, { endMs, msInPx }: Frame): Plot.Markish[] {
  // A span shorter than three pixels is drawn three wide, and the next one after it.
  const least = 3 * msInPx;
  let drawnTo = 0;
  const drawn = spans.map(({ state, fromMs, toMs }) => {
    const [from, to] = [within(fromMs, endMs), within(toMs, endMs)];
    const begin = Math.min(Math.max(from, drawnTo), endMs - least);
    drawnTo = Math.max(to, begin + least);
    const times = `${dayHourMinute(from)} to ${dayHourMinute(to)}`;
    return { state, from: begin, to: drawnTo, words: `${state}, ${times}` };
  });
  const place = { x1: "from", x2: "to", y1: top + bar.from, y2: top + bar.to, title: "words" };
  return states.map((state) => {
    const those = drawn.filter((one) => one.state === state);
    return those.length === 0 ? null : Plot.rect(those, { ...place, fill: colours[state] ?? "" });
  });
}

/** A ring where the person is asked, a line while the decision is awaited, a disc at the decision. */
function questionMarks({ questions }: RequestRow, top: number, { endMs }: Frame): Plot.Markish[] {
  const drawn = questions.map(({ atMs, toMs, isDecided }) => ({
    ...{ from: within(atMs, endMs), to: Math.max(within(atMs, endMs), within(toMs, endMs)) },
    isDecided,
  }));
  if (drawn.length === 0) return [];
  const y = top + middle;
  const sign = { y, r: 3, symbol: "diamond", stroke: ink.text, strokeWidth: 1.2 } as const;
  const decided = drawn.filter(({ isDecided }) => isDecided);
  return [
    Plot.ruleY(drawn, { x1: "from", x2: "to", y, stroke: ink.text, strokeWidth: 1.4 }),
    Plot.dot(drawn, { ...sign, x: "from", fill: "white" }),
    Plot.dot(decided, { ...sign, x: "to", fill: ink.text }),
  ];
}

function endMarks({ ends }: RequestRow, top: number, { endMs }: Frame): Plot.Markish[] {
  // Beside the bar, where a decision may stand.
  const place = { x: "x", y: top + middle, dx: 8, r: 3.5, strokeWidth: 1.8 } as const;
  const of = (end: RequestEnd) =>
    ends.filter((one) => one.end === end).map(({ atMs }) => ({ x: within(atMs, endMs) }));
  const signsOf: { readonly [E in RequestEnd]: Plot.DotOptions } = {
    made: { fill: made, stroke: made },
    refused: { symbol: "times", stroke: ink.abandoned },
    suspended: { symbol: "square", stroke: ink.active, fill: "white" },
  };
  return (["made", "refused", "suspended"] as const).map((end) => {
    const those = of(end);
    return those.length === 0 ? null : Plot.dot(those, { ...place, ...signsOf[end] });
  });
}

/** What the rows show, for the legend. */
export function rowsLegend(
  turns: readonly TurnMark[],
  requests: readonly RequestRow[],
): (LegendItem | false)[] {
  const hasTurn = (end: TurnMark["end"]) => turns.some((turn) => turn.end === end);
  const hasEnd = (end: RequestEnd) =>
    requests.some(({ ends }) => ends.some((one) => one.end === end));
  const isShown = (state: string) =>
    requests.some(({ spans }) => spans.some((one) => one.state === state));
  const isAsked = requests.some(({ questions }) => questions.length > 0);
  return [
    hasTurn("done") && { text: "turn done", colour: ink.completed, sign: signs.disc },
    hasTurn("declined") && { text: "turn declined", colour: ink.abandoned, sign: signs.times },
    ...states.map(
      (state) => isShown(state) && { text: state, colour: colours[state] ?? "", sign: signs.bar },
    ),
    isAsked && { text: "asked at the gate, decided", colour: ink.text, sign: signs.wait },
    hasEnd("made") && { text: "delivered or made", colour: made, sign: signs.disc },
    hasEnd("refused") && {
      text: "abandoned or rejected",
      colour: ink.abandoned,
      sign: signs.times,
    },
    hasEnd("suspended") && { text: "suspended", colour: ink.active, sign: signs.square },
  ];
}
