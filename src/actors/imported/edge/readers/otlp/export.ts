/** Spans of OTLP export requests in JSON, or written one by one, as plain values. */
import type { Json } from "../../../../../machines/letter.ts";
import {
  eitherOf,
  type Fields,
  fieldOf,
  listIn,
  listOf,
  mapIn,
  mapOf,
  mapsIn,
  textIn,
  textOf,
} from "../fields.ts";
import { timeOf } from "../time.ts";

export interface SpanEvent {
  readonly name: string;
  readonly atMs: number | null;
  readonly attributes: Fields;
}

export interface Span {
  readonly trace: string | null;
  readonly id: string | null;
  readonly parent: string | null;
  readonly name: string;
  /** Nanoseconds since 1970, in decimal digits; null where the span has no start. */
  readonly startNs: string | null;
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly attributes: Fields;
  readonly events: readonly SpanEvent[];
  readonly status: "ok" | "error" | null;
  readonly error: string | null;
  readonly resource: Fields;
}

export function isOtlp(value: Json): boolean {
  const list = listOf(value);
  if (list !== null) return mapsIn(list).some(isOtlp);
  const fields = mapIn(value);
  return listOf(eitherOf(fields, "resourceSpans", "resourceLogs")) !== null || isSpan(fields);
}

/** One span by itself, as some exporters write it. */
const isSpan = (fields: Fields): boolean =>
  traceOf(fields) !== null &&
  typeof fields["attributes"] === "object" &&
  textOf(fields["name"]) !== null;

const contextOf = (fields: Fields): Fields =>
  mapOf(fields["context"]) ?? mapIn(fields["spanContext"]);

const traceOf = (fields: Fields): string | null =>
  textOf(eitherOf(fields, "traceId")) ?? textOf(eitherOf(contextOf(fields), "traceId"));

export type SpanOrFault = Span | { readonly fault: string };

/** The spans of a value, in its order, and what in it is none. */
export function spansIn(value: Json): readonly SpanOrFault[] {
  const list = listOf(value);
  if (list !== null) return list.flatMap(spansIn);
  const fields = mapOf(value);
  if (fields === null) return [{ fault: "a value that is no export request" }];
  if (isSpan(fields)) return [spanOf(fields, mapIn(fields["resource"]))];
  const requests = listOf(eitherOf(fields, "resourceSpans"));
  const logs = listOf(eitherOf(fields, "resourceLogs"));
  if (requests === null && logs === null) return [{ fault: strangerIn(fields) }];
  return [...(requests ?? []).flatMap(ofResource), ...(logs ?? []).flatMap(logsOfResource)];
}

const strangerIn = (fields: Fields): string =>
  Object.hasOwn(fields, "resourceMetrics")
    ? "metrics, which say nothing of single calls"
    : "an object that is neither an export request nor a span";

function ofResource(value: Json): readonly SpanOrFault[] {
  const fields = mapIn(value);
  const scopes = listOf(eitherOf(fields, "scopeSpans", "instrumentationLibrarySpans"));
  if (scopes === null) return [{ fault: "spans of a resource without a list scopeSpans" }];
  return scopes.flatMap((scope) => {
    const spans = listOf(mapIn(scope)["spans"]);
    if (spans === null) return [{ fault: "spans of a scope without a list spans" }];
    return spans.map((span) => {
      const own = mapOf(span);
      return own === null
        ? { fault: "a span that is no object" }
        : spanOf(own, mapIn(fields["resource"]));
    });
  });
}

