/** A message of any of the usual shapes as records: what was said, then the calls that it makes and the results that it holds. */
import type { Json } from "../../../../machines/letter.ts";
import type { Format, LogRecord, Place, Usage } from "../../record.ts";
import {
  type Fields,
  fieldOf,
  hasWords,
  idOf,
  isEmpty,
  listOf,
  mapOf,
  numberOf,
  textOf,
  wholeOf,
} from "./fields.ts";
import { shaped } from "./formats/shapes.ts";
import {
  CALL_LISTS,
  CONTENTS,
  ITEM_TYPES,
  THOUGHTS,
  TOLD_BY_TOOLS,
  UNTOLD,
  usageIn,
} from "./messageFields.ts";
import { callOf, type Part, partsOf, type ResultPart, toolMessage } from "./parts.ts";
import { type Speaker, speakerOf } from "./speaker.ts";
import { timeIn } from "./time.ts";

/** What is known of a message from what stands around it. */
export interface Around {
  readonly place: Place;
  readonly format: Format;
  readonly atMs: number | null;
  readonly step: number | null;
  /** Of what holds the message, such as a span, where the message has no id of its own. */
  readonly id: string | null;
  readonly parent: string | null;
  /** Whose answers these are, where the log names no speaker. */
  readonly agent: string | null;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly latencyMs: number | null;
}

export interface ReadMessage {
  readonly records: readonly LogRecord[];
  /** Reasons, of what of it could not be read. */
  readonly unread: readonly string[];
}

export function readMessage(value: Json, around: Around): ReadMessage {
  const fields = mapOf(value);
  if (fields === null) return { records: [], unread: ["a message that is no object"] };
  const own = shaped(fields, around.format);
  if (own === undefined) return readPlain(fields, around);
  const read = own.map((one, index) =>
    readPlain(one, index === 0 ? around : { ...around, usage: null, latencyMs: null }),
  );
  return {
    records: read.flatMap(({ records }) => records),
    unread: read.flatMap(({ unread }) => unread),
  };
}

function readPlain(fields: Fields, around: Around): ReadMessage {
  const type = textOf(fields["type"]) ?? "";
  const isItem = ITEM_TYPES.has(type) && textOf(fields["role"]) === null;
  const speaker = isItem ? itemSpeaker(around) : speakerOf(fields, around.format);
  if (speaker === null) return { records: [], unread: [unknownSpeaker(fields)] };
  const reading = new Reading(fields, speaker, around);
  return isItem ? reading.parts(partsOf([fields])) : reading.message();
}

const itemSpeaker = ({ agent }: Around): Speaker => ({
  speaker: agent ?? "assistant",
  role: "agent",
  to: null,
  label: null,
});

function unknownSpeaker(fields: Fields): string {
  const role = fieldOf(fields, ["role", "type", "from"]);
  return role === null
    ? "a message that names no role and no speaker"
    : `a message of the unknown role ${JSON.stringify(role).slice(0, 60)}`;
}

class Reading {
  readonly #fields: Fields;
  readonly #speaker: Speaker;
  readonly #around: Around;
  readonly #base;
  readonly #records: LogRecord[] = [];
  readonly #unread: string[] = [];

