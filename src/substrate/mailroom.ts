/** Where letters become envelopes: the clock, the queue, the numbering and the bounds. */
import type { Carried, Letter } from "../machines/letter.ts";
import { assert } from "./assert.ts";
import { canonicalJson } from "./canonicalJson.ts";
import type { Envelope, Mutable } from "./envelope.ts";
import { type LimitName, LimitReached, type Limits } from "./limits.ts";
import { EnvelopeQueue } from "./queue.ts";

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
    const next = this.#queue.peek();
    return next === undefined || next.dueMs > endMs ? undefined : this.#queue.pop();
  }

  /** When the next envelope is due; undefined with an empty queue. */
  get nextDueMs(): number | undefined {
    return this.#queue.peek()?.dueMs;
  }

  /** Moves time to the instant of a delivery. */
  advanceTo(dueMs: number, delivered: number): void {
    this.atInstant = dueMs === this.nowMs ? this.atInstant + 1 : 1;
    this.nowMs = dueMs;
    this.bound("deliveriesPerInstant", this.atInstant, `at ${dueMs} ms`);
    this.bound("envelopes", delivered, `at ${dueMs} ms`);
  }

  /** Throws LimitReached when `value` is past the limit. */
  bound(limit: LimitName, value: number, detail: string): void {
    const most = this.#limits[limit];
    if (value > most) throw new LimitReached(limit, `${most} ${detail}`);
  }

  /** A number for an envelope that comes later. */
  reserve(): number {
    return this.nextSeq++;
  }

  /** `cause` is the seq of the delivery in which the letter was posted; null from outside. */
  post(
    from: string,
    cause: number | null,
    letter: Sent,
    { timer, seq }: { readonly timer?: string; readonly seq?: number } = {},
  ): Envelope {
    const delayMs = letter.delayMs ?? 0;
    assert(
      Number.isSafeInteger(delayMs) && delayMs >= 0,
      `${from} posted ${letter.event.type} with a delay of ${delayMs}: whole milliseconds, 0 or more`,
    );
    const text = canonicalJson(letter.event, `${from} → ${letter.to}: event`);
    this.bound("payloadChars", text.length, `in ${letter.event.type} from ${from}`);
    const { because, ask, re } = letter;
    const envelope: Mutable<Envelope> = {
      seq: seq ?? this.reserve(),
      dueMs: this.nowMs + delayMs,
      to: letter.to,
      from,
      event: letter.event,
      text,
      cause,
    };
    if (because !== undefined && because.length > 0) envelope.because = because;
    if (ask !== undefined) envelope.ask = ask;
    if (re !== undefined) envelope.re = re;
    if (timer !== undefined) envelope.timer = timer;
    this.#queue.push(envelope);
    this.bound("queueLength", this.#queue.size, `waiting at ${this.nowMs} ms`);
    return envelope;
  }

  /** Puts back an envelope of a checkpoint. */
  requeue(envelope: Envelope): void {
    this.#queue.push(envelope);
  }

  waiting(): Envelope[] {
    return this.#queue.sorted();
  }
}
