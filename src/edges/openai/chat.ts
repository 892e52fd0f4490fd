/** One try of one question, in pieces or whole. Throws a Fault only. */
import type OpenAI from "openai";
import type { AnswerSchema } from "../../machines/answerSchema.ts";
import { isMap } from "../../machines/isMap.ts";
import { Fault } from "../live/faults.ts";
import type { Question, Said, Server } from "../live/liveSetup.ts";
import { type Abilities, everything, refusedBy } from "./abilities.ts";
import { withClient } from "./wire.ts";

/** What is known of the models of a server, by name; it is learnt from refusals as a run goes on. */
export class Known {
  readonly #abilities = new Map<string, Abilities>();
  readonly #onNote: ((text: string) => void) | undefined;

  constructor(onNote?: (text: string) => void) {
    this.#onNote = onNote;
  }

  of({ model, policy }: Question): Abilities {
    return this.#abilities.get(model.name) ?? everything(policy.stream);
  }

  /** Whether anything is left to ask for after this refusal of a question with `used`. */
  learns(question: Question, used: Abilities, { kind, message }: Fault): boolean {
    if (kind !== "rejected" && !message.startsWith("501:")) return false;
    const refused = refusedBy(used, message);
    if (refused === undefined) return false;
    const { name } = question.model;
    const before = this.of(question);
    const now = { ...before, ...refused.change };
    this.#abilities.set(name, now);
    // Of several calls that were under way together, the first has said it.
    if (JSON.stringify(before) !== JSON.stringify(now))
      this.#onNote?.(`The server of ${name} does not take ${refused.says}; it is asked without.`);
    return true;
  }
}

/** Asks without what the server refuses by name, as often as it names something else. */
export async function chat(server: Server, question: Question, known: Known): Promise<Answered> {
  const untilMs = performance.now() + question.policy.timeoutMs;
  for (;;) {
    const used = abilitiesFor(question, known.of(question));
    try {
      return await chatOnce(server, question, used, Math.ceil(untilMs - performance.now()));
    } catch (thrown) {
      if (!(thrown instanceof Fault) || !known.learns(question, used, thrown)) throw thrown;
    }
  }
}

/** Of all that a model can do, what this question makes use of. */
const abilitiesFor = ({ format }: Question, all: Abilities): Abilities => {
  if (format === undefined) return { ...all, shape: "prompt" };
  const shape = format === "json" ? "json" : all.shape;
  return { ...all, shape: shape === "json" && !all.json ? "prompt" : shape };
};

function chatOnce(
  server: Server,
  question: Question,
  used: Abilities,
  leftMs: number,
): Promise<Answered> {
  const { model, signal } = question;
  const limits = { timeoutMs: Math.max(1, leftMs), signal };
  return withClient(server, limits, async (client) => {
    const answer = new Answer();
    const body = bodyOf(question, used);
    if (!used.stream) {
      answer.add(await client.chat.completions.create({ ...body, stream: false }), "message");
      return answer.said(model.name);
    }
    const stream_options = used.streamUsage && { stream_options: { include_usage: true } };
    const asked = client.chat.completions.create({ ...body, stream: true, ...stream_options });
    const { data, response } = await asked.withResponse();
    const type = response.headers.get("content-type") ?? "none";
    if (!/text\/event-stream/i.test(type)) {
      data.controller.abort();
      throw /json/i.test(type)
        ? new Fault("rejected", "200: what came for a stream is no stream")
        : new Fault("garbage", `an answer of the type ${type.slice(0, 80)}`);
    }
    for await (const part of data) answer.add(part, "delta");
    return answer.said(model.name);
  });
}

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

const bodyOf = ({ model, prompt, format, policy, seed, maxTokens }: Question, used: Abilities) => ({
  model: model.name,
  messages: [{ role: "user" as const, content: prompt }],
  ...(used.seed && { seed }),
  ...(used.temperature && { temperature: policy.temperature / 1000 }),
  ...(used.cutOff !== null && { [used.cutOff]: maxTokens }),
  ...shapeOf(format, used),
});

const NAME = "answer";

function shapeOf(
  format: Question["format"],
  { shape }: Abilities,
): Pick<Body, "response_format" | "tools" | "tool_choice"> {
  if (format === undefined || shape === "prompt") return {};
  if (format === "json" || shape === "json") return { response_format: { type: "json_object" } };
  const schema: AnswerSchema = format;
  if (shape === "schema") {
    return { response_format: { type: "json_schema", json_schema: { name: NAME, schema } } };
  }
  const description = "Takes the answer.";
  return {
    tools: [{ type: "function", function: { name: NAME, description, parameters: schema } }],
    tool_choice: { type: "function", function: { name: NAME } },
  };
}

/* An answer in the shape of this protocol, whole or in pieces, as text. Everything in it is the server's. */

/** Ours: far above what any cut-off of tokens lets through. */
const TEXT_CHARS_MAX = 1_000_000;
const NAME_CHARS_MAX = 200;

export interface Answered extends Said {
  /** Which build of its model answered, where the server says it. */
  readonly fingerprint: string;
}

/** Gathers an answer: its pieces in their order, or the whole as one piece. */
class Answer {
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
