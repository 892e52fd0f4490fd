/** `port/llm.chat` and `port/llm.embed` served by an Ollama server; answers come through the inbox. */

import type { Part } from "../../actors/part.ts";
import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import type { Policy } from "../../policy.ts";
import { answerFormat, liveTierOf, promptText, unusable } from "../../purposes.ts";
import type { PortReply, PortRequest, Provider, Usage } from "../../substrate/port.ts";
import { namedRandom } from "../../substrate/random.ts";
import type { Inbox } from "../inbox.ts";
import type { LiveClock } from "../live/liveClock.ts";
import type { Redactor } from "../redaction.ts";
import { type Asking, chat, type Said } from "./chat.ts";
import { embedAll } from "./embed.ts";
import type { OllamaSetup } from "./preflight.ts";
import { failureText, isCancelled, type Tried, tried, turnstile } from "./retrying.ts";

export interface OllamaPortOptions {
  readonly setup: OllamaSetup;
  readonly policy: Policy;
  readonly seed: number;
  readonly inbox: Inbox;
  readonly clock: LiveClock;
  readonly redactor: Redactor;
  /** Ends every open request. */
  readonly signal: AbortSignal;
}

export function ollamaPorts(
  parts: readonly Part[],
  options: OllamaPortOptions,
): { readonly [port: string]: Provider } {
  const { setup, policy, inbox, clock, redactor, signal } = options;
  const inTurn = turnstile(policy.model.parallel);
  const retried = <T>(work: () => Promise<T>): Promise<Tried<T>> =>
    inTurn(() => tried(work, { policy: policy.live, redactor, signal }));
  const later = <T>(
    request: Pick<PortRequest, "seq" | "nowMs">,
    work: () => Promise<T>,
    reply: ReplyOf<T>,
  ): null => {
    clock.asked(request);
    retried(work).then(
      (outcome) => {
        // No actor hears it: the run is over, and the call stands in the recording as unanswered.
        if (!isCancelled(outcome.attempts)) inbox.push(request.seq, reply(outcome));
      },
      (error: unknown) => inbox.fail(error),
    );
    return null;
  };
  const chatPort: Provider<"llm.asked"> = {
    text: (event) => promptText(parts, event),
    answer: (request) =>
      later(
        request,
        () => chat(asking(parts, request, options)),
        (said) => chatReply(parts, request, said, redactor),
      ),
  };
  const { embed } = setup;
  if (embed === null) return { "port/llm.chat": chatPort };
  const limits = { timeoutMs: policy.live.timeoutMs, signal };
  const embedPort: Provider<"llm.embed"> = {
    answer: (request) => {
      const { texts } = request.event;
      return later(request, () => embedAll(setup.server, embed.name, texts, limits), embedReply);
    },
  };
  return { "port/llm.chat": chatPort, "port/llm.embed": embedPort };
}

type ReplyOf<T> = (outcome: Tried<T>) => PortReply;

/** Ollama's seed is a 32-bit number with a sign. */
const SEED_MAX = 0x7fffffff;

function asking(
  parts: readonly Part[],
  { from, purpose, nth, event }: PortRequest<"llm.asked">,
  { setup, policy, seed, signal }: OllamaPortOptions,
): Asking {
  const { live } = policy;
  const model = setup.models[liveTierOf(parts, event, live)];
  const format = answerFormat(parts, purpose, event.view);
  return defined({
    server: setup.server,
    model: model.name,
    prompt: promptText(parts, event),
    format,
    think: model.canThink ? live.think : undefined,
    options: optionsOf(
      live,
      namedRandom(seed).at(from, `live ${purpose}`, nth).integer(0, SEED_MAX),
      // What a paid call set aside covers at most this many tokens.
      event.maxTokens ?? live.answerTokens,
    ),
    keepAlive: `${live.keepAliveMs}ms`,
    timeoutMs: live.timeoutMs,
    signal,
  });
}

/** Outside `options` Ollama silently ignores them. */
const optionsOf = (live: LivePolicy, seed: number, maxTokens: number): Asking["options"] => ({
  seed,
  temperature: live.temperature / 1000,
  num_ctx: live.contextTokens,
  num_predict: Math.min(live.answerTokens, maxTokens),
});

function chatReply(
  parts: readonly Part[],
  { purpose, nth, event: asked }: Pick<PortRequest<"llm.asked">, "purpose" | "nth" | "event">,
  { value, wallMs, attempts }: Tried<Said>,
  redactor: Redactor,
): PortReply {
  const tries = attempts.length > 0 ? attempts : undefined;
  if (value === undefined) {
    const error = failureText(attempts);
    return defined({ event: { type: "llm.failed", error }, latencyMs: 0, attempts: tries });
  }
  const { text, ...counts } = value;
  const usage: Usage = { ...counts, wallMs };
  const clean = redactor.text(text);
  const why = unusable(parts, purpose, clean, asked.view);
  return defined({
    event: { type: "llm.replied", text: clean },
    latencyMs: 0,
    // The name under which `why` ends in it.
    choice: `live:${purpose}/${nth}`,
    usage,
    unusable: why ?? undefined,
    attempts: tries,
  });
}

/** Without vectors the router finds nothing alike, which its callers can handle. */
function embedReply({ value, attempts }: Tried<{ readonly [text: string]: number[] }>): PortReply {
  const event: MailOf<"embed.replied"> = { type: "embed.replied", vectors: value ?? {} };
  return defined({ event, latencyMs: 0, attempts: attempts.length > 0 ? attempts : undefined });
}
