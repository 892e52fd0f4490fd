/** The messages of a span, wherever instrumentation put them: in attributes as JSON, in numbered attributes, or in events. */

import { parsedJson } from "../../../../../edges/strictValue.ts";
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, fieldOf, listIn, listOf, mapIn, mapOf, textOf } from "../fields.ts";
import { isLangchain } from "../formats/langchain.ts";
import { ITEM_TYPES, isMessage } from "../messageFields.ts";
import { CHOICE_EVENT, DETAIL_EVENTS, MESSAGE_EVENTS, NAMES, NUMBERED } from "./attributeNames.ts";
import type { Span, SpanEvent } from "./export.ts";

export interface SpanMessages {
  readonly system: Json;
  readonly input: readonly Json[];
  readonly output: readonly Json[];
  readonly tools: readonly Json[];
  /** Reasons, of attributes that hold no messages. */
  readonly unread: readonly string[];
  /** Events that are no messages. */
  readonly others: readonly SpanEvent[];
}

/** JSON within an attribute, or the value itself. */
export function within(value: Json): Json {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  const parsed = parsedJson(value);
  return "value" in parsed ? parsed.value : value;
}

export function messagesOf({ attributes, events }: Span): SpanMessages {
  const details = events.filter(({ name }) => DETAIL_EVENTS.includes(name));
  const all: Fields = Object.assign({}, attributes, ...details.map((event) => event.attributes));
  const unread: string[] = [];
  const listed = (names: readonly string[], role: string): readonly Json[] =>
    names.flatMap((name) => {
      const value = Object.hasOwn(all, name) ? within(all[name] ?? null) : null;
      const found = asMessages(value, role);
      if (found === null) unread.push(`the attribute ${name}, which holds no messages`);
      return found ?? [];
    });
  const numbered = (prefixes: readonly string[]): readonly Json[] =>
    prefixes.flatMap((prefix) => numberedOf(all, prefix));
  const said = events.flatMap((event) => {
    const role = MESSAGE_EVENTS.get(event.name);
    return role === undefined ? [] : [messageOf(event, role)];
  });
  const chosen = events
    .filter(({ name }) => name === CHOICE_EVENT)
    .map((event) => messageOf(event, "assistant"));
  const isTold = ({ name }: SpanEvent): boolean =>
    MESSAGE_EVENTS.has(name) || name === CHOICE_EVENT || DETAIL_EVENTS.includes(name);
  const tools = NAMES.tools.flatMap((name) => listIn(within(all[name] ?? null)));
  return {
    system: within(fieldOf(all, NAMES.system)),
    input: [...listed(NAMES.input, "user"), ...numbered(NUMBERED.input), ...said],
    output: [...listed(NAMES.output, "assistant"), ...numbered(NUMBERED.output), ...chosen],
    tools: [...tools, ...numbered(NUMBERED.tools)].map(within).map(toolOf),
    unread,
    others: events.filter((event) => !isTold(event)),
  };
}

/** Null where words stand that are no messages. */
function asMessages(value: Json, role: string): readonly Json[] | null {
  if (value === null || value === "") return [];
  if (typeof value === "string") return [{ role, content: value }];
  const list =
    listOf(value) ?? listOf(mapIn(value)["messages"]) ?? (isMessage(value) ? [value] : null);
  if (list === null) return null;
  return list.map((one) =>
    typeof one === "string" ? { role, content: one } : withRole(one, role),
  );
}

const withRole = (message: Json, role: string): Json => {
  const fields = mapOf(message);
  // An item of a response is a call or a result, and no words of a role.
  const isOwn =
    fields === null ||
    textOf(fields["role"]) !== null ||
    ITEM_TYPES.has(textOf(fields["type"]) ?? "");
  return isOwn || isLangchain(fields) ? message : { role, ...fields };
};

/** `gen_ai.prompt.0.tool_calls.0.name` and its like, put together. */
function numberedOf(attributes: Fields, prefix: string): readonly Json[] {
  const members: Fresh = new Map();
  for (const [name, value] of Object.entries(attributes)) {
    if (!name.startsWith(`${prefix}.`)) continue;
    const path = name.slice(prefix.length + 1).split(".");
    if (path.length > PATH_MAX || !/^\d{1,6}$/.test(path[0] ?? "")) continue;
    put(members, path, value);
  }
  const role = /complet|output/.test(prefix) ? "assistant" : "user";
  return listOf(built(members))?.map((one) => withRole(unwrapped(one), role)) ?? [];
}

type Fresh = Map<string, Json | Fresh>;
const PATH_MAX = 12;

function put(into: Fresh, [first = "", ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    if (!(into.get(first) instanceof Map)) into.set(first, value);
    return;
  }
  const known = into.get(first);
  const inner: Fresh = known instanceof Map ? known : new Map();
  if (inner !== known) into.set(first, inner);
  put(inner, rest, value);
}

/** Maps whose names are all numbers are lists, in the order of the numbers. */
function built(value: Json | Fresh): Json {
  if (!(value instanceof Map)) return value;
  const entries = [...value].map(([name, member]): [string, Json] => [name, built(member)]);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, member]) => member);
  }
  return Object.fromEntries(entries.filter(([name]) => name !== "__proto__"));
}

/** OpenInference puts `message`, `tool_call` and `message_content` around each. */
function unwrapped(value: Json): Json {
  const list = listOf(value);
  if (list !== null) return list.map(unwrapped);
  const fields = mapOf(value);
  if (fields === null) return value;
  const only =
    Object.keys(fields).length === 1
      ? mapOf(fieldOf(fields, ["message", "tool_call", "message_content", "tool"]))
      : null;
  if (only !== null) return unwrapped(only);
  return Object.fromEntries(
    Object.entries(fields).map(([name, member]) => [
      name === "contents" ? "content" : name,
      name === "tool_calls" || name === "contents" ? unwrapped(member) : member,
    ]),
  );
}

function toolOf(value: Json): Json {
  const fields = mapOf(value);
  if (fields === null) return value;
  const inner = mapOf(fields["tool"]) ?? fields;
  const schema = within(fieldOf(inner, ["json_schema", "parameters", "input_schema"]));
  const known = mapOf(inner["function"]) === null ? mapOf(schema) : null;
  if (known === null) return inner;
  // A whole definition of OpenAI's stands where OpenInference keeps the schema.
  return mapOf(known["function"]) === null ? { ...inner, parameters: known } : known;
}

function messageOf({ attributes, atMs }: SpanEvent, role: string): Fields {
  const body =
    mapOf(within(fieldOf(attributes, ["gen_ai.event.content", "event_body", "body"]))) ??
    attributes;
  const message = mapOf(within(body["message"] ?? null)) ?? body;
  const calls = within(fieldOf(message, ["tool_calls", "gen_ai.tool_calls"]));
  const [id, name] = [textOf(message["id"]), textOf(message["name"])];
  const raw = fieldOf(message, ["content", "gen_ai.prompt", "gen_ai.completion"]);
  const parts = listOf(within(raw));
  // A text that holds JSON stays a text, unless it is a list of parts.
  const text = parts?.some((part) => textOf(mapIn(part)["type"]) !== null) ? parts : raw;
  return {
    role: textOf(message["role"]) ?? role,
    content: text,
    ...(listOf(calls) !== null && { tool_calls: calls }),
    ...(role === "tool" && id !== null && { tool_call_id: id }),
    ...(name !== null && { name }),
    ...(atMs !== null && { timestamp: atMs }),
  };
}
