// A kernel with a log and actors written as one function each: the smallest world there is.
import type { AnyStateMachine } from "xstate";
import { type At, type Letter, type MailEvent, startActor } from "../../src/machines/letter.ts";
import type { Behaviour } from "../../src/substrate/behaviour.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { Kernel, type KernelOptions } from "../../src/substrate/kernel.ts";
import { defaultLimits, type Limits } from "../../src/substrate/limits.ts";
import type { Input, Provider } from "../../src/substrate/port.ts";
import { serviceBehaviour } from "../../src/substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../../src/substrate/statechart.ts";

type Received = MailEvent & { readonly at: At };

/** What an actor posts for an event; "done" ends it. */
export type Answers = (event: Received) => readonly Letter[] | "done";

export interface OfficeOptions {
  readonly actors?: { readonly [name: string]: Answers };
  readonly charts?: { readonly [name: string]: AnyStateMachine };
  readonly ports?: { readonly [port: string]: Provider };
  readonly limits?: Partial<Limits>;
  readonly endMs?: number;
  readonly horizonMs?: () => number;
  readonly checkpointEvery?: number;
  readonly onCheckpoint?: KernelOptions["onCheckpoint"];
}

/** Every actor lives at the address that is its name, may use every port, and is started already. */
export function office(options: OfficeOptions) {
  const { actors = {}, charts = {}, ports = {}, limits = {}, endMs = 1_000_000 } = options;
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const behaviours: [string, unknown][] = [
    ...Object.entries(actors).map(
      ([name, answers]) => [name, speaker(answers)] as [string, unknown],
    ),
    ...Object.entries(charts).map(
      ([name, machine]) => [name, statechartBehaviour(machine)] as [string, unknown],
    ),
  ];
  const role = (behaviour: unknown) => ({
    behaviour: behaviour as Behaviour,
    ports: Object.keys(ports),
  });
  const kernelOptions: KernelOptions = {
    cast: Object.fromEntries(behaviours.map(([name, behaviour]) => [name, role(behaviour)])),
    ports,
    limits: { ...defaultLimits, ...limits },
    endMs,
    checkpointEvery: options.checkpointEvery ?? 1_000,
    ...(options.onCheckpoint && { onCheckpoint: options.onCheckpoint }),
    onDelivery: (delivery) => log.push(delivery),
    onInput: (input) => inputs.push(input),
    ...(options.horizonMs && { horizonMs: options.horizonMs }),
  };
  const kernel = new Kernel(kernelOptions);
  for (const [name] of behaviours) kernel.postFromOutside("stage", startActor(name, name, {}));
  return {
    kernel,
    options: kernelOptions,
    log,
    inputs,
    run: () => {
      while (kernel.step() === "delivered");
    },
    /** What happened at an address: type of event and fate. */
    at: (address: string) =>
      log.filter(({ to }) => to === address).map(({ event, fate }) => `${event.type} ${fate}`),
  };
}

interface Seen {
  readonly seen: readonly Received[];
}

/** Keeps everything it received: its context is what the tests look at. */
const speaker = (answers: Answers): Behaviour<Seen> => {
  const everything = { includes: () => true } as unknown as readonly string[];
  return serviceBehaviour<Seen>({
    kind: "service",
    id: "speaker",
    handles: everything,
    ignores: [],
    init: () => ({ state: { seen: [] }, letters: [] }),
    receive({ seen }, event) {
      const said = answers(event);
      const state = { seen: [...seen, event] };
      return said === "done" ? { state, letters: [], done: true } : { state, letters: said };
    },
  });
};

export const letter = (to: string, type: string, rest: Partial<Letter> = {}): Letter => ({
  to,
  event: { type },
  ...rest,
});
