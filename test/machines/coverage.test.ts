// Every transition of every statechart is taken on some generated path. Small tables of events make the
// paths; which transitions they take, XState's interpreter says.

import { getShortestPaths } from "@xstate/graph";
import { expect, it } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { At, Carried, TimerEvent } from "../../src/machines/letter.ts";
import { INTERPRETERS } from "../../src/substrate/statechart.ts";
import { policyWith } from "../builtIn.ts";
import { statecharts } from "../cast.ts";
import { everyHook } from "../hooks.ts";
import type { Table } from "./coverageTable.ts";
import { coverageTables } from "./coverageTables.ts";
import { ours } from "./statechartRunners.ts";

/** Ours: states of one exploration, far above what the facts leave. */
const STATES_MAX = 2_000;

const at: At = { nowMs: 1_000, seq: 5, from: "somebody", asked: true };

/** As far as XState tells of them. */
interface Transition {
  readonly source: AnyStateNode;
  readonly eventType: string;
  readonly target?: readonly AnyStateNode[] | undefined;
}

function* nodesOf(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child);
}

/** Every transition of a machine by its name, from the definition alone: on, after and always. */
function transitionsOf({ root }: AnyStateMachine): Map<Transition, string> {
  const names = new Map<Transition, string>();
  for (const node of nodesOf(root)) {
    const lists: [string, readonly Transition[]][] = [
      ...[...node.transitions].map(([type, list]): [string, readonly Transition[]] => [type, list]),
      ["always", node.always ?? []],
    ];
    for (const [type, list] of lists) {
      for (const [index, transition] of list.entries()) {
        const number = list.length === 1 ? "" : ` (${index + 1} of ${list.length})`;
        const targets = (transition.target ?? []).map(({ id }) => id).join(", ");
        names.set(transition, `${node.id}: ${plain(type)}${number} → ${targets || "no target"}`);
      }
    }
  }
  return names;
}

/** `after heartbeat` of `xstate.after.heartbeat.agent.resting`. */
const plain = (type: string): string => type.replace(/^xstate\.after\.([^.]+)\..*$/, "after $1");

/** Takes a step as XState does; says where it led, and by which transitions. */
function stepOf(
  machine: AnyStateMachine,
  step: (scope: never) => unknown,
): { readonly snapshot: AnyMachineSnapshot; readonly transitions: readonly Transition[] } {
  const transitions: Transition[] = [];
  const system = {
    _sendInspectionEvent: (event: { type: string; _transitions?: readonly Transition[] }) => {
      if (event.type === "@xstate.microstep") transitions.push(...(event._transitions ?? []));
    },
  };
  const self = { id: machine.id, sessionId: machine.id };
  const nothing = () => {};
  const scope = {
    ...{ self, ...self, system },
    ...{ logger: nothing, defer: nothing, emit: nothing, actionExecutor: nothing },
  };
  return { snapshot: step(scope as never) as AnyMachineSnapshot, transitions };
}

const serialized = (snapshot: AnyMachineSnapshot, facts: Table["facts"]): string =>
  JSON.stringify([snapshot.value, facts(snapshot.context as never)]);

/** The timers that run in these states. */
const timersOf = ({ _nodes }: AnyMachineSnapshot): (TimerEvent & { readonly at: At })[] =>
  (_nodes as AnyStateNode[])
    .flatMap((node) => [...node.transitions.keys()])
    .filter((type): type is TimerEvent["type"] => type.startsWith("xstate.after."))
    .map((type) => ({ type, at }));

/** Events of a path from the start, and the transitions of which it is the first to take one. */
interface CoveringPath {
  readonly events: readonly Sent[];
  readonly takes: readonly string[];
}

type Sent = TimerEvent | Table["events"][number];

interface Explored {
  readonly states: ReadonlySet<string>;
  readonly transitions: ReadonlySet<string>;
  readonly count: number;
  readonly paths: readonly CoveringPath[];
}

/**
 * The paths that XState's own search finds, on a machine that notes which transitions it takes: of several with guards, and of
 * those without an event, the search does not tell. Ends where `isDone` says that nothing is left to find.
 */
