/** Messages of the Model Context Protocol: requests, their answers and notifications, a line each, also within a line of a logger. */
import type { Json } from "../../../../../machines/letter.ts";
import { offer } from "../episode.ts";
import { type Fields, idOf, isEmpty, listIn, mapIn, mapOf, textOf } from "../fields.ts";
import { type At, called, noted, type OpenLog, returned } from "../openLog.ts";
import { resultOf } from "../parts.ts";
import { timeIn } from "../time.ts";
import type { TakeLine } from "./sessions.ts";

/** The message in a line, or in what a logger wrote around it. */
const messageIn = (line: Fields): Fields | undefined =>
  [line, ...Object.values(line).map(mapIn)].find(({ jsonrpc }) => jsonrpc === "2.0");

const METHOD =
  /^(initialize|ping|(tools|resources|prompts|roots|sampling|completion|logging|elicitation|notifications|tasks)\/.+)$/;

export const isMcp = (value: Json): boolean =>
  METHOD.test(textOf(messageIn(mapIn(value))?.["method"]) ?? "");

/** What is asked before anything is called. */
const OPENING = /^(initialize|ping|logging\/|(tools|resources|prompts|roots)\/(templates\/)?list)/;

/** Whether a structured result has no value in it, whatever its members are called. */
function saysNothing(value: Json): boolean {
  if (Array.isArray(value)) return value.every(saysNothing);
  const members = mapOf(value);
  return members === null
    ? value === null || value === ""
    : Object.values(members).every(saysNothing);
}

/** Whether a line is one of several servers' that share a log with calls of models, as `record` writes it. */
export const isMcpBeside = (line: Fields): boolean =>
  textOf(line["server"]) !== null &&
  textOf(line["from"]) !== null &&
  mapIn(line["message"])["jsonrpc"] === "2.0";

/** Where the call of a tool is told: in whose log, and whether the model's own call of it stands there already. */
export interface Told {
  readonly log: OpenLog;
  readonly isMade: boolean;
}

export function mcp(toldOf: (tool: string | null, args: Json) => Told): TakeLine {
  let client = "client";
  /** The methods of requests without an answer. */
  const asked = new Map<
    string,
    { readonly method: string; readonly tool: string | null; readonly log: OpenLog }
  >();
  const request = (message: Fields, at: At, id: string): void => {
    const method = textOf(message["method"]) ?? "";
    const params = mapIn(message["params"]);
    client = textOf(mapIn(params["clientInfo"])["name"]) ?? client;
    const isCall = method === "tools/call";
    const own = isCall ? (textOf(params["name"]) ?? "unknown") : method;
    const args = isCall ? (params["arguments"] ?? null) : params;
    const { log, isMade } = toldOf(isCall ? own : null, args);
    const tool = isMade || (!isCall && OPENING.test(method)) ? null : own;
    asked.set(id, { method, tool, log });
    if (tool === null) log.give(noted(at, method, params, client));
    else log.give(called(at, { agent: client, tool, call: id, args }));
  };
  const answer = (message: Fields, at: At, id: string): void => {
    const known = asked.get(id);
    const { method = "answer", tool = null, log = toldOf(null, null).log } = known ?? {};
    asked.delete(id);
    const result = mapOf(message["result"]);
    const error = mapOf(message["error"]);
    const failed = error === null ? null : (textOf(error["message"]) ?? JSON.stringify(error));
    if (known === undefined)
      log.unread(
        at.place,
        `an answer to the request ${JSON.stringify(id)}, which is not in the log`,
      );
    if (tool !== null) {
      const { structuredContent, ...own } = result ?? {};
      const told = method === "tools/call" && result !== null ? resultOf(own) : null;
      const content = told === null ? (message["result"] ?? null) : told.result;
      const isBare =
        told !== null && isEmpty(told.result) && !saysNothing(structuredContent ?? null);
      log.give(
        returned(at, {
          ...{ tool, call: id, result: isBare ? (structuredContent ?? content) : content },
          ...{ ok: failed === null ? (told?.ok ?? null) : false, error: failed },
        }),
      );
      return;
    }
    const isList = method === "tools/list";
    for (const one of isList ? listIn(result?.["tools"]) : []) offer(log, at, one);
    if (!isList || error !== null)
      log.give(noted(at, failed === null ? method : "error", error ?? result));
  };
  return (line, place) => {
    const message = messageIn(line);
    const at = { place, atMs: timeIn(line) };
    const isAnswer = textOf(message?.["method"]) === null;
    // A server may ask, too, and counts for itself.
    const who = line["from"] === (isAnswer ? "client" : "server") ? "server" : null;
    const id = [textOf(line["stream"]), who, idOf(message?.["id"]) ?? ""]
      .filter((one) => one !== null)
      .join(":");
    const { log } = asked.get(id) ?? toldOf(null, null);
    // What was put on the wire on purpose, as `mcp` writes it: before what it did to the answer.
    if (mapOf(line["fault"]) !== null) log.give(noted(at, "fault", line["fault"] ?? null));
    if (message === undefined) log.unread(place, "a line without a message of JSON-RPC 2.0");
    else if (isAnswer) answer(message, at, id);
    else if ((message["id"] ?? null) !== null) request(message, at, id);
    else log.give(noted(at, textOf(message["method"]) ?? "", message["params"] ?? null));
  };
}
