/** One trace or conversation as a log: what began and what ended, in the order of time. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Called, LogPiece, LogRecord, Place } from "../../../record.ts";
import { offer } from "../episode.ts";
import { type Fields, fieldOf, idIn, isEmpty, listOf, textIn, textOf } from "../fields.ts";
import { chained, History, messageKey } from "../history.ts";
import { type Around, readMessage } from "../message.ts";
import {
  type At,
  called,
  noted,
  type Opening,
  OpenLog,
  type ReadMessage,
  returned,
} from "../openLog.ts";
import { argumentsOf } from "../parts.ts";
import { NAMES, TOOLS_OWN } from "./attributeNames.ts";
import type { Span } from "./export.ts";
import { agentIn, kindOf, restOf, type SpanKind, usageOf } from "./spanFields.ts";
import { messagesOf, type SpanMessages } from "./spanMessages.ts";

export interface SpanAround {
  readonly place: Place;
  /** Its own, or that of the nearest span around it. */
  readonly agent: string | null;
  /** Another request to a model lies within it, whose answer it tells again. */
  readonly isAroundModel: boolean;
}

interface Ending {
  readonly atMs: number;
  readonly tell: () => void;
}

export class TraceLog {
  readonly #log: OpenLog;
  readonly #calls = new ToolCalls();
  readonly #histories = new Map<string, History>();
  /** Tools, resources and prompts that were told already. */
  readonly #told = new Set<string>();
  readonly #ids = new Set<string>();
  /** What has not ended yet, the next one last. */
  readonly #endings: Ending[] = [];

  constructor(opening: Opening) {
    this.#log = new OpenLog(opening);
  }

