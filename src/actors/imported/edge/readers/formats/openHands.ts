/** Events of OpenHands, before and since its SDK: actions, and observations that name the action that caused them. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import {
  type Fields,
  fieldOf,
  idOf,
  isEmpty,
  listIn,
  listOf,
  mapIn,
  mapOf,
  mapsIn,
  numberOf,
  textIn,
  textOf,
} from "../fields.ts";
import { tell } from "../message.ts";
import { type At, called, noted, type OpenLog, returned, said } from "../openLog.ts";
import { partsOf } from "../parts.ts";
import { timeIn } from "../time.ts";

const SOURCES = new Set(["agent", "user", "environment"]);
const KINDS =
  /^(Action|Observation|Message|SystemPrompt|AgentError|UserRejectObservation|Condensation|ConversationStateUpdate|ConversationError|Pause)(Event)?$/;

export function isOpenHandsEvent(fields: Fields): boolean {
  if (!SOURCES.has(textOf(fields["source"]) ?? "")) return false;
  if (KINDS.test(textOf(fields["kind"]) ?? "")) return true;
  return (
    (textOf(fields["action"]) !== null && mapOf(fields["args"]) !== null) ||
    (textOf(fields["observation"]) !== null && typeof fields["content"] === "string")
  );
}

export function isOpenHands(value: Json): boolean {
  const fields = mapIn(value);
  return isOpenHandsEvent(fields) || mapsIn(eventsIn(fields)).some(isOpenHandsEvent);
}

const eventsIn = (fields: Fields): readonly Json[] =>
  listIn(fieldOf(fields, ["history", "events", "trajectory"])).flatMap(
    (one) => listOf(one) ?? [one],
  );

/** A line of `output.jsonl`: the events of one instance. */
export function tellOpenHandsRun(log: OpenLog, place: Place, run: Fields): void {
  for (const [step, event] of eventsIn(run).entries())
    tellOpenHands(log, place, mapIn(event), step);
  const { history: _h, events: _e, trajectory: _t, ...rest } = run;
  if (!isEmpty(rest)) log.give(noted({ place }, "run", rest));
}

export function tellOpenHands(
  log: OpenLog,
  place: Place,
  event: Fields,
  step: number | null,
): void {
  const id = idOf(event["id"]);
  const at = { place, step: numberOf(event["id"]) ?? step, atMs: timeIn(event), id };
  if (!isOpenHandsEvent(event))
    log.unread(place, "an event that is neither an action nor an observation");
  else if (textOf(event["kind"]) !== null) ofSdk(log, { ...at, step }, event);
  else if (textOf(event["action"]) !== null) action(log, at, event);
  else observation(log, at, event);
}

/** Of the environment alone: nothing that an agent did. */
const STATES = new Set(["change_agent_state", "agent_state_changed", "null", "recall", "system"]);

function say(log: OpenLog, at: At, speaker: string, text: string | null): void {
  if (text === null || text.trim() === "") return;
  const role = speaker === "agent" ? "agent" : speaker === "user" ? "user" : "system";
  log.give(said(at, { speaker, role, text }));
}

function action(log: OpenLog, at: At, event: Fields): void {
  const source = textOf(event["source"]) ?? "agent";
  const name = textOf(event["action"]) ?? "";
  const { thought = null, ...args } = mapIn(event["args"]);
  if (name === "message") say(log, at, source, textOf(args["content"]));
  else if (name === "system") say(log, at, "system", textOf(args["content"]));
  else if (STATES.has(name)) log.give(noted(at, name, args, source));
  else if (name === "think") log.give(noted(at, "thought", thought, source));
  else {
    say(log, at, source, textOf(thought));
    if (name === "finish") {
      say(log, at, source, textOf(args["final_thought"]));
      log.give(noted(at, name, args, source));
      return;
    }
    const tool = textOf(mapIn(event["tool_call_metadata"])["function_name"]) ?? name;
    log.give(called(at, { agent: source, tool, call: at.id ?? null, args }));
  }
}

function observation(log: OpenLog, at: At, event: Fields): void {
  const { content = null, success } = event;
  const name = textOf(event["observation"]) ?? "";
  const extras = mapIn(event["extras"]);
  const call = idOf(event["cause"]);
  if (STATES.has(name) || name === "think" || call === null) {
    if (!isEmpty(content) || !isEmpty(extras)) log.give(noted(at, name, { content, extras }));
    return;
  }
  const code = numberOf(extras["exit_code"] ?? mapIn(extras["metadata"])["exit_code"]);
  const isBad = name === "error" || success === false || extras["error"] === true;
  const ok = okOf(isBad, code, success === true);
  log.give(returned(at, { tool: null, call, result: content, ok }));
}

/** Null where neither the event nor an exit code says whether it went well. */
function okOf(isBad: boolean, code: number | null, isStated: boolean): boolean | null {
  if (isBad || (code !== null && code !== 0)) return false;
  return code !== null || isStated ? true : null;
}

const textsIn = (content: Json | undefined): string =>
  partsOf(content ?? null)
    .flatMap((part) => (part.is === "text" ? [part.text] : []))
    .join("\n");

function ofSdk(log: OpenLog, at: At, event: Fields): void {
  const source = textOf(event["source"]) ?? "agent";
  const kind = textOf(event["kind"]) ?? "";
  const call = idOf(event["tool_call_id"]);
  const tool = textOf(event["tool_name"]);
  switch (kind) {
    case "MessageEvent": {
      const message = mapOf(event["llm_message"]);
      const role = source === "user" ? "user" : "assistant";
      if (message === null) log.unread(at.place, "a message without llm_message");
      else
        tell(
          log,
          { role, content: message["content"] ?? null },
          { ...at, id: null, agent: source },
        );
      break;
    }
    case "ActionEvent": {
      say(log, at, source, textsIn(event["thought"]));
      const { kind: _, ...args } = mapIn(event["action"]);
      log.give(called(at, { agent: source, tool: tool ?? "unknown", call, args }));
      break;
    }
    case "ObservationEvent": {
      const told = mapIn(event["observation"]);
      const isError = told["is_error"];
      const ok = okOf(isError === true, numberOf(told["exit_code"]), typeof isError === "boolean");
      const text = textsIn(fieldOf(told, ["content", "output"]));
      log.give(returned(at, { tool, call, result: text === "" ? told : text, ok }));
      break;
    }
    case "AgentErrorEvent":
    case "UserRejectObservation": {
      const error = textIn(event, "error", "rejection_reason") ?? kind;
      log.give(returned(at, { tool, call, ok: false, error }));
      break;
    }
    case "SystemPromptEvent":
      say(log, at, "system", textsIn(event["system_prompt"]));
      break;
    default:
      log.give(noted(at, kind, event, source));
  }
}
