/**
 * A routed call on its way: locks first, then whatever stands behind the capability. What it needs
 * from files, sandbox, model or the world outside it asks for, and the answer comes to replies.ts.
 * Source: seed 000, "Ghost detection"; seed 004, "Load locks"; rulings T11, T13.
 */
import { defined } from "../../defined.ts";
import { foldersOf, isVirtualPath, pathsIn } from "../../folders.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import { nearest } from "../../nearest.ts";
import { ownValue } from "../../ownValue.ts";
import { builtinOf, failed, isWords } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { finish, openCall, withCall } from "./finishing.ts";
import { withFailure } from "./ghosts.ts";
import { type Lock, lockOn } from "./locks.ts";
import { messageSent } from "./peers.ts";
import { type Scored, topMatch } from "./router.ts";
import {
  type Call,
  type Done,
  type EngineState,
  entryOf,
  kindOf,
  type RoutedCall,
  suffixOf,
  type Waiting,
} from "./state.ts";

export function execute(
  state: EngineState,
  routed: Delivered<"call.routed">,
  policy: EnginePolicy,
): Done {
  const open = openCall(state, routed.call);
  if (open === undefined) return { state, letters: [] };
  const { capability } = routed;
  const kind = kindOf(state, capability);
  const call: RoutedCall = defined({ ...open, capability, routedBy: routed.at.seq, kind });
  const next = withCall(state, routed.call, call);
  const lock = lockOn(capability, whoOf(state, call.agent), routed.at.nowMs, policy, kind);
  if (lock !== undefined) return executeLocked(next, routed.call, call, lock, policy);
  return (
    permissionAsked(next, routed.call, call, 0, policy) ?? run(next, routed.call, call, policy)
  );
}

/** Whatever stands behind the capability, once nothing refuses the call. */
export function run(state: EngineState, seq: number, call: RoutedCall, policy: EnginePolicy): Done {
  const { capability } = call;
  const code = ownValue(state.implementations, capability);
  if (code === undefined) return executeGhost(state, seq, call, policy);
  if (code.code === "") {
    const by = executorOf(state, call);
    return by === undefined
      ? executeBuiltin(state, seq, call, policy)
      : executorAsked(state, seq, call, by, policy);
  }
  const paths = namedFiles(call, policy);
  if (paths.length === 0) return executeTool(state, seq, {}, policy);
  return { state, letters: [snapshot(`call:${seq}`, paths)] };
}

const whoOf = ({ suffering, interactions }: EngineState, agent: string) => ({
  suffering: ownValue(suffering, agent) ?? [],
  interactions: ownValue(interactions, agent) ?? [],
});

/** Refused before anything else, whatever stands behind it; the ledger hears what was wanted. */
function executeLocked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  { reason, load }: Lock,
  policy: EnginePolicy,
): Done {
  const { agent, capability, kind } = call;
  const because = whoOf(state, agent).suffering.map(({ fact }) => fact);
  const word: Letter = {
    to: state.ledger,
    event: defined<MailOf<"capability.locked">>({
      type: "capability.locked",
      agent,
      capability,
      kind,
      load,
    }),
    because,
  };
  const refusal = { ...failed(reason), locked: true } as const;
  const done = finish(state, seq, call, refusal, policy, because);
  return { state: done.state, letters: [word, ...done.letters] };
}

const snapshot = (key: string, folders: readonly string[]): Letter =>
  ask({ to: "files", key, event: { type: "files.snapshot", folders } });

/** Ours: a call's view of the virtual files. */
const VIEW_FILES_MAX = 50;

/** The files that a call names: a tool sees these, as they are at its start. */
function namedFiles({ params }: Call, policy: EnginePolicy): string[] {
  const texts = Object.values(params).filter((value) => typeof value === "string");
  const paths = texts.flatMap((text) => pathsIn(text, policy.folders));
  return [...new Set(paths)].slice(0, VIEW_FILES_MAX);
}

/** The folders that are always there, for a tool that writes into one. */
const folders = (
  { agents }: EngineState,
  { folders: beyond }: EnginePolicy,
): { readonly [path: string]: string } => {
  const own = [...agents, "shared"].map((name) => `/agentOS/workspace/${name}`);
  return Object.fromEntries([...own, ...foldersOf(beyond)].map((path) => [`${path}/`, ""]));
};

