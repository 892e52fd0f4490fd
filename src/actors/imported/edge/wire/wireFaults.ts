/**
 * Faults that are put on the wire on purpose: at the results of tools on their way to the model, and at the model's answers. The
 * agent's own code stays as it is. Which call meets one follows from the seed and the name of the call alone.
 */

import { readFileSync, statSync } from "node:fs";
import { BadInput, hintFor, quoted } from "../../../../edges/errors.ts";
import { FAULTS, type FaultName, type ToolAnswer } from "../../../../faults/faults.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import { MILLION } from "../../../../machines/units.ts";
import { type NamedRandom, namedRandom } from "../../../../substrate/random.ts";
import { LATE_MS } from "../../bounds.ts";
import { ANSWERS, type AnswerFault, isSealed } from "./answerFaults.ts";
import { APIS, type Api } from "./apis.ts";
import { type ToolResult, withResults } from "./messages.ts";

/** A text where there was a text, blocks where there were blocks. */
const said = (content: Json, text: string): Json =>
  Array.isArray(content) ? [{ type: "text", text }] : text;

export const textOf = (content: Json): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content.map((one: Json) => (isMap(one) ? String(one["text"] ?? "") : "")).join("")
      : JSON.stringify(content);

/** The faults of tools that can be put on a result: the tool has run already. */
export const RESULT_FAULTS: readonly FaultName[] = [
  ...(["nothing", "empty", "stale", "another", "truncated"] as const),
  ...(["wrong-type", "told-as-success", "told-as-error", "late"] as const),
];
/** Those that hide what a tool said. */
export const HIDING: readonly string[] = RESULT_FAULTS.filter((name) => name !== "late");

interface Past {
  /** The last results in the run: of the same tool, and of another one. */
  readonly same: Json | undefined;
  readonly other: Json | undefined;
}

/** What becomes of a result. */
function changedResult(name: FaultName, content: Json, past: Past): Json {
  const before = (result: Json | undefined): ToolAnswer | undefined =>
    result === undefined ? undefined : { ok: true, result };
  const [same, other] = [before(past.same), before(past.other)];
  const whole: ToolAnswer = { ok: true, result: textOf(content) };
  const answer = FAULTS[name].change({ same, other }, whole);
  if (answer === undefined || answer === whole) return content;
  if (answer.ok && (answer === same || answer === other)) return answer.result;
  return said(content, answer.ok ? textOf(answer.result) : `Error: ${answer.error}`);
}

export interface Fault {
  readonly name: string;
  /** Millionths. */
  readonly rate: number;
  /** The tool, or the API, that meets it; all when null. */
  readonly where: string | null;
}

export interface FaultDone {
  readonly fault: string;
  /** The id of a call with its tool, or which answer of the run it was. */
  readonly at: string;
  /** What stood there before; absent of an answer that was never asked for. */
  readonly instead?: Json;
}

/** Those at a model's answer, and those at a list of tools or at a call, which a server of tools alone gives. */
export const ANSWER_FAULTS = Object.keys(ANSWERS);
const SERVERS: { readonly [name: string]: string } = {
  ghost: "a tool without code: it is offered, and a call of it returns nothing",
  "takes-all": "a description that says to use the tool for everything",
};
export const SERVER_FAULTS = Object.keys(SERVERS);
const NAMES = [...RESULT_FAULTS, ...ANSWER_FAULTS, ...SERVER_FAULTS];
/** All, where each is put, and what it looks like. */
export const WIRE_FAULTS = [
  ...RESULT_FAULTS.map((name) => ({
    ...{ name, at: "result" },
    says: name === "late" ? "the answer comes five seconds later" : FAULTS[name].says,
  })),
  ...Object.entries(ANSWERS).map(([name, { says }]) => ({ name, at: "answer", says })),
  ...Object.entries(SERVERS).map(([name, says]) => ({ name, at: "server", says })),
];

/** `nothing:0.5@write_file`. Throws BadInput. `at` is who is to make them: not everyone can make all. */
export function faultOf(text: string, at: "models" | "server" = "models"): Fault {
  const [, name = "", rate = "1", where = null] =
    /^([^:@]+)(?::([^@]*))?(?:@(.+))?$/.exec(text) ?? [];
  const share = /^(?:0?\.\d+|[01](?:\.0*)?)$/.test(rate) ? Number(rate) : Number.NaN;
  const refused = (
    found: string,
    allowed: string,
    todo = "For example: --fault nothing:0.5@write_file",
    hint?: object,
  ): BadInput => new BadInput({ where: { path: "--fault" }, ...{ found, allowed, ...hint }, todo });
  if (!NAMES.includes(name)) {
    const other = at === "models" ? SERVER_FAULTS : ANSWER_FAULTS;
    const names = NAMES.filter((one) => !other.includes(one));
    throw refused(
      quoted(name),
      `${names.join(" | ")} | a file of such lines`,
      undefined,
      hintFor(name, names),
    );
  }
  if (Number.isNaN(share)) throw refused(`the rate ${quoted(rate)}`, "a number 0 … 1");
  if (at === "models" && SERVER_FAULTS.includes(name)) {
    throw refused(
      `${name}, which changes what a server of tools offers`,
      "a fault at a result or at an answer",
      "Put it where the agent starts the server: ghostlight mcp --fault NAME@TOOL -- SERVER",
    );
  }
  if (at === "server" && ANSWER_FAULTS.includes(name)) {
    const todo = "`record --faults` lists them.";
    throw refused(
      quoted(name),
      "a fault at the result of a tool, or at what a server offers",
      todo,
    );
  }
  if (ANSWER_FAULTS.includes(name) && where !== null && !APIS.some((one) => one === where)) {
    const todo = "An answer is that of an API: --fault rate-limited@openai";
    throw refused(`the API ${quoted(where)}`, APIS.join(" | "), todo, hintFor(where, APIS));
  }
  if (name === "ghost" && where === null) {
    throw refused(
      "ghost without a tool",
      "the name of a tool",
      "For example: --fault ghost@write_file",
    );
  }
  return { name, rate: Math.round(share * MILLION), where };
}

