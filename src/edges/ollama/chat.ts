/** One try of one question: streamed, bounded, and read piece by piece. Throws a Fault only. */
import { defined } from "../../machines/defined.ts";
import { Fault } from "../live/faults.ts";
import type { Question, Said, Server } from "../live/liveSetup.ts";
import { withClient } from "./wire.ts";

/** Ours: far above what any cut-off of tokens lets through. */
const TEXT_CHARS_MAX = 1_000_000;

export function chat(server: Server, question: Question): Promise<Said> {
  const { model, prompt, format, policy, signal } = question;
  const { timeoutMs, keepAliveMs, think } = policy;
  return withClient(server, { timeoutMs, signal }, async (client) => {
    const stream = await client.chat(
      defined({
        model: model.name,
        messages: [{ role: "user", content: prompt }],
        stream: true as const,
        options: optionsOf(question),
        keep_alive: `${keepAliveMs}ms`,
        format,
        think: model.canThink ? think : undefined,
      }),
    );
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
        model: part.model,
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

/** Outside `options` Ollama silently ignores them. */
const optionsOf = ({ seed, policy, maxTokens }: Question) => ({
  seed,
  temperature: policy.temperature / 1000,
  num_ctx: policy.contextTokens,
  num_predict: maxTokens,
});

/** Ollama omits a zero. */
const count = (value: unknown): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : 0;
