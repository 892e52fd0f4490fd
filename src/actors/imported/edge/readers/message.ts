/** A message of any of the usual shapes as records: what was said, then the calls that it makes and the results that it holds. */
import type { Json } from "../../../../machines/letter.ts";
import type { Format, LogRecord, Usage } from "../../record.ts";
import {
  type Fields,
  fieldOf,
  hasWords,
  idOf,
  isEmpty,
  listIn,
  mapOf,
  numberOf,
  restIn,
  textOf,
  wholeOf,
} from "./fields.ts";
import { shaped } from "./formats/shapes.ts";
import {
  CALL_LISTS,
  CONTENTS,
  ITEM_TYPES,
  type Speaker,
  speakerOf,
  THOUGHTS,
  TOLD_BY_TOOLS,
  UNTOLD,
  usageIn,
} from "./messageFields.ts";
import {
  type At,
  called,
  noted,
  type OpenLog,
  type ReadMessage,
  returned,
  said,
} from "./openLog.ts";
import { callOf, type Part, partsOf, type ResultPart, toolMessage } from "./parts.ts";
import { timeIn } from "./time.ts";

/** What is known of a message from what stands around it; where it has no id of its own, that of what holds it. */
export interface Around extends At {
  /** Whose answers these are, where the log names no speaker. */
  readonly agent?: string | null;
  readonly model?: string | null;
  readonly usage?: Usage | null;
  readonly latencyMs?: number | null;
}

/** Reads a message into a log. */
export const tell = (log: OpenLog, value: Json, around: Around): void =>
  log.giveRead(around.place, readMessage(value, log.format, around));

export function readMessage(value: Json, format: Format, around: Around): ReadMessage {
  const fields = mapOf(value);
  if (fields === null) return { records: [], unread: ["a message that is no object"] };
  const read = (shaped(fields, format) ?? [fields]).map((one, index) =>
    readPlain(one, format, index === 0 ? around : { ...around, usage: null, latencyMs: null }),
  );
  return {
    records: read.flatMap(({ records }) => records),
    unread: read.flatMap(({ unread }) => unread),
  };
}

function readPlain(fields: Fields, format: Format, around: Around): ReadMessage {
  const isItem = ITEM_TYPES.has(textOf(fields["type"]) ?? "") && textOf(fields["role"]) === null;
  const { agent = null } = around;
  const known: Speaker | null = isItem
    ? { speaker: "assistant", role: "agent", to: null, label: null }
    : speakerOf(fields, format);
  if (known === null) return { records: [], unread: [unknownSpeaker(fields)] };
  const isNameless = known.role === "agent" && textOf(fields["name"]) === null;
  const isAgents = agent !== null && (isItem || (isNameless && format !== "speakers"));
  const reading = new Reading(fields, isAgents ? { ...known, speaker: agent } : known, around);
  return isItem ? reading.parts(partsOf([fields])) : reading.message();
}

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
  readonly #at: At;
  readonly #records: LogRecord[] = [];
  readonly #unread: string[] = [];

  constructor(fields: Fields, speaker: Speaker, around: Around) {
    this.#fields = fields;
    this.#speaker = speaker;
    this.#around = around;
    this.#at = {
      ...around,
      atMs: timeIn(fields) ?? around.atMs ?? null,
      step: wholeOf(fieldOf(fields, ["step", "step_id"])) ?? around.step ?? null,
      id: idOf(fields["id"]) ?? around.id ?? null,
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
    const parts = partsOf(listIn(fieldOf(this.#fields, CONTENTS)));
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
    for (const image of listIn(fields["images"])) {
      const isData = typeof image === "string" && image.length > 200;
      this.#note("image", isData ? `(${image.length} characters of data)` : image);
    }
  }

  /** What an answer cost is told with its text, though it may have none. */
  #say(text: string, parts: readonly Part[]): void {
    const { model = null, usage = null, latencyMs = null } = this.#around;
    const { speaker, role, to } = this.#speaker;
    const own = textOf(this.#fields["model"]) ?? model;
    const tells =
      usage !== null ||
      latencyMs !== null ||
      (own !== null && role === "agent" && parts.length > 0);
    if (text.trim() === "" && !tells) return;
    this.#records.push(
      said(this.#at, {
        ...{ speaker, to, text, latencyMs },
        role: role === "tool" ? "agent" : role,
        model: role === "agent" ? own : null,
        usage: usageIn(this.#fields) ?? usage,
      }),
    );
  }

  #calls(): readonly Part[] {
    const calls = CALL_LISTS.flatMap((name) => listIn(this.#fields[name])).map(mapOf);
    const legacy = mapOf(this.#fields["function_call"]);
    return [...calls, ...(legacy === null ? [] : [legacy])].map((call) =>
      call === null ? { is: "unread", reason: "a call that is no object" } : callOf(call),
    );
  }

  #part(part: Part): void {
    switch (part.is) {
      case "text":
        if (part.text !== "") this.#say(part.text, [part]);
        break;
      case "call":
        this.#records.push(called(this.#at, { agent: this.#speaker.speaker, ...part }));
        break;
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

  #result(part: ResultPart): void {
    const latencyMs = numberOf(fieldOf(this.#fields, ["latency_ms", "duration_ms"]));
    this.#records.push(returned(this.#at, { ...part, latencyMs }));
  }

  #note(what: string, data: Json): void {
    this.#records.push(noted(this.#at, what, data, this.#speaker.speaker));
  }

  /** What else stands in the message: words and calls are named as unread, the rest is kept as a note. */
  #others(): void {
    const isTool = this.#speaker.role === "tool";
    const others = restIn(
      this.#fields,
      (name) => UNTOLD.has(name) || (isTool && TOLD_BY_TOOLS.has(name)),
    );
    const isWords = (name: string): boolean => hasWords(others[name]);
    for (const name of Object.keys(others).filter(isWords)) {
      const shown = JSON.stringify(name.slice(0, 60));
      this.#unread.push(`the field ${shown} of a message, which holds words or calls`);
    }
    const rest = restIn(others, isWords);
    if (!isEmpty(rest)) this.#note("fields", rest);
  }
}
