/**
 * An XState machine as tables: for each leaf state and event type the transitions that may be taken, each
 * with everything it does, in XState's own order. XState stays the specification: what this compiles must
 * behave as its interpreter does, and what is outside the subset is left to it (statechart.ts).
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import type { Carried, Json } from "../machines/letter.ts";
import {
  type Act,
  actsIn,
  beginning,
  type Given,
  type Guard,
  guardOf,
  Outside,
  outside,
  resolved,
} from "./chartActs.ts";

/** One transition, out of one leaf. */
export interface Way {
  readonly guard: Guard | undefined;
  readonly acts: readonly Act[];
  /** The leaf it leads to; undefined when it enters none. */
  readonly leaf: Leaf | undefined;
}

export interface Leaf {
  readonly value: Json;
  readonly ways: ReadonlyMap<string, readonly Way[]>;
  /** Tried after every step. */
  readonly always: readonly Way[];
  /** Entering it ends the machine. */
  readonly isEnd: boolean;
}

export interface Chart {
  readonly machine: AnyStateMachine;
  readonly begin: (given: Given, input: unknown) => object;
  readonly entry: Way & { readonly leaf: Leaf };
  readonly leafOf: (value: Json) => Leaf | undefined;
}

/** The tables, or in words which construct keeps the machine from having any. */
export function chartOf(machine: AnyStateMachine): Chart | string {
  try {
    return compiled(machine);
  } catch (thrown) {
    if (thrown instanceof Outside) return thrown.message;
    throw thrown;
  }
}

type Transition = AnyStateNode["always"] extends readonly (infer T)[] | undefined ? T : never;

function compiled(machine: AnyStateMachine): Chart {
  const { root } = machine;
  const nodes = [...nodesOf(root)];
  for (const node of nodes) allow(node);
  const leaves = new Map(nodes.filter(isLeaf).map((node) => [node, emptyLeaf(node, root)]));
  const actsOf = actsIn(machine);
  const leafAt = (node: AnyStateNode): Leaf => leaves.get(innermost(node)) as Leaf;

  const wayOf = (transition: Transition, from: AnyStateNode): Way => {
    const guard = guardOf(machine, transition.guard);
    const target = transition.target?.[0];
    if (target === undefined) return { guard, acts: actsOf(transition.actions), leaf: undefined };
    const { exited, entered } = moved(transition, target, from, root);
    const before = exited.flatMap((node) => actsOf(node.exit));
    const after = entered.flatMap((node) => enteringOf(node, machine, actsOf));
    const leaf = entered.length === 0 ? undefined : leafAt(target);
    const own = actsOf(transition.actions);
    return { guard, acts: [...before, ...own, ...after], leaf };
  };

  for (const [node, leaf] of leaves) {
    const line = upwards(node);
    const types = new Set(line.flatMap((one) => [...one.transitions.keys()]));
    const ways = leaf.ways as Map<string, readonly Way[]>;
    for (const type of types) {
      const those = line.flatMap((one) => (one.transitions.get(type) ?? []) as Transition[]);
      ways.set(
        type,
        those.map((one) => wayOf(one, node)),
      );
    }
    const always = line.flatMap((one) => (one.always ?? []) as Transition[]);
    (leaf.always as Way[]).push(...always.map((one) => wayOf(one, node)));
  }

  const first = innermost(root);
  const entered = upwards(first).toReversed();
  return {
    machine,
    begin: beginning(machine),
    entry: {
      guard: undefined,
      acts: entered.flatMap((node) => enteringOf(node, machine, actsOf)),
      leaf: leafAt(root),
    },
    leafOf: (value) => [...leaves.values()].find((leaf) => sameValue(leaf.value, value)),
  };
}

const sameValue = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

function* nodesOf(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child);
}

const isLeaf = ({ type }: AnyStateNode): boolean => type === "atomic" || type === "final";

