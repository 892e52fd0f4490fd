/** The commands that read a bundle: events, why, diff. */

import { markdownTable } from "markdown-table";
import { countOf } from "../contract/countOf.ts";
import type { Part } from "../contract/part.ts";
import { type ReadBundle, readBundle } from "../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../edges/bundle/derive.ts";
import { notRead, partsFor, partsForBoth, readerNotes } from "../edges/bundle/importedBundle.ts";
import { command, commandSaid } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { escapedLine, quotedBlock } from "../edges/escapedText.ts";
import { EXIT } from "../edges/exit.ts";
import { questionRefusal } from "../edges/report/questionRefusal.ts";
import { type DiffResult, diff, type FirstDivergence, shownValue } from "../run/diff.ts";
import { type ModelCall, type ModelCalls, modelCalls } from "../run/modelCalls.ts";
import { narrate } from "../run/narrate.ts";
import {
  choicesOf,
  type Explanation,
  nothingToAsk,
  originText,
  questionForms,
  questions,
  UnknownQuestion,
  why,
} from "../run/why.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Log } from "../substrate/log.ts";
import { type PartFlag, readingLists } from "./chosenParts.ts";
import { checkTimes, isOf, isWithin, type TimeFlags, unknownFilter } from "./logFilters.ts";
import { note, print, printEach, printJson, printJsonList } from "./output.ts";

export interface JsonFlag extends PartFlag {
  readonly json?: true;
}

export interface EventFlags extends JsonFlag, TimeFlags {
  readonly actor?: string;
  readonly type?: string;
  readonly limit?: number;
  readonly full?: true;
}

export interface WhyFlags extends JsonFlag {
  readonly list?: true;
  readonly prompt?: true;
  readonly suspects?: true;
}

export async function eventsCommand(folder: string, flags: EventFlags): Promise<number> {
  const lists = await readingLists(flags);
  const bundle = readBundle(lists, folder);
  const parts = partsFor(lists.parts, bundle);
  readerNotes(bundle).forEach(note);
  const all = deliveriesOf(parts, bundle);
  const { limit } = flags;
  const matching = matchingIn(all, flags);
  checkTimes(flags);
  const count = Math.min(matching, limit ?? matching);
  const calls = flags.full ? modelCalls(parts, all, bundle.inputs) : undefined;
  if (flags.json) {
    const events = mapped(shownOf(all, flags, count), (one) => withCall(one, calls));
    printJsonList({ bundle: folder, matching }, "events", events);
    return EXIT.ok;
  }
  const choices = choicesOf(bundle.inputs);
  printEach(
    mapped(shownOf(all, flags, count), (one) => {
      const payload = calls && payloadText(one, calls.get(one.seq));
      const line = eventLine(parts, one, choices.get(one.seq));
      return payload ? `${line}\n${payload}` : line;
    }),
  );
  note(`${count} of ${all.length} deliveries`);
  return EXIT.ok;
}

function* mapped<T, R>(all: Iterable<T>, made: (one: T) => R): Generator<R, undefined> {
  for (const one of all) yield made(one);
}

/** The first of those that fit. */
function* shownOf(all: Log, flags: EventFlags, count: number): Generator<Delivery, undefined> {
  let left = count;
  if (left === 0) return;
  for (const one of all) {
    if (!fits(one, flags)) continue;
    yield one;
    left -= 1;
    if (left === 0) return;
  }
}

const fits = ({ dueMs, event, from, to }: Delivery, flags: EventFlags): boolean => {
  const { actor, type } = flags;
  return (
    isWithin(dueMs, flags) &&
    (type === undefined || event.type === type) &&
    (actor === undefined || isOf(to, actor) || isOf(from, actor))
  );
};

const withCall = <T extends { readonly seq: number }>(
  one: T,
  calls: ModelCalls | undefined,
): T & { readonly call?: ModelCall } => {
  const call = calls?.get(one.seq);
  return call === undefined ? one : { ...one, call };
};

/** How many fit. Throws BadInput for a filter that no delivery could fit. */
function matchingIn(all: Log, flags: EventFlags): number {
  const { actor, type } = flags;
  const types = new Set<string>();
  const actors = new Set<string>();
  let count = 0;
  for (const one of all) {
    types.add(one.event.type);
    actors.add(one.from).add(one.to);
    if (fits(one, flags)) count += 1;
  }
  if (type !== undefined && !types.has(type)) throw unknownFilter("--type", type, [...types]);
  if (actor === undefined || [...actors].some((address) => isOf(address, actor))) return count;
  throw unknownFilter(
    "--actor",
    actor,
    [...actors].filter((name) => !name.startsWith("goal/")),
  );
}

