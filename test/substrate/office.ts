// A kernel with a log and actors written as one function each: the smallest world there is.
import type { AnyStateMachine } from "xstate";
import {
  ask,
  type Delivered,
  type EventType,
  type Letter,
  startActor,
} from "../../src/machines/letter.ts";
import type { Outcome } from "../../src/machines/service.ts";
import type { Behaviour } from "../../src/substrate/behaviour.ts";
import type { Delivery, SeenDelivery } from "../../src/substrate/envelope.ts";
import { Kernel } from "../../src/substrate/kernel.ts";
import type { KernelOptions } from "../../src/substrate/kernelOptions.ts";
import type { Level } from "../../src/substrate/level.ts";
import { defaultLimits, type Limits } from "../../src/substrate/limits.ts";
import type { Input, Provider } from "../../src/substrate/port.ts";
import { serviceBehaviour } from "../../src/substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../../src/substrate/statechart.ts";

const SIGNALS = [
  ...["test.first", "test.second", "test.third", "test.fourth", "test.go", "test.enough"],
  ...["test.waiting", "test.reaction", "test.pinged", "test.farewell", "test.ended"],
  ...["test.wound", "test.held", "test.broken", "test.poked", "test.stroked"],
  ...["test.turned", "test.stopped", "test.resumed"],
] as const;

/** What has no fields. */
type Signal = (typeof SIGNALS)[number];
type Signals = { readonly [S in Signal]: { readonly [field in never]: never } };

declare module "../../src/machines/letter.ts" {
  interface Mail extends Signals {
    "test.said": { readonly word: string };
    "test.noted": { readonly note: Json };
    "test.round": { readonly round: number };
    /** A question between actors, and its answer. */
    "test.riddle": { readonly word: string; readonly afterMs: number };
    "test.answered": { readonly word: string };
    /** To whoever asks a port for it, what the port is asked, and what it replies. */
    "test.needed": { readonly what: string };
    "test.asked": { readonly purpose: string };
    "test.replied": { readonly purpose: string; readonly nth: number };
  }
}

const HEARD: readonly EventType[] = [
  ...SIGNALS,
  ...(["test.said", "test.round", "test.riddle", "test.answered", "ask.bounced"] as const),
  ...(["test.needed", "test.replied"] as const),
];

export type Received = Delivered<EventType>;

/** What an actor posts for an event; "done" ends it. */
export type Answers = (event: Received) => readonly Letter[] | "done";

export interface OfficeOptions {
  readonly actors?: { readonly [name: string]: Answers };
  readonly charts?: { readonly [name: string]: AnyStateMachine };
  readonly ports?: { readonly [port: string]: Provider };
  /** Those that may use none of them. */
  readonly noPorts?: readonly string[];
  readonly limits?: Partial<Limits>;
  readonly endMs?: number;
  readonly horizonMs?: () => number;
  readonly otherwise?: KernelOptions["otherwise"];
  readonly checkpointEvery?: number;
  readonly onCheckpoint?: KernelOptions["onCheckpoint"];
  /** `full` when absent. */
  readonly level?: Level;
}

/** Every actor lives at the address that is its name, may use every port unless it is said otherwise, and is started already. */
export function office(options: OfficeOptions) {
  const { actors = {}, charts = {}, ports = {}, limits = {}, endMs = 1_000_000 } = options;
  const log: Delivery[] = [];
  const seen: SeenDelivery[] = [];
  const { level = "full" } = options;
  const inputs: Input[] = [];
  const behaviours: [string, unknown][] = [
    ...Object.entries(actors).map(
      ([name, answers]) => [name, speaker(answers)] as [string, unknown],
    ),
    ...Object.entries(charts).map(
      ([name, machine]) => [name, statechartBehaviour(machine)] as [string, unknown],
    ),
  ];
  const role = (name: string, behaviour: unknown) => ({
    behaviour: behaviour as Behaviour,
    ports: options.noPorts?.includes(name) ? [] : Object.keys(ports),
  });
  const kernelOptions: KernelOptions = {
    cast: Object.fromEntries(behaviours.map(([name, behaviour]) => [name, role(name, behaviour)])),
    ports,
    limits: { ...defaultLimits, ...limits },
    endMs,
    checkpointEvery: options.checkpointEvery ?? 1_000,
    ...(options.onCheckpoint && { onCheckpoint: options.onCheckpoint }),
    level,
    onSeen: (delivery) => seen.push(delivery),
    ...(level === "full" && { onDelivery: (delivery: Delivery) => log.push(delivery) }),
    ...(level !== "bare" && { onInput: (input: Input) => inputs.push(input) }),
    ...(options.horizonMs && { horizonMs: options.horizonMs }),
    ...(options.otherwise && { otherwise: options.otherwise }),
  };
  const kernel = new Kernel(kernelOptions);
  for (const [name] of behaviours) kernel.postFromOutside("stage", startActor(name, name, {}));
  return {
    kernel,
    options: kernelOptions,
    log,
    seen,
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
  const hear = ({ seen }: Seen, event: Received): Outcome<Seen> => {
    const said = answers(event);
    const state = { seen: [...seen, event] };
    return said === "done" ? { state, letters: [], done: true } : { state, letters: said };
  };
  return serviceBehaviour({
    kind: "service",
    id: "speaker",
    on: Object.fromEntries(HEARD.map((type) => [type, hear])),
    ignores: [],
    init: () => ({ state: { seen: [] }, letters: [] }),
  });
};

export const letter = (to: string, type: Signal, rest: Partial<Letter> = {}): Letter => ({
  to,
  event: { type },
  ...rest,
});

export const said = (to: string, word: string): Letter => ({
  to,
  event: { type: "test.said", word },
});

export const needed = (to: string, what: string, rest: Partial<Letter> = {}): Letter => ({
  to,
  event: { type: "test.needed", what },
  ...rest,
});

/** Asks the model for whatever it needs. */
export const caller: Answers = (event) =>
  event.type === "test.needed"
    ? [
        ask({
          ...{ to: "port/llm.chat", key: event.what },
          event: { type: "test.asked", purpose: event.what },
        }),
      ]
    : [];
