/** Agents that installed agents have born: within AgentSpawn, under the reach of the one that was installed, and no longer than it. Source: seed 003. */
import { answer, ask, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { GATEWAY } from "./addresses.ts";
import { allowed } from "./reach.ts";
import {
  childrenOf,
  DAEMON,
  householdOf,
  isSettled,
  rootOf,
  WARDEN,
  type WardenDone,
  type WardenPolicy,
  type WardenState,
  withHousehold,
} from "./wardenState.ts";

const SPAWN = "spawn:";

/** Asked once more here: between its permission and the call another one may have taken the last place. */
export function spawnCalled(
  state: WardenState,
  { agent, capability, params, at }: Delivered<"capability.called">,
  policy: WardenPolicy,
): WardenDone {
  const fail = (error: string): WardenDone => ({
    state,
    letters: answer(at, { type: "capability.answered", ok: false, error }),
  });
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  if (household === undefined || !isSettled(household)) {
    return fail(`PermissionError: ${agent} was not installed, and ${capability} needs AgentSpawn`);
  }
  const call = { tool: capability, params, children: childrenOf(state, root) };
  const beyond = allowed(call, household.born?.grants ?? [], root, policy.reach);
  if (beyond !== null) return fail(`PermissionError: ${beyond.why}: ${beyond.todo}`);
  const [name, instructions] = [ownValue(params, "name"), ownValue(params, "instructions")];
  if (typeof name !== "string" || typeof instructions !== "string" || instructions.trim() === "") {
    return fail(`${capability} needs two texts: name and instructions`);
  }
  if (isKnown(state, name)) return fail(`an agent called ${name} is there already`);
  const message = { from: agent, text: instructions };
  const event: MailOf<"birth.asked"> = { type: "birth.asked", name, message };
  return {
    state: { ...state, spawning: { ...state.spawning, [name]: { root, at } } },
    letters: [ask({ to: DAEMON, key: SPAWN + name, event, because: [at.seq] })],
  };
}

const isKnown = (state: WardenState, name: string): boolean =>
  ownValue(state.spawning, name) !== undefined || ownValue(state.roots, name) !== undefined;

export function spawned(
  state: WardenState,
  { name, address, reason }: Pick<Delivered<"birth.answered">, "name" | "address" | "reason">,
): WardenDone {
  const spawning = ownValue(state.spawning, name);
  if (spawning === undefined) return { state, letters: [] };
  const { root, at } = spawning;
  const { [name]: _, ...others } = state.spawning;
  const closed = { ...state, spawning: others };
  if (address === null) {
    const error = reason ?? "the agent was not born";
    return {
      state: closed,
      letters: answer(at, { type: "capability.answered", ok: false, error }),
    };
  }
  const household = householdOf(state, root);
  if (household === undefined || !isSettled(household)) return orphaned(closed, name, at);
  const next = withHousehold(closed, root, {
    ...household,
    children: [...household.children, name],
  });
  const told: MailOf<"installed.spawned"> = { type: "installed.spawned", agent: root, child: name };
  return {
    state: { ...next, roots: { ...next.roots, [name]: root } },
    letters: [
      { to: WARDEN, event: told, because: [household.fact, at.seq] },
      livingLetter(root, [...household.children, name]),
      ...answer(at, { type: "capability.answered", ok: true, result: { spawned: name } }),
    ],
  };
}

/** It was born while its parent ended. */
const orphaned = (
  state: WardenState,
  name: string,
  at: Delivered<"capability.called">["at"],
): WardenDone => ({
  state,
  letters: [
    childEnd(name, "its parent is no longer there", at.seq),
    ...answer(at, {
      type: "capability.answered",
      ok: false,
      error: "the agent that spawned it ended",
    }),
  ],
});

const childEnd = (name: string, reason: string, fact: number): Letter =>
  ask({
    ...{ to: DAEMON, key: `child:${name}`, because: [fact] },
    event: { type: "end.asked", name, reason },
  });

export function childEnds(
  state: WardenState,
  root: string,
  reason: string,
  fact: number,
): readonly Letter[] {
  const children = householdOf(state, root)?.children ?? [];
  if (children.length === 0) return [];
  return [...children.map((name) => childEnd(name, reason, fact)), livingLetter(root, [])];
}

const livingLetter = (root: string, names: readonly string[]): Letter => ({
  to: GATEWAY,
  event: { type: "spawned.living", root, names },
});

export const withoutChildren = (state: WardenState, root: string): WardenState => ({
  ...state,
  roots: Object.fromEntries(Object.entries(state.roots).filter(([, one]) => one !== root)),
});
