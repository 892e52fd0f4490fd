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
import {
  behind,
  factsOf,
  failedWith,
  finish,
  type InHand,
  openCall,
  type Routed,
  withCall,
} from "./finishing.ts";
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
  { call: seq, capability, at }: Delivered<"call.routed">,
  policy: EnginePolicy,
): Done {
  const open = openCall(state, seq);
  if (open === undefined) return { state, letters: [] };
  const kind = kindOf(state, capability);
  const call: RoutedCall = defined({ ...open, capability, routedBy: at.seq, kind });
  const routed = { state: withCall({ state, seq, call }), seq, call, policy };
  const lock = lockOn(capability, whoOf(state, call.agent), at.nowMs, policy, kind);
  if (lock !== undefined) return executeLocked(routed, lock);
  return permissionAsked(routed, 0) ?? run(routed);
}

/** Whatever stands behind the capability, once nothing refuses the call. */
export function run(routed: Routed): Done {
  const { state, seq, call, policy } = routed;
  const code = ownValue(state.implementations, call.capability);
  if (code === undefined) return executeGhost(routed);
  if (code.code === "") {
    const by = executorOf(state, call);
    return by === undefined ? executeBuiltin(routed) : executorAsked(routed, by);
  }
  const paths = namedFiles(call, policy);
  if (paths.length === 0) return executeTool(routed, {});
  return { state, letters: [snapshot(`call:${seq}`, paths)] };
}

const whoOf = ({ suffering, interactions }: EngineState, agent: string) => ({
  suffering: suffering.get(agent) ?? [],
  interactions: ownValue(interactions, agent) ?? [],
});