/** Log records are events of their own moment, within the span that they name. */
function logsOfResource(value: Json): readonly SpanOrFault[] {
  const fields = mapIn(value);
  const scopes = listIn(eitherOf(fields, "scopeLogs"));
  const records = scopes.flatMap((scope) => listIn(eitherOf(mapIn(scope), "logRecords")));
  return records.map((record): SpanOrFault => {
    const own = mapOf(record);
    if (own === null) return { fault: "a log record that is no object" };
    const attributes = attributesOf(own["attributes"] ?? null);
    const name = textOf(own["eventName"]) ?? textOf(attributes["event.name"]) ?? "log";
    const body = plain(own["body"] ?? null);
    const all: Fields = { ...attributes, ...(mapOf(body) ?? (body === null ? {} : { body })) };
    const at = fieldOf(own, ["timeUnixNano", "time_unix_nano", "observedTimeUnixNano"]);
    const atMs = timeOf(at);
    return {
      ...{ trace: textOf(own["traceId"]), id: null, parent: textOf(own["spanId"]), name },
      ...{ startNs: nanoseconds(at), startMs: atMs, endMs: atMs, status: null, error: null },
      attributes: {},
      events: [{ name, atMs, attributes: all }],
      resource: resourceOf(fields["resource"] ?? null),
    };
  });
}

function spanOf(fields: Fields, resource: Fields): Span {
  const start = eitherOf(fields, "startTimeUnixNano", "startTime");
  const status = mapIn(fields["status"]);
  const code = fieldOf(status, ["code", "status_code", "statusCode"]);
  const events = mapsIn(fields["events"]).map((own) => ({
    name: textOf(own["name"]) ?? "event",
    atMs: timeOf(eitherOf(own, "timeUnixNano", "timestamp", "time")),
    attributes: attributesOf(own["attributes"] ?? null),
  }));
  return {
    trace: traceOf(fields),
    id: textOf(eitherOf(fields, "spanId")) ?? textOf(eitherOf(contextOf(fields), "spanId")),
    parent: textOf(fieldOf(fields, ["parentSpanId", "parent_span_id", "parent_id", "parentId"])),
    name: textOf(fields["name"]) ?? "",
    startNs: nanoseconds(start),
    startMs: timeOf(start),
    endMs: timeOf(eitherOf(fields, "endTimeUnixNano", "endTime")),
    attributes: attributesOf(fields["attributes"] ?? null),
    events,
    status: ERRORS.has(code) ? "error" : OKS.has(code) ? "ok" : null,
    error: textIn(status, "message", "description"),
    resource: resourceOf(resource),
  };
}

const ERRORS: ReadonlySet<Json> = new Set<Json>([2, "STATUS_CODE_ERROR", "ERROR", "2"]);
const OKS: ReadonlySet<Json> = new Set<Json>([1, "STATUS_CODE_OK", "OK", "1"]);

const resourceOf = (resource: Json): Fields => attributesOf(mapIn(resource)["attributes"] ?? null);

/** Digits as they are written, so that none is lost; other times to the millisecond. */
function nanoseconds(value: Json): string | null {
  if (typeof value === "string" && /^\d{17,20}$/.test(value)) return value;
  const ms = timeOf(value);
  if (ms === null) return null;
  return typeof value === "number" && value >= 1e17 ? String(BigInt(value)) : `${ms}000000`;
}

/** A list of `{key, value}`, or already an object. */
function attributesOf(value: Json): Fields {
  const list = listOf(value);
  if (list === null) return mapIn(value);
  const entries = mapsIn(list).flatMap(({ key, value: given = null }): [string, Json][] => {
    const name = textOf(key);
    return name === null || name === "__proto__" ? [] : [[name, plain(given)]];
  });
  return Object.fromEntries(entries);
}

/** A typed value of OTLP as a plain one; anything else as it is. */
export function plain(value: Json): Json {
  const fields = mapOf(value);
  if (fields === null) return value;
  const [kind, ...others] = Object.keys(fields);
  if (kind === undefined || others.length > 0) return value;
  const inner = fields[kind] ?? null;
  const type = /^(string|bool|bytes|int|double|array|kvlist)(?:Value|_value)$/.exec(kind)?.[1];
  switch (type) {
    case undefined:
      return value;
    case "int":
    case "double":
      return typeof inner === "string" && Number.isSafeInteger(Number(inner))
        ? Number(inner)
        : inner;
    case "array":
      return listIn(mapIn(inner)["values"]).map(plain);
    case "kvlist":
      return attributesOf(mapIn(inner)["values"] ?? []);
    default:
      return inner;
  }
}
