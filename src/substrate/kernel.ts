/**
 * A post office on a virtual clock: one queue, one order (dueMs, seq), islands with outboxes.
 * Time moves only to the next due envelope. Everything that happens is one delivery, and every
 * delivery knows its cause. No IO and no chance here: providers bring those (substrate/port.ts).
 */
import type { At, Letter } from "../machines/letter.ts";
import { assert } from "./assert.ts";
import { Awaited } from "./awaited.ts";
import type { Behaviour, Effect, Step } from "./behaviour.ts";
import { Chain, type SavedChain } from "./chain.ts";
import { type Checkpoint, ownState } from "./checkpoint.ts";
import { type Delivered, logEntry, passing, seenDelivery } from "./deliveryRecord.ts";
import { digestOf } from "./digest.ts";
import type { Envelope, Mutable } from "./envelope.ts";
import { checkedLevel, type KernelOptions } from "./kernelOptions.ts";
import { Mailroom } from "./mailroom.ts";
import type { PortReply, Provider } from "./port.ts";
import { type OpenCall, PortDesk, replyInput, replyLetter, unansweredInput } from "./portDesk.ts";
import { keyOfAnswer, portFault, type Resident, savedActor } from "./resident.ts";

const NO_LETTERS: readonly Envelope[] = [];

export class Kernel {
  delivered = 0;
  /** The delivery at hand, while it is made: what it changes here is changed at its end. */
  #due: Envelope | undefined;
  readonly #options: KernelOptions;
  readonly #mail: Mailroom;
  readonly #actors = new Map<string, Resident>();
  readonly #born = new Set<string>();
  readonly #desk: PortDesk;
  /** Absent in a bare run. */
  readonly #chain: Chain | undefined;

  constructor(options: KernelOptions, saved?: SavedChain) {
    this.#options = options;
    const isBare = checkedLevel(options) === "bare";
    if (!isBare) this.#chain = new Chain(saved);
    this.#mail = new Mailroom(options.limits);
    this.#desk = new PortDesk(!isBare);
  }

  /** The chain so far; null in a bare run. */
  get digest(): string | null {
    return this.#chain?.digest ?? null;
  }

  get nowMs(): number {
    return this.#mail.nowMs;
  }

  get nextDueMs(): number | undefined {
    return this.#mail.nextDueMs;
  }

  /** Posts a message from outside the modelled world; `delayMs` counts from now. */
  postFromOutside(id: string, letter: Letter): void {
    this.#mail.post(`outside/${id}`, null, letter);
  }

  /**
   * Delivers the next envelope; `waiting` when only the reply to an open call, or time, can bring
   * one. Throws LimitReached, or any error that is a bug of ours.
   */
  step(): "delivered" | "waiting" | "ended" {
    const { endMs, horizonMs, otherwise } = this.#options;
    for (;;) {
      const reachMs = this.#desk.openCount === 0 ? endMs : (horizonMs?.() ?? -1);
      const due = this.#mail.take(Math.min(endMs, reachMs));
      if (due === undefined) return reachMs >= endMs ? "ended" : "waiting";
      const actor = this.#actors.get(due.to);
      // A timer that was cancelled or replaced, or whose owner is gone, is no delivery.
      if (due.timer !== undefined && actor?.timers.get(due.timer) !== due.seq) continue;
      const next = otherwise === undefined ? due : otherwise(due);
      if (next === null) continue;
      this.#mail.advanceTo(next.dueMs, this.delivered + 1);
      this.#due = due;
      const delivered = this.#deliver(next, actor);
      this.#due = undefined;
      this.#record(delivered);
      return "delivered";
    }
  }

  /** The reply to the open call with this number; one that no actor waits for is dropped. */
  reply(seq: number, reply: PortReply): void {
    const call = this.#desk.close(seq);
    if (call === undefined) return;
    const { request } = call;
    const provider = this.#provider(request.port, request.from);
    this.#postReply(call, provider.completed?.(request, reply) ?? reply);
  }

