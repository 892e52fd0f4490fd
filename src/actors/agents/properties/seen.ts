/**
 * What properties of agents know of a world, followed through the event log alone: the engine's
 * state, every agent's stressors, and which call each delivery belongs to.
 */

import { changedFiles } from "../../../contract/changedFiles.ts";
import { type Suffering, severityAt } from "../../../machines/agents/suffering/severity.ts";
import type { Json, MailOf } from "../../../machines/letter.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { engineAfter, type SeenEngine } from "../engineMirror.ts";

declare module "../../../contract/property.ts" {
  interface SeenParts {
    readonly agents: AgentsSeen;
  }
}

/** One call of a tool, from its request to its answer. */
export interface CallSeen {
  /** The request's seq: the call's name. */
  readonly seq: number;
  readonly agent: string;
  readonly cycle: number | undefined;
  readonly params: { readonly [name: string]: Json };
  capability: string | undefined;
  /** The engine as the router saw it. */
  routedOn: SeenEngine | undefined;
  /** Virtual files that were changed on the call's behalf. */
  readonly changed: string[];
}

/** How many unanswered calls are kept at most. */
const CALLS_MAX = 1_000;

export class AgentsSeen {
  /** The engine before and after the delivery at hand. */
  before: SeenEngine | undefined;
  after: SeenEngine | undefined;
  /** The call that the delivery belongs to, from its request to its answer. */
  call: CallSeen | undefined;
  /** By the actor that was told (an address), then by the agent it is about. */
  readonly #sufferings = new Map<string, Map<string, readonly Suffering[]>>();
  readonly #calls = new Map<number, CallSeen>();
  readonly #trail = new Map<number, CallSeen>();

  observe(delivery: SeenDelivery): void {
    this.before = this.after;
    this.after = engineAfter(this.before, delivery);
    this.call = this.#callOf(delivery);
    this.call?.changed.push(...changedFiles(delivery));
    this.#observeFeeling(delivery);
  }

  /** What an agent suffers from, as the actor at `told` was told; by default, as the engine was. */
  sufferings(agent: string, told?: string): readonly Suffering[] {
    if (told !== undefined) return this.#sufferings.get(told)?.get(agent) ?? [];
    const engines = [...this.#sufferings.keys()].filter(isEngine);
    return this.sufferings(agent, engines.at(-1) ?? "");
  }

  /** Load in millionths. Our own sum, so that the product's is put to the test. */
  load(agent: string, nowMs: number, without?: string): number {
    const sum = this.sufferings(agent)
      .filter(({ type }) => type !== without)
      .reduce((total, suffering) => total + severityAt(suffering, nowMs), 0);
    return Math.min(MILLION, sum);
  }

  #callOf(delivery: SeenDelivery): CallSeen | undefined {
    const { seq, to, event, re } = delivery;
    const known = this.#trail.get(seq);
    this.#trail.delete(seq);
    const call = isEngine(to) ? this.#callAtEngine(delivery, known) : known;
    if (event.type === "call.finished") {
      return re === undefined ? call : (this.#calls.get(re) ?? call);
    }
    if (call === undefined) return undefined;
    for (const letter of delivery.letters) {
      if (letter.type === "call.routed") call.routedOn = this.before;
      if (!OUTSIDE_A_CALL.test(letter.to)) this.#trail.set(letter.seq, call);
    }
    return call;
  }

  #callAtEngine({ seq, event }: SeenDelivery, known: CallSeen | undefined): CallSeen | undefined {
    if (event.type === "call.requested") return this.#opened(seq, event);
    if (event.type !== "call.routed") return known;
    const call = known ?? this.#calls.get(event.call) ?? this.#opened(seq, event);
    call.capability = event.capability;
    return call;
  }

  /** By its request; of a call whose request was not seen, by its routing. */
  #opened(seq: number, event: MailOf<"call.requested" | "call.routed">): CallSeen {
    const { cycle, params = {} } = event.type === "call.requested" ? event : {};
    const call: CallSeen = {
      ...{ seq, agent: event.agent, cycle, params },
      capability: undefined,
      routedOn: undefined,
      changed: [],
    };
    this.#calls.set(seq, call);
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > CALLS_MAX && oldest !== undefined) this.#calls.delete(oldest);
    return call;
  }

  #observeFeeling({ to, event, fate }: SeenDelivery): void {
    if (event.type !== "stressor.changed" || fate === "undeliverable") return;
    const { agent, stressor, sinceMs, start, growthPerDay } = event;
    const told = this.#sufferings.get(to) ?? new Map<string, readonly Suffering[]>();
    const others = (told.get(agent) ?? []).filter(({ type }) => type !== stressor);
    const felt = sinceMs === null ? [] : [{ type: stressor, sinceMs, start, growthPerDay }];
    told.set(agent, [...others, ...felt]);
    this.#sufferings.set(to, told);
  }
}

/** Actors that hear of a call's end, and are no part of it. */
const OUTSIDE_A_CALL = /^(agent|goal|goalLedger|lessons|stressor)\b/;

export const isEngine = (address: string): boolean => /^engine(#\d+)?$/.test(address);
