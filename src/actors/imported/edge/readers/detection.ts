/** By what a format is known: its content alone. The first rule that one of the first values of a file keeps decides. */
import type { Json } from "../../../../machines/letter.ts";
import type { Format } from "../../record.ts";
import { messageListOf } from "./episode.ts";
import { answerOf, exchangeOf, inputOf, isBareResponse } from "./exchange.ts";
import { type Fields, fieldOf, listOf, mapOf, mapsIn, textOf } from "./fields.ts";
import { isHollow } from "./hollow.ts";
import { isMessage } from "./messageFields.ts";
import { isOtlp } from "./otlp/export.ts";
import { knownRole, NAMES } from "./speaker.ts";

export interface Rule {
  readonly format: Exclude<Format, "mapped">;
  /** What a value of the file must hold. */
  readonly words: string;
  readonly holds: (value: Json) => boolean;
}

/** As `import --explain` prints it, in the order in which it is asked. */
export const RULES: readonly Rule[] = [
  {
    format: "otlp",
    words: "resourceSpans, as an OTLP export request in JSON has them",
    holds: isOtlp,
  },
  {
    format: "hollow",
    words:
      "a step of execution_chain.jsonl, a goal of a registry, or another record of hollow-agentOS",
    holds: isHollow,
  },
  {
    format: "anthropic",
    words:
      "content blocks tool_use, tool_result or thinking, tools with input_schema, or a response with stop_reason",
    holds: (value) => isAnthropic(value),
  },
  {
    format: "ollama",
    words: "calls whose arguments are objects, tool_name, or a response with done and message",
    holds: (value) => isOllama(value),
  },
  {
    format: "speakers",
    words:
      "messages whose role is a name, or with speaker, from or agent beside a text, or a history with name and without tool calls",
    holds: (value) => isSpeakers(value),
  },
  {
    format: "openai",
    words:
      "messages with role and content or tool_calls, alone, in a list, or in a request with its response",
    holds: (value) =>
      messagesIn(value).some(
        (message) => knownRole(roleOf(message)) !== null || message["type"] === "function_call",
      ),
  },
];

export interface Detected {
  readonly rule: Rule;
  /** The number of the value that decided, from 1. */
  readonly by: number;
}

/** Null where no rule is kept. */
export function detected(values: readonly Json[]): Detected | null {
  for (const rule of RULES) {
    const at = values.findIndex(rule.holds);
    if (at >= 0) return { rule, by: at + 1 };
  }
  return null;
}

const roleOf = (message: Fields): string =>
  textOf(message["role"]) ?? textOf(message["type"]) ?? textOf(message["from"]) ?? "";

/** The messages that a value is or holds, whatever stands around them. */
function messagesIn(value: Json): readonly Fields[] {
  const list = listOf(value);
  if (list !== null) return mapsIn(list.filter(isMessage));
  const fields = mapOf(value);
  if (fields === null) return [];
  const exchange = exchangeOf(fields);
  const { request, response } = exchange ?? {
    request: fields,
    response: isBareResponse(fields) ? fields : null,
  };
  const asked = inputOf(request ?? {}) ?? [];
  const answered = response === null ? [] : answerOf(response).messages;
  const found = [...asked, ...answered];
  if (found.length > 0) return mapsIn(found);
  return isMessage(value) ? [fields] : [];
}

const BLOCKS = new Set(["tool_use", "tool_result", "thinking", "server_tool_use"]);

/** Of the value itself, and of the request and the response in it. */
function bodies(value: Json): readonly Fields[] {
  const fields = mapOf(value);
  if (fields === null) return [];
  const exchange = exchangeOf(fields);
  return [
    fields,
    ...(exchange?.request ? [exchange.request] : []),
    ...(mapOf(exchange?.response) === null ? [] : [mapOf(exchange?.response) as Fields]),
  ];
}

function isAnthropic(value: Json): boolean {
  const isBlock = (block: Json): boolean => BLOCKS.has(textOf(mapOf(block)?.["type"]) ?? "");
  if (messagesIn(value).some(({ content }) => listOf(content)?.some(isBlock) === true)) return true;
  return bodies(value).some(
    (body) =>
      listOf(body["tools"])?.some((tool) => mapOf(mapOf(tool)?.["input_schema"]) !== null) ===
        true ||
      (body["type"] === "message" && Object.hasOwn(body, "stop_reason")) ||
      Object.hasOwn(body, "anthropic_version"),
  );
}

function isOllama(value: Json): boolean {
  const isCall = (call: Json): boolean =>
    mapOf(mapOf(mapOf(call)?.["function"])?.["arguments"]) !== null;
  if (
    messagesIn(value).some(
      ({ tool_calls, tool_name }) =>
        listOf(tool_calls)?.some(isCall) === true || textOf(tool_name) !== null,
    )
  )
    return true;
  return bodies(value).some(
    (body) =>
      typeof body["done"] === "boolean" &&
      (mapOf(body["message"]) !== null || body["eval_count"] !== undefined),
  );
}

function isSpeakers(value: Json): boolean {
  const messages = messagesIn(value);
  if (messages.some((message) => hasCalls(message))) return false;
  const isNamed = (message: Fields): boolean => {
    const role = textOf(message["role"]);
    if (role !== null) return knownRole(role) === null;
    // What has a type alone is an item of a response, and no speaker.
    return textOf(fieldOf(message, NAMES)) !== null && knownRole(roleOf(message)) === null;
  };
  if (messages.some(isNamed)) return true;
  const fields = mapOf(value);
  const isHistory = fields !== null && messageListOf(fields) === "history";
  return isHistory && messages.some(({ name }) => textOf(name) !== null);
}

const hasCalls = ({ tool_calls, function_call, tool_call_id }: Fields): boolean =>
  listOf(tool_calls) !== null || mapOf(function_call) !== null || textOf(tool_call_id) !== null;