  /** Writes down the calls that were still open when the run was over. */
  recordUnanswered(): void {
    for (const call of this.#desk.open()) this.#options.onInput?.(unansweredInput(call));
  }

  /** The context of every living actor, by address. */
  contexts(): Record<string, object> {
    const contexts: Record<string, object> = {};
    for (const [address, { behaviour, state }] of this.#actors) {
      contexts[address] = behaviour.context(state);
    }
    return contexts;
  }

  /** What a machine is asked belongs to no delivery that is over: while one is at work, its own is still to come. */
  checkpoint(): Checkpoint {
    const due = this.#due === undefined ? [] : [this.#due];
    return {
      nowMs: this.#mail.nowMs,
      nextSeq: this.#mail.nextSeq,
      atInstant: this.#mail.atInstant - due.length,
      delivered: this.delivered,
      chain: this.#chain?.saved() ?? null,
      actors: [...this.#actors].map(([address, actor]) => savedActor(address, actor)),
      born: [...this.#born],
      queue: [...due, ...this.#mail.waiting()],
      calls: this.#desk.counts(),
      open: this.#desk.open(),
      providers: Object.fromEntries(
        Object.entries(this.#options.ports).map(([port, { persist }]) => [
          port,
          persist?.() ?? null,
        ]),
      ),
    };
  }

  /** A kernel that goes on exactly where `saved` was taken, given the same options. */
  static restore(saved: Checkpoint, options: KernelOptions): Kernel {
    const kernel = new Kernel(options, saved.chain ?? undefined);
    Object.assign(kernel.#mail, {
      nowMs: saved.nowMs,
      nextSeq: saved.nextSeq,
      atInstant: saved.atInstant,
    });
    assert(saved.chain !== null || kernel.digest === null, "a bare run goes on as a bare one");
    kernel.delivered = saved.delivered;
    for (const { address, machine, state, asks, timers } of saved.actors) {
      const actor = kernel.#admit(address, machine, (it) => it.restore(address, state));
      for (const [key, seq] of asks) actor.asks.set(key, seq);
      for (const [id, seq] of timers) actor.timers.set(id, seq);
    }
    for (const address of saved.born) kernel.#born.add(address);
    for (const envelope of saved.queue) kernel.#mail.requeue(envelope);
    kernel.#desk.restoreCounts(saved.calls);
    for (const [port, kept] of Object.entries(saved.providers))
      options.ports[port]?.restore?.(kept);
    for (const call of saved.open) kernel.#answer(call);
    return kernel;
  }

  #admit(address: string, machine: string, begin: (behaviour: Behaviour) => unknown): Resident {
    const role = this.#options.cast[machine];
    assert(role !== undefined, `no machine is called ${machine}`);
    const state = begin(role.behaviour);
    const value = role.behaviour.value(state);
    const actor = { ...role, machine, state, value, asks: new Awaited(), timers: new Awaited() };
    this.#actors.set(address, actor);
    return actor;
  }

  #deliver(envelope: Envelope, actor: Resident | undefined): Delivered {
    if (envelope.cause === null) {
      const { seq, to, event, dueMs, from } = envelope;
      const id = from.slice("outside/".length);
      this.#options.onInput?.({ kind: "outside", seq, id, to, deliveredAt: dueMs, event });
    }
    if (envelope.to === "kernel") return this.#deliverToKernel(envelope);
    if (envelope.to.startsWith("port/")) return this.#deliverToPort(envelope);
    return actor === undefined ? this.#bounce(envelope) : this.#deliverToActor(envelope, actor);
  }

