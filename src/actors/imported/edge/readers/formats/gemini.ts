/** Contents of Gemini, as its API, its SDKs and the Agent Development Kit write them, in either case of names. */
import { eitherOf, type Fields, listOf, mapIn, mapOf, mapsIn, textOf } from "../fields.ts";
import { callPart, resultPart } from "../parts.ts";

const SIGN =
  /^(function(Call|_call|Response|_response)|executable(Code|_code)|inline(Data|_data)|thoughtSignature)$/;

/** With the role `model`, or a part that only Gemini has. */
export function isGemini(message: Fields): boolean {
  const parts = mapsIn(message["parts"]);
  if (parts.length === 0 || textOf(message["role"]) === null) return false;
  if (parts.some(({ type }) => textOf(type) !== null)) return false;
  return (
    message["role"] === "model" ||
    parts.some((part) => Object.keys(part).some((name) => SIGN.test(name)))
  );
}

export function geminiMessages(message: Fields): readonly Fields[] {
  const list = listOf(message["parts"]);
  if (list === null) return [message];
  const parts = list.map((part) => partOf(mapIn(part)));
  const isAnswer = parts.length > 0 && parts.every(({ type }) => type === "tool_result");
  const { parts: _, role = "user", ...rest } = message;
  // What a tool returned is handed in by the user's role.
  return [{ ...rest, role: isAnswer ? "tool" : role, content: parts }];
}

function partOf(part: Fields): Fields {
  const call = mapOf(eitherOf(part, "functionCall"));
  if (call !== null) return callPart(call["id"], call["name"], call["args"]);
  const answer = mapOf(eitherOf(part, "functionResponse"));
  if (answer !== null) {
    const { id, name, response } = answer;
    const { error = null } = mapIn(response);
    const isError = error !== null && error !== "";
    return { ...resultPart(id, name, response, isError || null), ...(isError && { error }) };
  }
  const code = mapOf(eitherOf(part, "executableCode"));
  if (code !== null) return callPart(null, "code_execution", code);
  const ran = mapOf(eitherOf(part, "codeExecutionResult"));
  if (ran !== null) {
    const isError = !/OK$/.test(textOf(ran["outcome"]) ?? "OK");
    return resultPart(null, "code_execution", ran["output"], isError);
  }
  const text = textOf(part["text"]);
  if (part["thought"] === true) return { type: "thinking", thinking: text };
  if (text !== null) return { type: "text", text };
  const data = eitherOf(part, "inlineData", "fileData");
  if (data !== null) return { type: "blob", data };
  return Object.keys(part).length === 0 ? { type: "text", text: "" } : part;
}
