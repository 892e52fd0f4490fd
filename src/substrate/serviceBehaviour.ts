/** Drives a service: a pure reducer with an address. */
import type { Json } from "../machines/letter.ts";
import type { Outcome, Service } from "../machines/service.ts";
import type { Behaviour, Step } from "./behaviour.ts";

export function serviceBehaviour<TState extends object>(
  service: Service<TState>,
): Behaviour<TState> {
  const step = (outcome: Outcome<TState>): Step<TState> => ({
    state: outcome.state,
    handled: true,
    effects: outcome.letters.map((letter) => ({ kind: "letter", letter })),
    ended: outcome.done === true,
    ...(outcome.grown && { grown: outcome.grown }),
  });
  return {
    id: service.id,
    start: (_address, input, at) => step(service.init(input as never, at)),
    receive: (_address, state, event) =>
      service.handles.includes(event.type)
        ? step(service.receive(state, event))
        : { state, handled: false, effects: [], ended: false },
    value: () => "on",
    context: (state) => state,
    persist: (state) => state as unknown as Json,
    restore: (_address, saved) => saved as unknown as TState,
  };
}