/** The node and its ancestors, the root last. */
function upwards(node: AnyStateNode): AnyStateNode[] {
  const line = [node];
  for (let at = node.parent; at !== undefined; at = at.parent) line.push(at);
  return line;
}

/** The leaf that is entered with a node. */
function innermost(node: AnyStateNode): AnyStateNode {
  let at = node;
  while (at.type === "compound") at = at.initial.target[0] as AnyStateNode;
  return at;
}

const isBelow = (node: AnyStateNode, ancestor: AnyStateNode): boolean =>
  node !== ancestor && upwards(node).includes(ancestor);

/** What the tables hold; whatever else a node may be is XState's. */
function allow(node: AnyStateNode): void {
  const { id, type, invoke, parent, machine } = node;
  if (type === "parallel" || type === "history") outside(`${id} is a ${type} state`);
  if (invoke.length > 0) outside(`${id} invokes an actor`);
  if (type === "compound" && node.initial.actions.length > 0) {
    outside(`the initial transition of ${id} has actions`);
  }
  if (type === "final" && parent === undefined) outside(`${id} ends as it starts`);
  const transitions = [...node.transitions.entries(), ["", node.always ?? []] as const];
  for (const [descriptor, those] of transitions) {
    if (descriptor.includes("*")) outside(`${id} has a transition for ${descriptor}`);
    for (const { target, reenter } of those) {
      if ((target?.length ?? 0) > 1) outside(`a transition of ${id} has several targets`);
      if (reenter && parent === undefined) outside(`a transition of ${id} enters it again`);
      if (parent !== undefined && target?.includes(machine.root)) {
        outside(`a transition of ${id} leads to the root, which is entered again`);
      }
    }
  }
}

function emptyLeaf(node: AnyStateNode, root: AnyStateNode): Leaf {
  const keys = upwards(node).slice(0, -1);
  const value = keys
    .slice(1)
    .reduce<Json>((inner, { key }) => ({ [key]: inner }), keys[0]?.key ?? {});
  const isEnd = node.type === "final" && node.parent === root;
  return { value, ways: new Map(), always: [], isEnd };
}

/** Which states a transition leaves and enters, in XState's order. */
function moved(
  { source, reenter }: Transition,
  target: AnyStateNode,
  from: AnyStateNode,
  root: AnyStateNode,
): { readonly exited: readonly AnyStateNode[]; readonly entered: readonly AnyStateNode[] } {
  const isInside = target === source || isBelow(target, source);
  const common = upwards(target)
    .slice(1)
    .find((node) => isBelow(source, node));
  const domain = !reenter && isInside ? source : (common ?? root);
  const exited = upwards(from).filter((node) => isBelow(node, domain));
  // Not the target itself where it is the domain: it stays, and only what is inside it is entered.
  const outer = upwards(target).filter((node) => isBelow(node, domain));
  const inner = upwards(innermost(target)).filter((node) => isBelow(node, target));
  return { exited, entered: [...outer.toReversed(), ...inner.toReversed()] };
}

function enteringOf(
  node: AnyStateNode,
  { root }: AnyStateMachine,
  actsOf: (actions: readonly unknown[]) => readonly Act[],
): readonly Act[] {
  const entry = actsOf(node.entry);
  const { parent } = node;
  if (node.type !== "final") return entry;
  if (parent === root) {
    const exits = upwards(node).flatMap((one) => actsOf(one.exit));
    return [...entry, ending(node, root), ...exits];
  }
  const type = `xstate.done.state.${parent?.id}`;
  const done: Act = (doing) => {
    const output = resolved(node.output, doing.given);
    // XState's own event: no mail.
    doing.raise({ type, output } as unknown as Carried);
  };
  return [...entry, done];
}

const ending =
  ({ id, output }: AnyStateNode, root: AnyStateNode): Act =>
  (doing) => {
    const { context } = doing.given;
    const event = { type: `xstate.done.state.${id}`, output: resolved(output, doing.given) };
    doing.end(resolved(root.output, { context, event }) as Json | undefined);
  };
