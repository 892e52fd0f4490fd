/** Trajectories of agents that mend programs: mini-swe-agent and SWE-agent. */
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
import { timeIn } from "../time.ts";
import { aroundOf } from "./sessions.ts";

export function isMiniSwe(value: Json): boolean {
  const fields = mapOf(value);
  if (fields === null || listOf(fields["messages"]) === null) return false;
  return (
    /^mini-swe-agent/.test(textOf(fields["trajectory_format"]) ?? "") ||
    textOf(mapOf(fields["info"])?.["mini_version"]) !== null
  );
}

const SHELL = "bash";

/** How the program shows what a command did. */
const OUTPUT = /^\s*(?:<exception>[\s\S]*?<\/exception>\s*)?<returncode>(-?\d+)<\/returncode>/;
/** How a model that calls no tools writes its command. */
const COMMAND = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/;

export function tellMiniSwe(log: OpenLog, place: Place, trajectory: Fields): void {
  const messages = mapsIn(listOf(trajectory["messages"]) ?? []).flatMap(itemsOf);
  let waits = 0;
  for (const [step, message] of messages.entries()) {
    const { extra, ...fields } = message;
    const more = mapOf(extra) ?? {};
    const base = { ...aroundOf(place, "mini-swe-agent"), step, atMs: timeIn(more) };
    const { role } = fields;
    if (role === "exit") {
      log.give({
        ...bare(place),
        step,
        atMs: base.atMs,
        kind: "noted",
        who: null,
        what: "exit",
        data: { ...more, content: fields["content"] ?? null },
      });
      continue;
    }
    const code = codeOf(fields, more);
    const isOutput =
      code !== null && waits > 0 && (role === "user" || role === "tool" || role === undefined);
    if (isOutput) {
      waits--;
      const result = fieldOf(fields, ["content", "output"]);
      const call = idOf(fieldOf(fields, ["tool_call_id", "call_id"]));
      log.give({
        ...bare(place),
        step,
        atMs: base.atMs,
        kind: "returned",
        tool: SHELL,
        call,
        result,
        ok: code === 0,
        error: null,
        latencyMs: null,
      });
      continue;
    }
    const calls = listOf(fields["tool_calls"]) ?? [];
    const isAgent = role === "assistant" || fields["type"] === "function_call";
    const actions =
      isAgent && calls.length === 0 && fields["type"] === undefined
        ? actionsOf(fields, more, messages[step + 1])
        : [];
    waits += actions.length + calls.length + (fields["type"] === "function_call" ? 1 : 0);
    const own = actions.map(
      (command): Json => ({ function: { name: SHELL, arguments: { command } } }),
    );
    give(log, place, readMessage({ ...fields, ...(own.length > 0 && { tool_calls: own }) }, base));
  }
  const { messages: _, ...rest } = trajectory;
  if (!isEmpty(rest))
    log.give({ ...bare(place), kind: "noted", who: null, what: "trajectory", data: rest });
}

/** A response of OpenAI's stands whole in place of a message. */
const itemsOf = (message: Fields): readonly Fields[] => {
  const output = message["object"] === "response" ? listOf(message["output"]) : null;
  return output === null ? [message] : mapsIn(output);
};

function codeOf(fields: Fields, extra: Fields): number | null {
  const told = numberOf(extra["returncode"]);
  if (told !== null) return textOf(extra["exception_info"]) === null ? told : told || 1;
  const text = textOf(fieldOf(fields, ["content", "output"]));
  return numberOf(OUTPUT.exec(text ?? "")?.[1] ?? null);
}

function actionsOf(fields: Fields, extra: Fields, next: Fields | undefined): readonly Json[] {
  const actions = mapsIn(listOf(extra["actions"]) ?? []);
  if (actions.length > 0) return actions.map((action) => action["command"] ?? null);
  const isRun = next !== undefined && codeOf(next, mapOf(next["extra"]) ?? {}) !== null;
  const command = COMMAND.exec(textOf(fields["content"]) ?? "")?.[1];
  return isRun && command !== undefined ? [command] : [];
}

export function isSweAgent(value: Json): boolean {
  const fields = mapOf(value);
  const steps = mapsIn(listOf(fields?.["trajectory"]) ?? []);
  return steps.some(
    (step) => typeof step["action"] === "string" && typeof step["observation"] === "string",
  );
}

export function tellSweAgent(log: OpenLog, place: Place, run: Fields): void {
  const { trajectory, history, info, ...rest } = run;
  const steps = listOf(trajectory) ?? [];
  const asked = mapsIn(listOf(history) ?? listOf(mapOf(steps[0])?.["query"]) ?? []);
  const first = asked.findIndex(({ role, is_demo }) => role === "assistant" && is_demo !== true);
  for (const message of asked.slice(0, first < 0 ? asked.length : first)) {
    const { role, content } = message;
    // A demonstration shows what another run did.
    if (message["is_demo"] === true)
      log.give({ ...bare(place), kind: "noted", who: null, what: "demonstration", data: message });
    else
      give(
        log,
        place,
        readMessage(
          { role: role ?? "user", content: content ?? null },
          aroundOf(place, "swe-agent"),
        ),
      );
  }
  const agent = textOf(asked.find(({ agent: name }) => textOf(name) !== null)?.["agent"]) ?? "main";
  for (const [index, value] of steps.entries()) {
    const step = mapOf(value);
    if (step === null) log.unread(place, "a step that is no object");
    else sweStep(log, place, step, { step: index, agent });
  }
  for (const [what, data] of Object.entries({ info: info ?? null, run: rest as Json }))
    if (!isEmpty(data)) log.give({ ...bare(place), kind: "noted", who: null, what, data });
}

function sweStep(
  log: OpenLog,
  place: Place,
  fields: Fields,
  of: { readonly step: number; readonly agent: string },
): void {
  const { step, agent } = of;
  const base = { ...bare(place), step };
  const text = textOf(fieldOf(fields, ["response", "thought"]));
  if (text !== null)
    log.give({
      ...base,
      kind: "said",
      speaker: agent,
      role: "agent",
      to: null,
      text,
      model: null,
      usage: null,
      latencyMs: null,
    });
  const command = textOf(fields["action"])?.trim() ?? "";
  const result = fields["observation"] ?? null;
  if (command === "") {
    if (!isEmpty(result))
      log.give({ ...base, kind: "noted", who: null, what: "observation", data: result });
    return;
  }
  const call = `step ${step}`;
  const seconds = numberOf(fields["execution_time"]);
  log.give({ ...base, kind: "called", agent, tool: "shell", call, args: { command }, raw: null });
  log.give({
    ...base,
    kind: "returned",
    tool: "shell",
    call,
    result,
    ok: null,
    error: null,
    latencyMs: seconds === null ? null : Math.round(seconds * 1000),
  });
  const extra = mapOf(fields["extra_info"]);
  if (!isEmpty(extra)) log.give({ ...base, kind: "noted", who: agent, what: "step", data: extra });
}
