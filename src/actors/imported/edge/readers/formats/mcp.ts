/** Messages of the Model Context Protocol: requests, their answers and notifications, a line each, also within a line of a logger. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { offer } from "../episode.ts";
import { type Fields, idOf, isEmpty, listOf, mapOf, textOf } from "../fields.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { resultOf } from "../parts.ts";
import { timeIn } from "../time.ts";
import type { Session } from "./sessions.ts";

/** The message in a line, and what was written around it. */
function messageIn(value: Json): { readonly message: Fields; readonly around: Fields } | null {
  const fields = mapOf(value);
  if (fields === null) return null;
  if (fields["jsonrpc"] === "2.0") return { message: fields, around: fields };
  for (const member of Object.values(fields)) {
    const inner = mapOf(member);
    if (inner !== null && inner["jsonrpc"] === "2.0") return { message: inner, around: fields };
  }
  return null;
}

const isMethod = (method: string): boolean =>
  /^(initialize|ping|(tools|resources|prompts|roots|sampling|completion|logging|elicitation|notifications|tasks)\/.+)$/.test(
    method,
  );

export function isMcp(value: Json): boolean {
  const found = messageIn(value);
  return found !== null && isMethod(textOf(found.message["method"]) ?? "");
}

/** What is asked before anything is called. */
const OPENING = /^(initialize|ping|logging\/|(tools|resources|prompts|roots)\/(templates\/)?list)/;

export function mcp(log: OpenLog): Session {
  let client = "client";
  /** The methods of requests without an answer. */
  const asked = new Map<string, { readonly method: string; readonly tool: string | null }>();
  const request = (message: Fields, place: Place, atMs: number | null): void => {
    const id = idOf(message["id"]) ?? "";
    const method = textOf(message["method"]) ?? "";
    const params = mapOf(message["params"]) ?? {};
    client = textOf(mapOf(params["clientInfo"])?.["name"]) ?? client;
    const isCall = method === "tools/call";
    const tool = isCall
      ? (textOf(params["name"]) ?? "unknown")
      : OPENING.test(method)
        ? null
        : method;
    asked.set(id, { method, tool });
    const base = { ...bare(place), atMs };
    if (tool === null)
      log.give({ ...base, kind: "noted", who: client, what: method, data: params });
    else {
      const args = isCall ? (params["arguments"] ?? null) : params;
      log.give({ ...base, kind: "called", agent: client, tool, call: id, args, raw: null });
    }
  };
  const answer = (message: Fields, place: Place, atMs: number | null): void => {
    const id = idOf(message["id"]) ?? "";
    const { method = "answer", tool = null } = asked.get(id) ?? {};
    const isKnown = asked.delete(id);
    const result = mapOf(message["result"]);
    const error = mapOf(message["error"]);
    const failed = error === null ? null : (textOf(error["message"]) ?? JSON.stringify(error));
    const base = { ...bare(place), atMs };
    if (!isKnown)
      log.unread(place, `an answer to the request ${JSON.stringify(id)}, which is not in the log`);
    if (tool !== null) {
      const { structuredContent, ...own } = result ?? {};
      const told = method === "tools/call" && result !== null ? resultOf(own) : null;
      const content =
        told === null
          ? (message["result"] ?? null)
          : isEmpty(told.result)
            ? (structuredContent ?? told.result)
            : told.result;
      log.give({
        ...base,
        kind: "returned",
        tool,
        call: id,
        result: content,
        ok: failed === null ? (told?.ok ?? null) : false,
        error: failed,
        latencyMs: null,
      });
      return;
    }
    for (const one of (method === "tools/list" && listOf(result?.["tools"])) || [])
      offer(log, base, one);
    if (method === "tools/list" && error === null) return;
    log.give({
      ...base,
      kind: "noted",
      who: null,
      what: failed === null ? method : "error",
      data: error ?? result,
    });
  };
  return {
    take: (fields, place) => {
      const { message, around } = messageIn(fields) ?? { message: null, around: fields };
      const atMs = timeIn(around);
      if (message === null) log.unread(place, "a line without a message of JSON-RPC 2.0");
      else if (textOf(message["method"]) === null) answer(message, place, atMs);
      else if (message["id"] === undefined || message["id"] === null)
        log.give({
          ...bare(place),
          atMs,
          kind: "noted",
          who: null,
          what: textOf(message["method"]) ?? "",
          data: message["params"] ?? null,
        });
      else request(message, place, atMs);
    },
  };
}
