// One statechart alone, driven event by event; its timers fire when the test says so.
import type { AnyStateMachine } from "xstate";
import type { Json, Letter, MailEvent, TimerEvent } from "../../src/machines/letter.ts";
import type { Step } from "../../src/substrate/behaviour.ts";
import { statechartBehaviour } from "../../src/substrate/statechart.ts";

interface Timer {
  readonly event: TimerEvent;
  readonly delayMs: number;
}

/** More than any test sends; one that sends until something happens ends even if it never does. */
const EVENTS_MAX = 10_000;

export function driven<T extends object>(machine: AnyStateMachine, input: object) {
  const behaviour = statechartBehaviour(machine);
  const timers = new Map<string, Timer>();
  let seq = 1;
  let nowMs = 0;
  let letters: Letter[] = [];
  let step: Step<unknown>;

  const took = (next: Step<unknown>): readonly Letter[] => {
    step = next;
    letters = [];
    for (const effect of next.effects) {
      if (effect.kind === "timer") timers.set(effect.id, effect);
      if (effect.kind === "cancelTimer") timers.delete(effect.id);
      if (effect.kind === "letter") letters.push(effect.letter);
    }
    return letters;
  };

  took(behaviour.start("self", input, { nowMs, seq, from: "daemon" }));
  return {
    /** Delivers an event as a question from `peer`; what the machine posts. */
    send(event: MailEvent, delayMs = 0): readonly Letter[] {
      if (seq > EVENTS_MAX) throw new Error(`after ${EVENTS_MAX} events it is ${this.value} still`);
      nowMs += delayMs;
      const at = { nowMs, seq: ++seq, from: "peer", asked: true as const };
      return took(behaviour.receive("self", step.state, { ...event, at }));
    },
    /** Fires the one running timer of this name. */
    fire(name: string): readonly Letter[] {
      const [[id, timer] = ["", undefined], ...others] = [...timers].filter(([one]) =>
        one.includes(`.${name}.`),
      );
      if (timer === undefined || others.length > 0) throw new Error(`not one timer ${name}`);
      timers.delete(id);
      nowMs += timer.delayMs;
      const at = { nowMs, seq: ++seq, from: "self" };
      return took(behaviour.receive("self", step.state, { ...timer.event, at }));
    },
    timers: () => [...timers].map(([id, { delayMs }]) => ({ id, delayMs })),
    get seq() {
      return seq;
    },
    get value(): Json {
      return behaviour.value(step.state);
    },
    get context(): T {
      return behaviour.context(step.state) as T;
    },
    get letters(): readonly Letter[] {
      return letters;
    },
    get ended(): boolean {
      return step.ended;
    },
  };
}

export const lettersTo = (letters: readonly Letter[], to: string): readonly Letter[] =>
  letters.filter((letter) => letter.to === to);
