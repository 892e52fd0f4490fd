/** A request to a model and its response, as API logs hold them: OpenAI's, Anthropic's and Ollama's shapes. */

import { parsedJson } from "../../../../edges/strictValue.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import type { Usage } from "../../record.ts";
import { withResults } from "../wire/messages.ts";
import { messageListOf } from "./episode.ts";
import {
  type Fields,
  fieldOf,
  idIn,
  listIn,
  listOf,
  mapIn,
  mapOf,
  numberOf,
  textIn,
  textOf,
} from "./fields.ts";
import { isMessage, LOG_IDS, usageIn } from "./messageFields.ts";
import { timeIn } from "./time.ts";

export interface Exchange {
  readonly request: Fields | null;
  readonly response: Json;
  /** What stands beside the two. */
  readonly around: Fields;
  /** What `record` put on the wire on purpose. */
  readonly faults?: readonly Json[];
}

/** What a response says. */
export interface Answer {
  readonly messages: readonly Json[];
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly atMs: number | null;
  readonly latencyMs: number | null;
  /** A piece of an answer that is streamed; the last one is done. */
  readonly isPiece: boolean;
  readonly isDone: boolean;
  readonly error: Json;
  /** Why it ended, where that is not of its own accord: it was too long, or was withheld. */
  readonly cut: string | null;
}

const REQUESTS = ["request", "req", "request_body", "kwargs"];
const RESPONSES = ["response", "resp", "response_body", "completion", "result", "output"];

/** The field of a body as HTTP logs wrap it, or as a text. */
function bodyOf(value: Json): Json {
  const read = typeof value === "string" ? parsedJson(value) : { value };
  const inner = "value" in read ? read.value : value;
  const fields = mapOf(inner);
  const body = fields?.["body"];
  return body === undefined || body === null ? inner : bodyOf(body);
}

/** Null where the fields are no exchange. */
export function exchangeOf(fields: Fields): Exchange | null {
  const bodyIn = (name: string): Json => bodyOf(fields[name] ?? null);
  const asked = REQUESTS.find((name) => mapOf(bodyIn(name)) !== null);
  const answered = RESPONSES.find((name) => isResponse(bodyIn(name)));
  if (asked !== undefined) {
    const request = mapOf(bodyIn(asked));
    if (request === null || inputOf(request) === null) return null;
    if (isWired(fields)) {
      const around = Object.fromEntries(WIRED.map((name) => [name, fields[name] ?? null]));
      const got = mapIn(fields["got"]);
      // What the model got, not what the agent sent: it answers that.
      const told = withResults(request, ({ call, content }) => ownValue(got, call) ?? content);
      const response = fields["response"] ?? null;
      return { request: mapOf(told), response, around, faults: listIn(fields["faults"]) };
    }
    const response = answered === undefined ? bodyOf(fieldOf(fields, RESPONSES)) : bodyIn(answered);
    return { request, response, around: without(fields, [asked, ...RESPONSES]) };
  }
  if (inputOf(fields) === null) {
    // What a batch leaves: a response alone, beside the id of its request.
    const alone = answered === undefined ? null : mapOf(bodyIn(answered));
    if (answered === undefined || alone === null || !isBareResponse(alone)) return null;
    return { request: null, response: alone, around: without(fields, [answered]) };
  }
  if (isBareResponse(fields))
    return { request: fields, response: fields, around: without(fields, Object.keys(fields)) };
  if (answered === undefined) return null;
  return { request: without(fields, [answered]), response: bodyIn(answered), around: {} };
}

/** Of a line of our own `exchanges.jsonl`, what says something of the conversation; the rest is how it went over the wire. */
const WIRED = ["timestamp", "latency_ms"];
export const isWired = (fields: Fields): boolean =>
  ["api", "before", "path"].every((name) => typeof fields[name] === "string") &&
  typeof fields["status"] === "number";

const without = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));

