/** Rollouts of Codex: items of OpenAI's Responses, each in a line, and events that say them again. */
import { parsedJson } from "../../../../../edges/strictValue.ts";
import type { Json } from "../../../../../machines/letter.ts";
import { type Fields, fieldOf, idIn, listOf, mapIn, mapOf, textOf, wholeOf } from "../fields.ts";
import { tell } from "../message.ts";
import { type At, called, noted, type OpenLog, returned } from "../openLog.ts";
import { timeIn } from "../time.ts";
import type { TakeLine } from "./sessions.ts";

const LINES = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

export function isCodex(value: Json): boolean {
  const { type, payload } = mapIn(value);
  return LINES.has(textOf(type) ?? "") && mapOf(payload) !== null;
}

/** What items say, too. */
const AGAIN = new Set([
  ...["user_message", "agent_message", "agent_reasoning", "agent_reasoning_section_break"],
  ...["agent_reasoning_raw_content", "token_count", "exec_command_begin", "exec_command_end"],
  ...["exec_command_output_delta", "mcp_tool_call_begin", "patch_apply_begin", "raw_response_item"],
]);

export const codex =
  (log: OpenLog): TakeLine =>
  (fields, place) => {
    const at = { place, atMs: timeIn(fields) };
    const payload = mapOf(fields["payload"]);
    const type = textOf(fields["type"]) ?? "";
    const kind = textOf(payload?.["type"]) ?? "";
    if (payload === null || !LINES.has(type))
      log.unread(place, `a line of the unknown type ${JSON.stringify(type)}`);
    else if (type === "response_item") item(log, at, payload);
    else if (type !== "event_msg" || !AGAIN.has(kind))
      log.give(noted(at, kind === "" ? type : kind, payload));
  };

const AGENT = "assistant";
const MESSAGES = new Set(["message", "function_call", "custom_tool_call", "reasoning"]);

function item(log: OpenLog, at: At, payload: Fields): void {
  const type = textOf(payload["type"]) ?? "";
  const call = idIn(payload, "call_id", "id");
  if (/^(function|custom_tool)_call_output$/.test(type)) {
    log.give(returned(at, { tool: null, call, ...outputOf(payload["output"] ?? null) }));
  } else if (/^(local_shell|web_search|tool_search)_call$/.test(type)) {
    const args = fieldOf(payload, ["action", "arguments"]);
    const own = type === "local_shell_call" ? call : null;
    log.give(called(at, { agent: AGENT, tool: type.replace(/_call$/, ""), call: own, args }));
  } else if (MESSAGES.has(type)) {
    const {
      encrypted_content: _secret,
      status: _status,
      phase: _phase,
      internal_chat_message_metadata_passthrough: _meta,
      ...told
    } = payload;
    const isBare = listOf(told["summary"])?.length === 0 && listOf(told["content"]) === null;
    if (type !== "reasoning" || !isBare) tell(log, told, at);
  } else log.give(noted(at, type, payload, AGENT));
}

/** A text, a text that is JSON with what a shell left, or a map of its own. */
function outputOf(output: Json): { readonly result: Json; readonly ok: boolean | null } {
  const parsed =
    typeof output === "string" && output.startsWith("{") ? parsedJson(output) : { value: output };
  const map = "value" in parsed ? mapOf(parsed.value) : null;
  const code = wholeOf(mapOf(map?.["metadata"])?.["exit_code"]) ?? exitCodeIn(output);
  const said = map?.["success"];
  const ok = typeof said === "boolean" ? said : code === null ? null : code === 0;
  return { result: map === null ? output : fieldOf(map, ["output", "content"]), ok };
}

const exitCodeIn = (output: Json): number | null =>
  typeof output === "string"
    ? wholeOf(
        /^(?:Exit code: |(?:.*\n){0,4}Process exited with code )(\d+)/.exec(output)?.[1] ?? null,
      )
    : null;
