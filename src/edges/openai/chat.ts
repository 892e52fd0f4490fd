/** One try of one question, in pieces or whole. Throws a Fault only. */
import type OpenAI from "openai";
import type { AnswerSchema } from "../../machines/answerSchema.ts";
import { Fault } from "../live/faults.ts";
import type { Question, Server } from "../live/liveSetup.ts";
import { type Abilities, everything, refusedBy } from "./abilities.ts";
import { Answer, type Answered } from "./answer.ts";
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