  take(span: Span, around: SpanAround): readonly LogPiece[] {
    const { place } = around;
    const startMs = span.startMs ?? span.endMs;
    if (startMs !== null) this.#endUntil(startMs);
    if (span.id !== null && this.#ids.has(span.id))
      this.#log.unread(place, `the span ${span.id} again`);
    else this.#begin(span, around, kindOf(span));
    if (span.id !== null) this.#ids.add(span.id);
    return this.#log.taken();
  }

  close(): readonly LogPiece[] {
    this.#endUntil(Number.POSITIVE_INFINITY);
    return this.#log.closed();
  }

  #endUntil(ms: number): void {
    while ((this.#endings.at(-1)?.atMs ?? Number.NaN) <= ms) this.#endings.pop()?.tell();
  }

  /** Of those that end at once, the one that began last ends first. */
  #later({ endMs, startMs }: Span, tell: () => void): void {
    const atMs = endMs ?? startMs ?? 0;
    let at = this.#endings.length;
    while (at > 0 && (this.#endings[at - 1] as Ending).atMs < atMs) at--;
    this.#endings.splice(at, 0, { atMs, tell });
  }

  #begin(span: Span, around: SpanAround, kind: SpanKind): void {
    const { place } = around;
    if (span.trace === null || span.startNs === null) {
      const lacks = span.trace === null ? "a trace id" : "a start";
      this.#log.unread(place, `a span without ${lacks}; its place in the log is a guess`);
    }
    this.#once("resource", span.resource, (data) => this.#note(span, around, "resource", data));
    if (kind === "tool") this.#tool(span, around);
    else this.#messages(span, around, kind);
  }

  #note(span: Span, around: SpanAround, what: string, data: Json, atMs = span.startMs): void {
    this.#log.give(noted(atOf(span, around, atMs), what, data, around.agent));
  }

  #tool(span: Span, around: SpanAround): void {
    const { attributes, events, startMs, endMs } = span;
    const messages = messagesOf(span);
    this.#offers(messages, around.place, startMs);
    const tool = textIn(attributes, ...NAMES.tool) ?? span.name.replace(/^execute_tool /, "");
    const given = argumentsOf(fieldOf(attributes, NAMES.args));
    const own = idIn(attributes, ...NAMES.call);
    const { call, isNew } = this.#calls.begun({ tool, call: own, ...given }, span.id);
    const agent = around.agent ?? "assistant";
    const at = atOf(span, around, startMs);
    if (isNew) this.#log.give(called(at, { agent, tool, call, ...given }));
    const rest = restOf(attributes, (name) => TOOLS_OWN.has(name));
    if (!isEmpty(rest)) this.#note(span, around, span.name, rest);
    this.#events(span, around);
    const said = messages.input
      .flatMap((message) => this.#read(message, { ...at, agent: around.agent }).records)
      .find((record) => record.kind === "returned");
    const result = fieldOf(attributes, NAMES.result) ?? said?.result ?? null;
    const thrown = events.find(({ name }) => name === "exception")?.attributes;
    const error =
      span.error ?? textOf(thrown?.["exception.message"]) ?? textOf(attributes["error.type"]);
    const isError = hasFailed(span);
    const ok = isError ? false : span.status === "ok" ? true : null;
    const latencyMs = tookMs(span);
    this.#later(span, () => {
      if (this.#calls.returned(call, result, "span"))
        this.#log.give(
          returned(atOf(span, around, endMs), {
            ...{ tool, call, result, ok, error: isError ? error : null, latencyMs },
          }),
        );
    });
  }

  #messages(span: Span, around: SpanAround, kind: SpanKind): void {
    const { attributes, startMs, endMs } = span;
    const { place, agent } = around;
    const messages = messagesOf(span);
    const isModel = kind === "model";
    const rest = restOf(attributes, () => false);
    const told = isModel ? rest : { ...agentIn(attributes), ...rest };
    if (!isModel || !isEmpty(rest))
      this.#note(span, around, span.name === "" ? kind : span.name, told);
    for (const reason of messages.unread) this.#log.unread(place, reason);
    this.#offers(messages, place, startMs);
    const base = { ...atOf(span, around, startMs), agent };
    const history = this.#history(agent);
    const system = isEmpty(messages.system)
      ? []
      : [{ role: "system", parts: listOf(messages.system) ?? [messages.system] }];
    this.#given(history, [...system, ...messages.input], base);
    this.#events(span, around);
    const isTold = !isModel || around.isAroundModel;
    const model = textIn(attributes, ...NAMES.model);
    const cost = {
      usage: isModel ? usageOf(attributes) : null,
      latencyMs: isModel ? tookMs(span) : null,
    };
    this.#later(span, () => {
      const answer = { ...base, atMs: endMs ?? startMs, model };
      if (isTold) this.#given(history, messages.output, answer);
      else
        for (const [index, message] of messages.output.entries())
          this.#answered(history, message, index === 0 ? { ...answer, ...cost } : answer);
      const { "error.type": type = null } = attributes;
      if (hasFailed(span)) this.#note(span, around, "error", { message: span.error, type }, endMs);
    });
  }

  #read = (message: Json, base: Around): ReadMessage =>
    readMessage(message, this.#log.format, base);

  /** Messages that may have been told before. */
  #given(history: History, messages: readonly Json[], base: Around): void {
    const read = messages.map((message) => this.#read(message, base));
    const fresh = history.fresh(read.map(({ records, unread }) => messageKey(records, unread)));
    for (const [index, one] of read.entries()) if (fresh[index] === true) this.#tell(one, base);
  }

  #answered(history: History, message: Json, base: Around): void {
    const read = this.#read(message, base);
    history.answered(messageKey(read.records, read.unread));
    this.#tell(read, base);
  }

  #tell({ records, unread }: ReadMessage, { place }: Around): void {
    const fresh = records.filter((record) => this.#isFresh(record));
    this.#log.giveRead(place, { records: fresh, unread });
  }

  /** A call and its result stand in messages, and again as spans of their own. */
  #isFresh(record: LogRecord): boolean {
    if (record.kind === "called") return this.#calls.asked(record);
    if (record.kind === "returned")
      return this.#calls.returned(record.call, record.result, "message");
    return true;
  }

  #offers({ tools }: SpanMessages, place: Place, atMs: number | null): void {
    for (const tool of tools)
      this.#once("tool", { tool }, () => offer(this.#log, { place, atMs }, tool));
  }

  #events(span: Span, around: SpanAround): void {
    for (const { name, atMs, attributes } of messagesOf(span).others)
      this.#note(span, around, name, attributes, atMs ?? span.startMs);
  }

  /** Each agent is told its own history. */
  #history(agent: string | null): History {
    const known = this.#histories.get(agent ?? "");
    if (known !== undefined) return known;
    const history = new History();
    this.#histories.set(agent ?? "", history);
    return history;
  }

  #once(what: string, fields: Fields, tell: (fields: Fields) => void): void {
    if (isEmpty(fields)) return;
    const key = chained(what, JSON.stringify(fields));
    if (this.#told.has(key)) return;
    this.#told.add(key);
    tell(fields);
  }
}