function explored(
  machine: AnyStateMachine,
  input: object,
  table: Table,
  isDone: (so: Pick<Explored, "states" | "transitions">) => boolean,
): Explored {
  const names = transitionsOf(machine);
  const seen = { states: new Set<string>(), transitions: new Set<string>() };
  const events = table.events.map((event) => ({ at, ...event }));
  /** By state and event: what was taken. The start has no event. */
  const taken = new Map<string, Map<Sent | null, readonly string[]>>();
  const keyOf = (snapshot: AnyMachineSnapshot) => serialized(snapshot, table.facts);
  const take = (step: (scope: never) => unknown, from: string, event: Sent | null) => {
    const { snapshot, transitions } = stepOf(machine, step);
    const told = transitions.map((one) => names.get(one) ?? "");
    for (const one of told) seen.transitions.add(one);
    for (const { source } of transitions) seen.states.add(source.id);
    for (const { id } of snapshot._nodes as AnyStateNode[]) seen.states.add(id);
    const known = taken.get(from) ?? new Map<Sent | null, readonly string[]>();
    taken.set(from, known.set(event, told));
    return snapshot;
  };
  const noting = {
    getInitialSnapshot: () =>
      take((scope) => machine.getInitialSnapshot(scope, { ...input, at } as never), "", null),
    transition: (snapshot: AnyMachineSnapshot, event: Sent) =>
      take((scope) => machine.transition(snapshot, event as never, scope), keyOf(snapshot), event),
  } as unknown as AnyStateMachine; // All that the search asks of a machine.
  const found = getShortestPaths(noting, {
    // An ended machine gets no more mail.
    events: (snapshot: AnyMachineSnapshot) =>
      snapshot.status === "active" ? [...events, ...timersOf(snapshot)] : [],
    serializeState: (snapshot: AnyMachineSnapshot) => keyOf(snapshot) as never,
    stopWhen: () => isDone(seen),
    limit: STATES_MAX * events.length,
  } as never);
  const covered = new Set(taken.get("")?.get(null));
  const paths: CoveringPath[] = [];
  for (const { state, steps } of found) {
    // The first step of the search stands for the start.
    const before = steps.slice(1).map(({ event }) => event as unknown as Sent);
    for (const [event, told] of taken.get(keyOf(state as never)) ?? []) {
      const takes = told.filter((one) => !covered.has(one));
      for (const one of takes) covered.add(one);
      if (event !== null && takes.length > 0) paths.push({ events: [...before, event], takes });
    }
  }
  expect(covered).toEqual(seen.transitions);
  return { ...seen, count: found.length, paths };
}

/** Our interpreters go the same way as XState, step by step. */
function walked(machine: AnyStateMachine, input: object, events: readonly Sent[]): void {
  const mine = INTERPRETERS.map((interpreter) => ours(machine, interpreter));
  for (const runner of mine) runner.start(input, at);
  let { snapshot } = stepOf(machine, (scope) =>
    machine.getInitialSnapshot(scope, { ...input, at } as never),
  );
  for (const event of events) {
    const before = snapshot;
    ({ snapshot } = stepOf(machine, (scope) => machine.transition(before, event as never, scope)));
    for (const runner of mine) {
      runner.send(event as Carried, { ...at, ...(event as { readonly at?: At }).at });
      const { value, context } = runner.seen();
      expect(JSON.stringify([value, context])).toBe(
        JSON.stringify([snapshot.value, snapshot.context]),
      );
    }
  }
}

const charts = Object.keys(statecharts(policyWith({})));

/** States and transitions that the table's paths miss, and how many states they visit. */
function missed(name: string, table: Table) {
  const chartOf = (policy: { readonly [path: string]: PolicyValue } = {}) =>
    (statecharts(policyWith(policy), everyHook) as unknown as { [name: string]: AnyStateMachine })[
      name
    ] as AnyStateMachine;
  const { root } = chartOf();
  // A machine is always in its root.
  const ids = [...nodesOf(root)].map(({ id }) => id).filter((id) => id !== root.id);
  const names = [...transitionsOf(chartOf()).values()];
  const all: Explored[] = [];
  const leftOut =
    (kind: "states" | "transitions", last?: Pick<Explored, "states" | "transitions">) =>
    (one: string) =>
      [...all, ...(last ? [last] : [])].every((explored) => !explored[kind].has(one));
  // Where a transition is said to be unreachable, every path is tried.
  const isDone = (last: Pick<Explored, "states" | "transitions">): boolean =>
    table.unreachable === undefined &&
    !names.some(leftOut("transitions", last)) &&
    !ids.some(leftOut("states", last));
  for (const { input, policy } of table.worlds) {
    const machine = chartOf(policy);
    const found = explored(machine, input, table, isDone);
    for (const { events } of found.paths) walked(machine, input, events);
    all.push(found);
  }
  return {
    states: ids.filter(leftOut("states")),
    transitions: names.filter(leftOut("transitions")),
    count: Math.max(...all.map(({ count }) => count)),
  };
}

it("[PR12] every statechart has its table of events", () => {
  expect(Object.keys(coverageTables).sort()).toEqual([...charts].sort());
});

it.each(charts)(
  "[KN20, PR12] some generated path takes every state and transition of %s",
  (name) => {
    const table = coverageTables[name] as Table;

    const { states, transitions, count } = missed(name, table);

    expect(states).toEqual([]);
    expect(transitions.sort()).toEqual(Object.keys(table.unreachable ?? {}).sort());
    expect(count).toBeLessThan(STATES_MAX);
  },
);

it("[PR12] a transition that no path takes is named", () => {
  const table = coverageTables["stressor"] as Table;
  const { events } = table;

  const { states, transitions } = missed("stressor", {
    ...table,
    events: events.filter(({ type }) => type !== "daemon.stopped"),
  });

  expect(states).toEqual(["stressor.stopped"]);
  expect(transitions).toContain("stressor: daemon.stopped → stressor.stopped");
});
