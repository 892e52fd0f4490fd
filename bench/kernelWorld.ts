/** The workload on the product's kernel, as statecharts and as services, with or without a log. */
import { assign, setup } from "xstate";
import {
  type Delivered,
  type Letter,
  type Outbox,
  post,
  startActor,
} from "../src/machines/letter.ts";
import type { Outcome, Service } from "../src/machines/service.ts";
import type { Behaviour } from "../src/substrate/behaviour.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { Kernel } from "../src/substrate/kernel.ts";
import { defaultLimits } from "../src/substrate/limits.ts";
import { serviceBehaviour } from "../src/substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../src/substrate/statechart.ts";
import { type ActorState, begun, peerOf, pinged, ticked, type World } from "./workload.ts";

export interface Log {
  onDelivery?(delivery: Delivery, start: Uint8Array): void;
  close?(): void;
}

export type Kind = "statechart" | "service";

/** What a run makes for readers: nothing, its digests, or its log besides. */
export type Level = "bare" | "recorded" | "full";

declare module "../src/machines/letter.ts" {
  interface Mail {
    "bench.pinged": { readonly value: number };
    "bench.ticked": { readonly [field in never]: never };
  }
}

interface Start {
  readonly index: number;
  readonly actors: number;
}

/** Every other variant holds its actors at hand, so an address is not made up for each letter. */
const addresses: string[] = [];
const address = (index: number): string => {
  addresses[index] ??= `actor/${index}`;
  return addresses[index];
};
const ping = (state: ActorState): Letter => ({
  to: address(peerOf(state)),
  event: { type: "bench.pinged", value: state.draw },
});

const tickerMachine = setup({
  types: {
    context: {} as ActorState,
    events: {} as Delivered<"bench.pinged">,
    input: {} as Start,
    emitted: {} as Outbox,
  },
  delays: { pause: ({ context }) => context.pauseMs },
}).createMachine({
  id: "ticker",
  context: ({ input }) => begun(input.index, input.actors),
  initial: "waiting",
  states: {
    waiting: {
      on: {
        "bench.pinged": {
          actions: assign(({ context, event }) => pinged(context, event.at.nowMs, event.value)),
        },
      },
      after: {
        pause: {
          target: "waiting",
          reenter: true,
          actions: [
            assign(({ context, event }) => ticked(context, event.at.nowMs)),
            post(({ context }) => [ping(context)]),
          ],
        },
      },
    },
  },
});

/** A service has no `after`: its tick is a letter to itself. */
const again = (state: ActorState): Letter => ({
  to: address(state.index),
  event: { type: "bench.ticked" },
  delayMs: state.pauseMs,
});

const tickerService: Service<ActorState, Start> = {
  kind: "service",
  id: "ticker",
  ignores: [],
  init({ index, actors }): Outcome<ActorState> {
    const state = begun(index, actors);
    return { state, letters: [again(state)] };
  },
  on: {
    "bench.pinged": (state, { at, value }) => ({
      state: pinged(state, at.nowMs, value),
      letters: [],
    }),
    "bench.ticked": (state, { at }) => {
      const next = ticked(state, at.nowMs);
      return { state: next, letters: [ping(next), again(next)] };
    },
  },
};

const behaviourOf = {
  statechart: statechartBehaviour(tickerMachine) as Behaviour,
  service: serviceBehaviour(tickerService) as Behaviour,
};

export function kernelWorld(actors: number, kind: Kind, level: Level, log: Log = {}): World {
  const kernel = new Kernel({
    cast: { ticker: { behaviour: behaviourOf[kind], ports: [] } },
    ports: {},
    limits: { ...defaultLimits, envelopes: Number.MAX_SAFE_INTEGER },
    endMs: Number.MAX_SAFE_INTEGER,
    checkpointEvery: Number.MAX_SAFE_INTEGER,
    level,
    ...(log.onDelivery && { onDelivery: log.onDelivery }),
  });
  for (let index = 0; index < actors; index++) {
    kernel.postFromOutside("stage", startActor("ticker", address(index), { index, actors }));
  }
  for (let index = 0; index < actors; index++) kernel.step();
  return {
    advance(ticks) {
      for (let left = 2 * ticks; left > 0; left--) kernel.step();
    },
    states: () => Object.values(kernel.contexts()) as ActorState[],
    close: () => log.close?.(),
  };
}
