// One statechart alone: under our interpreters, and as an actor of XState's own, which is the oracle.

import { expect } from "vitest";
import { type AnyStateMachine, type AnyStateNode, createActor } from "xstate";
import type { At, Carried, Json, Letter } from "../../src/machines/letter.ts";
import { type Interpreter, statechartBehaviour } from "../../src/substrate/statechart.ts";

/** What can be seen of a machine after an event. */
export interface Seen {
  readonly value: Json;
  readonly context: object;
  readonly letters: readonly Letter[];
  /** When its timers are due, in the order in which they would fire. */
  readonly timers: readonly number[];
  readonly status: string;
}

export interface Runner {
  start(input: object, at: At): void;
  send(event: Carried, at: At): void;
  fire(dueMs: number, at: At): void;
  nextDueMs(): number | undefined;
  seen(): Seen;
}

interface Timer {
  readonly dueMs: number;
  readonly fire: (at: At) => void;
}

const byDueTime = (a: Timer, b: Timer) => a.dueMs - b.dueMs;

/** Our own behaviour, driven as the kernel drives it. */
export function ours(machine: AnyStateMachine, interpreter: Interpreter): Runner {
  const behaviour = statechartBehaviour(machine, interpreter);
  let state = undefined as never;
  let status = "active";
  let letters: Letter[] = [];
  let timers: (Timer & { id: string })[] = [];
  const settle = (step: ReturnType<typeof behaviour.receive>, { nowMs }: At): void => {
    state = step.state as never;
    if (step.ended) status = "done";
    for (const effect of step.effects) {
      if (effect.kind === "letter") letters.push(effect.letter);
      else timers = timers.filter(({ id }) => id !== effect.id);
      if (effect.kind !== "timer") continue;
      const { id, event, delayMs } = effect;
      timers.push({ id, dueMs: nowMs + delayMs, fire: (at) => deliver(event, at) });
    }
    if (status === "done") timers = [];
  };
  const deliver = (event: Carried, at: At): void => {
    letters = [];
    if (status === "active") settle(behaviour.receive("it", state, { ...event, at }), at);
  };
  return {
    start: (input, at) => settle(behaviour.start("it", input, at), at),
    send: deliver,
    fire(dueMs, at) {
      const timer = timers.toSorted(byDueTime)[0];
      expect(timer?.dueMs).toBe(dueMs);
      timers = timers.filter((one) => one !== timer);
      timer?.fire(at);
    },
    nextDueMs: () => timers.toSorted(byDueTime)[0]?.dueMs,
    seen: () => ({
      value: behaviour.value(state),
      context: behaviour.context(state),
      letters,
      timers: timers.map(({ dueMs }) => dueMs).sort((a, b) => a - b),
      status,
    }),
  };
}

/** The oracle: XState's actor on a clock that stands still until it is told. */
export function xstates(machine: AnyStateMachine) {
  let nowMs = 0;
  let stamp: At | undefined;
  let letters: Letter[] = [];
  let timers: (Timer & { id: number })[] = [];
  let made = 0;
  let actor: ReturnType<typeof createActor> | undefined;
  const clock = {
    setTimeout(fire: () => void, delayMs: number) {
      made += 1;
      timers.push({ id: made, dueMs: nowMs + delayMs, fire });
      return made;
    },
    clearTimeout(id: number) {
      timers = timers.filter((timer) => timer.id !== id);
    },
  };
  const failed = (error: unknown) => {
    throw error;
  };
  const runner: Runner = {
    start(input, at) {
      nowMs = at.nowMs;
      actor = createActor(machine, { input: { ...input, at }, clock });
      actor.on("*", (event) => {
        letters.push(...(event as unknown as { letters: readonly Letter[] }).letters);
      });
      actor.subscribe({ error: failed });
      stampTimers(actor.system as unknown as { _relay: Relay }, () => stamp);
      actor.start();
    },
    send(event, at) {
      nowMs = at.nowMs;
      letters = [];
      if (actor?.getSnapshot().status === "active") actor.send({ ...event, at });
    },
    fire(dueMs, at) {
      nowMs = at.nowMs;
      stamp = at;
      letters = [];
      const timer = timers.toSorted(byDueTime)[0];
      expect(timer?.dueMs).toBe(dueMs);
      timers = timers.filter((one) => one !== timer);
      timer?.fire(at);
    },
    nextDueMs: () => timers.toSorted(byDueTime)[0]?.dueMs,
    seen() {
      const { value, context, status } = snapshot();
      return {
        value: value as Json,
        context,
        letters,
        timers: timers.map(({ dueMs }) => dueMs).sort((a, b) => a - b),
        status,
      };
    },
  };
  const snapshot = () =>
    actor?.getSnapshot() as unknown as {
      value: unknown;
      context: object;
      status: string;
      can: (event: object) => boolean;
      _nodes: AnyStateNode[];
    };
  return { runner, snapshot };
}

type Relay = (source: unknown, target: unknown, event: object) => void;

/** XState's timers come without a stamp; the kernel stamps everything it delivers. */
function stampTimers(system: { _relay: Relay }, stamp: () => At | undefined): void {
  const relay = system._relay;
  system._relay = (source, target, event) => relay(source, target, { at: stamp(), ...event });
}
