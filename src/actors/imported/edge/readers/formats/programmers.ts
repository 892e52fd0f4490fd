/** Trajectories of agents that mend programs: mini-swe-agent and SWE-agent. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Place } from "../../../record.ts";
import {
  type Fields,
  fieldOf,
  idIn,
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
import { called, noted, type OpenLog, returned, said } from "../openLog.ts";
import { timeIn } from "../time.ts";

export function isMiniSwe(value: Json): boolean {
  const { messages, trajectory_format: format, info } = mapIn(value);
  const isMini = /^mini-swe-agent/.test(textOf(format) ?? "");
  return listOf(messages) !== null && (isMini || textOf(mapIn(info)["mini_version"]) !== null);
}

const SHELL = "bash";

/** How the program shows what a command did. */
const OUTPUT = /^\s*(?:<exception>[\s\S]*?<\/exception>\s*)?<returncode>(-?\d+)<\/returncode>/;
/** How a model that calls no tools writes its command. */
const COMMAND = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/;

export function tellMiniSwe(log: OpenLog, place: Place, trajectory: Fields): void {
  const messages = mapsIn(trajectory["messages"]).flatMap(itemsOf);
  let waits = 0;
  for (const [step, message] of messages.entries()) {
    const { extra, ...fields } = message;
    const more = mapIn(extra);
    const at = { place, step, atMs: timeIn(more) };
    const { role, type } = fields;
    if (role === "exit") {
      log.give(noted(at, "exit", { ...more, content: fields["content"] ?? null }));
      continue;
    }
    const code = codeOf(message);
    const mayReturn = role === "user" || role === "tool" || role === undefined;
    if (code !== null && waits > 0 && mayReturn) {
      waits--;
      const result = fieldOf(fields, ["content", "output"]);
      const call = idIn(fields, "tool_call_id", "call_id");
      log.give(returned(at, { tool: SHELL, call, result, ok: code === 0 }));
      continue;
    }
    const calls = listIn(fields["tool_calls"]);
    const writes = role === "assistant" && calls.length === 0 && type === undefined;
    const own = (writes ? actionsOf(message, messages[step + 1]) : []).map(
      (command): Json => ({ function: { name: SHELL, arguments: { command } } }),
    );
    waits += own.length + calls.length + (type === "function_call" ? 1 : 0);
    tell(log, { ...fields, ...(own.length > 0 && { tool_calls: own }) }, at);
  }
  const { messages: _, ...rest } = trajectory;
  if (!isEmpty(rest)) log.give(noted({ place }, "trajectory", rest));
}

/** A response of OpenAI's stands whole in place of a message. */
const itemsOf = (message: Fields): readonly Fields[] => {
  const output = message["object"] === "response" ? listOf(message["output"]) : null;
  return output === null ? [message] : mapsIn(output);
};

function codeOf(message: Fields): number | null {
  const extra = mapIn(message["extra"]);
  const told = numberOf(extra["returncode"]);
  if (told !== null) return textOf(extra["exception_info"]) === null ? told : told || 1;
  return numberOf(OUTPUT.exec(textIn(message, "content", "output") ?? "")?.[1] ?? null);
}

function actionsOf(message: Fields, next: Fields | undefined): readonly Json[] {
  const actions = mapsIn(mapIn(message["extra"])["actions"]);
  if (actions.length > 0) return actions.map((action) => action["command"] ?? null);
  const isRun = next !== undefined && codeOf(next) !== null;
  const command = COMMAND.exec(textOf(message["content"]) ?? "")?.[1];
  return isRun && command !== undefined ? [command] : [];
}

export const isSweAgent = (value: Json): boolean =>
  mapsIn(mapIn(value)["trajectory"]).some(
    ({ action, observation }) => typeof action === "string" && typeof observation === "string",
  );

export function tellSweAgent(log: OpenLog, place: Place, run: Fields): void {
  const { trajectory, history, info, ...rest } = run;
  const steps = listIn(trajectory);
  const asked = mapsIn(listOf(history) ?? mapIn(steps[0])["query"]);
  const first = asked.findIndex(({ role, is_demo }) => role === "assistant" && is_demo !== true);
  for (const message of asked.slice(0, first < 0 ? asked.length : first)) {
    const { role, content } = message;
    // A demonstration shows what another run did.
    if (message["is_demo"] === true) log.give(noted({ place }, "demonstration", message));
    else tell(log, { role: role ?? "user", content: content ?? null }, { place });
  }
  const agent = textOf(asked.find(({ agent: name }) => textOf(name) !== null)?.["agent"]) ?? "main";
  for (const [step, value] of steps.entries()) {
    const fields = mapOf(value);
    if (fields === null) log.unread(place, "a step that is no object");
    else sweStep(log, { place, step }, fields, agent);
  }
  for (const [what, data] of Object.entries({ info: info ?? null, run: rest as Json }))
    if (!isEmpty(data)) log.give(noted({ place }, what, data));
}

function sweStep(
  log: OpenLog,
  at: { readonly place: Place; readonly step: number },
  fields: Fields,
  agent: string,
): void {
  const text = textIn(fields, "response", "thought");
  if (text !== null) log.give(said(at, { speaker: agent, role: "agent", text }));
  const command = textOf(fields["action"])?.trim() ?? "";
  const result = fields["observation"] ?? null;
  if (command === "") {
    if (!isEmpty(result)) log.give(noted(at, "observation", result));
    return;
  }
  const own = { tool: "shell", call: `step ${at.step}` };
  const seconds = numberOf(fields["execution_time"]);
  const latencyMs = seconds === null ? null : Math.round(seconds * 1000);
  log.give(called(at, { ...own, agent, args: { command } }));
  log.give(returned(at, { ...own, result, latencyMs }));
  const extra = mapOf(fields["extra_info"]);
  if (!isEmpty(extra)) log.give(noted(at, "step", extra, agent));
}
