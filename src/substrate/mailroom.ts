/** Where letters become envelopes: the clock, the queue, the numbering and the bounds. */
import type { Carried, Letter } from "../machines/letter.ts";
import { AssertionError } from "./assert.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Envelope, Mutable } from "./envelope.ts";
import { type LimitName, LimitReached, type Limits } from "./limits.ts";
import { EnvelopeQueue } from "./queue.ts";
import { charsWithin } from "./strictJson.ts";

/** A letter, or a timer on its way to its owner. */
type Sent = Omit<Letter, "event"> & { readonly event: Carried };

export class Mailroom {
  nowMs = 0;
  nextSeq = 1;
  /** Deliveries so far at this very instant. */
  atInstant = 0;
  readonly #limits: Limits;
  readonly #queue = new EnvelopeQueue();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The next envelope due by `endMs`, taken from the queue. Does not move time. */
  take(endMs: number): Envelope | undefined {
    const { nextDueMs } = this.#queue;
    return nextDueMs === undefined || nextDueMs > endMs ? undefined : this.#queue.pop();
  }

  /** When the next envelope is due; undefined with an empty queue. */
  get nextDueMs(): number | undefined {
    return this.#queue.nextDueMs;
  }

  /** Moves time to the instant of a delivery. */
  advanceTo(dueMs: number, delivered: number): void {
    this.atInstant = dueMs === this.nowMs ? this.atInstant + 1 : 1;
    this.nowMs = dueMs;
    if (this.atInstant > this.#limits.deliveriesPerInstant) {
      this.#reached("deliveriesPerInstant", `at ${dueMs} ms`);
    }
    if (delivered > this.#limits.envelopes) this.#reached("envelopes", `at ${dueMs} ms`);
  }

  /** Throws LimitReached when a delivery posts more letters than it may. */
  boundLetters(count: number, address: string): void {
    if (count > this.#limits.lettersPerDelivery) {
      this.#reached("lettersPerDelivery", `posted by ${address}`);
    }
  }

  #reached(limit: LimitName, detail: string): never {
    throw new LimitReached(limit, `${this.#limits[limit]} ${detail}`);
  }

  /** A number for an envelope that comes later. */
  reserve(): number {
    return this.nextSeq++;
  }

  /** `cause` is the seq of the delivery in which the letter was posted; null from outside. */
  post(from: string, cause: number | null, letter: Sent, timer?: string, seq?: number): Envelope {
    const { to, event, delayMs = 0, because, ask, re } = letter;
    if (!Number.isSafeInteger(delayMs) || delayMs < 0) {
      const found = `${from} posted ${event.type} with a delay of ${delayMs}`;
      throw new AssertionError(`${found}: whole milliseconds, 0 or more`);
    }
    if (this.#charsOf(event, from, to) > this.#limits.payloadChars) {
      this.#reached("payloadChars", `in ${event.type} from ${from}`);
    }
    const dueMs = this.nowMs + delayMs;
    const number = seq ?? this.nextSeq++;
    // A member that the literal does not have is kept apart from the others, and half of all envelopes are timers.
    const envelope: Mutable<Envelope> =
      timer === undefined
        ? { seq: number, dueMs, to, from, event, cause }
        : { seq: number, dueMs, to, from, event, cause, timer };
    if (because !== undefined && because.length > 0) envelope.because = because;
    if (ask !== undefined) envelope.ask = ask;
    if (re !== undefined) envelope.re = re;
    this.#queue.push(envelope);
    if (this.#queue.size > this.#limits.queueLength) {
      this.#reached("queueLength", `waiting at ${this.nowMs} ms`);
    }
    return envelope;
  }

  #charsOf(event: Carried, from: string, to: string): number {
    try {
      return charsWithin(event, this.#limits.payloadChars);
    } catch {
      // Again, with the place in its error: making it up for every letter would cost more.
      return canonicalJson(event, place(from, to)).length;
    }
  }

  /** Puts back an envelope of a checkpoint. */
  requeue(envelope: Envelope): void {
    this.#queue.push(envelope);
  }

  waiting(): Envelope[] {
    return this.#queue.sorted();
  }
}

/** What stands for the event in an error. */
const place = (from: string, to: string): string => `${from} → ${to}: event`;
