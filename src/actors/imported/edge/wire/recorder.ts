/** Answers an agent by asking the API that it meant, and keeps what went over the wire. */

import { setTimeout } from "node:timers/promises";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { jsonFault, readJson } from "../../../../machines/readJson.ts";
import { mapIn } from "../readers/fields.ts";
import { Redaction } from "../redacted.ts";
import type { AnswerFault } from "./answerFaults.ts";
import { type Api, isModelCall } from "./apis.ts";
import type { Exchange, ExchangeWriter, McpLine } from "./exchangeLog.ts";
import type { Answering, Asked, Came, Reply } from "./gateway.ts";
import { messageDigest, Remembered } from "./messageDigests.ts";
import { standInsAt } from "./standIns.ts";
import { bodyOfStream, streamOf } from "./streamed.ts";
import { askUpstream, messageOf, wholeOf } from "./upstream.ts";
import type { FaultDone, WireFaults } from "./wireFaults.ts";

export interface RecorderOptions {
  readonly upstreams: { readonly [A in Api]: string };
  readonly writer: ExchangeWriter;
  readonly faults: WireFaults;
  /** Whether bodies are kept with the secrets in them. */
  readonly keepsBodies?: boolean;
  /** Hears of each exchange, as it is kept. */
  readonly onKept?: (exchange: Exchange) => void;
  /** Who answers clients of servers of tools. */
  readonly tools?: ToolAnswers;
}

/** Answers in the place of servers of tools. */
export interface ToolAnswers {
  /** No server is to run. */
  readonly isAlone: boolean;
  /** What a client is told at once; nothing where the server is to be asked. */
  readonly told: (line: McpLine) => readonly Json[];
}

const isStream = (type: string): boolean => /event-stream|ndjson/.test(type);

/** An answer, whole. */
interface Held {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const JSON_TYPE = "application/json";
const inPlace = (status: number, body: Json): Held => ({
  ...{ status, type: JSON_TYPE, text: JSON.stringify(body) },
});

/** What the agent gets of an answer, whether that is a fault at all, and what stood there. */
function faulted(fault: AnswerFault, { status, type, text }: Held) {
  const told = (said: string, isMet: boolean, instead?: Json) => ({
    told: { status, type, pieces: [[0, said]] as [number, string][] },
    ...{ isMet, ...(instead !== undefined && { instead }) },
  });
  if ("stallMs" in fault) return told(text.slice(0, Math.ceil(text.length / 2)), true);
  if (!("change" in fault)) return told(text, true);
  const before = isStream(type) ? bodyOfStream(text) : bodyValue(text);
  const changed = fault.change(before);
  if (changed === undefined) return told(text, false);
  return told(isStream(type) ? streamOf(changed) : JSON.stringify(changed), true, before);
}

/** A body as it is kept and compared: JSON, or its text. */
export function bodyValue(text: string): Json {
  const value = readJson(text);
  return value === undefined || jsonFault(value, DEPTH_MAX) !== null ? text : value;
}

/** Ours: a line of the file nests a body some levels deeper, and is to be read as well. */
const DEPTH_MAX = 50;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #redaction = new Redaction();
  /** Messages without a secret. */
  readonly #clean = new Remembered<string, true>();
  /** Requests that are no call of a model: passed on, and not kept. */
  others = 0;
  /** Where requests went on to, as `host:port` of the other end. */
  readonly reached = new Set<string>();

  constructor(options: RecorderOptions) {
    this.#options = options;
    const { keepsBodies, writer, tools } = options;
    const redaction = keepsBodies ? null : this.#redaction;
    const keep = (line: McpLine): readonly Json[] => {
      writer.add(line);
      const { redacted: _, ...rest } = line;
      const told = tools?.told(line) ?? [];
      for (const message of told) writer.add({ ...rest, from: "server", message });
      return told;
    };
    const does = tools?.isAlone ? "answer" : "keep";
    this.standIn = standInsAt(does, redaction, keep, (pid) => this.standIns.add(pid));
  }

  /** What passes servers of tools, and the processes that stand in for them. */
  readonly standIn: Answering<Came>;
  readonly standIns = new Set<number>();

