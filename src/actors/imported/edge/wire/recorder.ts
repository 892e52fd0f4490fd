/** Answers an agent by asking the API that it meant, and keeps what went over the wire. */

import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { setTimeout } from "node:timers/promises";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { Redaction } from "../redacted.ts";
import { type Api, isModelCall } from "./apis.ts";
import type { Exchange, ExchangeWriter } from "./exchangeLog.ts";
import { type Answering, type Asked, type Reply, whole } from "./gateway.ts";
import { bodyOfStream, streamOf } from "./streamed.ts";
import type { FaultDone, WireFaults } from "./wireFaults.ts";

export interface RecorderOptions {
  readonly upstreams: { readonly [A in Api]: string };
  readonly writer: ExchangeWriter;
  readonly faults: WireFaults;
  /** Hears of each exchange, as it is kept. */
  readonly onKept?: (exchange: Exchange) => void;
}

const isStream = (type: string): boolean => /event-stream|ndjson/.test(type);

/** A body as it is kept and compared: JSON, or its text. */
export const bodyValue = (text: string): Json => readJson(text) ?? text;

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #redaction = new Redaction();
  /** Requests that are no call of a model: passed on, and not kept. */
  others = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  readonly answering: Answering = async (asked, reply) => {
    const { api, method, path } = asked;
    if (!isModelCall(api, method, path)) {
      this.others += 1;
      return this.#pass(asked, reply, asked.body, () => undefined);
    }
    const startMs = performance.now();
    const timestamp = new Date().toISOString();
    const sent = bodyValue(asked.body.toString("utf8"));
    const { request, done, got } = this.#options.faults.request(sent);
    const fault = this.#options.faults.answer(api);
    const faults: readonly FaultDone[] = fault === null ? done : [...done, fault.done];
    const base = { api, path, timestamp, request: sent, faults, got };
    if (fault !== null && "delayMs" in fault) await setTimeout(fault.delayMs);
    if (fault !== null && "status" in fault) {
      const text = JSON.stringify(fault.body(api));
      whole(reply, fault.status, text);
      this.#keep(base, startMs, {
        status: fault.status,
        type: "application/json",
        pieces: [[0, text]],
      });
      return;
    }
    const body = Object.keys(got).length === 0 ? asked.body : Buffer.from(JSON.stringify(request));
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
      const message = error instanceof Error ? error.message : String(error);
      const text = JSON.stringify({ error: { message } });
      this.#keep(base, startMs, { status: status || 502, type, pieces: [...pieces, [0, text]] });
      throw error;
    }
    this.#keep(base, startMs, { status, type, pieces });
  };

  /** Of the same shape: only texts in it change. */
  #cleaned<T>(value: T): T {
    return this.#redaction.value(value as unknown as Json).clean as unknown as T;
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
    const answered = await askUpstream(this.#options.upstreams[asked.api], asked, body);
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
    const request = this.#redaction.value(base.request);
    const response = this.#redaction.value(body);
    const redacted = request.texts + response.texts;
    const { api, path, timestamp, faults = [], got = {} } = base;
    const exchange: Exchange = {
      ...{ api, path, timestamp, latency_ms: Math.round(performance.now() - startMs) },
      ...{ request: request.clean, status, response: response.clean, type },
      // A secret may go over several pieces: the clean body is then the stream.
      ...(isStreamed && {
        pieces:
          response.texts === 0 && this.#redaction.value(text).texts === 0
            ? pieces
            : [[0, streamOf(response.clean)] as const],
      }),
      ...(faults.length > 0 && { faults: this.#cleaned(faults) }),
      ...(Object.keys(got).length > 0 && { got: this.#cleaned(got) }),
      ...(redacted > 0 && { redacted }),
    };
    this.#options.writer.add(exchange);
    this.#options.onKept?.(exchange);
  }
}

/** A request as it goes on to the API that it was meant for, and what comes back, piece by piece. */
interface Answered {
  readonly status: number;
  readonly headers: { readonly [name: string]: string | string[] };
  readonly pieces: AsyncIterable<Buffer>;
}

/** Of this connection, and not of what is said over it. */
const HOP = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "host", "content-length", "accept-encoding"],
]);

const passed = (headers: object) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !HOP.has(name) && value !== undefined),
  );

/** Sends `body` in place of what the agent sent. Throws what the network throws. */
function askUpstream(base: string, asked: Asked, body: Buffer): Promise<Answered> {
  const address = new URL(`${base}${asked.path}${asked.query}`);
  const send = address.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((done, failed) => {
    const request = send(
      address,
      {
        method: asked.method,
        // What is compressed could not be read.
        headers: {
          ...passed(asked.headers),
          "accept-encoding": "identity",
          ...(body.length > 0 && { "content-length": body.length }),
        },
        signal: asked.signal,
      },
      (response) => {
        const { statusCode: status = 502, headers } = response;
        done({ status, headers: passed(headers), pieces: response });
      },
    );
    request.once("error", failed);
    request.end(body);
  });
}