/** As they are written; a file that no fault is called by holds one a line. Throws BadInput. */
export const faultsOf = (texts: readonly string[], at?: "models" | "server"): readonly Fault[] =>
  texts
    .flatMap((text) => (!NAMES.includes(text) && isFile(text) ? linesIn(text) : text))
    .map((text) => faultOf(text, at));

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

function linesIn(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length > 0) return lines;
  throw new BadInput({
    where: { path: "--fault", file },
    ...{
      found: "a file without a fault",
      allowed: "a fault a line, such as nothing:0.5@write_file",
    },
    todo: "`record --faults` lists them.",
  });
}

export interface FaultyRequest {
  readonly request: Json;
  /** How long it is held back, since a result in it is late. */
  readonly delayMs: number;
  /** What was done to it; what was done to an earlier one is not told again. */
  readonly done: readonly FaultDone[];
  /** By the id of a call, the content that stands there now. */
  readonly got: { readonly [call: string]: Json };
}

interface Met {
  readonly content: Json;
  readonly done: FaultDone;
  readonly delayMs: number;
}

export class WireFaults {
  readonly #faults: readonly Fault[];
  readonly #random: NamedRandom;
  /** What a result was changed to, by the id of its call: it stays so wherever it comes again. */
  readonly #changed = new Map<string, Met | null>();
  /** By tool, the latest last. */
  readonly #last = new Map<string, Json>();
  #answers = 0;

  constructor(faults: readonly Fault[], seed: number) {
    this.#faults = faults;
    this.#random = namedRandom(seed);
  }

  /** The request as the model gets it. */
  request(given: Json): FaultyRequest {
    const done: FaultDone[] = [];
    const got: Record<string, Json> = {};
    let delayMs = 0;
    if (this.#faults.length === 0) return { request: given, done, got, delayMs };
    const request = withResults(given, (result) => {
      const isNew = !this.#changed.has(result.call);
      const met = this.result(result);
      if (met === null) return result.content;
      if (isNew) {
        done.push(met.done);
        delayMs = Math.max(delayMs, met.delayMs);
      }
      if (met.content !== result.content) got[result.call] = met.content;
      return met.content;
    });
    return { request, done, got, delayMs };
  }

  /** What a result meets, and meets again wherever its call comes again. */
  result(result: ToolResult): Met | null {
    if (this.#faults.length === 0) return null;
    const known = this.#changed.get(result.call);
    if (known !== undefined) return known;
    const met = this.#met(result);
    this.#changed.set(result.call, met);
    this.#last.delete(result.tool);
    this.#last.set(result.tool, result.content);
    return met;
  }

  /** What the next answer of an API meets. */
  answer(api: Api): (AnswerFault & { readonly done: FaultDone }) | null {
    this.#answers += 1;
    const key = String(this.#answers);
    for (const fault of this.#faults) {
      const kind = ownValue(ANSWERS, fault.name);
      if (kind === undefined || (fault.where ?? api) !== api || !this.#draws(fault, key)) continue;
      return { ...kind, done: { fault: fault.name, at: `answer ${key}` } };
    }
    return null;
  }

  /** The fault of that name that a thing of a server's meets, by the tool and what it is called. */
  offered(name: string, tool: string, key: string): FaultDone | null {
    const met = this.#faults.find(
      (fault) => fault.name === name && (fault.where ?? tool) === tool && this.#draws(fault, key),
    );
    return met === undefined ? null : { fault: name, at: `${tool} ${key}` };
  }

  /** The tools that a fault of that name names. */
  named = (name: string): readonly string[] =>
    this.#faults.flatMap((fault) => (fault.name === name ? (fault.where ?? []) : []));

  #met({ call, tool, content }: ToolResult): Met | null {
    if (isSealed(content)) return null;
    const other = [...this.#last].findLast(([name]) => name !== tool)?.[1];
    const past = { same: this.#last.get(tool), other };
    for (const fault of this.#faults) {
      const name = RESULT_FAULTS.find((one) => one === fault.name);
      if (name === undefined || (fault.where ?? tool) !== tool || !this.#draws(fault, call))
        continue;
      const at = tool === "" ? call : `${tool} ${call}`;
      if (name === "late") return { content, done: { fault: name, at }, delayMs: LATE_MS };
      const changed = changedResult(name, content, past);
      if (JSON.stringify(changed) === JSON.stringify(content)) continue;
      return { content: changed, done: { fault: name, at, instead: content }, delayMs: 0 };
    }
    return null;
  }

  #draws({ name, rate, where }: Fault, key: string): boolean {
    return this.#random.at(where ?? "", name, key).integer(0, MILLION - 1) < rate;
  }
}
