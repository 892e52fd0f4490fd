/** What stands around the messages of one conversation: tools, system prompts, what people said of it, and the rest as a note. */
import type { Json } from "../../../../machines/letter.ts";
import type { Place } from "../../record.ts";
import { MESSAGE_LISTS } from "../input/messageLists.ts";
import {
  type Fields,
  fieldOf,
  holdsCalls,
  idOf,
  isEmpty,
  listOf,
  mapOf,
  numberOf,
  textOf,
  wholeOf,
} from "./fields.ts";
import { isMessage } from "./messageFields.ts";
import { bare, type OpenLog } from "./openLog.ts";
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

/** What is read of these fields; what is behind, such as labels, is read by `tellJudged` and `tellRest`. */
export function tellOffered(log: OpenLog, place: Place, fields: Fields): void {
  for (const name of TOOLS)
    for (const tool of listOf(fields[name]) ?? []) offer(log, bare(place), tool);
  for (const name of SYSTEMS)
    if (!isEmpty(fields[name])) tellSystem(log, place, fields[name] ?? null);
}

/** A tool in OpenAI's, Anthropic's or a plain shape. */
export function offer(log: OpenLog, base: ReturnType<typeof bare>, value: Json): void {
  const fields = mapOf(value);
  const inner = mapOf(fields?.["function"]) ?? fields;
  const declared = listOf(inner?.["functionDeclarations"] ?? inner?.["function_declarations"]);
  if (declared !== null) for (const one of declared) offer(log, base, one);
  const tool = textOf(inner?.["name"]) ?? (typeof value === "string" ? textOf(value) : null);
  if (declared !== null) return;
  if (tool === null) log.unread(base.place, "a tool of the catalogue without a name");
  else {
    const description = textOf(inner?.["description"]);
    const schema =
      inner === null
        ? null
        : fieldOf(inner, [
            "parameters",
            "input_schema",
            "inputSchema",
            "parametersJsonSchema",
            "schema",
          ]);
    log.give({ ...base, kind: "offered", tool, description, schema });
  }
}

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
    if (text.trim() === "") return;
    log.give({
      ...bare(place),
      kind: "said",
      speaker: "system",
      role: "system",
      to,
      text,
      model: null,
      usage: null,
      latencyMs: null,
    });
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
  const [agent, step, reason] = [
    textOf(fields["mistake_agent"]),
    wholeOf(fields["mistake_step"]),
    textOf(fields["mistake_reason"]),
  ];
  if (!isEmpty(fields["mistake_step"]) && step === null)
    log.unread(place, "a mistake_step that is no whole number from 0");
  const mistake =
    agent === null && step === null && reason === null ? null : { agent, step, reason };
  if (reward === null && success === null && mistake === null) return;
  log.give({ ...bare(place), kind: "judged", reward, success, mistake });
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
  const rest: [string, Json][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const isLabel = JUDGED.includes(name) && !isLabelRead(name, value);
    if ((known.has(name) && !isLabel) || isEmpty(value)) continue;
    if (!known.has(name) && listOf(value)?.some(isMessage) === true) {
      log.unread(
        place,
        `the field ${JSON.stringify(name.slice(0, 60))}, which holds further messages`,
      );
    } else if (!known.has(name) && holdsCalls(value)) {
      log.unread(
        place,
        `the field ${JSON.stringify(name.slice(0, 60))}, which holds calls or results; it is kept as a note`,
      );
    }
    rest.push([name, value]);
  }
  if (rest.length === 0) return;
  log.give({
    ...bare(place),
    id: idOf(fieldOf(fields, ["id", "task_id"])),
    kind: "noted",
    who: null,
    what: "log",
    data: Object.fromEntries(rest),
  });
}

/** A label of another kind than is expected of it stays a field of the note. */
function isLabelRead(name: string, value: Json): boolean {
  if (name === "reward") return numberOf(value) !== null || typeof value === "boolean";
  if (name === "mistake_step") return wholeOf(value) !== null;
  if (name.startsWith("mistake_")) return typeof value === "string";
  return typeof value === "boolean" || value === 0 || value === 1;
}
