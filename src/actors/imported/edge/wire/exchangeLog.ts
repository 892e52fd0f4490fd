/**
 * `exchanges.jsonl`: what went over the wire, a line each, in the order in which the answers ended. Each line names the hash of
 * the one before it, so that a changed file is found. A process that was killed leaves all whole lines.
 */

import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileFault } from "../../../../edges/boundedBytes.ts";
import { badInput } from "../../../../edges/errors.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { chained, GENESIS } from "../../../../substrate/digest.ts";
import { APIS, type Api } from "./apis.ts";
import { Sharing, Unsharing } from "./sharedMessages.ts";
import type { FaultDone } from "./wireFaults.ts";

export const EXCHANGES = "exchanges.jsonl";
export const exchangesIn = (folder: string): string => join(folder, EXCHANGES);
/** Of a server of tools; each line as `McpLine` says. */
export const MESSAGES = "messages.jsonl";

/** One request of an agent to a model, and what it got. Secrets are taken out of both. */
export interface Exchange {
  readonly api: Api;
  readonly path: string;
  /** When it was asked, as ISO 8601; how long the answer took, in ms. */
  readonly timestamp: string;
  readonly latency_ms: number;
  /** As the agent sent it. */
  readonly request: Json;
  readonly status: number;
  /** The body, of a stream the body that its pieces amount to; a text where it is no JSON. */
  readonly response: Json;
  /** Of a stream, its pieces with the ms that had passed; one piece made of the body, where a secret stood in it. */
  readonly pieces?: readonly (readonly [afterMs: number, text: string])[];
  readonly type: string;
  /** What was put between the two on purpose. */
  readonly faults?: readonly FaultDone[];
  /** By the id of a call, the result that the model got in place of the one that the agent sent. */
  readonly got?: { readonly [call: string]: Json };
  /** Texts of which something was taken out. */
  readonly redacted?: number;
  /** Nothing was taken out of the bodies: whoever recorded it wished so. */
  readonly isWhole?: true;
}

/** Writes lines that are chained; exchanges, unless it is told otherwise. */
export class ExchangeWriter<T extends object = Exchange> {
  readonly #path: string;
  readonly #file: number;
  readonly #sharing = new Sharing();
  #before = GENESIS;
  count = 0;

  /** Throws what the disk throws; the file must be new. Only its owner may read it. */
  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "wx", 0o600);
  }

  add(exchange: T): void {
    const shared =
      "api" in exchange ? this.#sharing.of((exchange as unknown as Exchange).request) : {};
    const line = JSON.stringify({ ...exchange, ...shared, before: this.#before });
    writeSync(this.#file, `${line}\n`);
    this.#before = chained(this.#before, line);
    this.count += 1;
  }

  /** Where nothing came, nothing is left behind. */
  close(): void {
    fsyncSync(this.#file);
    closeSync(this.#file);
    if (this.count === 0) rmSync(this.#path);
  }
}

export interface ReadExchanges {
  readonly exchanges: readonly Exchange[];
  /** Whether the last line breaks off, as a kill leaves it. */
  readonly isCut: boolean;
}

/** Throws BadInput for a file that cannot be read, or was changed. */
export function readExchanges(path: string): ReadExchanges {
  const lines = textOf(path).split("\n");
  const rest = lines.pop() ?? "";
  let before = GENESIS;
  const unsharing = new Unsharing();
  const exchanges = lines.map((line, index) => {
    const value = readJson(line);
    const exchange = isMap(value) ? (value as { readonly [name: string]: Json }) : {};
    if (exchange["before"] !== before || !isExchange(exchange)) {
      throw badInput(
        { file: path, line: index + 1 },
        isExchange(exchange) ? "a line that does not follow the one before it" : "no exchange",
        "a file as `ghostlight record` wrote it",
        "Record the run again, or restore the file.",
      );
    }
    before = chained(before, line);
    const whole = unsharing.line(exchange);
    if (whole !== undefined) return whole as unknown as Exchange;
    throw badInput(
      { file: path, line: index + 1 },
      NOT_THERE,
      "a file as `ghostlight record` wrote it",
      "Record the run again.",
    );
  });
  return { exchanges, isCut: rest !== "" };
}

/** The same, with a call at least. Throws BadInput with `todo` where there is none. */
export function recordedCalls(folder: string, todo: string): ReadExchanges {
  const file = exchangesIn(folder);
  const read = readExchanges(file);
  if (read.exchanges.length > 0) return read;
  throw badInput({ file }, "no call of a model", "a recording with at least one", todo);
}

/** Why a line cannot be read. */
export const NOT_THERE = "messages that no line before it has, or far too many";

const isExchange = (value: { readonly [name: string]: Json }): boolean =>
  APIS.some((api) => api === value["api"]) &&
  typeof value["path"] === "string" &&
  typeof value["status"] === "number" &&
  value["request"] !== undefined;

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const todo = "`npx ghostlight record -- COMMAND` makes one.";
    throw badInput({ file: path }, fileFault(error), "the folder of a recorded agent", todo);
  }
}
