// The machines that come with the program do not use all that the tables hold: machines drawn at random do.

import fc, { type GeneratorValue } from "fast-check";
import { expect, it } from "vitest";
import { type AnyStateMachine, assign, createMachine, setup } from "xstate";
import type { Part } from "../../src/contract/part.ts";
import { type At, type Carried, post, type TimerEvent } from "../../src/machines/letter.ts";
import { withoutTables } from "../../src/run/cast.ts";
import type { Behaviour, Step } from "../../src/substrate/behaviour.ts";
import { canonicalJson } from "../../src/substrate/canonicalJson.ts";
import { keptFromTables, statechartBehaviour } from "../../src/substrate/statechart.ts";
import { policyWith } from "../builtIn.ts";

const MACHINES = 300;
const EVENTS = 25;
const TYPES = ["a", "b", "c"];
const DEPTH = 3;

interface Node {
  readonly id: string;
  readonly children: Node[];
  readonly isFinal: boolean;
}

/** Says where it is, and counts, so that the order of everything shows. */
const marks = (what: string) => [
  assign(({ context }: { context: { count: number } }) => ({ count: context.count + 1 })),
  post(({ context }: { context: { count: number } }) => [
    { to: "log", event: { type: what, count: context.count } } as never,
  ]),
];

function machineOf(draw: GeneratorValue): AnyStateMachine {
  const below = (max: number): number => draw(fc.nat, { max: max - 1 });
  const isDrawn = (oneIn: number): boolean => below(oneIn) === 0;
  const ids: string[] = [];
  const nodeAt = (depth: number, mayEnd: boolean): Node => {
    const id = `n${ids.length}`;
    ids.push(id);
    const isFinal = mayEnd && isDrawn(3);
    const count = depth === 0 || (depth < DEPTH && !isFinal && isDrawn(2)) ? 2 + below(2) : 0;
    const children: Node[] = [];
    for (let left = count; left > 0; left--) children.push(nodeAt(depth + 1, left < count));
    return { id, children, isFinal };
  };
  const root = nodeAt(0, false);
  const transition = (from: Node, isAlways = false): object => {
    const others = ids.slice(1);
    return {
      ...(!isDrawn(4) && { target: `#${others[below(others.length)]}` }),
      ...(isDrawn(3) && from !== root && { reenter: true }),
      ...((isAlways || isDrawn(3)) && { guard: isDrawn(2) ? "isOdd" : "isThird" }),
      ...(isDrawn(2) && { actions: marks(`went.${from.id}`) }),
    };
  };
  const configOf = (node: Node): object => {
    const { id, children, isFinal } = node;
    const marked = { id, entry: marks(`in.${id}`), exit: marks(`out.${id}`) };
    if (isFinal) return { ...marked, type: "final", output: `of ${id}` };
    const types = TYPES.filter(() => isDrawn(2));
    const on = types.map((type) => [type, [transition(node), transition(node)]]);
    return {
      ...marked,
      on: Object.fromEntries(on),
      ...(isDrawn(5) && { always: transition(node, true) }),
      ...(isDrawn(3) && { after: { 5: transition(node), long: transition(node) } }),
      ...(children.length > 0 && {
        initial: children[0]?.id,
        states: Object.fromEntries(children.map((child) => [child.id, configOf(child)])),
        ...(node !== root &&
          children.some((child) => child.isFinal) && { onDone: transition(node) }),
      }),
    };
  };
  const machine = setup({
    types: { context: {} as { count: number } },
    guards: {
      isOdd: ({ context }) => context.count % 2 === 1,
      isThird: ({ context }) => context.count % 3 === 0,
    },
    delays: { long: ({ context }) => 10 + context.count },
  }).createMachine({
    ...configOf(root),
    context: () => ({ count: 0 }),
    output: ({ event }: { event: object }) => ("output" in event ? event.output : null),
  } as never);
  // Its config is drawn, so its type says nothing.
  return machine as unknown as AnyStateMachine;
}

/** One machine under one interpreter; what can be seen of it, as text, after everything it is given. */
function life(behaviour: Behaviour) {
  let timers: { readonly id: string; readonly event: TimerEvent; readonly delayMs: number }[] = [];
  let step: Step<unknown>;
  const taken = (next: () => Step<unknown>): string => {
    try {
      step = next();
    } catch (error) {
      return `threw ${String(error).includes("cycle") || String(error).includes("Infinite")}`;
    }
    for (const effect of step.effects) {
      if (effect.kind !== "letter") timers = timers.filter(({ id }) => id !== effect.id);
      if (effect.kind === "timer") timers.push(effect);
    }
    const { state, effects, handled, ended, output = null } = step;
    return canonicalJson({ saved: behaviour.persist(state), effects, handled, ended, output });
  };
  return {
    start: (at: At) => taken(() => behaviour.start("it", {}, at)),
    take: (event: Carried, at: At) =>
      taken(() => behaviour.receive("it", step.state, { ...event, at })),
    fire(which: number, at: At) {
      const timer = timers[which % timers.length];
      timers = timers.filter((one) => one !== timer);
      return timer === undefined ? "" : this.take(timer.event, at);
    },
    /** Saved by one, gone on with by the other. */
    saved: () => behaviour.persist(step.state),
    restore(saved: Parameters<Behaviour["restore"]>[1]) {
      step = { ...step, state: behaviour.restore("it", saved) };
    },
    isOver: () => step.ended,
  };
}