function eventLine(parts: readonly Part[], delivery: Delivery, choice: string | undefined): string {
  const { seq, dueMs, from, to, event, fate } = delivery;
  const words = narrate(parts, delivery, choice);
  const mark = fate === "handled" || fate === "served" ? "" : ` [${fate}]`;
  const line = `${clock(dueMs)} #${seq} ${from} → ${to} ${event.type}${mark}`;
  return escapedLine(words === null ? line : `${line}  ${words}`);
}

async function readLog(folder: string, flags: PartFlag) {
  const lists = await readingLists(flags);
  const bundle = readBundle(lists, folder);
  const parts = partsFor(lists.parts, bundle);
  readerNotes(bundle).forEach(note);
  return { bundle, parts, deliveries: deliveriesOf(parts, bundle) };
}

/** `log` is what the bundle was made of, where it was made for this look alone. */
export async function tellSuspects(folder: string, flags: JsonFlag, log?: string): Promise<number> {
  const { bundle, parts, deliveries } = await readLog(folder, flags);
  const { suspectsJson, suspectsOf, suspectsText } = await import("./suspects.ts");
  const found = suspectsOf(parts, deliveries);
  const unread = bundle.manifest.imported?.unread;
  if (flags.json)
    printJson({ bundle: log ?? folder, ...(unread && { unread }), ...suspectsJson(found) });
  else
    print([...notRead(bundle), suspectsText(found, (seq) => toSee(folder, seq, log))].join("\n"));
  return EXIT.ok;
}

/** The command that shows a delivery of a bundle, or of a log that is in none. */
export const toSee = (folder: string, seq: number, log?: string): string =>
  log === undefined ? command`why ${folder} ${seq}` : command`view ${log}`;

export async function whyCommand(
  folder: string,
  question: string | undefined,
  flags: WhyFlags,
): Promise<number> {
  if (flags.suspects && !flags.list) return tellSuspects(folder, flags);
  const { bundle, parts, deliveries } = await readLog(folder, flags);
  if (flags.list) {
    const known = questions(parts, deliveries);
    if (flags.json) printJson({ bundle: folder, questions: known });
    else if (known.length > 0) print(known.join("\n"));
    else {
      const isTroubled = explained(parts, bundle, deliveries, undefined) !== undefined;
      const unnamed = `What went wrong has no name to ask for: ${command`why ${folder}`}`;
      print(isTroubled ? unnamed : `${nothingWrong(parts, bundle)}.`);
    }
    return EXIT.ok;
  }
  const explanation = explained(parts, bundle, deliveries, question);
  const calls = flags.prompt ? modelCalls(parts, deliveries, bundle.inputs) : undefined;
  if (flags.json) {
    const chain = calls && explanation?.chain.map((link) => withCall(link, calls));
    const said = explanation && { ...explanation, ...(chain && { chain }) };
    const unread = bundle.manifest.imported?.unread;
    printJson({ bundle: folder, ...(unread && { unread }), explanation: said ?? null });
  } else if (explanation === undefined) {
    const [form = ""] = questionForms(parts);
    const isLog = bundle.manifest.imported !== undefined;
    const where = isLog ? ` Where to look all the same: ${command`why ${folder}`} --suspects` : "";
    print(`${nothingWrong(parts, bundle)}. Ask for a delivery by its number, or ${form}.${where}`);
  } else print([...notRead(bundle), explanationText(explanation, calls)].join("\n"));
  return EXIT.ok;
}

/** What was not read may have gone wrong: then nothing is said of the whole. */
function nothingWrong(parts: readonly Part[], bundle: ReadBundle): string {
  const none = inWords(nothingToAsk(parts));
  const [unread] = notRead(bundle);
  return unread === undefined
    ? none
    : `${unread}\nOf what was read: ${none.charAt(0).toLowerCase()}${none.slice(1)}`;
}

/** Several facts as one sentence. */
function inWords(facts: readonly string[]): string {
  const last = facts.at(-1) ?? "";
  const text = facts.length < 2 ? last : `${facts.slice(0, -1).join(", ")}, and ${last}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function explained(
  parts: readonly Part[],
  bundle: ReadBundle,
  deliveries: Log,
  question: string | undefined,
): Explanation | undefined {
  try {
    return why(parts, deliveries, bundle.inputs, question);
  } catch (error) {
    if (!(error instanceof UnknownQuestion)) throw error;
    const todo = `${commandSaid`why ${bundle.folder} --list`} lists what can be asked.`;
    throw questionRefusal(parts, question, error, todo);
  }
}

/** With `calls`, below each answer of a model on the way: what it was asked and what it said, once. */
function explanationText(
  { question, chain, origins, alike, first, failures }: Explanation,
  calls: ModelCalls | undefined,
): string {
  const told = new Set<number>();
  const lines = chain.flatMap(({ atMs, seq, says }, index) => {
    const lead = index === 0 ? "" : "because ";
    const line = escapedLine(`${clock(atMs)} #${seq} ${lead}${says}`);
    const call = calls?.get(seq);
    if (call === undefined || told.has(call.seq)) return [line];
    told.add(call.seq);
    return [line, callText(call)];
  });
  const ends = origins.map((origin) => escapedLine(`  ${originText(origin)} (#${origin.seq})`));
  return [
    `Why ${question}?`,
    ...(first && failures
      ? [escapedLine(`What went wrong first: #${first.seq} ${first.says}`)]
      : []),
    ...lines,
    ...(calls !== undefined && told.size === 0 ? ["(No model was asked on the way.)"] : []),
    ...(alike > 0 ? [`(The first line rests on ${countOf(alike, "more fact")}.)`] : []),
    ...(ends.length > 0 ? ["It goes back to:", ...ends] : []),
  ].join("\n");
}