const atOf = ({ id, parent }: Span, { place }: SpanAround, atMs: number | null): At => ({
  ...{ place, atMs, id, parent },
});

const tookMs = ({ startMs, endMs }: Span): number | null =>
  startMs === null || endMs === null ? null : endMs - startMs;

const hasFailed = ({ status, attributes }: Span): boolean =>
  status === "error" || !isEmpty(attributes["error.type"]);

/** Calls of one trace: each stands in the answer that makes it, in the span that runs it, and in later requests, and is told once. */
type Asked = Pick<Called, "tool" | "call" | "args" | "raw">;

interface Waiting extends Asked {
  /** A span has taken it up. */
  isBegun: boolean;
}

/** Ours: of more calls at once the oldest are no longer looked for. */
const WAITING_MAX = 1_000;

class ToolCalls {
  readonly #waiting: Waiting[] = [];
  readonly #known = new Set<string>();
  readonly #answered = new Set<string>();
  /** Results of calls without an id that spans told and messages did not yet. */
  readonly #results = new Map<string, number>();

  /** Of a message: whether the call is not known yet. */
  asked(asked: Asked): boolean {
    if (asked.call !== null && this.#known.has(asked.call)) return false;
    if (asked.call === null && this.#waiting.some((one) => one.isBegun && isSame(one, asked)))
      return false;
    if (asked.call !== null) this.#known.add(asked.call);
    this.#wait(asked, false);
    return true;
  }

  /** Of a span: the id of the call that it runs, and whether no message made it. */
  begun(
    asked: Asked,
    span: string | null,
  ): { readonly call: string | null; readonly isNew: boolean } {
    const own = asked.call;
    const at = this.#waiting.findIndex(
      (one) => !one.isBegun && (own === null ? isSame(one, asked) : one.call === own),
    );
    const waiting = this.#waiting[at];
    if (waiting !== undefined) {
      waiting.isBegun = true;
      if (waiting.call !== null) this.#waiting.splice(at, 1);
      return { call: waiting.call, isNew: false };
    }
    const call = own ?? span;
    if (call !== null && this.#known.has(call)) return { call, isNew: false };
    if (call !== null) this.#known.add(call);
    if (own === null) this.#wait({ ...asked, call }, true);
    return { call, isNew: true };
  }

  /**
   * Whether the result is not told yet. One without an id is told by the span that ran the call, and again by the message that
   * takes it to the model.
   */
  returned(call: string | null, result: Json, by: "span" | "message"): boolean {
    if (call !== null) {
      if (this.#answered.has(call)) return false;
      this.#answered.add(call);
      this.#ended(call);
      // Of a call that only its span names, a message tells the result without an id.
      if (!this.#waiting.some((one) => one.isBegun && one.call === call)) return true;
    }
    const key = JSON.stringify(result);
    const told = this.#results.get(key) ?? 0;
    if (by === "span") this.#results.set(key, told + 1);
    else if (told > 0) this.#results.set(key, told - 1);
    return by === "span" || told === 0;
  }

  #wait({ tool, call, args, raw }: Asked, isBegun: boolean): void {
    this.#waiting.push({ tool, call, args, raw, isBegun });
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift();
  }

  #ended(call: string): void {
    const at = this.#waiting.findIndex((one) => one.call === call && !one.isBegun);
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/** Arguments that one of the two does not tell are no difference. */
function isSame(one: Asked, other: Asked): boolean {
  if (one.tool !== other.tool) return false;
  const [a, b] = [one, other].map(({ args, raw }) =>
    args === null && raw === null ? undefined : JSON.stringify([args, raw]),
  );
  return a === undefined || b === undefined || a === b;
}