/** The messages of a request; null where it has none. */
export function inputOf(request: Fields): readonly Json[] | null {
  const name = messageListOf(request);
  if (name !== null) return listOf(request[name]);
  const input = request["input"];
  if (typeof input === "string" && textOf(request["model"]) !== null)
    return [{ role: "user", content: input }];
  const list = listOf(input);
  return list?.some(isMessage) === true ? list : null;
}

function isResponse(value: Json): boolean {
  const fields = mapOf(value);
  return (
    fields !== null &&
    (isBareResponse(fields) || isMessage(value) || mapOf(fields["error"]) !== null)
  );
}

/** Whether a line is a response and nothing else. */
export function isBareResponse(fields: Fields): boolean {
  if (listOf(fields["choices"]) !== null || listOf(fields["candidates"]) !== null) return true;
  if (mapOf(fields["message"]) !== null && typeof fields["done"] === "boolean") return true;
  if (fields["object"] === "response" && listOf(fields["output"]) !== null) return true;
  return (
    fields["type"] === "message" &&
    fields["role"] === "assistant" &&
    Object.hasOwn(fields, "stop_reason")
  );
}

/** Whether a line is a request and nothing else. */
export const isBareRequest = (fields: Fields): boolean =>
  inputOf(fields) !== null &&
  textOf(fields["model"]) !== null &&
  !isBareResponse(fields) &&
  exchangeOf(fields) === null &&
  !Object.hasOwn(fields, "reward");

const NS_PER_MS = 1e6;

export function answerOf(response: Json): Answer {
  const fields = mapIn(response);
  const durationNs = numberOf(fields["total_duration"]);
  const isOllama = typeof fields["done"] === "boolean";
  return {
    messages: messagesOf(response, fields),
    model: textIn(fields, "model", "modelVersion", "model_version"),
    usage: usageIn(fields),
    atMs: timeIn(fields),
    latencyMs:
      durationNs === null
        ? numberOf(fieldOf(fields, ["latency_ms", "duration_ms"]))
        : Math.round(durationNs / NS_PER_MS),
    isPiece: isOllama && fields["done"] === false,
    isDone: !isOllama || fields["done"] === true,
    error: fieldOf(fields, ["error"]),
    cut: cutIn(fields),
  };
}

/** Reasons for which an answer ends of its own accord, in the words of the formats. */
const OWN_ENDS = new Set([
  ...["stop", "tool_calls", "function_call", "end_turn", "tool_use", "stop_sequence"],
  ...["load", "unload"],
]);

function cutIn(fields: Fields): string | null {
  const choices = [...listIn(fields["choices"]), ...listIn(fields["candidates"])].map(mapIn);
  const reasons = [
    ...choices.map((choice) => textIn(choice, "finish_reason", "finishReason")),
    ...[textOf(fields["stop_reason"]), textOf(fields["done_reason"])],
    textOf(mapIn(fields["incomplete_details"])["reason"]),
  ];
  return reasons.find((reason) => reason !== null && !OWN_ENDS.has(reason.toLowerCase())) ?? null;
}

function messagesOf(response: Json, fields: Fields): readonly Json[] {
  if (typeof response === "string")
    return response === "" ? [] : [{ role: "assistant", content: response }];
  const choices = listOf(fields["choices"]);
  if (choices !== null) {
    return choices.flatMap((choice) => {
      const { message, delta, text } = mapIn(choice);
      if (typeof text === "string") return [{ role: "assistant", content: text }];
      return message === undefined && delta === undefined ? [] : [message ?? delta ?? null];
    });
  }
  const candidates = listOf(fields["candidates"]);
  if (candidates !== null) return candidates.flatMap((one) => mapIn(one)["content"] ?? []);
  const inner = mapOf(fields["message"]);
  if (inner !== null) return [inner];
  const output = listOf(fields["output"]);
  if (output !== null) return output;
  return isMessage(response) ? [response] : [];
}

/** The id of the conversation that a line names as its own. */
export const conversationIn = (...places: readonly Fields[]): string | null => {
  for (const fields of places) {
    const id = idIn(fields, ...LOG_IDS) ?? idIn(mapIn(fields["metadata"]), ...LOG_IDS);
    if (id !== null) return id;
  }
  return null;
};
