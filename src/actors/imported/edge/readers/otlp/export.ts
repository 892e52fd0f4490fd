/** Spans of OTLP export requests in JSON, or written one by one, as plain values. */
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, fieldOf, listOf, mapOf, textOf } from "../fields.ts";
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

const SPAN_LISTS = ["resourceSpans", "resource_spans"];
const LOG_LISTS = ["resourceLogs", "resource_logs"];

export function isOtlp(value: Json): boolean {
  const list = listOf(value);
  if (list !== null) return list.some((one) => mapOf(one) !== null && isOtlp(one));
  const fields = mapOf(value);
  if (fields === null) return false;
  return listOf(fieldOf(fields, [...SPAN_LISTS, ...LOG_LISTS])) !== null || isSpan(fields);
}

/** One span by itself, as some exporters write it. */
const isSpan = (fields: Fields): boolean =>
  traceOf(fields) !== null &&
  typeof fields["attributes"] === "object" &&
  textOf(fields["name"]) !== null;

const traceOf = (fields: Fields): string | null =>
  textOf(fieldOf(fields, ["traceId", "trace_id"])) ??
  textOf(
    fieldOf(mapOf(fields["context"]) ?? mapOf(fields["spanContext"]) ?? {}, [
      "traceId",
      "trace_id",
    ]),
  );

export type SpanOrFault = Span | { readonly fault: string };

/** The spans of a value, in its order, and what in it is none. */
export function spansIn(value: Json): readonly SpanOrFault[] {
  const list = listOf(value);
  if (list !== null) return list.flatMap(spansIn);
  const fields = mapOf(value);
  if (fields === null) return [{ fault: "a value that is no export request" }];
  if (isSpan(fields)) return [spanOf(fields, mapOf(fields["resource"]) ?? {})];
  const requests = listOf(fieldOf(fields, SPAN_LISTS));
  const logs = listOf(fieldOf(fields, LOG_LISTS));
  if (requests === null && logs === null) return [{ fault: strangerIn(fields) }];
  return [...(requests ?? []).flatMap(ofResource), ...(logs ?? []).flatMap(logsOfResource)];
}

const strangerIn = (fields: Fields): string =>
  Object.hasOwn(fields, "resourceMetrics")
    ? "metrics, which say nothing of single calls"
    : "an object that is neither an export request nor a span";

function ofResource(value: Json): readonly SpanOrFault[] {
  const fields = mapOf(value);
  const scopes = listOf(
    fieldOf(fields ?? {}, ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"]),
  );
  if (fields === null || scopes === null)
    return [{ fault: "spans of a resource without a list scopeSpans" }];
  return scopes.flatMap((scope) => {
    const spans = listOf(mapOf(scope)?.["spans"]);
    if (spans === null) return [{ fault: "spans of a scope without a list spans" }];
    return spans.map((span) => {
      const own = mapOf(span);
      return own === null
        ? { fault: "a span that is no object" }
        : spanOf(own, mapOf(fields["resource"]) ?? {});
    });
  });
}

/** Log records are events of their own moment, within the span that they name. */
function logsOfResource(value: Json): readonly SpanOrFault[] {
  const fields = mapOf(value) ?? {};
  const scopes = listOf(fieldOf(fields, ["scopeLogs", "scope_logs"])) ?? [];
  return scopes.flatMap((scope) => {
    const records = listOf(fieldOf(mapOf(scope) ?? {}, ["logRecords", "log_records"])) ?? [];
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
        trace: textOf(own["traceId"]),
        id: null,
        parent: textOf(own["spanId"]),
        name,
        startNs: nanoseconds(at),
        startMs: atMs,
        endMs: atMs,
        attributes: {},
        events: [{ name, atMs, attributes: all }],
        status: null,
        error: null,
        resource: resourceOf(fields["resource"] ?? null),
      };
    });
  });
}

function spanOf(fields: Fields, resource: Fields): Span {
  const context = mapOf(fields["context"]) ?? mapOf(fields["spanContext"]) ?? {};
  const start = fieldOf(fields, [
    "startTimeUnixNano",
    "start_time_unix_nano",
    "startTime",
    "start_time",
  ]);
  const status = mapOf(fields["status"]) ?? {};
  const code = fieldOf(status, ["code", "status_code", "statusCode"]);
  const events = (listOf(fields["events"]) ?? []).flatMap((event): SpanEvent[] => {
    const own = mapOf(event);
    if (own === null) return [];
    const at = fieldOf(own, ["timeUnixNano", "time_unix_nano", "timestamp", "time"]);
    return [
      {
        name: textOf(own["name"]) ?? "event",
        atMs: timeOf(at),
        attributes: attributesOf(own["attributes"] ?? null),
      },
    ];
  });
  return {
    trace: traceOf(fields),
    id:
      textOf(fieldOf(fields, ["spanId", "span_id"])) ??
      textOf(fieldOf(context, ["spanId", "span_id"])),
    parent: textOf(fieldOf(fields, ["parentSpanId", "parent_span_id", "parent_id", "parentId"])),
    name: textOf(fields["name"]) ?? "",
    startNs: nanoseconds(start),
    startMs: timeOf(start),
    endMs: timeOf(
      fieldOf(fields, ["endTimeUnixNano", "end_time_unix_nano", "endTime", "end_time"]),
    ),
    attributes: attributesOf(fields["attributes"] ?? null),
    events,
    status: ERRORS.has(code) ? "error" : OKS.has(code) ? "ok" : null,
    error: textOf(fieldOf(status, ["message", "description"])),
    resource: resourceOf(resource),
  };
}

const ERRORS: ReadonlySet<Json> = new Set<Json>([2, "STATUS_CODE_ERROR", "ERROR", "2"]);
const OKS: ReadonlySet<Json> = new Set<Json>([1, "STATUS_CODE_OK", "OK", "1"]);

const resourceOf = (resource: Json): Fields =>
  attributesOf(mapOf(resource)?.["attributes"] ?? null);

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
  if (list === null) return mapOf(value) ?? {};
  const entries = list.flatMap((entry): [string, Json][] => {
    const key = textOf(mapOf(entry)?.["key"]);
    return key === null || key === "__proto__"
      ? []
      : [[key, plain(mapOf(entry)?.["value"] ?? null)]];
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
  switch (kind) {
    case "stringValue":
    case "string_value":
    case "boolValue":
    case "bool_value":
    case "bytesValue":
    case "bytes_value":
      return inner;
    case "intValue":
    case "int_value":
    case "doubleValue":
    case "double_value":
      return typeof inner === "string" && Number.isSafeInteger(Number(inner))
        ? Number(inner)
        : inner;
    case "arrayValue":
    case "array_value":
      return (listOf(mapOf(inner)?.["values"]) ?? []).map(plain);
    case "kvlistValue":
    case "kvlist_value":
      return attributesOf(mapOf(inner)?.["values"] ?? []);
    default:
      return value;
  }
}
