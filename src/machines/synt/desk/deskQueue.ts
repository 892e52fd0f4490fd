/** Which requests may begin: locks, quality floor, open turns, and requests already under way. */
import { isoTime } from "../../isoTime.ts";
import { type At, type Letter, type MailOf, startActor } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Outcome } from "../../service.ts";
import { DESK, type Stated, type SyntError, type Wanted } from "../contract.ts";
import { about, factsOf } from "../facts.ts";
import { CODE_STAGE, serverOf } from "../stages/stageTiers.ts";
import type { SyntPolicy } from "../syntPolicy.ts";
import { openRequest } from "./budget.ts";
import { type DeskState, noteOf, type Request, requestName, withRequest } from "./deskState.ts";
import { isLocked, lockKey, normalised } from "./locks.ts";

type Answered = Outcome<DeskState>;

/** The key under which a vetoed direction is remembered. */
export const profilesKey = (intent: string): string => normalised(intent);
/** What a veto rests on. */
export const profilesOf = ({ material }: Wanted): string => material.vetoes.join("; ");

export function answerTo(state: DeskState, wanted: Wanted, at: At, policy: SyntPolicy): Answered {
  const under = underWay(state, wanted);
  if (under !== undefined) return joinRequest(state, under, at);
  if (wanted.mode === "introspective") {
    const { intent } = wanted.need;
    const isKnown = ownValue(state.suspended, profilesKey(intent)) === profilesOf(wanted);
    if (isKnown && wanted.material.vetoes.length > 0) return { state, letters: [] };
    if (state.turns.length > 0) {
      const waiting = [...state.waiting, { wanted, seq: at.seq }];
      return { state: { ...state, waiting }, letters: [] };
    }
  }
  return beginRequest(state, wanted, at, policy);
}

/** The request that is at this target already. A user waits for no proposal of the night, which may lie at the gate for days. */
export function underWay({ index }: DeskState, { need, mode }: Wanted): string | undefined {
  const intent = normalised(need.intent);
  return Object.entries(index.open).find(
    ([, one]) => one.mode === mode && one.intent === intent,
  )?.[0];
}

/** Two askers that want the same thing wait for the same request. */
function joinRequest(
  state: DeskState,
  request: string,
  { asked: isAsked, from, seq }: At,
): Answered {
  const one = state.requests.get(request);
  if (one === undefined || !isAsked) return { state, letters: [] };
  const next = { ...one, askers: [...one.askers, { to: from, re: seq }] };
  return { state: withRequest(state, request, next), letters: [] };
}

/** The last turn has closed: what the night left waiting begins, in its order. */
export function flushQueue(state: DeskState, at: At, policy: SyntPolicy): Answered {
  if (state.turns.length > 0) return { state, letters: [] };
  return state.waiting.reduce<Answered>(
    (done, { wanted, seq }) => {
      const quiet: At = { nowMs: at.nowMs, seq, from: DESK };
      // Asked anew: what two nights have left waiting is one request. The person's word is no repetition.
      const begins = wanted.revision !== null && underWay(done.state, wanted) === undefined;
      const next = (begins ? beginRequest : answerTo)(done.state, wanted, quiet, policy);
      return { state: next.state, letters: [...done.letters, ...next.letters] };
    },
    { state: { ...state, waiting: [] }, letters: [] },
  );
}

export function beginRequest(
  state: DeskState,
  wanted: Wanted,
  at: At,
  policy: SyntPolicy,
): Answered {
  const request = requestName(state.requests.size + 1);
  const { mode, need, proto, material, strategy, revision } = wanted;
  const budgetCents = wanted.budgetCents ?? policy.budget.hardCents;
  const refusal = refusalOf(state, wanted, request, at);
  const kept: Request = {
    wanted,
    openedMs: at.nowMs,
    state: null,
    lines: 0,
    askers: at.asked ? [{ to: at.from, re: at.seq }] : [],
    isAtGate: false,
    isRefused: refusal !== null,
  };
  const next = {
    ...withRequest(state, request, kept),
    accounts: openRequest(state.accounts, { request, budgetCents }, policy.budget),
  };
  if (refusal !== null) {
    const because = factsOf(state.facts, [refusal.about]);
    const { key, by } = refusal;
    const lock = { key, intent: need.intent, hits: request, how: "refused now" } as const;
    const found = by === null ? [] : nightLockLetters(state, { ...lock, by }, at);
    return {
      state: next,
      letters: [...refusalLetters(wanted, request, refusal, because), ...found],
    };
  }
  const input = {
    ...{ request, mode, proto, need, material, strategy, budgetCents, revision },
    coder: coderOf(state, policy),
  };
  const address = `synt/${request}`;
  // What waited began long before the turn that closed now.
  const letter: Letter = { ...startActor("synthesisRequest", address, input), because: [at.seq] };
  return { state: next, letters: [letter] };
}

