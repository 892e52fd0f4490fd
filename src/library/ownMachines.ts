/** What the statecharts, services and ports of a part of a program's own are written with. */
import type { Outside, Questions } from "../contract/part.ts";
import { parseDuration } from "../edges/duration.ts";
import {
  type At,
  type Delivered,
  type EventType,
  type MailEvent,
  type Outbox,
  startActor,
} from "../machines/letter.ts";
import type { Handlers, Service } from "../machines/service.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Provider } from "../substrate/port.ts";
import type { NamedRandom, Stream } from "../substrate/random.ts";

/**
 * The types of a statechart, for XState's `setup`: `types: {} as ChartTypes<Context, "one.event" | "another", Input>`.
 * It keeps `Context`, hears these events, is started with `Input`, and speaks by `post`.
 */
export interface ChartTypes<Context extends object, Heard extends EventType, Input extends object> {
  context: Context;
  events: Delivered<Heard>;
  /** As `startActor` gave it, with the kernel's stamp. */
  input: Input & { readonly at: At };
  emitted: Outbox;
}

/** A service that starts in this state and ignores nothing on purpose; `id` is its name in the cast. */
export const service = <State extends object>(
  id: string,
  state: State,
  on: Handlers<State>,
): Service<State> => ({
  ...{ kind: "service", id, on, ignores: [] },
  init: () => ({ state, letters: [] }),
});

/**
 * For a part's `stage.opening`: an actor of this machine for each item of a scenario's list, when its `at` says, at
 * the address MACHINE/ID; its input is the rest of the item. None when there is no list.
 */
export const arrivals = (
  machine: string,
  items: readonly { readonly id: string; readonly at: string }[] = [],
): Outside[] =>
  items.map(({ at, ...input }) => ({
    id: input.id,
    letter: {
      ...startActor(machine, `${machine}/${input.id}`, input),
      // The scenario's schema has accepted it.
      delayMs: parseDuration(at) ?? 0,
    },
  }));

/**
 * A scripted port, for `scriptedPorts`: each answer is drawn from a stream of its own, so that one more question
 * shifts no other answer. `latencyMs` are virtual milliseconds, 0 when absent.
 */
export const drawn = (
  random: NamedRandom,
  answer: (draw: Stream) => MailEvent,
  latencyMs = 0,
): Provider => ({
  answer: ({ from, purpose, nth }) => ({
    event: answer(random.at(from, purpose, nth)),
    latencyMs,
  }),
});

/* What a part of a program's own is asked with. */

/**
 * A part's `questions`, where all are of one form, such as `customer:NAME`: `nameIn` says which NAME a delivery
 * answers for, if any. The first of its name is explained, and the first of all is what a person wants explained
 * before anything else. `none` is what is so where nothing can be asked.
 */
export function questionsBy(
  form: `${string}:${string}`,
  none: string,
  nameIn: (delivery: Delivery) => string | undefined,
): Questions {
  const kind = form.slice(0, form.indexOf(":") + 1);
  const of = (delivery: Delivery): string | undefined => {
    const name = nameIn(delivery);
    return name === undefined ? undefined : `${kind}${name}`;
  };
  return {
    ...{ forms: [form], none: [none], of },
    find: (deliveries, question) => deliveries.find((one) => of(one) === question),
    all: (deliveries) => [...new Set(deliveries.flatMap((one) => of(one) ?? []))],
    trouble: (deliveries) => deliveries.find((one) => of(one) !== undefined),
  };
}