  constructor(fields: Fields, speaker: Speaker, around: Around) {
    const { place, step, parent, atMs, agent } = around;
    this.#fields = fields;
    const isNameless =
      agent !== null &&
      speaker.role === "agent" &&
      textOf(fields["name"]) === null &&
      around.format !== "speakers";
    this.#speaker = isNameless ? { ...speaker, speaker: agent } : speaker;
    this.#around = around;
    this.#base = {
      place,
      atMs: timeIn(fields) ?? atMs,
      step: wholeOf(fieldOf(fields, ["step", "step_id"])) ?? step,
      id: idOf(fields["id"]) ?? around.id,
      parent,
    };
  }

  message(): ReadMessage {
    if (this.#speaker.role === "tool") this.#returned();
    else this.#said();
    this.#others();
    return this.#read();
  }

  /** A message that is nothing but its parts. */
  parts(parts: readonly Part[]): ReadMessage {
    for (const part of parts) this.#part(part);
    return this.#read();
  }

  #read = (): ReadMessage => ({ records: this.#records, unread: this.#unread });

  /** The message of a tool: a result, or a list of results. */
  #returned(): void {
    const content = listOf(fieldOf(this.#fields, CONTENTS)) ?? [];
    const parts = partsOf(content);
    if (parts.some(({ is }) => is === "result")) for (const part of parts) this.#part(part);
    else this.#result(toolMessage(this.#fields));
  }

  #said(): void {
    const fields = this.#fields;
    for (const name of THOUGHTS)
      if (!isEmpty(fields[name])) this.#note("thought", fields[name] ?? null);
    const parts = [...partsOf(fieldOf(fields, CONTENTS)), ...this.#calls()];
    if (
      parts.every((part) => part.is === "text" && part.text.trim() === "") &&
      this.#records.length === 0
    ) {
      this.#unread.push("a message without content and calls");
    }
    const texts = parts.flatMap((part) => (part.is === "text" ? [part.text] : []));
    // Results of earlier calls come before the words that follow them; those of its own calls after these.
    const first = parts.findIndex(({ is }) => is === "call");
    const earlier = parts
      .slice(0, first < 0 ? parts.length : first)
      .filter(({ is }) => is === "result");
    for (const part of earlier) this.#part(part);
    this.#say(texts.join("\n"), parts);
    for (const part of parts) if (part.is !== "text" && !earlier.includes(part)) this.#part(part);
    if (this.#speaker.label !== null) this.#note("label", this.#speaker.label);
    for (const image of listOf(fields["images"]) ?? []) {
      this.#note(
        "image",
        typeof image === "string" && image.length > 200
          ? `(${image.length} characters of data)`
          : image,
      );
    }
  }

  /** What an answer cost is told with its text, though it may have none. */
  #say(text: string, parts: readonly Part[]): void {
    const { model, usage, latencyMs } = this.#around;
    const { speaker, role, to } = this.#speaker;
    const own = textOf(this.#fields["model"]) ?? model;
    const tells =
      usage !== null ||
      latencyMs !== null ||
      (own !== null && role === "agent" && parts.length > 0);
    if (text.trim() === "" && !tells) return;
    const said = role === "tool" ? "agent" : role;
    this.#records.push({
      ...this.#base,
      kind: "said",
      speaker,
      role: said,
      to,
      text,
      model: role === "agent" ? own : null,
      usage: usageIn(this.#fields) ?? usage,
      latencyMs,
    });
  }

  #calls(): readonly Part[] {
    const calls = CALL_LISTS.flatMap((name) => listOf(this.#fields[name]) ?? []);
    const legacy = mapOf(this.#fields["function_call"]);
    return [
      ...calls.map((call): Part => {
        const fields = mapOf(call);
        return fields === null
          ? { is: "unread", reason: "a call that is no object" }
          : callOf(fields);
      }),
      ...(legacy === null ? [] : [callOf(legacy)]),
    ];
  }

  #part(part: Part): void {
    switch (part.is) {
      case "text":
        if (part.text !== "") this.#say(part.text, [part]);
        break;
      case "call": {
        const { tool, call, args, raw } = part;
        this.#records.push({
          ...this.#base,
          kind: "called",
          agent: this.#speaker.speaker,
          tool,
          call,
          args,
          raw,
        });
        break;
      }
      case "result":
        this.#result(part);
        break;
      case "thought":
        this.#note("thought", part.data);
        break;
      case "other":
        this.#note(part.what, part.data);
        break;
      case "unread":
        this.#unread.push(part.reason);
        break;
    }
  }

  #result({ tool, call, result, ok, error }: ResultPart): void {
    const latencyMs = numberOf(fieldOf(this.#fields, ["latency_ms", "duration_ms"]));
    this.#records.push({
      ...this.#base,
      kind: "returned",
      tool,
      call,
      result,
      ok,
      error,
      latencyMs,
    });
  }

  #note(what: string, data: Json): void {
    this.#records.push({ ...this.#base, kind: "noted", who: this.#speaker.speaker, what, data });
  }

  /** What else stands in the message: words and calls are named as unread, the rest is kept as a note. */
  #others(): void {
    const others: [string, Json][] = [];
    for (const [name, value] of Object.entries(this.#fields)) {
      if (UNTOLD.has(name) || isEmpty(value)) continue;
      if (this.#speaker.role === "tool" && TOLD_BY_TOOLS.has(name)) continue;
      if (hasWords(value))
        this.#unread.push(
          `the field ${JSON.stringify(name.slice(0, 60))} of a message, which holds words or calls`,
        );
      else others.push([name, value]);
    }
    if (others.length > 0) this.#note("fields", Object.fromEntries(others));
  }
}
