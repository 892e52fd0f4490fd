/** One trace or conversation as a log: what began and what ended, in the order of time. */
import type { Json } from "../../../../../machines/letter.ts";
import type { LogPiece, LogRecord, Place } from "../../../record.ts";
import { give } from "../conversations.ts";
import { offer } from "../episode.ts";
import { type Fields, fieldOf, idOf, isEmpty, listOf, textOf } from "../fields.ts";
import { chained, History, messageKey } from "../history.ts";
import { type Around, readMessage } from "../message.ts";
import { bare, type Opening, OpenLog } from "../openLog.ts";
import { argumentsOf } from "../parts.ts";
import { NAMES, TOOLS_OWN } from "./attributeNames.ts";
import type { Span } from "./export.ts";
import { agentIn, restOf, usageOf } from "./spanFields.ts";
import { kindOf, type SpanKind } from "./spanKind.ts";
import { messagesOf, type SpanMessages } from "./spanMessages.ts";
import { ToolCalls } from "./toolCalls.ts";

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
    this.#log.close();
    return this.#log.taken();
  }

  #endUntil(ms: number): void {
    for (
      let next = this.#endings.at(-1);
      next !== undefined && next.atMs <= ms;
      next = this.#endings.at(-1)
    ) {
      this.#endings.pop();
      next.tell();
    }
  }

  /** Of those that end at once, the one that began last ends first. */
  #later(ending: Ending): void {
    let at = this.#endings.length;
    while (at > 0 && (this.#endings[at - 1] as Ending).atMs < ending.atMs) at--;
    this.#endings.splice(at, 0, ending);
  }

  #begin(span: Span, around: SpanAround, kind: SpanKind): void {
    const { place } = around;
    if (span.trace === null || span.startNs === null) {
      this.#log.unread(
        place,
        `a span without ${span.trace === null ? "a trace id" : "a start"}; its place in the log is a guess`,
      );
    }
    this.#once("resource", span.resource, (data) => this.#note(span, around, "resource", data));
    if (kind === "tool") this.#tool(span, around);
    else this.#messages(span, around, kind);
  }

  #base = (span: Span, { place }: SpanAround, atMs: number | null) => ({
    place,
    atMs,
    step: null,
    id: span.id,
    parent: span.parent,
  });

  #note(span: Span, around: SpanAround, what: string, data: Json): void {
    this.#log.give({
      ...this.#base(span, around, span.startMs),
      kind: "noted",
      who: around.agent,
      what,
      data,
    });
  }

  #tool(span: Span, around: SpanAround): void {
    const { attributes, events } = span;
    const messages = messagesOf(span);
    this.#offers(messages, around.place, span.startMs);
    const tool = textOf(fieldOf(attributes, NAMES.tool)) ?? span.name.replace(/^execute_tool /, "");
    const given = argumentsOf(fieldOf(attributes, NAMES.args));
    const own = idOf(fieldOf(attributes, NAMES.call));
    const { call, isNew } = this.#calls.begun({ tool, call: own, ...given }, span.id);
    if (isNew) {
      this.#log.give({
        ...this.#base(span, around, span.startMs),
        kind: "called",
        agent: around.agent ?? "assistant",
        tool,
        call,
        ...given,
      });
    }
    const rest = restOf(attributes, (name) => TOOLS_OWN.has(name));
    if (!isEmpty(rest)) this.#note(span, around, span.name, rest);
    this.#events(span, around);
    const told = fieldOf(attributes, NAMES.result);
    const said = messages.input
      .map((message) => readMessage(message, this.#aroundOf(span, around)))
      .flatMap(({ records }) => records);
    const returned = said.find((record) => record.kind === "returned");
    const result = told ?? (returned?.kind === "returned" ? returned.result : null);
    const thrown = events.find(({ name }) => name === "exception")?.attributes;
    const error =
      span.error ?? textOf(thrown?.["exception.message"]) ?? textOf(attributes["error.type"]);
    const isError = span.status === "error" || !isEmpty(attributes["error.type"]);
    const ok = isError ? false : span.status === "ok" ? true : null;
    const latencyMs =
      span.startMs === null || span.endMs === null ? null : span.endMs - span.startMs;
    this.#later({
      atMs: span.endMs ?? span.startMs ?? 0,
      tell: () => {
        if (!this.#calls.returned(call, result, "span")) return;
        this.#log.give({
          ...this.#base(span, around, span.endMs),
          kind: "returned",
          tool,
          call,
          result,
          ok,
          error: isError ? error : null,
          latencyMs,
        });
      },
    });
  }

  #messages(span: Span, around: SpanAround, kind: SpanKind): void {
    const { attributes } = span;
    const { place, agent } = around;
    const messages = messagesOf(span);
    const isModel = kind === "model";
    const rest = restOf(attributes, () => false);
    if (!isModel || !isEmpty(rest))
      this.#note(
        span,
        around,
        span.name === "" ? kind : span.name,
        isModel ? rest : { ...agentIn(attributes), ...rest },
      );
    for (const reason of messages.unread) this.#log.unread(place, reason);
    this.#offers(messages, place, span.startMs);
    const base = this.#aroundOf(span, around);
    const history = this.#history(agent);
    const system = isEmpty(messages.system)
      ? []
      : [{ role: "system", parts: listOf(messages.system) ?? [messages.system] }];
    this.#given(history, [...system, ...messages.input], base);
    this.#events(span, around);
    const isTold = !isModel || around.isAroundModel;
    const latencyMs =
      isModel && span.startMs !== null && span.endMs !== null ? span.endMs - span.startMs : null;
    const model = textOf(fieldOf(attributes, NAMES.model));
    this.#later({
      atMs: span.endMs ?? span.startMs ?? 0,
      tell: () => {
        const answer = {
          ...base,
          atMs: span.endMs ?? span.startMs,
          model,
          usage: isModel ? usageOf(attributes) : null,
          latencyMs,
        };
        if (isTold)
          this.#given(history, messages.output, { ...answer, usage: null, latencyMs: null });
        else
          for (const [index, message] of messages.output.entries())
            this.#answered(
              history,
              message,
              index === 0 ? answer : { ...answer, usage: null, latencyMs: null },
            );
        if (span.status === "error" || !isEmpty(attributes["error.type"])) {
          const error = { message: span.error, type: attributes["error.type"] ?? null };
          this.#log.give({
            ...this.#base(span, around, span.endMs),
            kind: "noted",
            who: agent,
            what: "error",
            data: error,
          });
        }
      },
    });
  }

  /** Messages that may have been told before. */
  #given(history: History, messages: readonly Json[], base: Around): void {
    const read = messages.map((message) => readMessage(message, base));
    const fresh = history.fresh(read.map(({ records, unread }) => messageKey(records, unread)));
    for (const [index, one] of read.entries()) {
      if (fresh[index] === true)
        give(this.#log, base.place, {
          ...one,
          records: one.records.filter((record) => this.#isFresh(record)),
        });
    }
  }

  #answered(history: History, message: Json, base: Around): void {
    const read = readMessage(message, base);
    history.answered(messageKey(read.records, read.unread));
    give(this.#log, base.place, {
      ...read,
      records: read.records.filter((record) => this.#isFresh(record)),
    });
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
      this.#once("tool", { tool }, () => offer(this.#log, { ...bare(place), atMs }, tool));
  }

  #events(span: Span, around: SpanAround): void {
    for (const { name, atMs, attributes } of messagesOf(span).others) {
      this.#log.give({
        ...this.#base(span, around, atMs ?? span.startMs),
        kind: "noted",
        who: around.agent,
        what: name,
        data: attributes,
      });
    }
  }

  #aroundOf = (span: Span, { place, agent }: SpanAround): Around => ({
    place,
    format: this.#log.format,
    atMs: span.startMs,
    step: null,
    id: span.id,
    parent: span.parent,
    agent,
    model: null,
    usage: null,
    latencyMs: null,
  });

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