it("[KN20] a machine drawn at random does by its tables what it does under XState", () => {
  const seen = { ended: 0, threw: 0, steps: 0 };

  fc.assert(
    fc.property(fc.gen(), (draw) => {
      const machine = machineOf(draw);
      expect(keptFromTables(machine)).toBeUndefined();
      const tables = life(statechartBehaviour(machine));
      const xstate = life(statechartBehaviour(machine, "xstate"));
      let at: At = { nowMs: 0, seq: 1, from: "somebody" };
      let said = tables.start(at);
      expect(said).toBe(xstate.start(at));
      for (let left = EVENTS; left > 0 && !said.startsWith("threw") && !tables.isOver(); left--) {
        at = { ...at, nowMs: at.nowMs + 1, seq: at.seq + 1 };
        const [kind, which] = [draw(fc.nat, { max: 3 }), draw(fc.nat, { max: 9 })];
        const event = { type: TYPES[kind] ?? "d" } as never;
        said = kind === 3 ? tables.fire(which, at) : tables.take(event, at);
        expect(said).toBe(kind === 3 ? xstate.fire(which, at) : xstate.take(event, at));
        seen.steps++;
        if (which === 0 && !said.startsWith("threw") && !tables.isOver()) {
          const saved = tables.saved();
          tables.restore(xstate.saved());
          xstate.restore(saved);
        }
      }
      if (said.startsWith("threw")) seen.threw++;
      else if (tables.isOver()) seen.ended++;
    }),
    { numRuns: MACHINES },
  );

  expect(seen.ended).toBeGreaterThan(MACHINES / 20);
  expect(seen.threw).toBeLessThan(MACHINES / 4);
  expect(seen.steps).toBeGreaterThan(MACHINES);
});

it.each([
  ["parallel states", { type: "parallel", states: { one: {}, two: {} } }, "is a parallel state"],
  [
    "history",
    { initial: "on", states: { on: {}, last: { type: "history" } } },
    "is a history state",
  ],
  [
    "actions on the way in",
    { initial: { target: "on", actions: "mark" }, states: { on: {} } },
    "the initial transition of odd has actions",
  ],
  ["nothing but its end", { type: "final" }, "odd ends as it starts"],
  [
    "a root that is entered again",
    { initial: "on", states: { on: {} }, on: { a: { target: ".on", reenter: true } } },
    "a transition of odd enters it again",
  ],
  ["a wildcard", { on: { "*": { actions: "mark" } } }, "has a transition for *"],
  ["a wildcard behind a point", { on: { "a.*": { actions: "mark" } } }, "has a transition for a.*"],
  ["parameters", { entry: { type: "mark", params: { by: 1 } } }, "an action has parameters"],
  [
    "a way back to the root",
    { id: "odd", initial: "on", entry: "mark", states: { on: { on: { a: "#odd" } } } },
    "a transition of odd.on leads to the root",
  ],
])("[KN20] a machine with %s is left to XState, and says why", (_name, config, why) => {
  const machine = setup({
    types: { context: {} as { count: number } },
    actions: { mark: assign(({ context }) => ({ count: context.count + 1 })) },
  }).createMachine({
    id: "odd",
    context: { count: 0 },
    ...config,
  } as never) as unknown as AnyStateMachine;

  const { start, value } = statechartBehaviour(machine);

  const part: Part = { name: "odd", statecharts: () => ({ odd: machine }) };
  expect(keptFromTables(machine)).toContain(why);
  expect(withoutTables([part], policyWith({}))).toEqual([
    { name: "odd", why: expect.stringContaining(why) },
  ]);
  expect(value(start("it", {}, { nowMs: 0, seq: 1, from: "somebody" }).state)).toBeDefined();
});

it("[KN20] a machine that invokes an actor has no tables", () => {
  const machine = createMachine({ id: "odd", invoke: { src: "other" } });

  expect(keptFromTables(machine as unknown as AnyStateMachine)).toContain("odd invokes an actor");
});

it.each([
  ["an assignment of nothing", { actions: assign((() => undefined) as never) }],
  ["a delay that is none", { target: "waiting" }],
])("[KN20] %s is by the tables what it is under XState", (_name, transition) => {
  const machine = setup({ delays: { none: (() => undefined) as never } }).createMachine({
    id: "odd",
    context: { count: 0 },
    initial: "on",
    states: { on: { on: { a: transition } }, waiting: { after: { none: "over" } }, over: {} },
  } as never) as unknown as AnyStateMachine;
  expect(keptFromTables(machine)).toBeUndefined();
  const at: At = { nowMs: 0, seq: 1, from: "somebody" };

  const [tables, xstate] = (["tables", "xstate"] as const).map((interpreter) => {
    const it = life(statechartBehaviour(machine, interpreter));
    return [it.start(at), it.take({ type: "a" } as never, at)];
  });

  expect(tables).toEqual(xstate);
  expect(tables?.[1]).not.toContain("threw");
});
