// `npm run soak -- tables`: ten million random steps of every statechart, by its tables and under XState.
// Each block says what it did; GHOSTLIGHT_SOAK_FROM=37 goes on with block 37, and -t "block 37" is that one alone.

import { writeSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AnyStateMachine } from "xstate";
import type { At, Carried, MailEvent, TimerEvent } from "../../src/machines/letter.ts";
import type { Step } from "../../src/substrate/behaviour.ts";
import { statechartBehaviour } from "../../src/substrate/statechart.ts";
import { everyStatechart, waits } from "./anyStatechart.ts";

const BLOCKS = 20;
const STEPS = 500_000;
/** Drawn for each block and machine; every step takes one of them. */
const EVENTS = 1_000;
const INPUTS = 100;
const STEPS_OF_ONE_LIFE = 60;
const CANDIDATES = 6;

const FROM = Number(process.env.GHOSTLIGHT_SOAK_FROM ?? 1);
const blocks = Array.from({ length: BLOCKS - FROM + 1 }, (_, index) => FROM + index);

it.each(blocks)(`block %i: ${STEPS} steps by tables as under XState`, (block) => {
  const share = Math.ceil(STEPS / everyStatechart.length);
  let steps = 0;
  for (const [index, chart] of everyStatechart.entries()) {
    steps += stepsAlike(chart, share, 1_000 * block + index);
  }
  writeSync(2, `block ${block} of ${BLOCKS}: ${steps} steps alike\n`);
  expect(steps).toBeGreaterThanOrEqual(STEPS);
});

/** Lives, one after the other, until so many steps are taken. Throws at the first that differs. */
function stepsAlike(
  [machine, input, events, endings]: (typeof everyStatechart)[number],
  atLeast: number,
  seed: number,
): number {
  const draw = drawn(seed);
  const sample = <T>(of: fc.Arbitrary<T>, numRuns: number): (() => T) => {
    const some = fc.sample(of, { seed, numRuns });
    return () => some[draw(some.length)] as T;
  };
  const anyInput = sample(input, INPUTS);
  const anyWait = sample(waits, INPUTS);
  const isEnding = ({ type }: MailEvent): boolean => endings.includes(type);
  const leading = sample(
    events.filter((event) => !isEnding(event)),
    EVENTS,
  );
  const any = sample(events, EVENTS);
  const pair = [statechartBehaviour(machine), statechartBehaviour(machine, "xstate")] as const;
  let steps = 0;
  while (steps < atLeast) steps += life();
  return steps;

  function life(): number {
    const [tables, xstate] = pair;
    const timers = new Map<string, { readonly event: TimerEvent; readonly dueMs: number }>();
    let at: At = { nowMs: draw(1_000_000), seq: 1, from: "somebody" };
    const given = anyInput();
    let mine = tables.start("it", given, at);
    let theirs = xstate.start("it", given, at);
    let count = 1;
    compare(machine, seed, pair, [mine, theirs]);
    keep(timers, mine, at);
    for (; count < STEPS_OF_ONE_LIFE && !mine.ended; count++) {
      const due = draw(2) === 0 ? nextOf(timers) : undefined;
      if (due !== undefined) timers.delete(due.id);
      const nowMs = Math.max(at.nowMs, due?.dueMs ?? at.nowMs + anyWait());
      at = { nowMs, seq: at.seq + 1, from: "somebody", ...(draw(2) === 0 && { asked: true }) };
      const event: Carried & { at: At } = { ...(due?.event ?? chosen(mine.state)), at };
      mine = tables.receive("it", mine.state, event);
      theirs = xstate.receive("it", theirs.state, event);
      compare(machine, seed, pair, [mine, theirs], event);
      keep(timers, mine, at);
    }
    return count;

    /** Mostly one that does something, else a machine would stay where it is. */
    function chosen(state: unknown): MailEvent {
      const first = draw(30) === 0 ? any() : leading();
      if (draw(4) === 0) return first;
      for (let left = CANDIDATES, event = first; left > 0; left--, event = leading()) {
        if (tables.receive("it", state, { ...event, at }).handled) return event;
      }
      return first;
    }
  }
}

type Pair = readonly [
  ReturnType<typeof statechartBehaviour>,
  ReturnType<typeof statechartBehaviour>,
];

function compare(
  { id }: AnyStateMachine,
  seed: number,
  pair: Pair,
  steps: readonly [Step<unknown>, Step<unknown>],
  event?: object,
): void {
  const [mine = "", theirs] = steps.map((step, index) => {
    const behaviour = pair[index] as Pair[number];
    const { state, handled, effects, ended, output } = step;
    const [value, context] = [behaviour.value(state), behaviour.context(state)];
    return JSON.stringify({ value, context, handled, effects, ended, output });
  });
  // Texts in the order in which they were made are fast to compare; only what they hold decides.
  if (mine === theirs) return;
  expect(
    JSON.parse(mine),
    `${id} with seed ${seed}, after ${JSON.stringify(event ?? "its start")}`,
  ).toEqual(JSON.parse(theirs ?? ""));
}

function keep(
  timers: Map<string, { readonly event: TimerEvent; readonly dueMs: number }>,
  { effects }: Step<unknown>,
  { nowMs }: At,
): void {
  for (const effect of effects) {
    if (effect.kind !== "letter") timers.delete(effect.id);
    if (effect.kind === "timer") {
      timers.set(effect.id, { event: effect.event, dueMs: nowMs + effect.delayMs });
    }
  }
}

function nextOf(
  timers: ReadonlyMap<string, { readonly event: TimerEvent; readonly dueMs: number }>,
) {
  let next: { id: string; event: TimerEvent; dueMs: number } | undefined;
  for (const [id, { event, dueMs }] of timers) {
    if (next === undefined || dueMs < next.dueMs) next = { id, event, dueMs };
  }
  return next;
}

/** A small generator of its own: drawing must cost less than a step. */
function drawn(seed: number): (below: number) => number {
  let state = seed | 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.floor(((state >>> 8) / 2 ** 24) * below);
  };
}
