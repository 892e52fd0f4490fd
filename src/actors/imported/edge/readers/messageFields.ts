/** The fields of messages, by the names that formats give them. */
import type { Json } from "../../../../machines/letter.ts";
import type { Format, Usage } from "../../record.ts";
import { type Fields, fieldOf, mapOf, textOf, wholeOf } from "./fields.ts";
import { unwrapped } from "./formats/langchain.ts";
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
export const NAMES = [
  "name",
  "speaker",
  "agent",
  "agent_name",
  "sender",
  "from",
  "author",
  "source",
];
const ROLE_NAMES = ["role", "type", "from", "speaker", "agent", "sender", "name"];
const SPEAKER_FIELDS: readonly string[] = [
  ...new Set([...NAMES, ...ROLE_NAMES, "to", "recipient", "receiver"]),
];

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

/** Who speaks in a message, and as what. */
type Role = "user" | "system" | "agent" | "tool";

const ROLES: ReadonlyMap<string, Role> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["system", "system"],
  ["developer", "system"],
  ["assistant", "agent"],
  ["ai", "agent"],
  ["agent", "agent"],
  ["bot", "agent"],
  ["gpt", "agent"],
  ["model", "agent"],
  ["tool", "tool"],
  ["function", "tool"],
  ["observation", "tool"],
  ["ipython", "tool"],
]);

/** What a role that names no speaker means; null for any other. */
export const knownRole = (role: string): Role | null => ROLES.get(role.toLowerCase()) ?? null;

export interface Speaker {
  readonly speaker: string;
  readonly role: Role;
  readonly to: string | null;
  /** Another thing that stands behind the name in brackets, such as `termination condition`. */
  readonly label: string | null;
}

/** `Orchestrator (-> WebSurfer)`, `Orchestrator (thought)`. */
const WITH_NOTE = /^(.{1,200}?)\s*\((?:(?:->|→)\s*([^()]+)|([^()]+))\)$/u;

/** Null where nobody is named. In `speakers`, any role is a name; elsewhere an unknown one is null, too. */
export function speakerOf(fields: Fields, format: Format): Speaker | null {
  const written = textOf(fieldOf(fields, ROLE_NAMES));
  if (written === null) return null;
  const role = knownRole(written);
  const name = textOf(fieldOf(fields, NAMES));
  const to = textOf(fieldOf(fields, ["to", "recipient", "receiver"]));
  if (format !== "speakers") {
    if (role === null) return null;
    const own = name === null || knownRole(name) === role ? written : name;
    return { speaker: own, role, to, label: null };
  }
  // In a conversation of several agents, `user` says no more than that another one spoke.
  if (role !== null && (name === null || knownRole(name) !== null))
    return { speaker: written, role, to, label: null };
  if (role === "tool" || role === "system")
    return { speaker: name ?? written, role, to, label: null };
  const byName = role === null && name !== null ? knownRole(name) : null;
  if (name !== null && byName !== null) return { speaker: name, role: byName, to, label: null };
  return named(name ?? written, to);
}

function named(name: string, to: string | null): Speaker {
  const [, speaker = name, addressed, label] = WITH_NOTE.exec(name) ?? [];
  // Who thinks speaks to nobody else.
  if (label === "thought") return { speaker, role: "agent", to: speaker, label: null };
  return { speaker, role: "agent", to: addressed?.trim() ?? to, label: label ?? null };
}
