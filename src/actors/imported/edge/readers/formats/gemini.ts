/** Contents of Gemini, as its API, its SDKs and the Agent Development Kit write them, in either case of names. */
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, fieldOf, listOf, mapOf, mapsIn, textOf } from "../fields.ts";

const SIGNS = [
  ...["functionCall", "function_call", "functionResponse", "function_response"],
  ...["executableCode", "executable_code", "inlineData", "inline_data", "thoughtSignature"],
];

/** With the role `model`, or a part that only Gemini has. */
export function isGemini(message: Fields): boolean {
  const parts = mapsIn(listOf(message["parts"]) ?? []);
  if (parts.length === 0 || textOf(message["role"]) === null) return false;
  if (parts.some(({ type }) => textOf(type) !== null)) return false;
  return (
    message["role"] === "model" ||
    parts.some((part) => SIGNS.some((one) => Object.hasOwn(part, one)))
  );
}

export function geminiMessages(message: Fields): readonly Fields[] {
  const list = listOf(message["parts"]);
  if (list === null) return [message];
  const parts = list.map((part) => partOf(mapOf(part) ?? {}));
  const isAnswer =
    parts.length > 0 && parts.every((part) => mapOf(part)?.["type"] === "tool_result");
  const { parts: _, role = "user", ...rest } = message;
  // What a tool returned is handed in by the user's role.
  return [{ ...rest, role: isAnswer ? "tool" : role, content: parts }];
}

function partOf(part: Fields): Json {
  const call = mapOf(fieldOf(part, ["functionCall", "function_call"]));
  if (call !== null)
    return {
      type: "tool_use",
      id: call["id"] ?? null,
      name: call["name"] ?? null,
      input: call["args"] ?? null,
    };
  const answer = mapOf(fieldOf(part, ["functionResponse", "function_response"]));
  if (answer !== null) {
    const { id = null, name = null, response = null } = answer;
    const error = mapOf(response)?.["error"] ?? null;
    return {
      ...{ type: "tool_result", tool_use_id: id, name, content: response },
      ...(error !== null && error !== "" && { is_error: true, error }),
    };
  }
  const code = mapOf(fieldOf(part, ["executableCode", "executable_code"]));
  if (code !== null) return { type: "tool_use", id: null, name: "code_execution", input: code };
  const ran = mapOf(fieldOf(part, ["codeExecutionResult", "code_execution_result"]));
  if (ran !== null) {
    const isError = !/OK$/.test(textOf(ran["outcome"]) ?? "OK");
    return {
      type: "tool_result",
      name: "code_execution",
      content: ran["output"] ?? null,
      is_error: isError,
    };
  }
  const text = textOf(part["text"]);
  if (part["thought"] === true) return { type: "thinking", thinking: text };
  if (text !== null) return { type: "text", text };
  const data = fieldOf(part, ["inlineData", "inline_data", "fileData", "file_data"]);
  return data === null
    ? Object.keys(part).length === 0
      ? { type: "text", text: "" }
      : part
    : { type: "blob", data };
}
