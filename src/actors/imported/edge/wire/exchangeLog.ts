/**
 * `exchanges.jsonl`: what went over the wire, a line each, in the order in which it came to the gateway: calls of models as their
 * answers ended, messages of servers of tools before they go on. Each line names the hash of the one before it, so that a changed
 * file is found. A process that was killed leaves all whole lines.
 */

import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileFault } from "../../../../edges/boundedBytes.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import type { Json } from "../../../../machines/letter.ts";
import { readJson } from "../../../../machines/readJson.ts";
import { chained, GENESIS } from "../../../../substrate/digest.ts";
import { mapIn } from "../readers/fields.ts";
import { APIS, type Api } from "./apis.ts";
import { Sharing, Unsharing } from "./sharedMessages.ts";
import type { FaultDone } from "./wireFaults.ts";

export const EXCHANGES = "exchanges.jsonl";
export const exchangesIn = (folder: string): string => join(folder, EXCHANGES);
/** Of a server of tools alone. */
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

/** One message between a client of the Model Context Protocol and its server, as it was received: of the server's, as the client got it. */
export interface McpLine {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly from: "client" | "server";
  /** Secrets are taken out. A text where it is no JSON. */
  readonly message: Json;
  /** Which server it is, wherever it is started. */
  readonly server?: string;
  /** Of those that share a log: within which ids of requests are unique. */
  readonly stream?: string;
  readonly fault?: FaultDone;
  /** Texts of which something was taken out. */
  readonly redacted?: number;
  /** As of an exchange. */
  readonly isWhole?: true;
}

/** Writes lines that are chained. */
export class ExchangeWriter {
  readonly #path: string;
  readonly #file: number;
  readonly #sharing = new Sharing();
  readonly #onAdd: (kept: Exchange | McpLine) => void;
  #before = GENESIS;
  /** Lines, and those of them that are calls of models. */
  count = 0;
  calls = 0;

  /** Throws what the disk throws; the file must be new. Only its owner may read it. `onAdd` hears of each line. */
  constructor(path: string, onAdd: (kept: Exchange | McpLine) => void = () => undefined) {
    this.#path = path;
    this.#onAdd = onAdd;
    this.#file = openSync(path, "wx", 0o600);
  }

  add(kept: Exchange | McpLine): void {
    const shared = "api" in kept ? this.#sharing.of(kept.request) : {};
    const line = JSON.stringify({ ...kept, ...shared, before: this.#before });
    writeSync(this.#file, `${line}\n`);
    this.#before = chained(this.#before, line);
    this.count += 1;
    if ("api" in kept) this.calls += 1;
    this.#onAdd(kept);
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
  /** What passed servers of tools. */
  readonly messages: readonly McpLine[];
  /** Whether the last line breaks off, as a kill leaves it. */
  readonly isCut: boolean;
}

/** Throws BadInput for a file that cannot be read, or was changed. */
export function readExchanges(path: string): ReadExchanges {
  const lines = textOf(path).split("\n");
  const rest = lines.pop() ?? "";
  const [exchanges, messages]: [Exchange[], McpLine[]] = [[], []];
  let before = GENESIS;
  const unsharing = new Unsharing();
  const refused = (index: number, found: string): BadInput =>
    badInput(
      { file: path, line: index + 1 },
      found,
      "a file as `ghostlight record` wrote it",
      "Record the run again, or restore the file.",
    );
  for (const [index, line] of lines.entries()) {
    const value = readJson(line) ?? null;
    if (!isExchange(value) && !isMcpLine(value)) throw refused(index, "no exchange");
    if (mapIn(value)["before"] !== before)
      throw refused(index, "a line that does not follow the one before it");
    before = chained(before, line);
    const whole = unsharing.line(mapIn(value));
    if (whole === undefined) throw refused(index, NOT_THERE);
    if (isExchange(value)) exchanges.push(whole as unknown as Exchange);
    else messages.push(whole as unknown as McpLine);
  }
  return { exchanges, messages, isCut: rest !== "" };
}

/** The same, with a call of a model or of a tool at least. Throws BadInput with `todo` where there is none. */
export function recordedCalls(folder: string, todo: string): ReadExchanges {
  const file = exchangesIn(folder);
  const read = readExchanges(file);
  if (read.exchanges.length > 0 || read.messages.length > 0) return read;
  throw badInput({ file }, "no call", "a recording with at least one", todo);
}

function isExchange(value: Json): boolean {
  const { api, path, status, request } = mapIn(value);
  const isOf = APIS.some((one) => one === api);
  return isOf && typeof path === "string" && typeof status === "number" && request !== undefined;
}

export function isMcpLine(value: Json): boolean {
  const { from, message, timestamp } = mapIn(value);
  const isOf = from === "client" || from === "server";
  return isOf && message !== undefined && typeof timestamp === "string";
}

/** Why a line cannot be read. */
export const NOT_THERE = "messages that no line before it has, or far too many";

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const todo = "`npx ghostlight record -- COMMAND` makes one.";
    throw badInput({ file: path }, fileFault(error), "the folder of a recorded agent", todo);
  }
}
