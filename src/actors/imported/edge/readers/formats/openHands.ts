/** Events of OpenHands, before and since its SDK: actions, and observations that name the action that caused them. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import {
  type Fields,
  fieldOf,
  idOf,
  isEmpty,
  listOf,
  mapOf,
  mapsIn,
  numberOf,
  textOf,
} from "../fields.ts";
import { readMessage } from "../message.ts";
import { bare, type OpenLog } from "../openLog.ts";
import { partsOf } from "../parts.ts";
import { timeIn } from "../time.ts";
import { aroundOf } from "./sessions.ts";

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
  const fields = mapOf(value);
  if (fields === null) return false;
  return isOpenHandsEvent(fields) || mapsIn(eventsIn(fields)).some(isOpenHandsEvent);
}

const eventsIn = (fields: Fields): readonly Json[] =>
  listOf(fieldOf(fields, ["history", "events", "trajectory"]))?.flatMap(
    (one) => listOf(one) ?? [one],
  ) ?? [];

/** A line of `output.jsonl`: the events of one instance. */
export function tellOpenHandsRun(log: OpenLog, place: Place, run: Fields): void {
  for (const [step, event] of eventsIn(run).entries())
    tellOpenHands(log, place, mapOf(event) ?? {}, step);
  const { history: _h, events: _e, trajectory: _t, ...rest } = run;
  if (!isEmpty(rest))
    log.give({ ...bare(place), kind: "noted", who: null, what: "run", data: rest });
}

export function tellOpenHands(
  log: OpenLog,
  place: Place,
  event: Fields,
  step: number | null,
): void {
  if (!isOpenHandsEvent(event))
    log.unread(place, "an event that is neither an action nor an observation");
  else if (textOf(event["kind"]) !== null) ofSdk(log, place, event, step);
  else if (textOf(event["action"]) !== null) action(log, place, event, step);
  else observation(log, place, event, step);
}

/** Of the environment alone: nothing that an agent did. */
const STATES = new Set(["change_agent_state", "agent_state_changed", "null", "recall", "system"]);

const baseOf = (place: Place, event: Fields, step: number | null) => ({
  ...bare(place),
  ...{ step: numberOf(event["id"]) ?? step, atMs: timeIn(event), id: idOf(event["id"]) },
});

function said(
  log: OpenLog,
  base: ReturnType<typeof baseOf>,
  source: string,
  text: string | null,
): void {
  if (text === null || text.trim() === "") return;
  const role = source === "agent" ? "agent" : source === "user" ? "user" : "system";
  log.give({
    ...base,
    kind: "said",
    speaker: source,
    role,
    to: null,
    text,
    model: null,
    usage: null,
    latencyMs: null,
  });
}

function action(log: OpenLog, place: Place, event: Fields, step: number | null): void {
  const base = baseOf(place, event, step);
  const source = textOf(event["source"]) ?? "agent";
  const name = textOf(event["action"]) ?? "";
  const { thought = null, ...args } = mapOf(event["args"]) ?? {};
  if (name === "message" || name === "system") {
    said(log, base, name === "system" ? "system" : source, textOf(args["content"]));
    return;
  }
  if (STATES.has(name)) {
    log.give({ ...base, kind: "noted", who: source, what: name, data: args });
    return;
  }
  if (name === "think")
    log.give({ ...base, kind: "noted", who: source, what: "thought", data: thought });
  else said(log, base, source, textOf(thought));
  if (name === "finish") {
    said(log, base, source, textOf(args["final_thought"]));
    log.give({ ...base, kind: "noted", who: source, what: name, data: args });
    return;
  }
  if (name === "think") return;
  const tool = textOf(mapOf(event["tool_call_metadata"])?.["function_name"]) ?? name;
  log.give({ ...base, kind: "called", agent: source, tool, call: base.id, args, raw: null });
}

function observation(log: OpenLog, place: Place, event: Fields, step: number | null): void {
  const base = baseOf(place, event, step);
  const name = textOf(event["observation"]) ?? "";
  const extras = mapOf(event["extras"]) ?? {};
  const call = idOf(event["cause"]);
  if (STATES.has(name) || name === "think" || call === null) {
    if (!isEmpty(event["content"]) || !isEmpty(extras))
      log.give({
        ...base,
        kind: "noted",
        who: null,
        what: name,
        data: { content: event["content"] ?? null, extras },
      });
    return;
  }
  const code = numberOf(extras["exit_code"] ?? mapOf(extras["metadata"])?.["exit_code"]);
  const failed =
    name === "error" ||
    event["success"] === false ||
    extras["error"] === true ||
    (code !== null && code !== 0);
  const isStated = failed || code !== null || event["success"] === true;
  log.give({
    ...base,
    kind: "returned",
    tool: null,
    call,
    result: event["content"] ?? null,
    ok: isStated ? !failed : null,
    error: null,
    latencyMs: null,
  });
}

const textsIn = (content: Json | undefined): string =>
  partsOf(content ?? null)
    .flatMap((part) => (part.is === "text" ? [part.text] : []))
    .join("\n");

function ofSdk(log: OpenLog, place: Place, event: Fields, step: number | null): void {
  const base = { ...baseOf(place, event, step), step };
  const source = textOf(event["source"]) ?? "agent";
  const kind = textOf(event["kind"]) ?? "";
  const call = idOf(event["tool_call_id"]);
  const tool = textOf(event["tool_name"]);
  if (kind === "MessageEvent") {
    const message = mapOf(event["llm_message"]);
    if (message === null) log.unread(place, "a message without llm_message");
    else
      give(
        log,
        place,
        readMessage(
          { role: source === "user" ? "user" : "assistant", content: message["content"] ?? null },
          { ...aroundOf(place, "openhands"), step, atMs: base.atMs, agent: source },
        ),
      );
  } else if (kind === "ActionEvent") {
    said(log, base, source, textsIn(event["thought"]));
    const { kind: _, ...args } = mapOf(event["action"]) ?? {};
    log.give({
      ...base,
      kind: "called",
      agent: source,
      tool: tool ?? "unknown",
      call,
      args,
      raw: null,
    });
  } else if (kind === "ObservationEvent") {
    const told = mapOf(event["observation"]) ?? {};
    const code = numberOf(told["exit_code"]);
    const failed = told["is_error"] === true || (code !== null && code !== 0);
    const text = textsIn(fieldOf(told, ["content", "output"]));
    log.give({
      ...base,
      kind: "returned",
      tool,
      call,
      result: text === "" ? told : text,
      ok: failed ? false : typeof told["is_error"] === "boolean" || code !== null ? true : null,
      error: null,
      latencyMs: null,
    });
  } else if (kind === "AgentErrorEvent" || kind === "UserRejectObservation") {
    const error = textOf(fieldOf(event, ["error", "rejection_reason"])) ?? kind;
    log.give({
      ...base,
      kind: "returned",
      tool,
      call,
      result: null,
      ok: false,
      error,
      latencyMs: null,
    });
  } else if (kind === "SystemPromptEvent")
    said(
      log,
      base,
      "system",
      textsIn(
        mapOf(event["system_prompt"]) === null
          ? event["system_prompt"]
          : [event["system_prompt"] ?? null],
      ),
    );
  else log.give({ ...base, kind: "noted", who: source, what: kind, data: event });
}
