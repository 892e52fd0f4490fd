/** The fields of messages, by the names that formats give them. */
import type { Json } from "../../../../machines/letter.ts";
import type { Usage } from "../../record.ts";
import { type Fields, fieldOf, mapOf, textOf, wholeOf } from "./fields.ts";
import { unwrapped } from "./formats/langchain.ts";
import { SPEAKER_FIELDS, speakerOf } from "./speaker.ts";
import { TIME_FIELDS } from "./time.ts";

/** By which a message or a line names the log that it belongs to. */
export const LOG_IDS = [
  "conversation_id",
  "conversationId",
  "session_id",
  "sessionId",
  "thread_id",
  "threadId",
  "chat_id",
  "trace_id",
  "traceId",
  "log_id",
  "run_id",
  "episode_id",
];

export const CONTENTS = [
  "content",
  "text",
  "message",
  "value",
  "parts",
  "utterance",
  "body",
  "refusal",
] as const;
export const THOUGHTS = [
  "reasoning_content",
  "reasoning",
  "thinking",
  "thought",
  "thoughts",
] as const;
export const CALL_LISTS = ["tool_calls", "toolCalls"] as const;
const STEPS = ["step", "step_id", "turn", "index"] as const;
/** Of no message does it matter for what happened, or it was read already. */
export const UNTOLD = new Set<string>([
  ...CONTENTS,
  ...THOUGHTS,
  ...CALL_LISTS,
  ...STEPS,
  ...SPEAKER_FIELDS,
  ...TIME_FIELDS,
  ...LOG_IDS,
  ...[
    "function_call",
    "id",
    "object",
    "model",
    "usage",
    "stop_reason",
    "stop_sequence",
    "finish_reason",
  ],
  ...["logprobs", "images", "cache_control", "weight", "tool_call_id", "tool_use_id", "toolCallId"],
]);

/** What the message of a tool says besides. */
export const TOLD_BY_TOOLS = new Set([
  "tool_name",
  "toolName",
  "call_id",
  "is_error",
  "isError",
  "status",
  "error",
  "error_message",
  "output",
  "result",
  "response",
  "latency_ms",
  "duration_ms",
]);

/** Whether a value has the look of a message. */
export function isMessage(value: Json): boolean {
  const fields = mapOf(value);
  if (fields === null) return false;
  const hasContent =
    CONTENTS.some((name) => Object.hasOwn(fields, name)) ||
    CALL_LISTS.some((name) => Object.hasOwn(fields, name)) ||
    mapOf(fields["function_call"]) !== null;
  if (ITEM_TYPES.has(textOf(fields["type"]) ?? "") || unwrapped(fields) !== null) return true;
  return hasContent && speakerOf(fields, "speakers") !== null;
}

/** Items of OpenAI's Responses, which have a type in place of a role. */
export const ITEM_TYPES = new Set([
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "reasoning",
]);

/** What an answer cost, in tokens, in each of the usual words. */
export function usageIn(fields: Fields): Usage | null {
  const usage = mapOf(fieldOf(fields, ["usage", "usageMetadata", "usage_metadata"])) ?? fields;
  const promptTokens = wholeOf(
    fieldOf(usage, [
      ...["prompt_tokens", "input_tokens", "prompt_eval_count"],
      ...["promptTokenCount", "prompt_token_count", "promptTokens", "inputTokens"],
    ]),
  );
  const answerTokens = wholeOf(
    fieldOf(usage, [
      ...["completion_tokens", "output_tokens", "eval_count"],
      ...["candidatesTokenCount", "candidates_token_count", "completionTokens", "outputTokens"],
    ]),
  );
  return promptTokens === null && answerTokens === null ? null : { promptTokens, answerTokens };
}
