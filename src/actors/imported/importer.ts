/**
 * Turns the records of one log, in their order, into deliveries of an event log. Pure and streaming: nothing is kept of a
 * record but what later ones may rest on.
 */
import type { MailEvent, MailOf } from "../../machines/letter.ts";
import type { Delivery, Mutable } from "../../substrate/envelope.ts";
import { agentAddress, EVERYONE, LOG, outsideAddress, toolAddress } from "./addresses.ts";
import { bounds } from "./bounds.ts";
import { isFault, Linker, type OpenCall } from "./linker.ts";
import type { LogHead, LogRecord } from "./record.ts";

/** How virtual time is made: from the log's own times, or a second for each record. */
export type LogClock = "log" | "steps";

interface Way {
  readonly from: string;
  readonly to: string;
}

/** Beyond it a number of milliseconds is no date. */
const TIME_MOST = 8_640_000_000_000_000;

export class Importer {
  readonly #head: LogHead;
  readonly #linker = new Linker();
  /** Until it is known whether the log has times. */
  #waiting: LogRecord[] | undefined = [];
  #startMs: number | null = null;
  #seq = 0;
  #nowMs = 0;
  #wentBack = 0;
  /** Speakers who are no agents. */
  readonly #outside = new Set<string>();

  constructor(head: LogHead) {
    this.#head = head;
  }

  /** The log's first time in ms since 1970; null where it has none. Known from the first delivery on. */
  get startMs(): number | null {
    return this.#startMs;
  }

  get clock(): LogClock {
    return this.#startMs === null ? "steps" : "log";
  }

  /** None at first; then all that waited. */
  add(record: LogRecord): readonly Delivery[] {
    if (this.#waiting === undefined) return [this.#delivery(record)];
    this.#waiting.push(record);
    const isKnown = timeOf(record) !== null || this.#waiting.length >= bounds.clockRecords;
    return isKnown ? this.#begin() : [];
  }

  end(): readonly Delivery[] {
    const waited = this.#begin();
    const records = this.#seq - 1;
    const forgotten = {
      ...this.#linker.forgotten,
      ...(this.#wentBack > 0 && { "times that went back": this.#wentBack }),
    };
    const closed = { type: "log.closed", records, forgotten } as const;
    return [...waited, this.#made(closed, { from: LOG, to: LOG })];
  }

  #begin(): readonly Delivery[] {
    const waiting = this.#waiting;
    if (waiting === undefined) return [];
    this.#waiting = undefined;
    const first = waiting.find((record) => timeOf(record) !== null);
    this.#startMs = first === undefined ? null : timeOf(first);
    const { name: log, format, file } = this.#head;
    const opened = { type: "log.opened", log, format, file, clock: this.clock } as const;
    return [
      this.#made(opened, { from: LOG, to: LOG }),
      ...waiting.map((record) => this.#delivery(record)),
    ];
  }

  #delivery(record: LogRecord): Delivery {
    this.#pass(record);
    const { links, call } = this.#linker.linked(record, this.#seq);
    const { step, place, id, parent } = record;
    const base = {
      ...{ step, timeMs: timeOf(record), id, parent, links, line: place.line },
      file: place.file === this.#head.file ? null : place.file,
    };
    const isOutside = record.kind === "said" && record.role !== "agent";
    if (isOutside && this.#outside.size < bounds.agents) this.#outside.add(record.speaker);
    return this.#made(eventOf(record, base, call), this.#way(record, call), base);
  }

  #made(event: MailEvent, { from, to }: Way, { links }: Partial<Base> = {}): Delivery {
    const stated = links?.find(({ inferred }) => !inferred);
    const made: Partial<Mutable<Delivery>> = {
      ...{ seq: this.#seq, dueMs: this.#nowMs, to, from, event, cause: stated?.seq ?? null },
    };
    this.#seq += 1;
    // A line of the log has its members in this order.
    if (links !== undefined && links.length > 0) {
      made.because = links.map(({ seq }) => seq).sort((a, b) => a - b);
    }
    const rest = { before: null, after: null, letters: [], changes: [] };
    return { ...made, fate: "handled", ...rest } as unknown as Delivery; // All of it is there.
  }

  /** Time never goes back: what the log has out of order happens when its line stands there. */
  #pass(record: LogRecord): void {
    if (this.#startMs === null) {
      this.#nowMs = (this.#seq - 1) * bounds.stepMs;
      return;
    }
    const atMs = (timeOf(record) ?? this.#startMs + this.#nowMs) - this.#startMs;
    if (atMs < this.#nowMs) this.#wentBack += 1;
    else this.#nowMs = atMs;
  }

  #way(record: LogRecord, call: OpenCall | undefined): Way {
    switch (record.kind) {
      case "said":
        return {
          from: this.#address(record.speaker, record.role !== "agent"),
          to: record.to === null ? EVERYONE : this.#address(record.to),
        };
      case "called":
        return { from: agentAddress(record.agent), to: toolAddress(record.tool) };
      case "returned":
        return {
          from: toolAddress(call?.tool ?? record.tool ?? ""),
          to: call === undefined ? EVERYONE : agentAddress(call.agent),
        };
      case "offered":
        return { from: toolAddress(record.tool), to: EVERYONE };
      case "noted":
        if (isFault(record)) return { from: outsideAddress("fault"), to: LOG };
        return { from: record.who === null ? LOG : this.#address(record.who), to: LOG };
      default:
        return { from: LOG, to: LOG };
    }
  }

  #address(name: string, isOutside: boolean = this.#outside.has(name)): string {
    return isOutside ? outsideAddress(name) : agentAddress(name);
  }
}

/** Null for what is no date, too. */
function timeOf({ atMs }: LogRecord): number | null {
  if (atMs === null || !Number.isFinite(atMs) || Math.abs(atMs) > TIME_MOST) return null;
  return Math.round(atMs);
}

/** What every event of a log has. */
type Base = Pick<
  MailOf<"log.noted">,
  "step" | "timeMs" | "file" | "line" | "id" | "parent" | "links"
>;

/** `call` is the one that a result is of. */
function eventOf(record: LogRecord, base: Base, call: OpenCall | undefined): MailEvent {
  switch (record.kind) {
    case "said": {
      const { speaker, role, to, text, model, usage, latencyMs } = record;
      const { promptTokens = null, answerTokens = null } = usage ?? {};
      const cost = { model, promptTokens, answerTokens, latencyMs };
      return { type: "log.said", speaker, role, to, text, ...cost, ...base };
    }
    case "called": {
      const { agent, tool, call: id, args, raw } = record;
      return { type: "log.called", agent, tool, call: id, args, raw, ...base };
    }
    case "returned": {
      const { result, ok, error, latencyMs } = record;
      const whose = { caller: call?.agent ?? null, tool: call?.tool ?? record.tool ?? "unknown" };
      const of = { call: record.call, of: call?.seq ?? null };
      return { type: "log.returned", ...whose, ...of, result, ok, error, latencyMs, ...base };
    }
    case "offered": {
      const { tool, description, schema } = record;
      return { type: "log.offered", tool, description, schema, ...base };
    }
    case "judged": {
      const { reward, success, mistake } = record;
      return { type: "log.judged", reward, success, mistake, ...base };
    }
    case "noted": {
      const { who, what, data } = record;
      return { type: "log.noted", who, what, data, ...base };
    }
  }
}
