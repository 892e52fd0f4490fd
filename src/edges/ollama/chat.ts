/** One try of one question: streamed, bounded, and read piece by piece. Throws a Fault only. */
import type { AnswerSchema } from "../../machines/answerSchema.ts";
import type { Usage } from "../../substrate/port.ts";
import { Fault } from "./faults.ts";
import { type Server, withClient } from "./wire.ts";

export interface Asking {
  readonly server: Server;
  readonly model: string;
  readonly prompt: string;
  readonly format?: AnswerSchema | "json";
  /** Only for models that can think. */
  readonly think?: boolean;
  readonly options: {
    readonly seed: number;
    readonly temperature: number;
    readonly num_ctx: number;
    readonly num_predict: number;
  };
  readonly keepAlive: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Said extends Omit<Usage, "wallMs"> {
  readonly text: string;
}

/** Ours: far above what any cut-off of tokens lets through. */
const TEXT_CHARS_MAX = 1_000_000;

export function chat(asking: Asking): Promise<Said> {
  const { server, model, prompt, format, think, options, keepAlive, timeoutMs, signal } = asking;
  return withClient(server, { timeoutMs, signal }, async (client) => {
    const stream = await client.chat({
      model,
      messages: [{ role: "user", content: prompt }],
      stream: true,
      options: { ...options },
      keep_alive: keepAlive,
      ...(format !== undefined && { format }),
      ...(think !== undefined && { think }),
    });
    let text = "";
    let said: Said | undefined;
    for await (const part of stream) {
      const content: unknown = part.message?.content ?? "";
      if (typeof content !== "string") throw new Fault("garbage", "an answer that is no text");
      text += content;
      if (text.length > TEXT_CHARS_MAX) throw new Fault("garbage", "an answer without end");
      if (part.done !== true) continue;
      const { done_reason, prompt_eval_count, eval_count } = part;
      said = {
        text,
        model,
        promptTokens: count(prompt_eval_count),
        answerTokens: count(eval_count),
        stop: typeof done_reason === "string" ? done_reason.slice(0, 40) : "unknown",
      };
    }
    if (said === undefined) throw new Fault("truncated", "the answer stopped before its end");
    if (text === "" && said.stop !== "stop" && said.stop !== "length")
      throw new Fault("empty", `the model said nothing (${said.stop})`);
    return said;
  });
}

/** Ollama omits a zero. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;
