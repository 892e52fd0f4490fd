/**
 * The ports of a run served by functions of a program, which may answer later. The substrate keeps its
 * `null`: an answer is checked here, then it comes through the inbox and is recorded like any other.
 */

import { unusable } from "../../contract/purposeTable.ts";
import { defined } from "../../machines/defined.ts";
import type { Json } from "../../machines/letter.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { assert } from "../../substrate/assert.ts";
import {
  type Attempt,
  NEVER_MS,
  type PortReply,
  type PortRequest,
  type Provider,
} from "../../substrate/port.ts";
import { PortFailed, quoted } from "../errors.ts";
import type { LiveClock } from "../live/liveClock.ts";
import { turnstile } from "../live/retrying.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { Inbox } from "../play/inbox.ts";
import type { Redactor } from "../redaction.ts";
import { checkedAnswer, messageOf, portNames } from "./portAnswers.ts";
import type { PortEntry, PortFunction, PortName, Ports } from "./portContracts.ts";
import type { AskedBy } from "./portQuestions.ts";
import { questionOf, translationOf } from "./portTranslations.ts";

export interface ProgramPortOptions {
  readonly inbox: Inbox;
  /** Of a run in live time; there is one as soon as any port is live. */
  readonly clock: LiveClock | undefined;
  readonly redactor: Redactor;
  readonly policy: { readonly live: LivePolicy; readonly model: { readonly parallel: number } };
  /** Ends every open question. */
  readonly signal: AbortSignal;
}

/** Whether an answer takes the time it takes, so that virtual time has to follow the wall clock. */
const isLive = (entry: unknown): boolean => typeof entry === "function";

export const hasLivePort = (ports: Ports): boolean => Object.values(ports).some(isLive);

/** How a manifest names who answers; what begins with `live:` took real time. */
export const providerName = (entry: object): string =>
  isLive(entry) ? "live: a program" : "a program, with latencies that it gives";

/** Providers for the ports that the program serves. The caller has checked their names and kinds. */
export function programPorts(
  lists: PartLists,
  ports: Ports,
  options: ProgramPortOptions,
): Record<string, Provider> {
  const inTurn = turnstile(options.policy.model.parallel);
  const served = <P extends PortName>(port: P): [string, Provider][] => {
    const entry = ports[port];
    return entry === undefined
      ? []
      : [[port, new Asker<P>(port, entry, { ...options, lists, inTurn }).provider()]];
  };
  return Object.fromEntries(portNames(lists).flatMap((port) => served(port)));
}

interface AskerOptions extends ProgramPortOptions {
  readonly lists: PartLists;
  readonly inTurn: ReturnType<typeof turnstile>;
}

/** What came of a question. */
type Outcome = { readonly answer: unknown } | { readonly failure: Attempt };

class Asker<P extends PortName> {
  readonly #port: P;
  readonly #answer: PortFunction<P>;
  readonly #latencyMs: unknown;
  readonly #options: AskerOptions;

  constructor(port: P, entry: PortEntry<P>, options: AskerOptions) {
    this.#port = port;
    this.#answer = typeof entry === "function" ? entry : entry.answer;
    this.#latencyMs = typeof entry === "function" ? undefined : entry.latencyMs;
    this.#options = options;
  }

