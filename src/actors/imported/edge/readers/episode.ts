/** What stands around the messages of one conversation: tools, system prompts, what people said of it, and the rest as a note. */
import type { Json } from "../../../../machines/letter.ts";
import type { Place } from "../../record.ts";
import { MESSAGE_LISTS } from "../input/items.ts";
import {
  eitherOf,
  type Fields,
  fieldOf,
  holdsCalls,
  idIn,
  isEmpty,
  listIn,
  listOf,
  mapOf,
  numberOf,
  restIn,
  textOf,
  wholeOf,
} from "./fields.ts";
import { isMessage } from "./messageFields.ts";
import { type At, judged, noted, type OpenLog, offered, said } from "./openLog.ts";
import { partsOf } from "./parts.ts";

/** The name of the list of messages that an object holds; null where it holds none. */
export function messageListOf(fields: Fields): string | null {
  for (const name of MESSAGE_LISTS) {
    const list = Object.hasOwn(fields, name) ? listOf(fields[name]) : null;
    if (list?.some(isMessage) === true) return name;
  }
  return null;
}

const TOOLS = ["tools", "functions"] as const;
const SYSTEMS = ["system", "system_prompt", "system_instruction", "systemInstruction"] as const;
const SUCCESSES = [
  "success",
  "is_correct",
  "is_corrected",
  "correct",
  "passed",
  "resolved",
  "solved",
] as const;
const MISTAKES = ["mistake_agent", "mistake_step", "mistake_reason"] as const;

/** Those fields of which `tellOffered` tells. */
export const offeredIn = (fields: Fields): Fields =>
  Object.fromEntries(
    [...TOOLS, ...SYSTEMS].flatMap((name) =>
      fields[name] === undefined ? [] : [[name, fields[name]] as const],
    ),
  );

/** What is read of these fields; what is behind, such as labels, is read by `tellJudged` and `tellRest`. */
export function tellOffered(log: OpenLog, place: Place, fields: Fields): void {
  for (const name of TOOLS) for (const tool of listIn(fields[name])) offer(log, { place }, tool);
  for (const name of SYSTEMS)
    if (!isEmpty(fields[name])) tellSystem(log, place, fields[name] ?? null);
}

/** A tool in OpenAI's, Anthropic's or a plain shape. */
export function offer(log: OpenLog, at: At, value: Json): void {
  const fields = mapOf(value);
  const inner = mapOf(fields?.["function"]) ?? fields ?? {};
  const declared = listOf(eitherOf(inner, "functionDeclarations"));
  if (declared !== null) {
    for (const one of declared) offer(log, at, one);
    return;
  }
  const tool = typeof value === "string" ? textOf(value) : textOf(inner["name"]);
  const description = textOf(inner["description"]);
  const schema = fieldOf(inner, SCHEMAS);
  if (tool === null) log.unread(at.place, "a tool of the catalogue without a name");
  else log.give(offered(at, { tool, description, schema }));
}

const SCHEMAS = ["parameters", "input_schema", "inputSchema", "parametersJsonSchema", "schema"];

/** A text, blocks of text, or a text for each agent. */
function tellSystem(log: OpenLog, place: Place, value: Json): void {
  const say = (content: Json, to: string | null): void => {
    const texts = partsOf(content).map((part) => {
      if (part.is === "text") return part.text;
      log.unread(
        place,
        part.is === "unread"
          ? part.reason
          : `a part of a system prompt that is no text: ${part.is}`,
      );
      return "";
    });
    const text = texts.join("\n");
    if (text.trim() !== "")
      log.give(said({ place }, { speaker: "system", role: "system", to, text }));
  };
  const byAgent = mapOf(value);
  if (byAgent === null || textOf(byAgent["type"]) !== null) say(value, null);
  else if (messageOf(byAgent) !== null) say(messageOf(byAgent), null);
  else for (const [agent, prompt] of Object.entries(byAgent)) say(prompt, agent);
}

const messageOf = (fields: Fields): Json => fieldOf(fields, ["content", "parts", "text"]);

/** What people or a benchmark said of the whole. */
export function tellJudged(log: OpenLog, place: Place, fields: Fields): void {
  const reward =
    numberOf(fields["reward"]) ??
    (typeof fields["reward"] === "boolean" ? Number(fields["reward"]) : null);
  const said = SUCCESSES.map((name) => fields[name]).find(
    (value) => typeof value === "boolean" || value === 0 || value === 1,
  );
  const success = said === undefined ? null : Boolean(said);
  const agent = textOf(fields["mistake_agent"]);
  const step = wholeOf(fields["mistake_step"]);
  const reason = textOf(fields["mistake_reason"]);
  if (!isEmpty(fields["mistake_step"]) && step === null)
    log.unread(place, "a mistake_step that is no whole number from 0");
  const mistake =
    agent === null && step === null && reason === null ? null : { agent, step, reason };
  if (reward === null && success === null && mistake === null) return;
  log.give(judged({ place }, { reward, success, mistake }));
}

const JUDGED = ["reward", ...SUCCESSES, ...MISTAKES];

/** Everything else, as one note; what looks like further messages is unread. */
export function tellRest(
  log: OpenLog,
  place: Place,
  fields: Fields,
  told: readonly string[] = [],
): void {
  const known = new Set<string>([...TOOLS, ...SYSTEMS, ...JUDGED, ...told]);
  const isRead = (name: string): boolean =>
    known.has(name) && (!JUDGED.includes(name) || isLabelRead(name, fields[name] ?? null));
  const rest = restIn(fields, isRead);
  for (const [name, value] of Object.entries(rest)) {
    if (known.has(name)) continue;
    const shown = `the field ${JSON.stringify(name.slice(0, 60))}, which holds`;
    if (listIn(value).some(isMessage)) log.unread(place, `${shown} further messages`);
    else if (holdsCalls(value))
      log.unread(place, `${shown} calls or results; it is kept as a note`);
  }
  if (!isEmpty(rest)) log.give(noted({ place, id: idIn(fields, "id", "task_id") }, "log", rest));
}

/** A label of another kind than is expected of it stays a field of the note. */
function isLabelRead(name: string, value: Json): boolean {
  if (name === "reward") return numberOf(value) !== null || typeof value === "boolean";
  if (name === "mistake_step") return wholeOf(value) !== null;
  if (name.startsWith("mistake_")) return typeof value === "string";
  return typeof value === "boolean" || value === 0 || value === 1;
}
