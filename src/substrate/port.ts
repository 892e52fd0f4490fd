/** The outside world. A port is served by a scripted provider, a recording or the live world. */
import type { Carried, EventType, Json, MailEvent, MailOf } from "../machines/letter.ts";

/** A question to a port, of one of these types. */
export interface PortRequest<K extends EventType = EventType> {
  /** `port/llm.chat`, … */
  readonly port: string;
  readonly from: string;
  readonly purpose: string;
  /** Which call this is of this sender for this purpose, from 1. */
  readonly nth: number;
  readonly seq: number;
  readonly nowMs: number;
  readonly event: MailOf<K>;
  /** SHA-256 of port, purpose and the request's text; null in a bare run, unless the provider knows calls by it. */
  readonly request: string | null;
  /** Virtual milliseconds that the answer takes besides, as a provider that stands in front of this one says. */
  readonly addedMs?: number;
}

/** What a provider answers; `latencyMs` are virtual milliseconds. */
export interface PortReply {
  readonly event: MailEvent;
  /** Whole virtual milliseconds from request to reply. */
  readonly latencyMs: number;
  /**
   * For a model: what it chose, by name; of the scripted one, an option of its repertoire, or
   * several with a space between.
   */
  readonly choice?: string;
  /** For a live model: what the call took, for people. No machine sees it, and no digest. */
  readonly usage?: Usage;
  /** Tries of the same call that failed before this outcome, in order. */
  readonly attempts?: readonly Attempt[];
  /** Of a live model: why its asker cannot read what it said. For people, like `usage`. */
  readonly unusable?: string;
}

/** The options of a repertoire that an answer was made of. */
export const choicesIn = (choice: string): readonly string[] =>
  choice.replace(/ \(cut off\)$/, "").split(" ");

export interface Usage {
  readonly model: string;
  readonly promptTokens: number;
  readonly answerTokens: number;
  /** Real milliseconds of the try that was answered. */
  readonly wallMs: number;
  /** Why the model stopped, in its server's word. */
  readonly stop: string;
}

export interface Attempt {
  readonly kind: string;
  readonly error: string;
  readonly wallMs: number;
}

/** What stands behind a port; `K` are the events that ask it. */
export interface Provider<K extends EventType = EventType> {
  /** The request as the outside world would read it; the canonical event when absent. */
  text?(event: MailOf<K>): string;
  /** It knows calls by the hash of their request, and needs it on every level. */
  readonly needsRequestHash?: true;
  /** Null: the reply comes later, through `Kernel.reply`. */
  answer(request: PortRequest<K>): PortReply | null;
  /** What becomes of a reply that came later, before it is given. */
  completed?(request: PortRequest<K>, reply: PortReply): PortReply;
  /** Another has answered in its place, a recording with this reply: what it counts of calls, it counts all the same. */
  passedOver?(request: PortRequest<K>, reply?: PortReply): void;
  /** What it keeps between calls, for a checkpoint. */
  persist?(): Json;
  restore?(kept: Json): void;
}

/** A provider that never keeps its caller waiting: scripted ones, and recordings of them. */
export interface PromptProvider<K extends EventType = EventType> extends Provider<K> {
  answer(request: PortRequest<K>): PortReply;
}

/**
 * One line of `inputs.jsonl` before it is chained: a reply, a call that got none before the run was
 * over, or a message from outside.
 */
export type Input =
  | (Called & {
      readonly kind: "reply";
      readonly latencyMs: number;
      readonly choice?: string;
      readonly usage?: Usage;
      readonly attempts?: readonly Attempt[];
      readonly unusable?: string;
      readonly event: MailEvent;
    })
  /** `deliveredAt`: when it was asked. */
  | (Called & { readonly kind: "unanswered" })
  | {
      readonly kind: "outside";
      readonly seq: number;
      readonly id: string;
      readonly to: string;
      readonly deliveredAt: number;
      readonly event: Carried;
    };

/** Of a call, answered or not. */
interface Called extends Pick<PortRequest, "port" | "from" | "purpose" | "nth"> {
  readonly seq: number;
  readonly request: string;
  readonly deliveredAt: number;
}

/** The line of an answered call. */
export type Reply = Extract<Input, { kind: "reply" }>;

/** The latency of an answer due long after the end of any run: it is never given. */
export const NEVER_MS = 1_000_000_000_000;
