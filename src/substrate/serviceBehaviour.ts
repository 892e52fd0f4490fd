/** Drives a service: a pure reducer with an address. */
import type { At, Carried, Json, Letter } from "../machines/letter.ts";
import { ownValue } from "../machines/ownValue.ts";
import type { Grown, Outcome, Service } from "../machines/service.ts";
import type { Behaviour, Effect, Step } from "./behaviour.ts";

type Handler<TState> = (state: TState, event: Carried & { readonly at: At }) => Outcome<TState>;

const NO_EFFECTS: readonly Effect[] = [];
const UNCHANGED: Grown = { apart: () => [{}, {}] };
const effectOf = (letter: Letter): Effect => ({ kind: "letter", letter });

export function serviceBehaviour<TState extends object, TInput extends object>(
  service: Service<TState, TInput>,
): Behaviour<TState> {
  const step = (outcome: Outcome<TState>, grown = outcome.grown): Step<TState> => ({
    state: outcome.state,
    handled: true,
    effects: outcome.letters.length === 0 ? NO_EFFECTS : outcome.letters.map(effectOf),
    ended: outcome.done === true,
    grown,
  });
  const { kept } = service;
  const steppedFrom = (before: TState, outcome: Outcome<TState>): Step<TState> => {
    if (kept === undefined) return step(outcome);
    const { state, grown } = outcome;
    if (state === before) return step(outcome, UNCHANGED);
    return step(outcome, { ...grown, apart: () => kept.apart(before, state) });
  };
  return {
    id: service.id,
    // The kernel carries any input; the sender of actor.start names the machine that it is for.
    start: (_address, input, at) => step(service.init(input as TInput, at)),
    receive: (_address, state, event) => {
      // The table pairs each type with its handler; the compiler does not follow that through a lookup.
      const handler = ownValue(service.on, event.type) as Handler<TState> | undefined;
      return handler === undefined
        ? { state, handled: false, effects: NO_EFFECTS, ended: false }
        : steppedFrom(state, handler(state, event));
    },
    value: () => "on",
    context: (state) => kept?.plain(state) ?? state,
    members: (state) => state,
    // A service's state is strict JSON where it does not say how to make it so; its type cannot say so.
    persist: (state) => (kept?.plain(state) ?? state) as Json,
    shared: (state) => (kept?.plain(state) ?? state) as Json,
    restore: (_address, saved) => kept?.restored(saved as object) ?? (saved as unknown as TState),
  };
}
