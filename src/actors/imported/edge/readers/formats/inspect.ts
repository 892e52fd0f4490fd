/** Samples of `inspect_ai`: their messages, the calls of tools that stand in events alone, and the scores. */

import type { Json } from "../../../../../machines/letter.ts";
import { ownValue } from "../../../../../machines/ownValue.ts";
import type { Place } from "../../../record.ts";
import {
  type Fields,
  holdsCalls,
  idOf,
  listIn,
  listOf,
  mapIn,
  mapOf,
  mapsIn,
  numberOf,
  restIn,
  textOf,
} from "../fields.ts";
import { tell } from "../message.ts";
import { called, judged, noted, type OpenLog, returned } from "../openLog.ts";

/** A sample by itself, or the log of an evaluation. */
export function isInspect(value: Json): boolean {
  const fields = mapIn(value);
  if (mapOf(fields["eval"]) !== null && Object.hasOwn(fields, "version")) return true;
  return Object.hasOwn(fields, "epoch") && listOf(fields["messages"]) !== null;
}

export const samplesIn = (fields: Fields): readonly Fields[] =>
  mapOf(fields["eval"]) === null ? [fields] : mapsIn(fields["samples"]);

export const sampleId = (fields: Fields): string | null => {
  const id = idOf(fields["id"]);
  return id === null ? null : `${id}_epoch_${idOf(fields["epoch"]) ?? "1"}`;
};

/** Long texts are kept apart, under their hashes. */
function resolved(value: Json, attachments: Fields): Json {
  if (typeof value === "string")
    return value.startsWith("attachment://")
      ? (ownValue(attachments, value.slice("attachment://".length)) ?? value)
      : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value))
    return (value as readonly Json[]).map((one) => resolved(one, attachments));
  return Object.fromEntries(
    Object.entries(value as Fields).map(([key, one]) => [key, resolved(one, attachments)]),
  );
}

export function tellSample(log: OpenLog, place: Place, sample: Fields): void {
  const attachments = mapIn(sample["attachments"]);
  const messages = listIn(resolved(sample["messages"] ?? null, attachments));
  const told = new Set<string>();
  for (const [step, message] of messages.entries()) {
    for (const call of mapsIn(mapIn(message)["tool_calls"])) told.add(idOf(call["id"]) ?? "");
    tell(log, message, { place, step });
  }
  for (const event of mapsIn(resolved(sample["events"] ?? null, attachments)))
    tellEvent(log, place, event, told);
  tellScores(log, place, sample);
  const { id, target, input, metadata, error, limit } = sample;
  const data = restIn({ id, target, input, metadata, error, limit } as Fields);
  log.give(noted({ place }, "sample", resolved(data, attachments)));
}

/** What agents within an agent did stands in events alone. */
function tellEvent(log: OpenLog, place: Place, event: Fields, told: ReadonlySet<string>): void {
  const kind = textOf(event["event"]);
  const call = idOf(event["id"]);
  if (kind === "error" || kind === "sample_limit") log.give(noted({ place }, kind, event));
  if (kind !== "tool" || call === null || told.has(call)) return;
  const tool = textOf(event["function"]) ?? "unknown";
  const agent = textOf(event["agent"]) ?? "assistant";
  const { arguments: args = null, result = null } = event;
  const failed = mapOf(event["error"]);
  const error = failed === null ? null : (textOf(failed["message"]) ?? NO_REASON);
  const seconds = numberOf(event["working_time"]);
  const latencyMs = seconds === null ? null : Math.round(seconds * 1000);
  const ok = error === null ? null : false;
  // The messages before it have no times.
  log.give(called({ place }, { agent, tool, call, args }));
  log.give(returned({ place }, { tool, call, result, ok, error, latencyMs }));
  if (holdsCalls(event["events"])) log.unread(place, "events within the event of a tool");
}

const NO_REASON = "it says that it failed";

const VALUES: ReadonlyMap<string, number> = new Map([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", 0],
]);

function tellScores(log: OpenLog, place: Place, { scores }: Fields): void {
  for (const [name, score] of Object.entries(mapIn(scores))) {
    const value = mapOf(score)?.["value"] ?? score;
    const letter = textOf(value);
    const reward =
      typeof value === "boolean"
        ? Number(value)
        : (numberOf(value) ?? (letter === null ? null : (VALUES.get(letter) ?? null)));
    log.give(noted({ place }, `score ${name}`, score));
    if (reward !== null) log.give(judged({ place }, { reward, success: null, mistake: null }));
  }
}
