/** The statecharts of a run's actors, laid out before the page, and what their guards said at each delivery. */
import dagre from "@dagrejs/dagre";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { eventName, guardName } from "../../machines/draw.ts";
import type { At } from "../../machines/letter.ts";
import { RULES_VERSION } from "../../run/bundle.ts";
import { statechartsOf } from "../../run/cast.ts";
import type { Behaviour, Effect, Step } from "../../substrate/behaviour.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { statechartBehaviour } from "../../substrate/statechart.ts";
import type { ViewChart, ViewCharts, ViewGuard, ViewWay } from "../../viewer/viewData.ts";
import { CHAINED_MOST } from "./viewColumns.ts";
import type { ViewedRun } from "./viewedRun.ts";

type Machines = { readonly [machine: string]: AnyStateMachine };

/** Why the statecharts of this version are not those of the run; empty where they are. */
function whyNone({ bundle: { manifest } }: ViewedRun): string {
  if (manifest.imported !== undefined) return "This log was not played, so its actors have none.";
  return manifest.rulesVersion === RULES_VERSION
    ? ""
    : `It was recorded under rules ${manifest.rulesVersion}, and this version draws those of ${RULES_VERSION}.`;
}

const machinesOf = ({ parts, observed, scenario }: ViewedRun): Machines =>
  statechartsOf(parts, observed.result.policy, scenario);

/** Of the machines that were started in this run. `asked` has seen each of its deliveries, where it is given. */
export function viewCharts(
  run: ViewedRun,
  started: ReadonlySet<string>,
  asked?: GuardsAsked,
): ViewCharts {
  const missing = whyNone(run);
  const machines = missing === "" ? Object.entries(machinesOf(run)) : [];
  const charts = machines.flatMap(([name, machine]) =>
    started.has(name) ? [[name, chartOf(machine)] as const] : [],
  );
  const { see, verdicts } = asked ?? guardsAsked(run);
  if (asked === undefined && verdicts !== null) for (const one of run.deliveries) see(one);
  const guards = verdicts && Object.fromEntries(verdicts);
  return { missing, charts: Object.fromEntries(charts), guards };
}

/* Layout: each compound state by itself, from within; an arrow stands between those two that are side by side. */

/** Px. */
const size = { high: 26, least: 48, letter: 6.6, pad: 9, title: 18 } as const;

/** A graph of dagre's, as far as it is used: the types that it brings are not found under Node's rules. */
interface Graph {
  setGraph(options: object): void;
  graph(): { readonly width?: number; readonly height?: number };
  setNode(id: string, size: { readonly width: number; readonly height: number }): void;
  setEdge(from: string, to: string, label: object): void;
  node(id: string): { readonly x: number; readonly y: number };
  edges(): readonly { readonly v: string; readonly w: string }[];
  edge(
    from: string,
    to: string,
  ): { readonly points: readonly { readonly x: number; readonly y: number }[] };
}

type Laid = Omit<ViewChart, "ways">;

function chartOf({ root }: AnyStateMachine): ViewChart {
  const ways = nodesOf(root).flatMap(waysOf);
  return { ...inside(root, ways), ways };
}

const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

const idOf = ({ path }: AnyStateNode): string => path.join(".");

const waysOf = (node: AnyStateNode): readonly ViewWay[] =>
  [...[...node.transitions.values()].flat(), ...(node.always ?? [])].map(
    ({ target, eventType, guard }) => ({
      from: idOf(node),
      on: eventName(eventType),
      guard: guard === undefined ? null : guardName(guard),
      to: target?.[0] === undefined ? null : idOf(target[0]),
    }),
  );

