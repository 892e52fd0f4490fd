/** `port/llm.chat` and `port/llm.embed` served by a live model; answers come through the inbox. */

import type { Part } from "../../contract/part.ts";
import type { Policy } from "../../contract/policyTree.ts";
import { answerFormat, liveTierOf, promptText, unusable } from "../../contract/purposeTable.ts";
import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { PortReply, PortRequest, Provider, Usage } from "../../substrate/port.ts";
import { namedRandom } from "../../substrate/random.ts";
import type { Inbox } from "../play/inbox.ts";
import type { Redactor } from "../redaction.ts";
import type { LiveClock } from "./liveClock.ts";
import type { LiveSetup, Question, Said, Vectors } from "./liveSetup.ts";
import { failureText, isCancelled, type Tried, tried, turnstile } from "./retrying.ts";

export interface LivePortOptions {
  readonly setup: LiveSetup;
  readonly policy: Policy;
  readonly seed: number;
  readonly inbox: Inbox;
  readonly clock: LiveClock;
  readonly redactor: Redactor;
  /** Ends every open request. */
  readonly signal: AbortSignal;
}

export function livePortsFor(
  parts: readonly Part[],
  options: LivePortOptions,
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
        () => setup.chat(questionOf(parts, request, options)),
        (said) => chatReply(parts, request, said, redactor),
      ),
  };
  if (setup.embed === null) return { "port/llm.chat": chatPort };
  const limits = { timeoutMs: policy.live.timeoutMs, signal };
  const embedPort: Provider<"llm.embed"> = {
    answer: (request) => {
      const { texts } = request.event;
      return later(request, () => setup.embedAll(texts, limits), embedReply);
    },
  };
  return { "port/llm.chat": chatPort, "port/llm.embed": embedPort };
}

type ReplyOf<T> = (outcome: Tried<T>) => PortReply;

/** What every server takes: a 32-bit number with a sign. */
const SEED_MAX = 0x7fffffff;

function questionOf(
  parts: readonly Part[],
  { from, purpose, nth, event }: PortRequest<"llm.asked">,
  { setup, policy, seed, signal }: LivePortOptions,
): Question {
  const { live } = policy;
  return defined({
    model: setup.models[liveTierOf(parts, event, live)],
    prompt: promptText(parts, event),
    format: answerFormat(parts, purpose, event.view),
    policy: live,
    seed: namedRandom(seed).at(from, `live ${purpose}`, nth).integer(0, SEED_MAX),
    // What a paid call set aside covers at most this many tokens.
    maxTokens: Math.min(live.answerTokens, event.maxTokens ?? live.answerTokens),
    signal,
  });
}

function chatReply(
  parts: readonly Part[],
  { purpose, nth, event: asked }: Pick<PortRequest<"llm.asked">, "purpose" | "nth" | "event">,
  said: Tried<Said>,
  redactor: Redactor,
): PortReply {
  const reply = replyOf(said, redactor);
  if (reply.event.type === "llm.failed") return reply;
  const why = unusable(parts, purpose, reply.event.text, asked.view);
  // The name under which `why` ends in it.
  return defined({ ...reply, choice: `live:${purpose}/${nth}`, unusable: why ?? undefined });
}

/** What a model said, or why all tries failed, without secrets. */
export function replyOf({ value, wallMs, attempts }: Tried<Said>, redactor: Redactor) {
  const tries = attempts.length > 0 ? attempts : undefined;
  if (value === undefined) {
    const event: MailOf<"llm.failed"> = { type: "llm.failed", error: failureText(attempts) };
    return defined<ChatReply>({ event, latencyMs: 0, attempts: tries });
  }
  const { text, ...counts } = value;
  const { model, stop } = counts;
  const usage: Usage = {
    ...counts,
    wallMs,
    // Words of the server, like its answer.
    model: redactor.text(model),
    stop: redactor.text(stop),
  };
  const event: MailOf<"llm.replied"> = { type: "llm.replied", text: redactor.text(text) };
  return defined<ChatReply>({ event, latencyMs: 0, usage, attempts: tries });
}

interface ChatReply extends Omit<PortReply, "event"> {
  readonly event: MailOf<"llm.replied" | "llm.failed">;
}

/** Without vectors the router finds nothing alike, which its callers can handle. */
function embedReply({ value, attempts }: Tried<Vectors>): PortReply {
  const event: MailOf<"embed.replied"> = { type: "embed.replied", vectors: value ?? {} };
  return defined({ event, latencyMs: 0, attempts: attempts.length > 0 ? attempts : undefined });
}
