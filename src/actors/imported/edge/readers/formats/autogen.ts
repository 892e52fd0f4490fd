/** AutoGen 0.4 and later: messages and events of teams, and the messages of its model clients. */
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, isEmpty, listOf, mapIn, mapOf, mapsIn, textOf } from "../fields.ts";
import { callPart, resultPart } from "../parts.ts";

const TYPE =
  /^(Text|MultiModal|Stop|Handoff|ToolCallSummary|Structured|User|Assistant|System|FunctionExecutionResult)Message(<.*>|\[.*\])?$|^(ToolCallRequest|ToolCallExecution|Thought|MemoryQuery|UserInputRequested|SelectSpeaker|CodeGeneration|CodeExecution|ModelClientStreamingChunk)Event$|^StructuredMessage/;

export const isAutogen = (message: Fields): boolean =>
  TYPE.test(textOf(message["type"]) ?? "") &&
  Object.hasOwn(message, "content") &&
  mapOf(message["data"]) === null;

/** Fields that say nothing of what happened, or say again what the type or an earlier message says. */
const TOLD = new Set(["type", "source", "models_usage", "metadata", "tool_calls", "results"]);

export function autogenMessages(message: Fields): readonly Fields[] {
  const type = textOf(message["type"]) ?? "";
  // Each is a piece of the message that follows whole.
  if (type === "ModelClientStreamingChunkEvent") return [];
  const source = textOf(message["source"]);
  const role = type === "SystemMessage" ? "system" : source === "user" ? "user" : "assistant";
  const rest = Object.fromEntries(Object.entries(message).filter(([name]) => !TOLD.has(name)));
  const usage = mapOf(message["models_usage"]);
  const told = mapOf(message["metadata"]);
  return [
    {
      ...rest,
      role,
      ...(source !== null && role !== "system" && { name: source }),
      ...(usage !== null && { usage }),
      ...(textOf(message["target"]) !== null && { to: message["target"] ?? null }),
      ...(!isEmpty(told) && { metadata: told }),
      ...contentOf(type, message),
    },
  ];
}

function contentOf(type: string, message: Fields): Fields {
  const { content = null } = message;
  const list = listOf(content);
  switch (type) {
    case "ThoughtEvent":
      return { content: [{ type: "thinking", thinking: content }] };
    case "ToolCallExecutionEvent":
    case "FunctionExecutionResultMessage":
      return { role: "tool", content: mapsIn(content).map(resultOf) };
    case "ToolCallRequestEvent":
      return { content: mapsIn(content).map(callOf) };
    case "CodeExecutionEvent":
      return { content: codeRun(message) };
    case "CodeGenerationEvent":
      return { content: textOf(content) ?? "", code_blocks: null };
    case "HandoffMessage":
      return { content: textOf(content) ?? "", target: null, context: null };
    default:
      if (list !== null) return { content: list.map(partOf) };
      return mapOf(content) === null ? {} : { content: JSON.stringify(content) };
  }
}

const callOf = ({ id, name, arguments: given }: Fields): Json => callPart(id, name, given);

const resultOf = ({ call_id: id, name, content, is_error: isError }: Fields): Json =>
  resultPart(id, name, content, isError);

function partOf(part: Json): Json {
  const fields = mapOf(part);
  if (fields === null) return part;
  return textOf(fields["name"]) !== null && Object.hasOwn(fields, "arguments")
    ? callOf(fields)
    : { ...fields, type: textOf(fields["type"]) ?? "image" };
}

/** What an executor of code ran has no id: it is a call that is answered at once. */
function codeRun({ result, id }: Fields): readonly Json[] {
  const { output, exit_code: code = null } = mapIn(result);
  return [callPart(id, "run_code", null), resultPart(id, null, output, code !== 0)];
}
