/**
 * Faults that are put on the wire on purpose: at the results of tools on their way to the model, and at the model's answers. The
 * agent's own code stays as it is. Which call meets one follows from the seed and the name of the call alone.
 */

import { BadInput, hintFor, quoted } from "../../../../edges/errors.ts";
import { FAULTS, type FaultName } from "../../../../faults/faults.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import { MILLION } from "../../../../machines/units.ts";
import { type NamedRandom, namedRandom } from "../../../../substrate/random.ts";
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
  ...(["nothing", "empty", "stale", "truncated"] as const),
  ...(["wrong-type", "told-as-success", "told-as-error"] as const),
];

/** What becomes of a result; `before` is the last one of the same tool in the conversation. */
function changedResult(name: FaultName, content: Json, before: Json | undefined): Json {
  const same = before === undefined ? undefined : ({ ok: true, result: before } as const);
  const answer = FAULTS[name].change({ same }, { ok: true, result: textOf(content) });
  if (answer === undefined) return content;
  if (answer === same) return same.result;
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
  ...RESULT_FAULTS.map((name) => ({ name, at: "result", says: FAULTS[name].says })),
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
    throw refused(quoted(name), names.join(" | "), undefined, hintFor(name, names));
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

export interface FaultyRequest {
  readonly request: Json;
  /** What was done to it; what was done to an earlier one is not told again. */
  readonly done: readonly FaultDone[];
  /** By the id of a call, the content that stands there now. */
  readonly got: { readonly [call: string]: Json };
}

export class WireFaults {
  readonly #faults: readonly Fault[];
  readonly #random: NamedRandom;
  /** What a result was changed to, by the id of its call: it stays so wherever it comes again. */
  readonly #changed = new Map<
    string,
    { readonly content: Json; readonly done: FaultDone } | null
  >();
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
    if (this.#faults.length === 0) return { request: given, done, got };
    const request = withResults(given, (result) => {
      const isNew = !this.#changed.has(result.call);
      const met = this.result(result);
      if (met === null) return result.content;
      if (isNew) done.push(met.done);
      got[result.call] = met.content;
      return met.content;
    });
    return { request, done, got };
  }

  /** What a result meets, and meets again wherever its call comes again. */
  result(result: ToolResult): { readonly content: Json; readonly done: FaultDone } | null {
    if (this.#faults.length === 0) return null;
    const known = this.#changed.get(result.call);
    if (known !== undefined) return known;
    const met = this.#met(result);
    this.#changed.set(result.call, met);
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

  #met({ call, tool, content }: ToolResult) {
    if (isSealed(content)) return null;
    for (const fault of this.#faults) {
      const name = RESULT_FAULTS.find((one) => one === fault.name);
      if (name === undefined || (fault.where ?? tool) !== tool || !this.#draws(fault, call))
        continue;
      const changed = changedResult(name, content, this.#last.get(tool));
      if (JSON.stringify(changed) === JSON.stringify(content)) continue;
      const at = tool === "" ? call : `${tool} ${call}`;
      return { content: changed, done: { fault: fault.name, at, instead: content } };
    }
    return null;
  }

  #draws({ name, rate, where }: Fault, key: string): boolean {
    return this.#random.at(where ?? "", name, key).integer(0, MILLION - 1) < rate;
  }
}
