/** `ghostlight prompts`: what the models of a run were asked and answered, in order. */

import { diffArrays } from "diff";
import { markdownTable } from "markdown-table";
import { type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../edges/bundle/derive.ts";
import { command } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { badInput } from "../edges/errors.ts";
import { escapedLine, quotedBlock } from "../edges/escapedText.ts";
import { EXIT } from "../edges/exit.ts";
import {
  type AskedModel,
  type AskedSum,
  askedModels,
  servedBy,
  sumOf,
  sumsByPurpose,
} from "../run/askedModels.ts";
import { type ModelCalls, modelCalls } from "../run/modelCalls.ts";
import { type PartFlag, readingLists } from "./chosenParts.ts";
import { latencyText, usableText } from "./live/liveDisplay.ts";
import { checkTimes, isOf, isWithin, type TimeFlags, unknownFilter } from "./logFilters.ts";
import { note, print, printEach, printJson, printJsonList, terminalWidth } from "./output.ts";

export interface PromptFlags extends PartFlag, TimeFlags {
  readonly actor?: string;
  readonly purpose?: string;
  readonly unusable?: true;
  readonly limit?: number;
  readonly changes?: true;
  readonly full?: true;
  readonly summary?: true;
  readonly json?: true;
}

/** Ours: of a prompt or an answer on a terminal; what it is about stands in its first lines. */
const CUT_LINES = 12;

export async function promptsCommand(folder: string, flags: PromptFlags): Promise<number> {
  checkTimes(flags);
  checkSummary(flags);
  const lists = await readingLists(flags);
  const { parts } = lists;
  const bundle = readBundle(lists, folder);
  const log = deliveriesOf(parts, bundle);
  const all = askedModels(parts, log, bundle.inputs, servedBy(parts, bundle.manifest));
  if (all.length === 0) return nothingAsked(bundle, flags);
  checkFilters(all, flags);
  const matching = all.filter((one) => fits(one, flags));
  const shown = matching.slice(0, flags.limit ?? matching.length);
  if (flags.summary) return summary(folder, matching, all.length, flags);
  const told = tellerOf(modelCalls(parts, log, bundle.inputs), flags);
  if (flags.json) {
    const head = { bundle: folder, asked: all.length, matching: matching.length };
    printJsonList({ ...head, summary: sumOf(matching) }, "questions", jsonOf(shown, told));
    return EXIT.ok;
  }
  const cut = isCut(flags) ? { lines: CUT_LINES, columns: terminalWidth() - 6 } : undefined;
  printEach(textOf(shown, told, cut));
  const isPart = shown.length < all.length;
  const share = isPart ? `${shown.length} of ${all.length} questions shown; of all that fit: ` : "";
  note(`${share}${sumText(sumOf(matching))}`);
  return EXIT.ok;
}

/** On a terminal, unless whole texts are asked for. */
const isCut = ({ full }: PromptFlags): boolean => process.stdout.isTTY && full !== true;

/** No empty result passes without a word. */
function nothingAsked({ folder, manifest }: ReadBundle, flags: PromptFlags): number {
  const says = nothingText(manifest.origin, folder);
  if (flags.json) printJson({ bundle: folder, asked: 0, matching: 0, says, questions: [] });
  else print(says);
  return EXIT.ok;
}

/** `origin` is that of the manifest. */
export const nothingText = (origin: string, folder: string): string =>
  origin.startsWith("imported:")
    ? "This log was imported, so it holds no question to a model of ours. " +
      `What was said in it: ${command`events ${folder} --full`}`
    : "No model was asked anything in this run.";

function checkSummary({ summary: isSummary, ...flags }: PromptFlags): void {
  const options = { "--full": flags.full, "--changes": flags.changes, "--limit": flags.limit };
  const [found] = Object.entries(options).find(([, given]) => given !== undefined) ?? [];
  if (!isSummary || found === undefined) return;
  throw badInput(
    "--summary",
    `it beside ${found}, which is about single questions`,
    "it with filters: --actor, --purpose, --unusable, --from, --to",
    "Omit one of the two.",
  );
}

/** Throws BadInput for a filter that no question of this run could fit. */
function checkFilters(all: readonly AskedModel[], { actor, purpose }: PromptFlags): void {
  const [actors, purposes] = [
    [...new Set(all.map(({ from }) => from))],
    [...new Set(all.map((one) => one.purpose))],
  ];
  if (actor !== undefined && !actors.some((address) => isOf(address, actor))) {
    throw unknownFilter("--actor", actor, actors);
  }
  if (purpose !== undefined && !purposes.includes(purpose)) {
    throw unknownFilter("--purpose", purpose, purposes);
  }
}

const fits = (one: AskedModel, flags: PromptFlags): boolean =>
  isWithin(one.atMs, flags) &&
  (flags.actor === undefined || isOf(one.from, flags.actor)) &&
  (flags.purpose === undefined || one.purpose === flags.purpose) &&
  (flags.unusable === undefined || one.came !== "usable");

/** The words of one question, found when they are asked for. */
interface Told {
  /** Null when this version of the program words it differently. */
  readonly prompt: string | null;
  readonly answer: string | null;
  /** With `--changes`: against the last one shown of this actor for this purpose; absent for the first. */
  readonly changes?: { readonly since: number; readonly lines: readonly string[] };
}

/** To be called in the order in which they are shown. */
function tellerOf(calls: ModelCalls, { changes: isBrief }: PromptFlags): (one: AskedModel) => Told {
  const earlier = new Map<string, { readonly seq: number; readonly prompt: string }>();
  return ({ seq, from, purpose }) => {
    const { prompt = null, answer = null } = calls.get(seq) ?? {};
    if (!isBrief || prompt === null) return { prompt, answer };
    const key = JSON.stringify([from, purpose]);
    const before = earlier.get(key);
    earlier.set(key, { seq, prompt });
    const lines = before && promptChanges(before.prompt, prompt);
    return { prompt, answer, ...(lines && { changes: { since: before.seq, lines } }) };
  };
}

function* jsonOf(
  shown: readonly AskedModel[],
  told: (one: AskedModel) => Told,
): Generator<object, undefined> {
  for (const one of shown) yield { ...one, ...told(one) };
}

function* textOf(
  shown: readonly AskedModel[],
  told: (one: AskedModel) => Told,
  cut: Cut | undefined,
): Generator<string, undefined> {
  for (const one of shown) {
    const { prompt, answer, changes } = told(one);
    yield [
      headLine(one),
      changes === undefined
        ? promptBlock(prompt, cut)
        : namedBlock(`prompt, against that of #${changes.since}`, changes.lines.join("\n"), cut),
      ...(answer === null ? [] : [namedBlock("answer", answer, cut)]),
    ].join("\n");
  }
}

function summary(
  folder: string,
  matching: readonly AskedModel[],
  asked: number,
  { json }: PromptFlags,
): number {
  const [all, purposes] = [sumOf(matching), sumsByPurpose(matching)];
  if (json) {
    printJson({ bundle: folder, asked, matching: matching.length, summary: all, purposes });
    return EXIT.ok;
  }
  const rows = [...purposes.map((one) => sumRow(one.purpose, one)), sumRow("in all", all)];
  const align = ["l", ...SUM_HEAD.slice(1).map(() => "r")];
  print(markdownTable([SUM_HEAD, ...rows], { align }));
  note(
    `${matching.length < asked ? `of ${asked} questions, those that fit: ` : ""}${sumText(all)}`,
  );
  return EXIT.ok;
}

/* What of a prompt is new since an earlier one: prompts of one actor for one purpose repeat themselves. */

/** Ours: a change of more lines than these is no small one, and to find the smallest takes long. */
const EDITS_MAX = 2_000;

/** Lines as `diff` marks them: `- ` gone, `+ ` new, `  ` for how many stayed; null where all is new. */
export function promptChanges(before: string, after: string): readonly string[] | null {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const changes = diffArrays(old, now, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return null;
  return changes.flatMap(({ value, added, removed }) => {
    if (added) return value.map((line) => `+ ${line}`);
    if (removed) return value.map((line) => `- ${line}`);
    return [`  (${value.length} ${value.length === 1 ? "line" : "lines"} as before)`];
  });
}

/* Questions to models as people read them. */

const INDENT = "    ";
const BETWEEN = " · ";

/** `0:01:05 #123 agent/cedar plan, call 3 · tiny (middle) · 200 tokens in, 40 out · latency 1.2 s · usable`. */
function headLine(one: AskedModel): string {
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
interface Cut {
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
function sumText(sum: AskedSum): string {
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

const SUM_HEAD = [
  ...["Purpose", "Asked", "Answered", "Usable", "Failed", "Open", "Tokens in", "Tokens out"],
  "Median latency",
] as const;

const sumRow = (name: string, sum: AskedSum): readonly string[] => [
  escapedLine(name),
  ...[sum.asked, sum.answered, sum.usable, sum.failed, sum.open].map(String),
  ...[sum.promptTokens, sum.answerTokens].map(String),
  sum.medianMs === null ? "" : latencyText(sum.medianMs),
];