export async function diffCommand(a: string, b: string, flags: JsonFlag): Promise<number> {
  const lists = await readingLists(flags);
  const sides = [a, b].map((folder) => {
    const bundle = readBundle(lists, folder);
    const { manifest, inputs, scenario } = bundle;
    const deliveries = deliveriesOf(lists.parts, bundle);
    readerNotes(bundle).forEach(note);
    return { manifest, inputs, deliveries, agents: scenario.agents, scenario };
  });
  const [left, right] = sides;
  if (left === undefined || right === undefined) return EXIT.badInput;
  const result = diff(partsForBoth(lists.parts, left, right), left, right);
  if (flags.json) printJson({ a, b, ...result });
  else print(diffText(a, b, result));
  return result.same ? EXIT.ok : EXIT.failed;
}

function diffText(a: string, b: string, { same, settings, metrics, first }: DiffResult): string {
  const rows = [...settings, ...metrics].map(([name, x, y]) => [
    name,
    shownValue(x),
    shownValue(y),
  ]);
  const table = rows.length === 0 ? [] : [markdownTable([["", a, b], ...rows])];
  if (same) {
    const although = rows.length === 0 ? "." : ", although this was set differently:";
    return [`${a} and ${b} went the same way, delivery by delivery${although}`, ...table].join(
      "\n\n",
    );
  }
  const parts = table;
  if (first !== null) parts.push(divergenceText(a, b, first));
  return parts.join("\n\n");
}

function divergenceText(a: string, b: string, first: FirstDivergence): string {
  const side = (name: string, told: FirstDivergence["a"]): string =>
    told === null ? `  ${name}: had ended` : escapedLine(`  ${name}: #${told.seq} ${told.says}`);
  const causes = [first.a, first.b].flatMap((told) => told?.because?.origins ?? []);
  const ends = [...new Set(causes.map((origin) => originText(origin)))];
  return [
    `First divergence at ${clock(first.atMs)} (delivery ${first.delivery}):`,
    side(a, first.a),
    side(b, first.b),
    ...(ends.length > 0 ? [escapedLine(`It goes back to ${ends.join(", ")}.`)] : []),
  ].join("\n");
}

/* Events with everything they carry, and model calls with what was asked and answered, for people. */

const INDENT = "    ";

/** Every member of the event, and of a question to a model the prompt that was made of it. */
function payloadText({ seq, event }: Delivery, call: ModelCall | undefined): string {
  const { type: _, ...members } = event;
  const shown = Object.entries(members).map(([name, value]) => memberText(name, value));
  if (call?.seq === seq) shown.push(promptBlock(call));
  return shown.join("\n");
}

function memberText(name: string, value: unknown): string {
  const label = `${INDENT}${escapedLine(name)}:`;
  if (typeof value !== "string") return `${label} ${escapedLine(JSON.stringify(value))}`;
  return value.includes("\n")
    ? `${label}\n${quotedBlock(value, INDENT)}`
    : `${label} ${escapedLine(JSON.stringify(value))}`;
}

/** What a model was asked and what it answered. */
function callText(call: ModelCall): string {
  const { answerSeq, answer, error } = call;
  const said =
    answer !== null
      ? `${INDENT}answered (#${answerSeq}):\n${quotedBlock(answer, INDENT)}`
      : answerSeq === null
        ? `${INDENT}not answered in this run`
        : `${INDENT}failed (#${answerSeq}): ${escapedLine(error ?? "no reason given")}`;
  return `${promptBlock(call)}\n${said}`;
}

function promptBlock({ seq, from, purpose, nth, prompt }: ModelCall): string {
  const head = `${INDENT}asked by ${from} (${purpose}, call ${nth}, #${seq}):`;
  return prompt === null
    ? `${head} in words that this version does not put as they were recorded, and so does not show`
    : `${head}\n${quotedBlock(prompt, INDENT)}`;
}
