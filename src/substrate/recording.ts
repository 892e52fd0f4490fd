/**
 * The recording: one line for each input, chained by hash. This, the scenario and the seed
 * re-create a run. Append-only, so a kill leaves at most one torn last line.
 */
import { canonicalJson } from "./canonicalJson.ts";
import { chained, GENESIS } from "./digest.ts";
import type { Lines } from "./log.ts";
import type { Input } from "./port.ts";

/** Appends inputs and keeps the head of the chain. */
export class RecordingWriter {
  head = GENESIS;
  lines = 0;

  /** The line for one input, with its newline. */
  line(input: Input): string {
    const text = canonicalJson(input);
    this.head = chained(this.head, text);
    this.lines += 1;
    return `${lineText(this.head, text)}\n`;
  }
}

const lineText = (hash: string, text: string): string => `{"hash":"${hash}","input":${text}}`;

export interface ReadRecording {
  readonly inputs: readonly Input[];
  readonly head: string;
  /** The last line ended early and was dropped. */
  readonly torn: boolean;
  /** The first line that is not what it was, from 1, and why. */
  readonly fault?: { readonly line: number; readonly reason: string };
}

/** Reads whole lines up to the first fault. Never throws on bad text. */
export function readRecording(text: string): ReadRecording {
  const lines = text.split("\n");
  return readRecorded(lines, lines.pop() !== "");
}

/** Likewise, of its whole lines; `torn` says that more follows. */
export function readRecorded(lines: Lines, torn: boolean): ReadRecording {
  const inputs: Input[] = [];
  let head = GENESIS;
  for (let place = 0; place < lines.length; place++) {
    const read = readLine(lines.at(place) ?? "", head);
    if (typeof read === "string") {
      return { inputs, head, torn, fault: { line: place + 1, reason: read } };
    }
    inputs.push(read.input);
    head = read.hash;
  }
  return { inputs, head, torn };
}

function readLine(line: string, previous: string): { input: Input; hash: string } | string {
  let entry: { hash?: unknown; input?: unknown };
  try {
    entry = JSON.parse(line) as typeof entry;
  } catch {
    return "it is not JSON";
  }
  if (typeof entry !== "object" || entry === null || !isInput(entry.input)) {
    return "it is not an input";
  }
  let text: string;
  try {
    text = canonicalJson(entry.input);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const hash = chained(previous, text);
  if (hash !== entry.hash) return "its hash does not match its content and the lines before it";
  if (line !== lineText(hash, text)) return "it is not written as it was";
  return { input: entry.input, hash };
}

/** Whether a value is one line's input. */
export function isInput(value: unknown): value is Input {
  const input = (value ?? {}) as { [field: string]: unknown };
  if (!Number.isSafeInteger(input["seq"]) || !isTime(input["deliveredAt"])) return false;
  switch (input["kind"]) {
    case "outside":
      return isMail(input["event"]) && are(input, isText, "id", "to");
    case "reply":
      return (
        isMail(input["event"]) &&
        isCall(input) &&
        isTime(input["latencyMs"]) &&
        (input["choice"] === undefined || isText(input["choice"])) &&
        (input["usage"] === undefined || isUsage(input["usage"])) &&
        (input["attempts"] === undefined || isAttempts(input["attempts"]))
      );
    default:
      return input["kind"] === "unanswered" && isCall(input);
  }
}

type Fields = { readonly [field: string]: unknown };
type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";
const isTime: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/** Whether all of these fields are so. */
const are = (value: unknown, is: Check, ...names: readonly string[]): boolean =>
  names.every((name) => is((value as Fields | null | undefined)?.[name]));

const isUsage: Check = (usage) =>
  are(usage, isText, "model", "stop") &&
  are(usage, isNumber, "promptTokens", "answerTokens", "wallMs");

const isAttempts: Check = (value) =>
  Array.isArray(value) && value.every((one) => are(one, isText, "kind", "error"));

const isMail: Check = (event) => are(event, isText, "type");

const isCall = (input: Fields): boolean =>
  are(input, isText, "port", "from", "purpose", "request") && Number.isSafeInteger(input["nth"]);