  #deliverToActor(envelope: Envelope, actor: Resident): Delivered {
    const key = keyOfAnswer(actor, envelope);
    if (key === null) return passing(envelope, "stale", [], actor.value);
    const { dueMs: nowMs, seq, from, to } = envelope;
    const at: Mutable<At> = { nowMs, seq, from };
    if (key !== undefined) at.key = key;
    if (envelope.ask !== undefined) at.asked = true;
    const before = actor.value;
    const { behaviour, state } = actor;
    const step = behaviour.receive(to, state, { ...envelope.event, at });
    if (envelope.timer !== undefined) actor.timers.delete(envelope.timer);
    if (key !== undefined) actor.asks.delete(key);
    const letters = this.#settle(to, actor, step, envelope);
    const contexts = { behaviour, before: state, after: step.state, grown: step.grown };
    const fate = step.handled ? "handled" : "ignored";
    return { envelope, fate, before, after: actor.value, letters, contexts };
  }

  #settle(
    address: string,
    actor: Resident,
    step: Step<unknown>,
    { seq }: Envelope,
  ): readonly Envelope[] {
    actor.state = step.state;
    actor.value = actor.behaviour.value(step.state);
    if (step.effects.length === 0 && !step.ended) return NO_LETTERS;
    this.#mail.boundLetters(step.effects.length, address);
    const letters: Envelope[] = [];
    for (const effect of step.effects) {
      const sent = this.#perform(address, actor, effect, seq);
      if (sent !== undefined) letters.push(sent);
    }
    if (step.ended) {
      this.#actors.delete(address);
      const output = step.output ?? null;
      const event = { type: "actor.stopped", address, output } as const;
      letters.push(this.#mail.post(address, seq, { to: "kernel", event }));
    }
    return letters;
  }

  #perform(address: string, actor: Resident, effect: Effect, cause: number): Envelope | undefined {
    if (effect.kind === "cancelTimer") {
      actor.timers.delete(effect.id);
      return undefined;
    }
    if (effect.kind === "timer") {
      const { id, event, delayMs } = effect;
      const sent = this.#mail.post(address, cause, { to: address, event, delayMs }, id);
      actor.timers.set(id, sent.seq);
      return sent;
    }
    const { letter } = effect;
    if (letter.to === "kernel" && letter.event.type === "ask.cancelled") {
      actor.asks.delete(letter.event.key);
      return undefined;
    }
    if (letter.to.startsWith("port/") && !actor.ports.includes(letter.to))
      throw portFault(actor, letter.to, address);
    const sent = this.#mail.post(address, cause, letter);
    if (sent.ask !== undefined) actor.asks.set(sent.ask, sent.seq);
    return sent;
  }

  #deliverToKernel(envelope: Envelope): Delivered {
    const { event, dueMs: nowMs, seq, from } = envelope;
    if (event.type !== "actor.start") return passing(envelope, "handled");
    const { address, machine, input } = event;
    assert(!this.#born.has(address), `the address ${address} was used before`);
    let step: Step<unknown> | undefined;
    const actor = this.#admit(address, machine, (it) => {
      step = it.start(address, input, { nowMs, seq, from });
      return step.state;
    });
    assert(step !== undefined, "admitting an actor starts it");
    this.#born.add(address);
    const letters = this.#settle(address, actor, step, envelope);
    const contexts = { behaviour: actor.behaviour, after: actor.state };
    return { envelope, fate: "handled", before: null, after: actor.value, letters, contexts };
  }

  #deliverToPort(envelope: Envelope): Delivered {
    const request = this.#desk.requestOf(envelope, this.#provider(envelope.to, envelope.from));
    this.#answer({ request, replySeq: this.#mail.reserve() });
    return passing(envelope, "served");
  }

  #provider(port: string, from: string): Provider {
    const provider = this.#options.ports[port];
    if (provider === undefined) throw portFault(this.#actors.get(from) ?? {}, port, from);
    return provider;
  }

  #answer(call: OpenCall): void {
    const reply = this.#provider(call.request.port, call.request.from).answer(call.request);
    if (reply === null) this.#desk.keep(call);
    else this.#postReply(call, reply);
  }

  #postReply(call: OpenCall, reply: PortReply): void {
    const { port, seq } = call.request;
    const letter = replyLetter(call, reply, this.#mail.nowMs);
    this.#mail.post(port, seq, letter, undefined, call.replySeq);
    this.#options.onInput?.(replyInput(call, reply));
  }

  /** Mail that no actor receives is logged; a question comes back. */
  #bounce(envelope: Envelope): Delivered {
    if (envelope.ask === undefined) return passing(envelope, "undeliverable");
    const { to: address, from: to, seq } = envelope;
    const letter: Letter = { to, event: { type: "ask.bounced", address }, re: seq };
    return passing(envelope, "undeliverable", [this.#mail.post("kernel", seq, letter)]);
  }

  #record(delivered: Delivered): void {
    const { checkpointEvery, onCheckpoint } = this.#options;
    this.delivered++;
    this.#chain?.add(delivered);
    this.#tell(delivered);
    if (onCheckpoint === undefined || this.delivered % checkpointEvery !== 0) return;
    const saved = this.checkpoint();
    onCheckpoint(delivered.envelope.seq, digestOf(ownState(saved)), saved);
  }

  #tell(delivered: Delivered): void {
    const { onSeen, onDelivery } = this.#options;
    const chain = this.#chain;
    if (onDelivery === undefined || chain === undefined) {
      onSeen?.(seenDelivery(delivered));
      return;
    }
    const entry = logEntry(delivered, chain.endsBlock ? chain.digest : undefined);
    // What an observer throws ends the run; the delivery was made, so the log has it.
    onDelivery(entry, chain.start);
    onSeen?.(entry);
  }
}
