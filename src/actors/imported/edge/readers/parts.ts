/** The content of a message: a text, or a list of parts, of which some are calls and results. */

import { parsedJson } from "../../../../edges/strictValue.ts";
import type { Json } from "../../../../machines/letter.ts";
import type { Called, Returned } from "../../record.ts";
import { type Fields, fieldOf, idIn, isEmpty, listOf, mapOf, textIn, textOf } from "./fields.ts";

/** A call as formats are brought to one shape; `partsOf` reads it. */
export const callPart = (id: Given, name: Given, input: Given): Fields => ({
  ...{ type: "tool_use", id: id ?? null, name: name ?? null, input: input ?? null },
});

export const resultPart = (id: Given, name: Given, content: Given, isError: Given): Fields => ({
  ...{ type: "tool_result", tool_use_id: id ?? null, name: name ?? null },
  ...{ content: content ?? null, is_error: isError ?? null },
});

type Given = Json | undefined;

export type CallPart = { readonly is: "call" } & Pick<Called, "tool" | "call" | "args" | "raw">;

export type ResultPart = { readonly is: "result" } & Pick<
  Returned,
  "tool" | "call" | "result" | "ok" | "error"
>;

export type Part =
  | { readonly is: "text"; readonly text: string }
  | { readonly is: "thought"; readonly data: Json }
  /** A picture, a file, a sound: nothing of it is quoted but what it is. */
  | { readonly is: "other"; readonly what: string; readonly data: Json }
  | { readonly is: "unread"; readonly reason: string }
  | CallPart
  | ResultPart;

/** The parts of a content, in their order. */
export function partsOf(content: Json): readonly Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ is: "text", text: content }];
  if (content === null) return [];
  const list = listOf(content);
  if (list !== null)
    return list.flatMap((part) =>
      typeof part === "string" ? partsOf(part) : [partOf(mapOf(part))],
    );
  const map = mapOf(content);
  if (map !== null) return [partOf(map)];
  return [{ is: "text", text: String(content) }];
}

const TEXTS = new Set(["text", "input_text", "output_text", "summary_text", "refusal"]);
const THOUGHTS = new Set(["thinking", "reasoning", "redacted_thinking", "thought"]);
const CALLS = new Set([
  "tool_use",
  "server_tool_use",
  "mcp_tool_use",
  "tool_call",
  "tool-call",
  "function_call",
  "custom_tool_call",
  "function",
  "custom",
]);
const RESULTS =
  /^(tool_result|tool-result|tool_call_response|function_call_output|custom_tool_call_output|[a-z_]+_tool_result)$/;
const OTHERS = new Set([
  "image",
  "image_url",
  "input_image",
  "input_audio",
  "audio",
  "file",
  "input_file",
  "document",
  "blob",
  "uri",
  "video",
  "search_result",
  "container_upload",
]);

function partOf(part: Fields | null): Part {
  if (part === null)
    return { is: "unread", reason: "a part of a content that is neither a text nor an object" };
  const type = textOf(part["type"]);
  if (type !== null && CALLS.has(type)) return callOf(part);
  if (type !== null && RESULTS.test(type)) return resultOf(part);
  if (type !== null && THOUGHTS.has(type))
    return {
      is: "thought",
      data: fieldOf(part, ["thinking", "text", "content", "reasoning", "summary", "data"]),
    };
  if (type !== null && OTHERS.has(type))
    return { is: "other", what: type, data: withoutBytes(part) };
  const text = fieldOf(part, ["text", "content", "refusal", "value"]);
  if ((type === null || TEXTS.has(type)) && typeof text === "string") return { is: "text", text };
  if (type === null && mapOf(part["functionCall"] ?? part["function_call"]) !== null)
    return callOf(part);
  const answer = mapOf(part["functionResponse"] ?? part["function_response"]);
  if (type === null && answer !== null) return resultOf(answer);
  if (type !== null && TEXTS.has(type) && isEmpty(text)) return { is: "text", text: "" };
  return {
    is: "unread",
    reason: `a part of a content, of the type ${JSON.stringify(type)}, that no format here has`,
  };
}

/** Ours: what is longer than any address is the thing itself, in base 64. */
const BYTES_MIN = 2_000;

/** Pictures and files as what they are; their bytes as their count. */
function withoutBytes(value: Json): Json {
  if (typeof value === "string")
    return value.length < BYTES_MIN || /\s/.test(value.slice(0, BYTES_MIN))
      ? value
      : `(${value.length} characters of data)`;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutBytes);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withoutBytes(member)]),
  );
}

/** A call in any of the usual shapes: `{function: {name, arguments}}`, `{name, input}`, `{name, args}`. */
export function callOf(fields: Fields): Part {
  const inner =
    mapOf(fieldOf(fields, ["function", "custom", "functionCall", "function_call"])) ?? fields;
  const tool = textIn(inner, "name", "tool_name", "toolName", "tool");
  if (tool === null) return { is: "unread", reason: "a call without the name of a tool" };
  const given = fieldOf(inner, ["arguments", "input", "args", "parameters"]);
  const id = idIn(fields, "call_id", "tool_call_id", "toolCallId", "id");
  return { is: "call", tool, call: id, ...argumentsOf(given) };
}

/** Arguments as a value, or as the text that they are where that is no JSON. */
export function argumentsOf(given: Json): { readonly args: Json; readonly raw: string | null } {
  if (typeof given !== "string") return { args: given, raw: null };
  if (given.trim() === "") return { args: null, raw: null };
  const parsed = parsedJson(given);
  return "value" in parsed ? { args: parsed.value, raw: null } : { args: null, raw: given };
}

const CALL_IDS = ["tool_call_id", "tool_use_id", "call_id", "toolCallId"] as const;

const RESULTS_IN = ["content", "output", "result", "response", "parts", "text", "value", "message"];

/** A result, as a part of a content or as the message of a tool, whose `id` is its own. */
export function resultOf(
  fields: Fields,
  callIds: readonly string[] = [...CALL_IDS, "id"],
): ResultPart {
  const isError = fieldOf(fields, ["is_error", "isError"]);
  const error = fieldOf(fields, ["error", "error_message"]);
  const state = STATES.get(textOf(fields["status"]) ?? "") ?? null;
  return {
    is: "result",
    tool: textIn(fields, "name", "tool_name", "toolName"),
    call: idIn(fields, ...callIds),
    result: plain(fieldOf(fields, RESULTS_IN)),
    ok: !isEmpty(error) ? false : typeof isError === "boolean" ? !isError : state,
    error: isEmpty(error) ? null : typeof error === "string" ? error : JSON.stringify(error),
  };
}

/** The message of a tool. */
export const toolMessage = (fields: Fields): ResultPart => resultOf(fields, CALL_IDS);

const STATES: ReadonlyMap<string, boolean> = new Map([
  ["success", true],
  ["ok", true],
  ["error", false],
  ["failed", false],
]);

/** A list of nothing but texts is the text that they make. */
function plain(content: Json): Json {
  const list = listOf(content);
  if (list === null || list.length === 0) return content;
  const parts = partsOf(content);
  if (!parts.every((part) => part.is === "text")) return withoutBytes(content);
  return parts.map(({ text }) => text).join("\n");
}