/** Refused before anything else, whatever stands behind it; the ledger hears what was wanted. */
function executeLocked(routed: Routed, { reason, load }: Lock): Done {
  const { state, call } = routed;
  const { agent, capability, kind } = call;
  const because = whoOf(state, agent).suffering.map(({ fact }) => fact);
  const word = defined<MailOf<"capability.locked">>({
    type: "capability.locked",
    agent,
    capability,
    kind,
    load,
  });
  const refusal = { ...failed(reason), locked: true } as const;
  return behind([{ to: state.ledger, event: word, because }], finish(routed, refusal, because));
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
export function executeTool(open: InHand, files: { readonly [path: string]: string }): Done {
  const { state, seq, call, policy } = open;
  const { capability: name = "", params } = call;
  const there = folders(state, policy);
  const { code = "", madeBy } = ownValue(state.implementations, name) ?? {};
  const event: MailOf<"sandbox.run"> = {
    type: "sandbox.run",
    purpose: "call",
    name,
    code,
    params,
    limitMs: policy.sandbox.callTimeoutMs,
    files: { ...there, ...files },
  };
  const because = madeBy === undefined ? undefined : [madeBy];
  const letters = [ask({ to: "port/sandbox.run", key: `call:${seq}`, event, because })];
  const missing = Object.values(params).filter(
    (value) =>
      isWords(value) &&
      isVirtualPath(value, policy.folders) &&
      ownValue(files, value) === undefined &&
      // A folder is no file that the tool should have written.
      ownValue(there, `${value}/`) === undefined,
  ) as string[];
  if (missing.length === 0) return { state, letters };
  return { state: withCall({ state, seq, call: { ...call, missing } }), letters };
}

/** Registered, and no code behind it: refused when the check is on, else it returns nothing. */
function executeGhost(routed: Routed): Done {
  const { state, call, policy } = routed;
  const { agent, cycle, capability } = call;
  if (!policy.ghosts.preExecutionCheck) return finish(routed, { ok: true, result: null });
  const reason = "ghost: no .py found";
  const names = [...blacklisted(state, call), capability];
  const blacklists = { ...state.blacklists, [agent]: { cycle, names } };
  const listed = { ...routed, state: { ...state, blacklists } };
  return failedWith(listed, reason, `${capability}: ${reason}`);
}

/** What the agent of the call has found to be a ghost in this cycle. */
function blacklisted({ blacklists }: EngineState, { agent, cycle }: Call): readonly string[] {
  const listed = blacklists[agent];
  return listed?.cycle === cycle ? listed.names : [];
}

function executeBuiltin(routed: Routed): Done {
  const { state, seq, call, policy } = routed;
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
  if ("refusal" in begun) return finish(routed, failed(begun.refusal));
  const { to, text } = begun.message;
  const sent = messageSent(state, call, to, text, seq);
  const told = { ...routed, state: sent.state };
  return behind(sent.letters, finish(told, { ok: true, result: { ok: true, to } }));
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

function executorAsked(routed: Routed, to: string): Done {
  const event = { type: "capability.called", ...askedOf(routed.call) } as const;
  return openQuestion(routed, { to, event, waitMs: routed.policy.hooks.capabilityMs });
}

/** Asks the actors from this one on that have a say in the agent's calls; undefined when none is left. */
export function permissionAsked(routed: Routed, from: number): Done | undefined {
  const { state, call, policy } = routed;
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
  const event = { type: "permission.asked", ...askedOf(call) } as const;
  return openQuestion(routed, { to, event, permission, waitMs: policy.hooks.permissionMs });
}

const askedOf = ({ agent, cycle, capability, intent, params }: RoutedCall) => ({
  agent,
  cycle,
  capability,
  intent,
  params,
});

interface Question extends Pick<Waiting, "to" | "permission"> {
  readonly event: MailOf<"capability.called" | "permission.asked">;
  readonly waitMs: number;
}

function openQuestion(routed: Routed, { to, event, permission, waitMs }: Question): Done {
  const { seq, call, policy } = routed;
  const question = (call.questions ?? 0) + 1;
  const waits: Waiting = defined({ to, question, permission });
  const letters: Letter[] = [
    ask({ to, key: `call:${seq}`, event, because: factsOf(call) }),
    { to: policy.self, event: { type: "call.overdue", call: seq, question }, delayMs: waitMs },
  ];
  return { state: withCall({ ...routed, call: { ...call, waits, questions: question } }), letters };
}

/*
 * Which capability serves a call: the one that it names, else the top match of the router, without what is
 * blacklisted or broken. No agent sees the decision. Source: rulings T11, T14; by name is ours.
 */

/** Scores are in registration order, one for each entry. */
export function route(open: InHand, scored: readonly Scored[]): Done {
  const top = topMatch(scored, skipped(open));
  if (top === undefined) {
    const passedOver = topMatch(scored)?.name;
    const error =
      `no capability matches the intent "${open.call.intent}"` +
      (passedOver === undefined ? "" : `, but ${passedOver}, which is broken or blacklisted`);
    return finish(open, failed(error));
  }
  const runnerUp = topMatch(scored, [top.name]);
  return routeTo(open, {
    capability: top.name,
    score: top.score,
    runnerUp: runnerUp?.name ?? null,
    runnerUpScore: runnerUp?.score ?? 0,
  });
}

/** A call by name reaches that capability or none: nothing that is like it takes its place. */
export function routeByName(open: InHand, tool: string): Done {
  const names = open.state.entries.map(({ name }) => name);
  if (!names.includes(tool)) {
    return finish(open, failed(`there is no tool called "${tool}"${meant(nearest(tool, names))}`));
  }
  if (skipped(open).includes(tool)) {
    return finish(open, failed(`the tool ${tool} is broken or blacklisted`));
  }
  const found = { capability: tool, score: 0, runnerUp: null, runnerUpScore: 0 } as const;
  return routeTo(open, { ...found, byName: true });
}

const meant = (name: string | undefined): string =>
  name === undefined ? "" : `; did you mean ${name}?`;

/** Where every call is by name, words reach nothing. */
export const routeNameless = (open: InHand): Done =>
  finish(
    open,
    failed(`the step "${open.call.intent}" names no tool, and here tools are called by name`),
  );

type Found = Pick<
  MailOf<"call.routed">,
  "capability" | "score" | "runnerUp" | "runnerUpScore" | "byName"
>;

function routeTo(open: InHand, found: Found): Done {
  const { state, seq, call, policy } = open;
  const event: MailOf<"call.routed"> = defined({
    ...{ type: "call.routed", call: seq, agent: call.agent, intent: call.intent },
    ...found,
  });
  const entry = entryOf(state, found.capability);
  const because = entry === undefined ? [seq] : [seq, entry.madeBy];
  return { state: withCall(open), letters: [{ to: policy.self, event, because }] };
}

function skipped({ state, call, policy }: InHand): string[] {
  if (!policy.router.skipBroken) return [];
  return [...blacklisted(state, call), ...state.broken.map(({ name }) => name)];
}