  readonly answering: Answering = async (asked, reply) => {
    const { api, method, path } = asked;
    if (!isModelCall(api, method, path)) {
      this.others += 1;
      return this.#pass(asked, reply, asked.body, () => undefined);
    }
    const startMs = performance.now();
    const timestamp = new Date().toISOString();
    const sent = bodyValue(asked.body.toString("utf8"));
    const { request, done, got, delayMs } = this.#options.faults.request(sent);
    const fault = this.#options.faults.answer(api);
    const faults: readonly FaultDone[] = fault === null ? done : [...done, fault.done];
    const base = { api, path, timestamp, request: sent, faults, got };
    const body = Object.keys(got).length === 0 ? asked.body : Buffer.from(JSON.stringify(request));
    if (delayMs > 0) await setTimeout(delayMs);
    if (fault !== null && "delayMs" in fault) await setTimeout(fault.delayMs);
    else if (fault !== null) {
      const held =
        "status" in fault ? inPlace(fault.status, fault.body(api)) : this.#held(asked, body);
      const { told, isMet, ...met } = faulted(fault, await held);
      this.#keep(
        { ...base, faults: isMet ? [...done, { ...fault.done, ...met }] : done },
        startMs,
        told,
      );
      reply.head(told.status, { "content-type": told.type });
      for (const [, piece] of told.pieces) reply.piece(Buffer.from(piece));
      if (!("stallMs" in fault)) return reply.end();
      await setTimeout(fault.stallMs, undefined, { signal: asked.signal }).catch(() => undefined);
      throw new Error("the answer stalled on purpose");
    }
    const pieces: [number, string][] = [];
    const decoder = new TextDecoder();
    let [status, type] = [0, ""];
    try {
      await this.#pass(asked, reply, body, (piece, answered) => {
        [status, type] = [answered.status, String(answered.headers["content-type"] ?? "")];
        if (piece !== null) {
          pieces.push([
            Math.round(performance.now() - startMs),
            decoder.decode(piece, { stream: true }),
          ]);
        }
      });
    } catch (error) {
      const message = messageOf(error);
      const text = JSON.stringify({ error: { message } });
      this.#keep(base, startMs, { status: status || 502, type, pieces: [...pieces, [0, text]] });
      throw error;
    }
    this.#keep(base, startMs, { status, type, pieces });
  };

  /** An answer, whole, before the agent gets any of it; of a server that cannot be asked, what the agent is told of that. */
  async #held(asked: Asked, body: Buffer): Promise<Held> {
    try {
      const answered = await askUpstream(this.#address(asked), asked, body);
      const text = (await wholeOf(answered.pieces)).toString("utf8");
      const type = String(answered.headers["content-type"] ?? JSON_TYPE);
      return { status: answered.status, type, text };
    } catch (error) {
      return inPlace(502, { error: { message: messageOf(error) } });
    }
  }

  #address = ({ api, path, query }: Asked): URL =>
    new URL(`${this.#options.upstreams[api]}${path}${query}`);

  /** Of the same shape: only texts in it change. */
  #cleaned<T>(value: T): T {
    return this.#value(value as unknown as Json).clean as unknown as T;
  }

  /** A conversation repeats its messages: what was without a secret is not looked through again. */
  #request(request: Json): { readonly clean: Json; readonly texts: number } {
    if (this.#options.keepsBodies || !isMap(request)) return this.#value(request);
    let texts = 0;
    const of = (value: Json): Json => {
      const found = this.#value(value);
      texts += found.texts;
      return found.clean;
    };
    const message = (one: Json): Json => {
      if (!isMap(one)) return of(one);
      const digest = messageDigest(one);
      if (this.#clean.take(digest)) return one;
      const clean = of(one);
      if (messageDigest(clean) !== digest) return clean;
      this.#clean.keep(digest, true);
      return one;
    };
    const members = Object.entries(request).flatMap(([name, value]) => {
      const list = Array.isArray(value) ? (value as readonly Json[]) : null;
      const clean = of({ [name]: list === null ? value : [] });
      return Object.entries(mapIn(clean)).map(
        ([key, one]) => [key, list?.map(message) ?? one] as const,
      );
    });
    this.#clean.forget();
    return { clean: Object.fromEntries(members), texts };
  }

  #value(value: Json): { readonly clean: Json; readonly texts: number } {
    return this.#options.keepsBodies ? { clean: value, texts: 0 } : this.#redaction.value(value);
  }

  async #pass(
    asked: Asked,
    reply: Reply,
    body: Buffer,
    hear: (
      piece: Buffer | null,
      answered: { readonly status: number; readonly headers: { readonly [name: string]: unknown } },
    ) => void,
  ): Promise<void> {
    const answered = await askUpstream(this.#address(asked), asked, body);
    this.reached.add(answered.from);
    reply.head(answered.status, answered.headers);
    hear(null, answered);
    for await (const piece of answered.pieces) {
      reply.piece(piece);
      hear(piece, answered);
    }
    reply.end();
  }

  #keep(
    base: Pick<Exchange, "api" | "path" | "timestamp" | "request" | "faults" | "got">,
    startMs: number,
    { status, type, pieces }: Required<Pick<Exchange, "status" | "type" | "pieces">>,
  ): void {
    const text = pieces.map(([, piece]) => piece).join("");
    const isStreamed = isStream(type);
    const body = isStreamed ? bodyOfStream(text) : bodyValue(text);
    const request = this.#request(base.request);
    const response = this.#value(body);
    const redacted = request.texts + response.texts;
    const { api, path, timestamp, faults = [], got = {} } = base;
    const exchange: Exchange = {
      ...{ api, path, timestamp, latency_ms: Math.round(performance.now() - startMs) },
      ...{ request: request.clean, status, response: response.clean, type },
      // A secret may go over several pieces: the clean body is then the stream.
      ...(isStreamed && {
        pieces:
          response.texts === 0 && this.#value(text).texts === 0
            ? pieces
            : [[0, streamOf(response.clean)] as const],
      }),
      ...(faults.length > 0 && { faults: this.#cleaned(faults) }),
      ...(Object.keys(got).length > 0 && { got: this.#cleaned(got) }),
      ...(redacted > 0 && { redacted }),
      ...(this.#options.keepsBodies && { isWhole: true }),
    };
    this.#options.writer.add(exchange);
    this.#options.onKept?.(exchange);
  }
}
