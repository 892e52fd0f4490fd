/** Events of Google's Agent Development Kit, alone or in a session: contents of Gemini, each with its author. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import { type Fields, fieldOf, idOf, isEmpty, listOf, mapOf, mapsIn, textOf } from "../fields.ts";
import { readMessage } from "../message.ts";
import { usageIn } from "../messageFields.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { timeIn } from "../time.ts";
import { aroundOf } from "./sessions.ts";

export const isAdkEvent = (fields: Fields): boolean =>
  textOf(fields["author"]) !== null &&
  textOf(fieldOf(fields, ["invocationId", "invocation_id"])) !== null;

export function isAdk(value: Json): boolean {
  const fields = mapOf(value);
  if (fields === null) return false;
  return isAdkEvent(fields) || mapsIn(listOf(fields["events"]) ?? []).some(isAdkEvent);
}

export function tellAdkSession(log: OpenLog, place: Place, session: Fields): void {
  const { events, ...rest } = session;
  for (const [step, event] of (listOf(events) ?? []).entries()) {
    const fields = mapOf(event);
    if (fields === null) log.unread(place, "an event that is no object");
    else tellAdkEvent(log, place, fields, step);
  }
  const told = Object.fromEntries(Object.entries(rest).filter(([, value]) => !isEmpty(value)));
  log.give({ ...bare(place), kind: "noted", who: null, what: "session", data: told });
}

const READ = new Set([
  ...["content", "author", "id", "timestamp", "partial", "usageMetadata", "usage_metadata"],
  ...["invocationId", "invocation_id", "nodeInfo", "node_info", "longRunningToolIds"],
  ...["long_running_tool_ids", "modelVersion", "model_version", "finishReason", "finish_reason"],
]);

export function tellAdkEvent(log: OpenLog, place: Place, event: Fields, step: number | null): void {
  // A piece of the event that follows whole.
  if (event["partial"] === true) return;
  const author = textOf(event["author"]) ?? "agent";
  const content = mapOf(event["content"]);
  const around = {
    ...aroundOf(place, "adk"),
    ...{ step, atMs: timeIn(event), id: idOf(event["id"]) },
    agent: author === "user" ? null : author,
    model: textOf(fieldOf(event, ["modelVersion", "model_version"])),
    usage: usageIn(mapOf(fieldOf(event, ["usageMetadata", "usage_metadata"])) ?? {}),
  };
  const role = author === "user" ? "user" : "model";
  if (content !== null) give(log, place, readMessage({ ...content, role }, around));
  const rest = Object.entries(event).filter(([name, value]) => !READ.has(name) && !isBlank(value));
  if (rest.length === 0) return;
  const isError = !isEmpty(
    fieldOf(event, ["errorCode", "error_code", "errorMessage", "error_message"]),
  );
  const what = isError ? "error" : "event";
  log.give({
    ...bare(place),
    step,
    atMs: around.atMs,
    kind: "noted",
    who: author,
    what,
    data: Object.fromEntries(rest),
  });
}

/** Actions are there with every event, and most often empty throughout. */
const isBlank = (value: Json): boolean =>
  isEmpty(value) || (mapOf(value) !== null && Object.values(value as Fields).every(isBlank));
