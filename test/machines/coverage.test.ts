// Every transition of every statechart is taken on some generated path. XState's own search makes
// the paths from small tables of events; which transitions they take, its interpreter says.

import { getAdjacencyMap } from "@xstate/graph";
import { expect, it } from "vitest";
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import type { At, TimerEvent } from "../../src/machines/letter.ts";
import type { PolicyValue } from "../../src/policy.ts";
import { policyWith } from "../builtIn.ts";
import { statecharts } from "../cast.ts";
import { everyHook } from "../hooks.ts";
import type { Table } from "./coverageTable.ts";
import { coverageTables } from "./coverageTables.ts";

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

/** Takes the event as XState does, and says by which transitions. */
function taken(
  machine: AnyStateMachine,
  run: (scope: never) => unknown,
): { readonly transitions: readonly Transition[] } {
  const transitions: Transition[] = [];
  const system = {
    _sendInspectionEvent: (event: { type: string; _transitions?: readonly Transition[] }) => {
      if (event.type === "@xstate.microstep") transitions.push(...(event._transitions ?? []));
    },
  };
  const self = { id: machine.id, sessionId: machine.id };
  const nothing = () => {};
  run({
    ...{ self, ...self, system },
    ...{ logger: nothing, defer: nothing, emit: nothing, actionExecutor: nothing },
  } as never);
  return { transitions };
}

const serialized = (snapshot: AnyMachineSnapshot, facts: Table["facts"]): string =>
  JSON.stringify([snapshot.value, facts(snapshot.context as never)]);

/** The timers that run in these states. */
const timersOf = ({ _nodes }: AnyMachineSnapshot): (TimerEvent & { readonly at: At })[] =>
  (_nodes as AnyStateNode[])
    .flatMap((node) => [...node.transitions.keys()])
    .filter((type): type is TimerEvent["type"] => type.startsWith("xstate.after."))
    .map((type) => ({ type, at }));

interface Explored {
  readonly states: ReadonlySet<string>;
  readonly transitions: ReadonlySet<string>;
  readonly count: number;
}

function explored(machine: AnyStateMachine, input: object, table: Table): Explored {
  const names = transitionsOf(machine);
  const seen = { states: new Set<string>(), transitions: new Set<string>(), count: 0 };
  const note = (transitions: readonly Transition[]): void => {
    for (const one of transitions) {
      seen.transitions.add(names.get(one) ?? "");
      seen.states.add(one.source.id);
    }
  };
  const begun = { ...input, at };
  note(taken(machine, (scope) => machine.getInitialSnapshot(scope, begun as never)).transitions);
  const events = table.events.map((event) => ({ at, ...event }));
  const map = getAdjacencyMap(machine, {
    input: begun,
    // An ended machine gets no more mail.
    events: (snapshot: AnyMachineSnapshot) =>
      snapshot.status === "active" ? [...events, ...timersOf(snapshot)] : [],
    serializeState: (snapshot: AnyMachineSnapshot) => serialized(snapshot, table.facts),
    limit: STATES_MAX * 20,
  } as never);
  const visited = Object.values(map) as {
    readonly state: unknown;
    readonly transitions: { readonly [edge: string]: { readonly event: unknown } };
  }[];
  for (const { state, transitions } of visited) {
    const snapshot = state as AnyMachineSnapshot;
    seen.count++;
    for (const { id } of snapshot._nodes as AnyStateNode[]) seen.states.add(id);
    for (const { event } of Object.values(transitions)) {
      note(
        taken(machine, (scope) => machine.transition(snapshot, event as never, scope)).transitions,
      );
    }
  }
  return seen;
}

const charts = Object.keys(statecharts(policyWith({})));

/** States and transitions that the table's paths miss, and how many states they visit. */
function missed(name: string, table: Table) {
  const chartOf = (policy: { readonly [path: string]: PolicyValue } = {}) =>
    (statecharts(policyWith(policy), everyHook) as unknown as { [name: string]: AnyStateMachine })[
      name
    ] as AnyStateMachine;
  const all = table.worlds.map(({ input, policy }) => explored(chartOf(policy), input, table));
  const { root } = chartOf();
  // A machine is always in its root.
  const ids = [...nodesOf(root)].map(({ id }) => id).filter((id) => id !== root.id);
  const names = [...transitionsOf(chartOf()).values()];
  return {
    states: ids.filter((id) => all.every(({ states }) => !states.has(id))),
    transitions: names.filter((one) => all.every(({ transitions }) => !transitions.has(one))),
    count: Math.max(...all.map(({ count }) => count)),
  };
}

it("[PR12] every statechart has its table of events", () => {
  expect(Object.keys(coverageTables).sort()).toEqual([...charts].sort());
});

it.each(charts)("[PR12] some generated path takes every state and transition of %s", (name) => {
  const table = coverageTables[name] as Table;

  const { states, transitions, count } = missed(name, table);

  expect(states).toEqual([]);
  expect(transitions.sort()).toEqual(Object.keys(table.unreachable ?? {}).sort());
  expect(count).toBeLessThan(STATES_MAX);
});

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
