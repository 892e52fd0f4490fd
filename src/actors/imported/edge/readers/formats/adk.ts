/** Events of Google's Agent Development Kit, alone or in a session: contents of Gemini, each with its author. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import {
  eitherOf,
  type Fields,
  idOf,
  isEmpty,
  listIn,
  mapIn,
  mapOf,
  mapsIn,
  restIn,
  textOf,
} from "../fields.ts";
import { tell } from "../message.ts";
import { usageIn } from "../messageFields.ts";
import { noted, type OpenLog } from "../openLog.ts";
import { timeIn } from "../time.ts";

export const isAdkEvent = (fields: Fields): boolean =>
  textOf(fields["author"]) !== null && textOf(eitherOf(fields, "invocationId")) !== null;

export function isAdk(value: Json): boolean {
  const fields = mapIn(value);
  return isAdkEvent(fields) || mapsIn(fields["events"]).some(isAdkEvent);
}

export function tellAdkSession(log: OpenLog, place: Place, session: Fields): void {
  for (const [step, event] of listIn(session["events"]).entries()) {
    const fields = mapOf(event);
    if (fields === null) log.unread(place, "an event that is no object");
    else tellAdkEvent(log, place, fields, step);
  }
  log.give(
    noted(
      { place },
      "session",
      restIn(session, (name) => name === "events"),
    ),
  );
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
  const atMs = timeIn(event);
  const around = {
    ...{ place, step, atMs, id: idOf(event["id"]) },
    agent: author === "user" ? null : author,
    model: textOf(eitherOf(event, "modelVersion")),
    usage: usageIn(mapIn(eitherOf(event, "usageMetadata"))),
  };
  const role = author === "user" ? "user" : "model";
  if (content !== null) tell(log, { ...content, role }, around);
  const rest = restIn(event, (name) => READ.has(name) || isBlank(event[name] ?? null));
  const isError = !isEmpty(eitherOf(event, "errorCode", "errorMessage"));
  if (!isEmpty(rest))
    log.give(noted({ place, step, atMs }, isError ? "error" : "event", rest, author));
}

/** Actions are there with every event, and most often empty throughout. */
const isBlank = (value: Json): boolean =>
  isEmpty(value) || (mapOf(value) !== null && Object.values(value as Fields).every(isBlank));
