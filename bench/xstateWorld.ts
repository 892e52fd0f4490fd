/**
 * The workload as XState runs it: `createActor`, `sendTo`, and a clock given to each actor. Every
 * actor is a root with its own system, which is faster than thousands of children of one parent.
 */
import {
  type ActorRefFrom,
  type AnyActorRef,
  assign,
  createActor,
  SimulatedClock,
  sendTo,
  setup,
} from "xstate";
import { Heap } from "./heapLoop.ts";
import { type ActorState, begun, peerOf, pinged, ticked, type World } from "./workload.ts";

interface DrivenClock {
  setTimeout(run: () => void, delayMs: number): number;
  clearTimeout(id: number): void;
  now(): number;
  /** Moves time to the next timer and fires it. */
  fireNext(): void;
}

interface Timer {
  readonly id: number;
  readonly dueMs: number;
}

/**
 * XState's own clock, moved to each due instant in turn: a larger step would fire timers late and
 * leave out those that they start. It cannot say what is due next, so a heap beside it does.
 */
export function steppedClock(): DrivenClock {
  const clock = new SimulatedClock();
  const due = new Heap<Timer>();
  return {
    now: () => clock.now(),
    setTimeout(run, delayMs) {
      const id = clock.setTimeout(run, delayMs);
      due.push({ id, dueMs: clock.now() + delayMs });
      return id;
    },
    clearTimeout: (id) => clock.clearTimeout(id),
    fireNext() {
      const next = due.pop();
      if (next !== undefined) clock.set(next.dueMs);
    },
  };
}

/** A clock that is nothing but a heap: what XState's actors cost without its clock. */
export function heapClock(): DrivenClock {
  const due = new Heap<Timer & { readonly run: () => void }>();
  const waiting = new Set<number>();
  let nowMs = 0;
  let nextId = 0;
  return {
    now: () => nowMs,
    setTimeout(run, delayMs) {
      const id = nextId++;
      waiting.add(id);
      due.push({ id, dueMs: nowMs + delayMs, run });
      return id;
    },
    clearTimeout: (id) => waiting.delete(id),
    fireNext() {
      const next = due.pop();
      if (next === undefined || !waiting.delete(next.id)) return;
      nowMs = next.dueMs;
      next.run();
    },
  };
}

export function xstateWorld(actors: number, clock: DrivenClock): World {
  const all: ActorRefFrom<ReturnType<typeof tickerOf>>[] = [];
  const machine = tickerOf(clock, (index) => all[index] as AnyActorRef);
  for (let index = 0; index < actors; index++) {
    all.push(createActor(machine, { input: { index, actors }, clock }));
  }
  for (const actor of all) actor.start();
  return {
    advance(ticks) {
      for (let left = ticks; left > 0; left--) clock.fireNext();
    },
    states: () => all.map((actor) => actor.getSnapshot().context),
    close: () => {},
  };
}

const tickerOf = (clock: DrivenClock, actorAt: (index: number) => AnyActorRef) =>
  setup({
    types: {
      context: {} as ActorState,
      events: {} as { readonly type: "pinged"; readonly value: number },
      input: {} as { readonly index: number; readonly actors: number },
    },
    delays: { pause: ({ context }) => context.pauseMs },
  }).createMachine({
    id: "ticker",
    context: ({ input }) => begun(input.index, input.actors),
    initial: "waiting",
    states: {
      waiting: {
        on: {
          pinged: {
            actions: assign(({ context, event }) => pinged(context, clock.now(), event.value)),
          },
        },
        after: {
          pause: {
            target: "waiting",
            reenter: true,
            actions: [
              assign(({ context }) => ticked(context, clock.now())),
              sendTo(
                ({ context }) => actorAt(peerOf(context)),
                ({ context }) => ({ type: "pinged", value: context.draw }),
              ),
            ],
          },
        },
      },
    },
  });