/** Runs a synthesized tool, with a read-only view of the files it was pointed at. */
export function executeTool(
  state: EngineState,
  seq: number,
  files: { readonly [path: string]: string },
  policy: EnginePolicy,
): Done {
  const { sandbox } = policy;
  const there = folders(state, policy);
  const call = openCall(state, seq);
  const name = call?.capability ?? "";
  const { code = "", madeBy } = ownValue(state.implementations, name) ?? {};
  const event: MailOf<"sandbox.run"> = {
    type: "sandbox.run",
    purpose: "call",
    name,
    code,
    params: call?.params ?? {},
    limitMs: sandbox.callTimeoutMs,
    files: { ...there, ...files },
  };
  const because = madeBy === undefined ? undefined : [madeBy];
  const letters = [ask({ to: "port/sandbox.run", key: `call:${seq}`, event, because })];
  const missing = Object.values(call?.params ?? {}).filter(
    (value) =>
      isWords(value) &&
      isVirtualPath(value, policy.folders) &&
      ownValue(files, value) === undefined &&
      // A folder is no file that the tool should have written.
      ownValue(there, `${value}/`) === undefined,
  ) as string[];
  if (call === undefined || missing.length === 0) return { state, letters };
  return { state: withCall(state, seq, { ...call, missing }), letters };
}

/** Registered, and no code behind it: refused when the check is on, else it returns nothing. */
function executeGhost(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  policy: EnginePolicy,
): Done {
  const { capability } = call;
  if (!policy.ghosts.preExecutionCheck) {
    return finish(state, seq, call, { ok: true, result: null }, policy);
  }
  const reason = "ghost: no .py found";
  const listed = state.blacklists[call.agent];
  const names = listed !== undefined && listed.cycle === call.cycle ? listed.names : [];
  const blacklists = {
    ...state.blacklists,
    [call.agent]: { cycle: call.cycle, names: [...names, capability] },
  };
  const booked = withFailure({ ...state, blacklists }, call, reason, policy.ghosts);
  const done = finish(booked.state, seq, call, failed(`${capability}: ${reason}`), policy);
  return { state: done.state, letters: [...booked.letters, ...done.letters] };
}

function executeBuiltin(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  policy: EnginePolicy,
): Done {
  const { agent, params, capability } = call;
  const begun = builtinOf(capability)?.begin({
    agent,
    params,
    agents: state.agents,
    startsAtMs: state.startsAtMs,
    key: `call:${seq}`,
    address: synthesisAddress(state, seq),
    policy,
  }) ?? { refusal: `NotImplementedError: ${capability} is no builtin` };
  if ("letter" in begun) return { state, letters: [begun.letter] };
  if ("refusal" in begun) return finish(state, seq, call, failed(begun.refusal), policy);
  const { to, text } = begun.message;
  const sent = messageSent(state, call, to, text, seq);
  const done = finish(sent.state, seq, call, { ok: true, result: { ok: true, to } }, policy);
  return { state: done.state, letters: [...sent.letters, ...done.letters] };
}

export const synthesisAddress = (state: EngineState, seq: number | string): string =>
  `synthesis/${seq}${suffixOf(state)}`;

/*
 * What the engine asks actors of other parts before a call goes on: whether it may, and what it returns.
 * A question is open for so long and no longer. Ours.
 */

const RETIRE = "retire_capability";

/** The actor of another part that executes the call; undefined when the engine does. */
export function executorOf(state: EngineState, { capability, params }: RoutedCall) {
  const brought = entryOf(state, capability)?.brought;
  if (brought !== undefined || capability !== RETIRE) return brought?.by;
  // The keeper of a kind retires its entries; it lists for the engine afterwards what is left.
  const retired = entryOf(state, String(params["name"]))?.brought;
  return retired?.kind === undefined ? undefined : retired.by;
}

function executorAsked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  to: string,
  policy: EnginePolicy,
): Done {
  const event: MailOf<"capability.called"> = { type: "capability.called", ...askedOf(call) };
  return asked(state, seq, call, { to, event, waitMs: policy.hooks.capabilityMs }, policy);
}

/** Asks the actors from this one on that have a say in the agent's calls; undefined when none is left. */
export function permissionAsked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  from: number,
  policy: EnginePolicy,
): Done | undefined {
  const { permissions } = policy.attached;
  const by = ownValue(state.born ?? {}, call.agent)?.by;
  const permission = permissions.findIndex(
    (one, index) =>
      index >= from &&
      (one.of === "every" || one.from === by) &&
      (one.before?.includes(call.capability) ?? true),
  );
  const to = permissions[permission]?.from;
  if (to === undefined) return undefined;
  const event: MailOf<"permission.asked"> = { type: "permission.asked", ...askedOf(call) };
  const question = { to, event, permission, waitMs: policy.hooks.permissionMs };
  return asked(state, seq, call, question, policy);
}