function inside(node: AnyStateNode, ways: readonly ViewWay[]): Laid {
  const children = Object.values(node.states) as AnyStateNode[];
  const inner = new Map(
    children.map((child) => [idOf(child), { child, laid: boxOf(child, ways) }]),
  );
  const graph: Graph = new dagre.graphlib.Graph();
  graph.setGraph({
    rankdir: "LR",
    edgesep: 6,
    nodesep: 9,
    ranksep: 24,
    marginx: size.pad,
    marginy: size.pad,
  });
  for (const [id, { laid }] of inner) graph.setNode(id, { width: laid.width, height: laid.height });
  const holding = (id: string | null): string | undefined =>
    id === null ? undefined : [...inner.keys()].find((one) => isWithin(id, one));
  for (const { from, to } of ways) {
    const [a, b] = [holding(from), holding(to)];
    if (a !== undefined && b !== undefined && a !== b) graph.setEdge(a, b, {});
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const placed = [...inner].map(([id, { child, laid }]) => {
    const { x, y } = graph.node(id);
    return { id, child, laid: moved(laid, x - laid.width / 2, y - laid.height / 2) };
  });
  const states = placed.flatMap(({ id, child, laid: { left: x, top: y, ...laid } }) => {
    const box = { x, y, width: laid.width, height: laid.height };
    return [{ id, name: child.key, ...box, ...endOf(child) }, ...laid.states];
  });
  const own = graph.edges().map(({ v, w }) => ({
    ...{ from: v, to: w },
    points: graph.edge(v, w).points.map(({ x, y }) => [Math.round(x), Math.round(y)] as const),
  }));
  return { width, height, states, lines: [...own, ...placed.flatMap(({ laid }) => laid.lines)] };
}

const endOf = ({ type }: AnyStateNode) => (type === "final" ? { isEnd: true as const } : {});

const moved = <L extends Laid>(laid: L, left: number, top: number) => ({
  ...{ ...laid, left, top },
  states: laid.states.map((one) => ({ ...one, x: one.x + left, y: one.y + top })),
  lines: laid.lines.map((line) => ({
    ...line,
    points: line.points.map(([x, y]) => [x + left, y + top] as const),
  })),
});

/** A state as a box; what is in it stands below its name. */
function boxOf(node: AnyStateNode, ways: readonly ViewWay[]): Laid {
  const width = Math.max(size.least, node.key.length * size.letter + 2 * size.pad);
  if (Object.keys(node.states).length === 0) {
    return { width, height: size.high, states: [], lines: [] };
  }
  const { states, lines, ...laid } = moved(inside(node, ways), 0, size.title);
  return {
    width: Math.max(width, laid.width),
    ...{ height: laid.height + size.title, states, lines },
  };
}

const isWithin = (id: string, outer: string): boolean => id === outer || id.startsWith(`${outer}.`);

/* What guards said: each delivery is given once more to a statechart whose guards write down their verdicts. */

export interface GuardsAsked {
  /** Each delivery in turn. */
  readonly see: (one: Delivery) => void;
  /** By place; null of a log that is too long. */
  readonly verdicts: ReadonlyMap<number, readonly ViewGuard[] | null> | null;
}

/**
 * The machines of the run itself are not touched: these are others, with the same guards wrapped. An actor that once stands
 * elsewhere than the log says has no verdicts from there on.
 */
export function guardsAsked(run: ViewedRun): GuardsAsked {
  const verdicts = new Map<number, readonly ViewGuard[] | null>();
  const isLong = run.deliveries.length > CHAINED_MOST;
  if (isLong || whyNone(run) !== "") return { see: () => {}, verdicts: isLong ? null : verdicts };
  let said: ViewGuard[] = [];
  const behaviours = new Map(
    Object.entries(machinesOf(run)).map(([name, machine]) => [
      name,
      statechartBehaviour(observed(machine, (one) => said.push(one))),
    ]),
  );
  const actors = new Map<string, { readonly behaviour: Behaviour; state: unknown } | null>();
  /** Of questions, which the log tells by their numbers alone. */
  const keys = new Map<number, string>();
  const stepped = (one: Delivery, step: Step<unknown>): void => {
    const sent = step.effects.filter(({ kind }) => kind !== "cancelTimer").filter(isPosted);
    one.letters.forEach(({ seq }, at) => {
      const effect = sent[at];
      if (effect?.kind === "letter" && effect.letter.ask !== undefined) {
        keys.set(seq, effect.letter.ask);
      }
    });
  };
  let place = -1;
  const see = (one: Delivery): void => {
    place += 1;
    const { event, seq, re, from, dueMs: nowMs } = one;
    const key = re === undefined ? undefined : keys.get(re);
    const at: At = { nowMs, seq, from, ...(key && { key }), ...(keys.has(seq) && { asked: true }) };
    said = [];
    if (event.type === "actor.start") {
      const { address, machine, input } = event;
      const behaviour = behaviours.get(machine);
      if (behaviour === undefined) return;
      const step = behaviour.start(address, input, at);
      actors.set(address, { behaviour, state: step.state });
      stepped(one, step);
      return;
    }
    const actor = actors.get(one.to);
    if (actor === undefined || (one.fate !== "handled" && one.fate !== "ignored")) return;
    const step = actor?.behaviour.receive(one.to, actor.state, { ...event, at });
    const value = step && actor?.behaviour.value(step.state);
    if (actor === null || step === undefined || !isSame(value, one.after)) {
      actors.set(one.to, null);
      verdicts.set(place, null);
      return;
    }
    if (said.length > 0) verdicts.set(place, said);
    actor.state = step.state;
    stepped(one, step);
  };
  return { see, verdicts };
}

/** What the kernel keeps to itself was never posted. */
const isPosted = (effect: Effect): boolean =>
  effect.kind !== "letter" || effect.letter.event.type !== "ask.cancelled";

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function observed(machine: AnyStateMachine, say: (guard: ViewGuard) => void): AnyStateMachine {
  const { guards } = machine.implementations as unknown as {
    readonly guards: { readonly [name: string]: (given: unknown, params: unknown) => boolean };
  };
  const wrapped = Object.entries(guards).map(([name, guard]) => [
    name,
    (given: unknown, params: unknown): boolean => {
      const held = guard(given, params);
      say([name, held]);
      return held;
    },
  ]);
  return machine.provide({ guards: Object.fromEntries(wrapped) });
}
