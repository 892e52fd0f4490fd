/**
 * What actors of other parts answer to the engine, and what it means that one does not answer, or is not
 * there. Ours.
 */

import { defined } from "../../defined.ts";
import { type At, ask, cancelAsk, type Delivered, type Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { seconds } from "../../units.ts";
import { isReadable } from "../hookMail.ts";
import type { AttachedHooks, ListedEntry } from "../hooks.ts";
import { failed } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { permissionAsked, run } from "./execution.ts";
import {
  behind,
  failedWith,
  finish,
  inHand,
  isRoutedCall,
  openCall,
  type Routed,
  withCall,
} from "./finishing.ts";
import { withoutArchived } from "./ghosts.ts";
import { codeEnded } from "./replies.ts";
import { type Brought, callOf, type Done, type EngineState, type Entry } from "./state.ts";

/** The routed call with this number, while it is open. */
function routedCall(state: EngineState, seq: number, policy: EnginePolicy): Routed | undefined {
  const open = inHand(state, seq, policy);
  return open !== undefined && isRoutedCall(open) ? open : undefined;
}

/** One actor has nothing against the call: the next one is asked, or the call goes on. */
export function permissionAnswered(
  state: EngineState,
  event: Delivered<"permission.answered">,
  policy: EnginePolicy,
): Done {
  const { granted, reason, at } = event;
  const routed = routedCall(state, callOf(at), policy);
  const { to, permission } = routed?.call.waits ?? {};
  if (routed === undefined || permission === undefined) return { state, letters: [] };
  if (!isReadable(event)) return unread(state, at, policy);
  return granted
    ? goesOn(routed, permission)
    : refusePermission(routed, reason ?? `${to} gave no reason`, at.seq);
}

function goesOn({ call: { waits: _, ...call }, ...hand }: Routed, permission: number): Done {
  const next = { ...hand, call, state: withCall({ ...hand, call }) };
  return permissionAsked(next, permission + 1) ?? run(next);
}

/** It counts against no capability, as a lock does not. */
const refusePermission = (routed: Routed, reason: string, fact: number): Done =>
  finish(routed, failed(`PermissionError: ${reason}`), [fact]);

/** What an entry of a kind answers is judged as a tool's answer is; a builtin's failure is the caller's. */
export function capabilityAnswered(
  state: EngineState,
  event: Delivered<"capability.answered">,
  policy: EnginePolicy,
): Done {
  const { type: _, at, ...answer } = event;
  const routed = routedCall(state, callOf(at), policy);
  if (routed === undefined) return { state, letters: [] };
  if (!isReadable(event)) return unread(state, at, policy);
  return codeEnded(routed, { ...answer, isTool: routed.call.kind !== undefined, fact: at.seq });
}

/** The actor that was asked is not there. */
export function bounced(
  state: EngineState,
  { address, at }: Delivered<"ask.bounced">,
  policy: EnginePolicy,
): Done {
  if (at.key?.startsWith(ENTRIES)) {
    return withoutArchived(heardOf(state, at.key.slice(ENTRIES.length)), policy.ghosts);
  }
  if (!at.key?.startsWith("call:")) return { state, letters: [] };
  return unanswered(state, callOf(at), `no actor lives at ${address}`, at.seq, policy);
}

/** The actor that was asked has not answered in time. */
export function overdue(
  state: EngineState,
  { call: seq, question, at }: Delivered<"call.overdue">,
  policy: EnginePolicy,
): Done {
  const waits = openCall(state, seq)?.waits;
  if (waits?.question !== question) return { state, letters: [] };
  const { capabilityMs, permissionMs } = policy.hooks;
  const waitMs = waits.permission === undefined ? capabilityMs : permissionMs;
  const reason = `${waits.to} did not answer within ${waitMs / seconds(1)} s`;
  const done = unanswered(state, seq, reason, at.seq, policy);
  return behind([cancelAsk(`call:${seq}`)], done);
}

/** What the actor answered has not the shape of an answer, and counts as none. */
const unread = (state: EngineState, at: At, policy: EnginePolicy): Done =>
  unanswered(state, callOf(at), `what ${at.from} answered could not be read`, at.seq, policy);

/** A capability without an actor behind it has failed like a tool; what a missing permission means, policy says. */
function unanswered(
  state: EngineState,
  seq: number,
  reason: string,
  fact: number,
  policy: EnginePolicy,
): Done {
  const routed = routedCall(state, seq, policy);
  if (routed?.call.waits === undefined) return { state, letters: [] };
  const { permission } = routed.call.waits;
  if (permission === undefined) return failedWith(routed, reason, reason, [fact]);
  return policy.hooks.permissionSilence === "allow"
    ? goesOn(routed, permission)
    : refusePermission(routed, reason, fact);
}

/*
 * Entries of the registry that another part brings: their keeper lists which there are, whenever it
 * likes, and the engine's registry follows. Ours.
 */

/** What the keys of these questions begin with. */
const ENTRIES = "entries:";

/** What the engine asks at its start. No call waits for the answer. */
export const entriesLetters = ({ kinds }: AttachedHooks): Letter[] =>
  kinds.map(({ kind, keeper }) =>
    ask({ to: keeper, key: `${ENTRIES}${kind}`, event: { type: "entries.asked", kind } }),
  );

/** All entries of a kind, by its keeper; the word of any other actor changes nothing. */
export function entriesListed(
  state: EngineState,
  event: Delivered<"entries.listed">,
  { attached, ghosts }: EnginePolicy,
): Done {
  if (!isReadable(event)) return { state, letters: [] };
  const { kind, entries: listed, judges = false, at } = event;
  const isKept = attached.kinds.some((one) => one.kind === kind && one.keeper === at.from);
  if (!isKept) return { state, letters: [] };
  const names = new Set(listed.map(({ name }) => name));
  const isGone = (entry: Entry) => isOf(kind, entry) && !names.has(entry.name);
  const without = withoutEntries(state, state.entries.filter(isGone), at.nowMs);
  const from = { by: at.from, kind, judged: judges ? (true as const) : undefined };
  const next = withEntries(without, from, listed, at.seq);
  return withoutArchived(heardOf(next, kind), ghosts);
}

/** A kind is listed, or its keeper does not live: nothing is known by its name alone any more. */
const heardOf = (state: EngineState, kind: string): EngineState =>
  defined({ ...state, unlisted: lacking(state.unlisted ?? [], kind) });

const lacking = (kinds: readonly string[], kind: string): readonly string[] | undefined => {
  const others = kinds.filter((one) => one !== kind);
  return others.length === 0 ? undefined : others;
};

const isOf = (kind: string, { brought }: Entry): boolean => brought?.kind === kind;

/** One copy of the registry for all of them: a list may be long. */
function withoutEntries(state: EngineState, gone: readonly Entry[], atMs: number): EngineState {
  if (gone.length === 0) return state;
  const names = new Set(gone.map(({ name }) => name));
  const archived = gone.map(({ name }) => {
    return { name, hadCode: ownValue(state.implementations, name) !== undefined, atMs };
  });
  const served = Object.entries(state.implementations);
  return {
    ...state,
    entries: state.entries.filter(({ name }) => !names.has(name)),
    implementations: Object.fromEntries(
      served.filter(([name, { code }]) => code !== "" || !names.has(name)),
    ),
    archived: [...state.archived, ...archived],
  };
}

/** Wider than a tool's, which is a file's name too: other parts may have functions with capitals. */
const isName = (name: string): boolean => /^[A-Za-z0-9_]{1,64}$/.test(name) && name !== "__proto__";

/** New or changed. A name that is none, or that another entry bears, is passed over. */
function withEntries(
  state: EngineState,
  from: { readonly by: string; readonly kind: string; readonly judged: true | undefined },
  listed: readonly ListedEntry[],
  madeBy: number,
): EngineState {
  // A map keeps an entry at its place when it is set again.
  const entries = new Map(state.entries.map((entry) => [entry.name, entry]));
  const served = new Map(Object.entries(state.implementations));
  for (const { name, description, reads, runs = true } of listed) {
    const old = entries.get(name);
    if (!isName(name) || (old !== undefined && !isOf(from.kind, old))) continue;
    const brought: Brought = defined({ ...from, description, runs, reads });
    if (old?.brought !== undefined && isAlike(old.brought, brought)) continue;
    entries.set(name, { name, description, builtin: false, madeBy, brought });
    // Without anything behind it, nothing serves the name but code of the tools folder.
    if (!runs && served.get(name)?.code === "") served.delete(name);
    if (runs && !served.has(name)) served.set(name, { code: "", madeBy });
  }
  return {
    ...state,
    entries: [...entries.values()],
    implementations: Object.fromEntries(served),
  };
}

const isAlike = (one: Brought, other: Brought): boolean =>
  one.description === other.description &&
  one.reads === other.reads &&
  one.runs === other.runs &&
  one.judged === other.judged;
