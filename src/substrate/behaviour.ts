/** What the kernel drives: a statechart or a service, behind one face. */
import type { At, Carried, Json, Letter, TimerEvent } from "../machines/letter.ts";
import type { Grown } from "../machines/service.ts";

export type Effect =
  | { readonly kind: "letter"; readonly letter: Letter }
  | {
      readonly kind: "timer";
      readonly id: string;
      readonly event: TimerEvent;
      readonly delayMs: number;
    }
  | { readonly kind: "cancelTimer"; readonly id: string };

export interface Step<TState> {
  readonly state: TState;
  /** False when nothing in the behaviour answers to this event. */
  readonly handled: boolean;
  readonly effects: readonly Effect[];
  /** Set when the behaviour has ended. */
  readonly output?: Json | undefined;
  readonly ended: boolean;
  readonly grown?: Grown | undefined;
}

export interface Behaviour<TState = unknown> {
  readonly id: string;
  start(address: string, input: object, at: At): Step<TState>;
  receive(address: string, state: TState, event: Carried & { readonly at: At }): Step<TState>;
  /** The state value of a statechart; "on" for a service. */
  value(state: TState): Json;
  context(state: TState): object;
  /** The same, but what it keeps in a way of its own is as it is kept: nothing is made for whoever asks. */
  members(state: TState): object;
  /** Strict JSON from which `restore` makes an equal state. */
  persist(state: TState): Json;
  restore(address: string, saved: Json): TState;
  /** What `restore` of the same machine, made of another policy, takes: as `persist` gives it, but neither checked nor copied. */
  shared(state: TState): Json;
}
