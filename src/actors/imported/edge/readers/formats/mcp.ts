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

export function mcp(log: OpenLog): TakeLine {
  let client = "client";
  /** The methods of requests without an answer. */
  const asked = new Map<string, { readonly method: string; readonly tool: string | null }>();
  const request = (message: Fields, at: At): void => {
    const id = idOf(message["id"]) ?? "";
    const method = textOf(message["method"]) ?? "";
    const params = mapIn(message["params"]);
    client = textOf(mapIn(params["clientInfo"])["name"]) ?? client;
    const isCall = method === "tools/call";
    const own = isCall ? (textOf(params["name"]) ?? "unknown") : method;
    const tool = !isCall && OPENING.test(method) ? null : own;
    asked.set(id, { method, tool });
    const args = isCall ? (params["arguments"] ?? null) : params;
    if (tool === null) log.give(noted(at, method, params, client));
    else log.give(called(at, { agent: client, tool, call: id, args }));
  };
  const answer = (message: Fields, at: At): void => {
    const id = idOf(message["id"]) ?? "";
    const { method = "answer", tool = null } = asked.get(id) ?? {};
    const isKnown = asked.delete(id);
    const result = mapOf(message["result"]);
    const error = mapOf(message["error"]);
    const failed = error === null ? null : (textOf(error["message"]) ?? JSON.stringify(error));
    if (!isKnown)
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
    // What was put on the wire on purpose, as `mcp` writes it: before what it did to the answer.
    if (mapOf(line["fault"]) !== null) log.give(noted(at, "fault", line["fault"] ?? null));
    if (message === undefined) log.unread(place, "a line without a message of JSON-RPC 2.0");
    else if (textOf(message["method"]) === null) answer(message, at);
    else if ((message["id"] ?? null) !== null) request(message, at);
    else log.give(noted(at, textOf(message["method"]) ?? "", message["params"] ?? null));
  };
}
