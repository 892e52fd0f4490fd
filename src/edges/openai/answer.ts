/** An answer in the shape of this protocol, whole or in pieces, as text. Everything in it is the server's. */
import { isMap } from "../../machines/isMap.ts";
import { Fault } from "../live/faults.ts";
import type { Said } from "../live/liveSetup.ts";

/** Ours: far above what any cut-off of tokens lets through. */
const TEXT_CHARS_MAX = 1_000_000;
const NAME_CHARS_MAX = 200;

export interface Answered extends Said {
  /** Which build of its model answered, where the server says it. */
  readonly fingerprint: string;
}

/** Gathers an answer: its pieces in their order, or the whole as one piece. */
export class Answer {
  #text = "";
  #refusal = "";
  /** The arguments of the first function that was called. */
  #called = "";
  #hasPiece = false;
  #hasChoice = false;
  #stop: string | undefined;
  #model = "";
  #fingerprint = "";
  #promptTokens = 0;
  #answerTokens = 0;

  /** A piece, or a whole answer; `field` is where its message stands. Throws a Fault. */
  add(part: unknown, field: "delta" | "message"): void {
    if (!isMap(part)) throw new Fault("garbage", "a piece of the answer that is no object");
    this.#hasPiece = true;
    // Some servers report an error with status 200.
    const error = isMap(part["error"]) ? part["error"]["message"] : part["error"];
    if (typeof error === "string") throw new Fault("midstream", error);
    this.#model ||= nameOf(part["model"]);
    this.#fingerprint ||= nameOf(part["system_fingerprint"]);
    this.#count(part["usage"]);
    const choices = part["choices"] ?? [];
    if (!Array.isArray(choices)) throw new Fault("garbage", "choices that are no list");
    const choice: unknown = choices[0];
    if (choice === undefined) return;
    if (!isMap(choice)) throw new Fault("garbage", "a choice that is no object");
    this.#hasChoice = true;
    const reason = choice["finish_reason"];
    if (typeof reason === "string" && reason !== "") this.#stop = reason.slice(0, 40);
    const message = choice[field] ?? {};
    if (!isMap(message)) throw new Fault("garbage", "a message that is no object");
    this.#text += textIn(message["content"]);
    this.#refusal += textIn(message["refusal"]);
    this.#called += argumentsIn(message["tool_calls"]);
    const length = this.#text.length + this.#refusal.length + this.#called.length;
    if (length > TEXT_CHARS_MAX) throw new Fault("garbage", "an answer without end");
  }

  /** Throws a Fault for one that is none, or not whole. */
  said(asked: string): Answered {
    if (!this.#hasPiece) throw new Fault("truncated", "the answer ended before it began");
    if (!this.#hasChoice) throw new Fault("garbage", "an answer without choices");
    const stop = this.#stop;
    if (stop === undefined) throw new Fault("truncated", "the answer stopped before its end");
    const text = this.#text || this.#called || this.#refusal;
    if (text === "" && stop !== "stop" && stop !== "length")
      throw new Fault("empty", `the model said nothing (${stop})`);
    return {
      ...{ text, stop, model: this.#model || asked, fingerprint: this.#fingerprint },
      ...{ promptTokens: this.#promptTokens, answerTokens: this.#answerTokens },
    };
  }

  #count(usage: unknown): void {
    if (!isMap(usage)) return;
    this.#promptTokens = countOf(usage["prompt_tokens"]);
    this.#answerTokens = countOf(usage["completion_tokens"]);
  }
}

const nameOf = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, NAME_CHARS_MAX) : "";

const countOf = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;

/** Text, or parts of which some are text. */
function textIn(content: unknown): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw new Fault("garbage", "an answer that is no text");
  return content.map((one) => (isMap(one) ? textIn(one["text"]) : "")).join("");
}

/** Of the first call, whatever else was called: one question has one answer. */
function argumentsIn(calls: unknown): string {
  if (!Array.isArray(calls)) return "";
  const first: unknown = calls.find((one) => isMap(one) && (one["index"] ?? 0) === 0);
  const called = isMap(first) ? first["function"] : undefined;
  const said = isMap(called) ? called["arguments"] : undefined;
  if (said === undefined || said === null) return "";
  // Some servers give the arguments as an object.
  return typeof said === "string" ? said : JSON.stringify(said);
}