interface Refusal {
  readonly why: string;
  readonly error: SyntError;
  /** How an introspective one ends that is refused; a user's is abandoned. */
  readonly end: "rejected" | "suspended";
  /** The fact that it rests on. */
  readonly about: string;
  /** Its lock, and the night's request that made it where a person meets it. */
  readonly key: string;
  readonly by: string | null;
}

/** The key under which a proto-mnest rests that the night's filters turned down. */
export const restKey = (proto: string): string => lockKey("suspend", proto);

function refusalOf(
  state: DeskState,
  wanted: Wanted,
  request: string,
  { nowMs }: At,
): Refusal | null {
  const { mode, need, proto, revision } = wanted;
  const kinds = mode === "reactive" ? (["abandon"] as const) : (["reject", "abandon"] as const);
  const keys = kinds.map((kind) => lockKey(kind, need.intent, proto, request));
  if (mode === "introspective" && proto !== null) keys.push(restKey(proto));
  // Locks keep the machine from insisting; the person may.
  const key = (revision === null ? keys : []).find((one) => isLocked(state.locks, one, nowMs));
  if (key !== undefined) {
    const until = isoTime(state.startsAtMs + (state.locks[key] ?? 0));
    const by = lockerOfNight(state, key, wanted);
    const since = by === null ? "" : `, since ${by} of the night failed`;
    return {
      why: `locked until ${until}: ${key}${since}`,
      error: "PolicyVeto",
      end: key.startsWith("suspend:") ? "suspended" : "rejected",
      about: about.lock(key),
      key,
      by,
    };
  }
  const [fault] = state.faults;
  if (fault === undefined) return null;
  const why = `synt did not start: ${fault}`;
  return { why, error: "PolicyVeto", end: "rejected", about: about.boot, key: "", by: null };
}

/** A refused request has its first and its terminal line, and renews no lock. */
function refusalLetters(
  wanted: Wanted,
  request: string,
  why: Refusal,
  because: readonly number[],
): Letter[] {
  const { mode, need, proto, strategy, revision } = wanted;
  const said: Stated = {
    request,
    mode,
    proto,
    intent: need.intent,
    strategy,
    state: mode === "reactive" ? "composing" : "proposed",
    rationale: "asked for",
    error: null,
    artefact: null,
    scored: null,
    weighed: [],
    revises: revision?.request ?? null,
  };
  const state = mode === "reactive" ? "abandoned" : why.end;
  const end = { state, rationale: why.why, error: why.error } as const;
  return [
    { to: DESK, event: { type: "synth.stated", ...said } },
    { to: DESK, event: { type: "synth.stated", ...said, ...end, locked: true }, because },
  ];
}

function coderOf({ bindings }: DeskState, policy: SyntPolicy) {
  const served = serverOf(CODE_STAGE, bindings, policy.tiers);
  const { provider, model } = "fault" in served ? { provider: "", model: null } : served.binding;
  return { provider, model };
}

/*
 * A nightly failure locks its target like any other, and the target may be what a person asks for by
 * day: then that is said, when it is locked and when it is refused. Source: seed 002, 7; ruling Y11.
 */
/** The night's request that made a lock on which a user's request runs; null for any other lock. */
function lockerOfNight({ lockers, requests }: DeskState, key: string, { mode }: Wanted) {
  const by = ownValue(lockers, key);
  if (by === undefined || mode !== "reactive") return null;
  return requests.get(by)?.wanted.mode === "introspective" ? by : null;
}

/** A night's request was given up: what that locks for a person who had a chain for it. */
export function nightLocked(state: DeskState, said: Stated, at: At): readonly Letter[] {
  const { request: by, mode, intent, proto, state: end } = said;
  if (mode !== "introspective" || end !== "abandoned") return [];
  const served = state.index.served.get(normalised(intent));
  if (served === undefined) return [];
  const key = lockKey("abandon", intent, proto, by);
  return nightLockLetters(state, { key, by, intent, hits: served, how: "served before" }, at);
}

/** For the log, where reports and `why` find it, and for the audit. */
function nightLockLetters(
  state: DeskState,
  found: {
    readonly key: string;
    readonly by: string;
    readonly intent: string;
    /** The request of a person that the lock meets. */
    readonly hits: string;
    readonly how: "served before" | "refused now";
  },
  at: At,
): readonly Letter[] {
  const { key, by, intent, hits, how } = found;
  const until = isoTime(state.startsAtMs + (ownValue(state.locks, key) ?? at.nowMs));
  const event: MailOf<"night.locked"> = { type: "night.locked", by, intent, hits, how, until };
  const reason = `${by} of the night failed, and locks until ${until} what ${hits} was ${how}`;
  const line = { event: event.type, about: intent, reason };
  return [{ to: DESK, event, because: [at.seq] }, noteOf(line, state, at)];
}
