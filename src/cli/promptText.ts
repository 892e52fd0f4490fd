/** Questions to models as people read them. */

import { clock } from "../edges/duration.ts";
import { escapedLine, quotedBlock } from "../edges/escapedText.ts";
import type { AskedModel, AskedSum } from "../run/askedModels.ts";
import { latencyText, usableText } from "./live/liveDisplay.ts";

const INDENT = "    ";
const BETWEEN = " · ";

/** `0:01:05 #123 agent/cedar plan, call 3 · tiny (middle) · 200 tokens in, 40 out · latency 1.2 s · usable`. */
export function headLine(one: AskedModel): string {
  const { atMs, seq, from, purpose, nth, latencyMs, attempts } = one;
  const tries = attempts.map(({ kind, error, wallMs }) => `${kind} after ${wallMs} ms (${error})`);
  const facts = [
    `${clock(atMs)} #${seq} ${from} ${purpose}, call ${nth}`,
    ...modelOf(one),
    ...(one.promptTokens === null
      ? []
      : [`${one.promptTokens} tokens in, ${one.answerTokens} out`]),
    ...(latencyMs === null ? [] : [`latency ${latencyText(latencyMs)}`]),
    ...(tries.length === 0 ? [] : [`tries that failed: ${tries.join(", ")}`]),
    cameText(one),
  ];
  return escapedLine(facts.join(BETWEEN));
}

function modelOf({ model, tier, choice }: AskedModel): readonly string[] {
  if (choice !== null) {
    return [model === "scripted" ? `the scripted model chose ${choice}` : `it chose ${choice}`];
  }
  if (model === null) return tier === null ? [] : [tier];
  return [tier === null || model === "scripted" ? model : `${model} (${tier})`];
}

function cameText({ came, why, isLate }: AskedModel): string {
  const late = isLate ? ", but nobody waited for it any more" : "";
  if (came === "open") return "not answered in this run";
  return `${came}${why === null ? "" : `: ${why}`}${late}`;
}

/** How much of a long text is shown; `columns` of a line count as one line. */
export interface Cut {
  readonly lines: number;
  readonly columns: number;
}

/** A text set off from ours, below its name; cut to some lines where a cut is given. */
export function namedBlock(name: string, text: string, cut: Cut | undefined): string {
  if (cut === undefined) return `${INDENT}${name}:\n${quotedBlock(text, INDENT)}`;
  const { shown, more } = cutLines(text, cut);
  return `${INDENT}${name}:\n${quotedBlock(shown, INDENT)}${more === "" ? "" : `\n${INDENT}${more}`}`;
}

/** `prompt` is null when this version of the program words it differently. */
export const promptBlock = (prompt: string | null, cut: Cut | undefined): string =>
  prompt === null
    ? `${INDENT}prompt: in words that this version does not put as they were recorded, and so does not show`
    : namedBlock("prompt", prompt, cut);

function cutLines(text: string, { lines, columns }: Cut): { shown: string; more: string } {
  const all = text.split("\n");
  const shown: string[] = [];
  let left = lines;
  for (const line of all) {
    const taken = Math.max(1, Math.ceil(line.length / columns));
    if (left === 0) break;
    if (taken > left) {
      // By code units: what is cut apart is written out as what it is.
      shown.push(line.slice(0, left * columns));
      const rest = all.length - shown.length;
      const characters = `${line.length - left * columns} more characters`;
      return {
        shown: shown.join("\n"),
        more: `… ${characters}${rest === 0 ? "" : `, and ${linesText(rest)}`}`,
      };
    }
    left -= taken;
    shown.push(line);
  }
  const rest = all.length - shown.length;
  return { shown: shown.join("\n"), more: rest === 0 ? "" : `… ${linesText(rest)}` };
}

const linesText = (count: number): string => `${count} more ${count === 1 ? "line" : "lines"}`;

/** `41 questions, usable 35 of 38 answers (92 %), …`. */
export function sumText(sum: AskedSum): string {
  const { asked, answered, usable, failed, open, promptTokens, answerTokens, medianMs } = sum;
  return [
    `${asked} ${asked === 1 ? "question" : "questions"}`,
    ...(answered === 0 ? [] : [usableText(usable, answered)]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(open === 0 ? [] : [`${open} not answered in this run`]),
    ...(promptTokens + answerTokens === 0
      ? []
      : [`tokens ${promptTokens} in, ${answerTokens} out`]),
    ...(medianMs === null ? [] : [`latency ${latencyText(medianMs)} median`]),
  ].join(BETWEEN);
}

export const SUM_HEAD = [
  ...["Purpose", "Asked", "Answered", "Usable", "Failed", "Open", "Tokens in", "Tokens out"],
  "Median latency",
] as const;

export const sumRow = (name: string, sum: AskedSum): readonly string[] => [
  escapedLine(name),
  ...[sum.asked, sum.answered, sum.usable, sum.failed, sum.open].map(String),
  ...[sum.promptTokens, sum.answerTokens].map(String),
  sum.medianMs === null ? "" : latencyText(sum.medianMs),
];