  provider(): Provider<AskedBy<P>> {
    const { clock } = this.#options;
    const { text } = translationOf(this.#options.lists, this.#port, null);
    const provider: Provider<AskedBy<P>> = defined({
      text,
      answer: (request) => {
        if (this.#isTimed) clock?.asked(request);
        this.#ask(request).catch((error: unknown) => this.#options.inbox.fail(error));
        return null;
      },
    });
    return this.#isTimed ? provider : (clock?.holding(provider) ?? provider);
  }

  /** Its latency is what the answer takes on the wall clock. */
  get #isTimed(): boolean {
    return this.#latencyMs === undefined;
  }

  async #ask(request: PortRequest<AskedBy<P>>): Promise<void> {
    const { signal, inbox, inTurn, clock } = this.#options;
    const startMs = performance.now();
    const isOfModel = this.#port.startsWith("port/llm.");
    const outcome = isOfModel
      ? await inTurn(() => this.#outcome(request))
      : await this.#outcome(request);
    // No actor hears it: the run is over, and the call stands in the recording as unanswered.
    if (signal.aborted) return;
    const reply = this.#replyTo(request, outcome, Math.round(performance.now() - startMs));
    if (reply !== null) inbox.push(request.seq, reply);
    // The person decides nothing: the call stays open, and its caller's time-out comes.
    else if (this.#isTimed) clock?.dropped(request.seq);
  }

  /** Never rejects: what the program throws is an outcome. */
  async #outcome(request: PortRequest<AskedBy<P>>): Promise<Outcome> {
    const { signal, policy, redactor } = this.#options;
    const { timeoutMs } = policy.live;
    if (signal.aborted)
      return { failure: { kind: "cancelled", error: "the run is over", wallMs: 0 } };
    const late = AbortSignal.timeout(timeoutMs);
    const end = AbortSignal.any([signal, late]);
    const startMs = performance.now();
    const failed = (kind: string, words: string): Outcome => {
      const wallMs = Math.round(performance.now() - startMs);
      return { failure: { kind, error: redactor.error(words), wallMs } };
    };
    const ended = new Promise<Outcome>((resolve) => {
      const isLate = () => resolve(failed("timeout", `no answer within ${timeoutMs} ms`));
      end.addEventListener("abort", isLate, { once: true });
    });
    const asked = async (): Promise<Outcome> => {
      try {
        return {
          answer: await this.#answer(questionOf(this.#options.lists, this.#port, request, end)),
        };
      } catch (thrown) {
        return failed("thrown", messageOf(thrown));
      }
    };
    return Promise.race([asked(), ended]);
  }

  #replyTo(request: PortRequest<AskedBy<P>>, outcome: Outcome, wallMs: number): PortReply | null {
    const latencyMs = this.#latencyOf(request);
    if ("failure" in outcome) return { ...this.#failureReply(request, outcome.failure), latencyMs };
    const translation = translationOf(this.#options.lists, this.#port, request.purpose);
    const answer = redacted(
      checkedAnswer(this.#options.lists, this.#port, request, outcome.answer),
      translation.isKept ? undefined : this.#options.redactor,
    );
    const { silence } = translation;
    const reply = translation.reply(answer, request);
    if (reply === null) {
      if (this.#isTimed) return null;
      assert(silence !== undefined, "an answer that nobody hears leaves its port silent");
      // In a world whose clock stands still meanwhile.
      return { event: silence, latencyMs: NEVER_MS };
    }
    const { usage, event } = reply;
    const { lists } = this.#options;
    const why =
      event.type === "llm.replied"
        ? unusable(lists.parts, request.purpose, event.text, viewOf(request.event))
        : null;
    return defined({
      ...reply,
      latencyMs,
      usage: usage && { ...usage, wallMs },
      unusable: why ?? undefined,
      choice: translation.choice && `${translation.choice}:${request.purpose}/${request.nth}`,
    });
  }

  #failureReply(request: PortRequest, attempt: Attempt): Omit<PortReply, "latencyMs"> {
    const { failure } = translationOf(this.#options.lists, this.#port, request.purpose);
    const { kind, error } = attempt;
    if (failure !== undefined) return { event: failure(`${kind}: ${error}`), attempts: [attempt] };
    const { purpose, nth, from } = request;
    throw new PortFailed({
      where: { path: this.#port },
      found: `no answer to question ${nth} of ${from} for ${purpose} (${kind}: ${error})`,
      allowed: "an answer: this port knows no failure that a world could live with",
      todo: "Let the function answer every question, or leave the port to the scenario.",
    });
  }

  #latencyOf(request: PortRequest<AskedBy<P>>): number {
    if (this.#isTimed) return 0;
    const given = this.#latencyMs;
    const { signal } = this.#options;
    const latencyMs: unknown =
      typeof given === "function"
        ? given(questionOf(this.#options.lists, this.#port, request, signal))
        : given;
    if (Number.isSafeInteger(latencyMs) && Number(latencyMs) >= 0) return Number(latencyMs);
    throw new PortFailed({
      where: { path: `${this.#port} latencyMs` },
      found: quoted(latencyMs),
      allowed: "a whole number of virtual milliseconds, 0 or more",
      todo: "Give `latencyMs` such a number, or a function that returns one.",
    });
  }
}

/** An answer without secrets in any of its texts. */
const redacted = <T>(answer: T, redactor: Redactor | undefined): T =>
  // The check of the answer read it as JSON, and other words in its texts leave its shape alone.
  redactor === undefined ? answer : (redactedJson(answer as Json, redactor) as T);

function redactedJson(value: Json, redactor: Redactor): Json {
  if (typeof value === "string") return redactor.text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => redactedJson(item, redactor));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, redactedJson(member, redactor)]),
  );
}

const viewOf = (event: PortRequest["event"]) =>
  event.type === "llm.asked" ? event.view : undefined;
