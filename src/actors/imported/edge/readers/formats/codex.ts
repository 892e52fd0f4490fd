/** Rollouts of Codex: items of OpenAI's Responses, each in a line, and events that say them again. */
import { parsedJson } from "../../../../../edges/strictValue.ts";
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import { type Fields, fieldOf, idOf, listOf, mapOf, textOf, wholeOf } from "../fields.ts";
import { readMessage } from "../message.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { timeIn } from "../time.ts";
import { aroundOf, type Session } from "./sessions.ts";

const LINES = new Set(["session_meta", "response_item", "event_msg", "turn_context", "compacted"]);

export function isCodex(value: Json): boolean {
  const fields = mapOf(value);
  return (
    fields !== null && LINES.has(textOf(fields["type"]) ?? "") && mapOf(fields["payload"]) !== null
  );
}

/** What items say, too. */
const AGAIN = new Set([
  ...["user_message", "agent_message", "agent_reasoning", "agent_reasoning_section_break"],
  ...["agent_reasoning_raw_content", "token_count", "exec_command_begin", "exec_command_end"],
  ...["exec_command_output_delta", "mcp_tool_call_begin", "patch_apply_begin", "raw_response_item"],
]);

export function codex(log: OpenLog): Session {
  return {
    take: (fields, place) => {
      const atMs = timeIn(fields);
      const payload = mapOf(fields["payload"]);
      const type = textOf(fields["type"]) ?? "";
      const kind = textOf(payload?.["type"]) ?? "";
      if (payload === null || !LINES.has(type))
        log.unread(place, `a line of the unknown type ${JSON.stringify(type)}`);
      else if (type === "response_item") item(log, place, atMs, payload);
      else if (type !== "event_msg" || !AGAIN.has(kind))
        log.give({
          ...bare(place),
          atMs,
          kind: "noted",
          who: null,
          what: kind === "" ? type : kind,
          data: payload,
        });
    },
  };
}

const AGENT = "assistant";

function item(log: OpenLog, place: Place, atMs: number | null, payload: Fields): void {
  const base = { ...bare(place), atMs };
  const type = textOf(payload["type"]) ?? "";
  const call = idOf(fieldOf(payload, ["call_id", "id"]));
  if (/^(function|custom_tool)_call_output$/.test(type)) {
    const { result, ok } = outputOf(payload["output"] ?? null);
    log.give({
      ...base,
      kind: "returned",
      tool: null,
      call,
      result,
      ok,
      error: null,
      latencyMs: null,
    });
  } else if (
    type === "local_shell_call" ||
    type === "web_search_call" ||
    type === "tool_search_call"
  ) {
    const args = fieldOf(payload, ["action", "arguments"]);
    const own = type === "local_shell_call" ? call : null;
    log.give({
      ...base,
      kind: "called",
      agent: AGENT,
      tool: type.replace(/_call$/, ""),
      call: own,
      args,
      raw: null,
    });
  } else if (["message", "function_call", "custom_tool_call", "reasoning"].includes(type)) {
    const {
      encrypted_content: _secret,
      status: _status,
      phase: _phase,
      internal_chat_message_metadata_passthrough: _meta,
      ...told
    } = payload;
    if (
      type === "reasoning" &&
      listOf(told["summary"])?.length === 0 &&
      listOf(told["content"]) === null
    )
      return;
    give(log, place, readMessage(told, { ...aroundOf(place, "codex"), atMs }));
  } else log.give({ ...base, kind: "noted", who: AGENT, what: type, data: payload });
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
