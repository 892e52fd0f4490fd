/** Samples of `inspect_ai`: their messages, the calls of tools that stand in events alone, and the scores. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import {
  type Fields,
  holdsCalls,
  idOf,
  isEmpty,
  listOf,
  mapOf,
  mapsIn,
  numberOf,
  textOf,
} from "../fields.ts";
import { readMessage } from "../message.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { aroundOf } from "./sessions.ts";

/** A sample by itself, or the log of an evaluation. */
export function isInspect(value: Json): boolean {
  const fields = mapOf(value);
  if (fields === null) return false;
  if (mapOf(fields["eval"]) !== null && Object.hasOwn(fields, "version")) return true;
  return Object.hasOwn(fields, "epoch") && listOf(fields["messages"]) !== null;
}

export const samplesIn = (fields: Fields): readonly Fields[] =>
  mapOf(fields["eval"]) === null ? [fields] : mapsIn(listOf(fields["samples"]) ?? []);

export const sampleId = (fields: Fields): string | null => {
  const id = idOf(fields["id"]);
  return id === null ? null : `${id}_epoch_${idOf(fields["epoch"]) ?? "1"}`;
};

/** Long texts are kept apart, under their hashes. */
function resolved(value: Json, attachments: Fields): Json {
  if (typeof value === "string")
    return value.startsWith("attachment://")
      ? (attachments[value.slice("attachment://".length)] ?? value)
      : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one) => resolved(one, attachments));
  return Object.fromEntries(
    Object.entries(value as Fields).map(([key, one]) => [key, resolved(one, attachments)]),
  );
}

export function tellSample(log: OpenLog, place: Place, sample: Fields): void {
  const attachments = mapOf(sample["attachments"]) ?? {};
  const messages = listOf(resolved(sample["messages"] ?? null, attachments)) ?? [];
  const base = aroundOf(place, "inspect");
  const told = new Set<string>();
  for (const [step, message] of messages.entries()) {
    for (const call of mapsIn(listOf(mapOf(message)?.["tool_calls"]) ?? []))
      told.add(idOf(call["id"]) ?? "");
    give(log, place, readMessage(message, { ...base, step }));
  }
  for (const event of mapsIn(listOf(resolved(sample["events"] ?? null, attachments)) ?? []))
    tellEvent(log, place, event, told);
  tellScores(log, place, sample);
  const { id, target, input, metadata, error, limit } = sample;
  const rest = Object.entries({ id, target, input, metadata, error, limit }).filter(
    ([, one]) => !isEmpty(one),
  );
  const data = resolved(Object.fromEntries(rest) as Fields, attachments);
  log.give({ ...bare(place), kind: "noted", who: null, what: "sample", data });
}

/** What agents within an agent did stands in events alone. */
function tellEvent(log: OpenLog, place: Place, event: Fields, told: ReadonlySet<string>): void {
  const kind = textOf(event["event"]);
  if (kind === "error" || kind === "sample_limit") {
    log.give({ ...bare(place), kind: "noted", who: null, what: kind, data: event });
    return;
  }
  const call = idOf(event["id"]);
  if (kind !== "tool" || call === null || told.has(call)) return;
  const tool = textOf(event["function"]) ?? "unknown";
  const agent = textOf(event["agent"]) ?? "assistant";
  // The messages before it have no times.
  const base = bare(place);
  log.give({
    ...base,
    kind: "called",
    agent,
    tool,
    call,
    args: event["arguments"] ?? null,
    raw: null,
  });
  const error = mapOf(event["error"]);
  const failed = error === null ? null : (textOf(error["message"]) ?? "it says that it failed");
  const seconds = numberOf(event["working_time"]);
  const ended = { ...base, latencyMs: seconds === null ? null : Math.round(seconds * 1000) };
  log.give({
    ...ended,
    kind: "returned",
    tool,
    call,
    result: event["result"] ?? null,
    ok: failed === null ? null : false,
    error: failed,
  });
  if (holdsCalls(event["events"])) log.unread(place, "events within the event of a tool");
}

const VALUES: ReadonlyMap<string, number> = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
]);

function tellScores(log: OpenLog, place: Place, { scores }: Fields): void {
  for (const [name, score] of Object.entries(mapOf(scores) ?? {})) {
    const value = mapOf(score)?.["value"] ?? score;
    const letter = textOf(value);
    const reward =
      typeof value === "boolean"
        ? Number(value)
        : (numberOf(value) ?? (letter === null ? null : (VALUES.get(letter) ?? null)));
    log.give({ ...bare(place), kind: "noted", who: null, what: `score ${name}`, data: score });
    if (reward !== null)
      log.give({ ...bare(place), kind: "judged", reward, success: null, mistake: null });
  }
}
