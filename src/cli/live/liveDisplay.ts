/** How a live run looks to a person who watches it: figures, then what each agent does. Pure. */

import stringWidth from "string-width";
import { clock } from "../../edges/duration.ts";
import { escapedLine } from "../../edges/escapedText.ts";
import type { LiveFigures } from "./liveFigures.ts";

export interface LiveState {
  readonly scenario: string;
  /** Virtual milliseconds: where the run is, and where it ends. */
  readonly nowMs: number;
  readonly endMs: number;
  /** Milliseconds on the wall since it began. */
  readonly realMs: number;
  readonly figures: LiveFigures;
  /** In the user's currency; null where tokens have no price. */
  readonly cost: number | null;
  /** What those who live there do, one a line. */
  readonly glances: readonly string[];
}

export interface Screen {
  readonly columns: number;
  readonly rows: number;
}

const BETWEEN = " · ";

/**
 * Lines that neither wrap nor scroll: one column and one row stay free. Figures come first; agents for whom
 * no line is left are counted.
 */
export function displayLines(state: LiveState, { columns, rows }: Screen): readonly string[] {
  const width = columns - 1;
  const most = Math.max(1, rows - 1);
  const figures = packed(figuresOf(state), width);
  const head = [...figures, ...errorOf(state)].slice(0, Math.max(1, most - 2));
  const room = most - head.length;
  const glances = state.glances.map(escapedLine);
  const isTight = glances.length > room;
  const shown = isTight ? glances.slice(0, Math.max(0, room - 1)) : glances;
  const rest = isTight && room > 0 ? [`… ${glances.length - shown.length} more`] : [];
  return [...head, ...shown, ...rest].map((line) => cutToWidth(line, width));
}

/** The same in one line, for a log. */
export const plainLine = (state: LiveState): string =>
  [...figuresOf(state), ...errorOf(state), ...state.glances].map(escapedLine).join(BETWEEN);

/** What is left to say when the run is over. */
export function summaryLine(model: string, state: LiveState): string {
  const { figures, nowMs, realMs } = state;
  const went = [...figures.tries].map(([kind, count]) => `${kind} ${count}`).join(", ");
  const failures = went === "" ? "" : `; tries that failed: ${went}`;
  const facts = [
    ...countsOf(state),
    `${shortClock(nowMs)} of virtual time in ${shortClock(realMs)}`,
  ];
  return escapedLine(`${model}: ${facts.join(BETWEEN)}${failures}`);
}

const figuresOf = (state: LiveState): readonly string[] => [
  `${escapedLine(state.scenario)} ${shortClock(state.nowMs)} of ${shortClock(state.endMs)}`,
  `${shortClock(state.realMs)} gone`,
  ...countsOf(state),
];

function countsOf({ figures, cost }: LiveState): readonly string[] {
  const { asked, answered, failed, open, usable, medianMs, lastMs } = figures;
  const latency = `latency ${latencyText(medianMs ?? 0)} median, ${latencyText(lastMs ?? 0)} last`;
  return [
    [
      `${asked} asked, ${answered} answered`,
      ...(failed === 0 ? [] : [`${failed} failed`]),
      ...(open === 0 ? [] : [`${open} open`]),
    ].join(", "),
    ...(answered === 0 ? [] : [usableText(usable, answered)]),
    `tokens ${figures.promptTokens} in, ${figures.answerTokens} out`,
    ...(lastMs === null ? [] : [latency]),
    ...(cost === null ? [] : [`cost ${Number(cost.toPrecision(3))}`]),
  ];
}

/** `usable 35 of 38 (92 %)`; never 100 % unless all are. */
export const usableText = (usable: number, answered: number): string =>
  `usable ${usable} of ${answered} (${Math.floor((usable * 100) / answered)} %)`;

/** `850 ms`, `1.2 s`. */
export const latencyText = (ms: number): string =>
  ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;

const errorOf = ({ figures: { lastError } }: LiveState): readonly string[] =>
  lastError === null ? [] : [escapedLine(`last error: ${lastError}`)];

/** As many of them on a line as it has room for. */
function packed(texts: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const line = [...lines.slice(-1), text].join(BETWEEN);
    if (lines.length > 0 && cutToWidth(line, width) === line) lines[lines.length - 1] = line;
    else lines.push(text);
  }
  return lines;
}

/** `2:10`, `1:02:10`: whole seconds, without hours where there are none. */
const shortClock = (ms: number): string => clock(ms - (ms % 1_000)).replace(/^0:0?(?=\d+:)/, "");

/* Texts cut to what a line of a terminal has room for: wide characters take two columns, combining ones none. */

/** Ours: the longest emoji in use has 35 code units; what goes on beyond that would only cost time. */
const UNITS_MAX = 40;

const graphemes = new Intl.Segmenter("en");

/** The text in at most so many columns; what was cut off is an ellipsis. */
export function cutToWidth(text: string, columns: number): string {
  if (columns < 1) return "";
  const near = text.slice(0, columns * UNITS_MAX).toWellFormed();
  if (near.length === text.length && stringWidth(near) <= columns) return near;
  let shown = "";
  let width = 0;
  for (const { segment } of graphemes.segment(near)) {
    width += stringWidth(segment);
    if (width > columns - 1) break;
    shown += segment;
  }
  return `${shown}…`;
}