const askedOf = ({ agent, cycle, capability, intent, params }: RoutedCall) => ({
  agent,
  cycle,
  capability,
  intent,
  params,
});

function asked(
  state: EngineState,
  seq: number,
  call: RoutedCall,
  { to, event, permission, waitMs }: Pick<Waiting, "to" | "permission"> & Question,
  { self }: EnginePolicy,
): Done {
  const question = (call.questions ?? 0) + 1;
  const waits: Waiting = defined({ to, question, permission });
  const letters: Letter[] = [
    ask({
      to,
      key: `call:${seq}`,
      event,
      because: call.routedBy === undefined ? undefined : [call.routedBy],
    }),
    { to: self, event: { type: "call.overdue", call: seq, question }, delayMs: waitMs },
  ];
  return { state: withCall(state, seq, { ...call, waits, questions: question }), letters };
}

interface Question {
  readonly event: MailOf<"capability.called" | "permission.asked">;
  readonly waitMs: number;
}

/*
 * Which capability serves a call: the one that it names, else the top match of the router, without what is
 * blacklisted or broken. No agent sees the decision. Source: rulings T11, T14; by name is ours.
 */

/** Scores are in registration order, one for each entry. */
export function route(
  state: EngineState,
  seq: number,
  call: Call,
  scored: readonly Scored[],
  policy: EnginePolicy,
): Done {
  const top = topMatch(scored, skipped(state, call, policy));
  if (top === undefined) {
    const passedOver = topMatch(scored)?.name;
    const error =
      `no capability matches the intent "${call.intent}"` +
      (passedOver === undefined ? "" : `, but ${passedOver}, which is broken or blacklisted`);
    return finish(state, seq, call, failed(error), policy);
  }
  const runnerUp = topMatch(scored, [top.name]);
  return given(state, seq, call, policy, {
    capability: top.name,
    score: top.score,
    runnerUp: runnerUp?.name ?? null,
    runnerUpScore: runnerUp?.score ?? 0,
  });
}

/** A call by name reaches that capability or none: nothing that is like it takes its place. */
export function routeByName(
  state: EngineState,
  seq: number,
  call: Call & { readonly tool: string },
  policy: EnginePolicy,
): Done {
  const { tool } = call;
  const names = state.entries.map(({ name }) => name);
  const error = names.includes(tool)
    ? skipped(state, call, policy).includes(tool)
      ? `the tool ${tool} is broken or blacklisted`
      : undefined
    : `there is no tool called "${tool}"${meant(nearest(tool, names))}`;
  if (error !== undefined) return finish(state, seq, call, failed(error), policy);
  const found = { capability: tool, score: 0, runnerUp: null, runnerUpScore: 0 } as const;
  return given(state, seq, call, policy, { ...found, byName: true });
}

const meant = (name: string | undefined): string =>
  name === undefined ? "" : `; did you mean ${name}?`;

/** Where every call is by name, words reach nothing. */
export function routeNameless(
  state: EngineState,
  seq: number,
  call: Call,
  policy: EnginePolicy,
): Done {
  const error = `the step "${call.intent}" names no tool, and here tools are called by name`;
  return finish(state, seq, call, failed(error), policy);
}

type Found = Pick<
  MailOf<"call.routed">,
  "capability" | "score" | "runnerUp" | "runnerUpScore" | "byName"
>;

function given(
  state: EngineState,
  seq: number,
  call: Call,
  policy: EnginePolicy,
  found: Found,
): Done {
  const event: MailOf<"call.routed"> = defined({
    ...{ type: "call.routed", call: seq, agent: call.agent, intent: call.intent },
    ...found,
  });
  const entry = state.entries.find(({ name }) => name === found.capability);
  const because = entry === undefined ? [] : [entry.madeBy];
  return {
    state: withCall(state, seq, call),
    letters: [{ to: policy.self, event, because: [seq, ...because] }],
  };
}

function skipped(state: EngineState, call: Call, policy: EnginePolicy): string[] {
  if (!policy.router.skipBroken) return [];
  const list = state.blacklists[call.agent];
  const names = list !== undefined && list.cycle === call.cycle ? list.names : [];
  return [...names, ...state.broken.map(({ name }) => name)];
}
