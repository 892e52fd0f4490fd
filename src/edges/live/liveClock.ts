/**
 * Live time: while a live call is open, virtual time follows the wall clock; otherwise it jumps. What
 * it decides is recorded as latencies, so that a replay needs no clock. Source: DESIGN §2.8.
 */
import type { EventType } from "../../machines/letter.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";

/** Whole milliseconds that only grow. Tests give their own. */
export type Wall = () => number;

export const wallClock: Wall = () => Math.floor(performance.now());

/** Nothing may be delivered: a call is open whose answer will itself say when it came. */
const NOWHERE = -1;

export class LiveClock {
  readonly #wall: Wall;
  /** When each open live call was asked, in virtual time. */
  readonly #open = new Map<number, number>();
  readonly #held = new Set<number>();
  /** Virtual and real time of the first of the calls that are open together. */
  #anchor = { virtualMs: 0, wallMs: 0 };
  #lastDueMs: number;
  /** Where a run goes on: calls that were asked before count from there. */
  #fromMs = 0;

  /** `afterMs` is when the last live reply so far was delivered: every new one comes later. */
  constructor(wall: Wall = wallClock, afterMs = 0) {
    this.#wall = wall;
    this.#lastDueMs = afterMs;
  }

  get hasHeld(): boolean {
    return this.#held.size > 0;
  }

  /** A live call opens. */
  asked({ seq, nowMs }: Pick<PortRequest, "seq" | "nowMs">): void {
    if (this.#open.size === 0) {
      this.#anchor = { virtualMs: Math.max(nowMs, this.#fromMs), wallMs: this.#wall() };
    }
    this.#open.set(seq, nowMs);
  }

  /** The virtual time at which a recorded run goes on. */
  goesOnAt(nowMs: number): void {
    this.#fromMs = nowMs;
  }

  /** A call whose latency is virtual: the world stands still until it is answered. */
  holding<K extends EventType>(provider: Provider<K>): Provider<K> {
    return {
      ...provider,
      answer: (request) => {
        const reply = provider.answer(request);
        if (reply === null) this.#held.add(request.seq);
        return reply;
      },
    };
  }

  /** How far virtual time may move. */
  readonly horizonMs = (): number => {
    if (this.#held.size > 0) return NOWHERE;
    return this.#open.size === 0 ? Number.MAX_SAFE_INTEGER : this.#followed();
  };

  #followed(): number {
    return this.#anchor.virtualMs + this.#wall() - this.#anchor.wallMs;
  }

  /** Real milliseconds until an envelope that is due then may be delivered, at least one. */
  untilDueMs(dueMs: number): number {
    return Math.max(1, dueMs - this.horizonMs());
  }

  /** No answer to this call will come: time need not wait for it. */
  dropped(seq: number): void {
    this.#open.delete(seq);
  }

  /**
   * The reply as it came: now, but after everything that was delivered, and after every reply that
   * came before it.
   */
  stamped(seq: number, reply: PortReply, deliveredMs: number): PortReply {
    if (this.#held.delete(seq)) return reply;
    const askedMs = this.#open.get(seq);
    if (askedMs === undefined) return reply;
    const dueMs = Math.max(this.#followed(), deliveredMs + 1, this.#lastDueMs + 1);
    this.#open.delete(seq);
    this.#lastDueMs = dueMs;
    return { ...reply, latencyMs: dueMs - askedMs };
  }
}
