/**
 * The desk of synt: who asked for what, which targets are locked, what may be spent. Everything that
 * several requests share lives here, and the audit is written here. Source: seed 002, 8 to 10.
 */
import type { At, Letter, MailEvent } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome, Service } from "../service.ts";
import { auditLine, auditNote, auditPath } from "./auditLine.ts";
import { inCents, noAccounts } from "./budget.ts";
import { BOOT_ERROR_PATH, isTerminal, type Stated, type Wanted } from "./contract.ts";
import { decided, proposed, shownAgain, withdrawn } from "./deskGate.ts";
import { type DeskState, moneyAnswered, moneyDecided } from "./deskMoney.ts";
import { asked, flushed, profilesKey, profilesOf, type Request, restKey } from "./deskQueue.ts";
import { revised } from "./deskRevision.ts";
import { moneyRan, moneySettled } from "./deskSpending.ts";
import { about, told } from "./facts.ts";
import { isLocked, locked, lockKey } from "./locks.ts";
import { nightLocked } from "./nightLocks.ts";
import type { Refused } from "./poolNight.ts";
import { usedTiers } from "./stageTable.ts";
import type { SyntPolicy } from "./syntPolicy.ts";
import { bindingsOf, bootFaults, type TierConfig } from "./tiers.ts";

export interface DeskInput {
  readonly startsAtMs: number;
  readonly tiers: TierConfig;
}

type Stamped = MailEvent & { readonly at: At };
type Answered = Outcome<DeskState>;

export const syntDeskService = ({ synt }: { readonly synt: SyntPolicy }): Service<DeskState> => ({
  kind: "service",
  id: "syntDesk",
  handles: [
    "synth.requested",
    "synth.stated",
    "money.asked",
    "money.decided",
    "money.settled",
    "money.ran",
    "pattern.refused",
    "hints.faulty",
    "gate.asked",
    "person.decided",
    "synth.revised",
    "night.came",
    "turn.opened",
    "turn.closed",
    // Said for the log.
    "user.told",
    "name.collided",
    "night.locked",
    "money.exceeded",
    "money.dayPassed",
  ],
  ignores: [],
  init: (input: DeskInput, at) => opened(input, at, synt),
  receive: (state, event) => received(state, event, synt),
});

function opened({ startsAtMs, tiers }: DeskInput, { seq }: At, policy: SyntPolicy): Answered {
  const faults = bootFaults(tiers, policy.tiers, usedTiers(policy.stages));
  const state: DeskState = {
    startsAtMs,
    bindings: bindingsOf(tiers).bindings,
    faults,
    accounts: noAccounts,
    locks: {},
    lockers: {},
    requests: {},
    turns: [],
    waiting: [],
    suspended: {},
    proposals: {},
    dossiers: 0,
    facts: told({}, about.boot, seq),
  };
  const event = { type: "boot.failed", faults: [...faults] };
  return { state, letters: faults.length === 0 ? [] : [{ to: "files", event: bootNote(event) }] };
}

/** An operator finds it where everything else about synt is written down. */
const bootNote = (event: { readonly faults: readonly string[] }): MailEvent => ({
  type: "files.write",
  path: BOOT_ERROR_PATH,
  text: `${event.faults.join("\n")}\n`,
});

function received(state: DeskState, event: Stamped, policy: SyntPolicy): Answered {
  const { at } = event;
  switch (event.type) {
    case "synth.requested":
      return asked(state, event as unknown as Wanted, at, policy);
    case "synth.stated":
      return stated(state, event as unknown as Stated & { readonly locked?: true }, at, policy);
    case "money.asked":
      return moneyAnswered(state, event, policy);
    case "money.decided":
      return { state: moneyDecided(state, event), letters: [] };
    case "money.settled":
      return moneySettled(state, event, policy.budget);
    case "money.ran":
      return moneyRan(state, event, policy.budget);
    case "turn.opened":
      return { state: { ...state, turns: [...state.turns, String(event["turn"])] }, letters: [] };
    case "turn.closed": {
      const turns = state.turns.filter((turn) => turn !== event["turn"]);
      return flushed({ ...state, turns }, at, policy);
    }
    case "pattern.refused":
      return patternRefused(state, event, policy);
    case "hints.faulty":
      return hintsFaulty(state, event);
    case "gate.asked":
      return proposed(state, event);
    case "person.decided":
      return decided(state, event);
    case "night.came":
      return shownAgain(state);
    case "synth.revised":
      return revised(state, event, policy);
    default:
      return { state, letters: [] };
  }
}

/** A state of a request: into the audit, and what follows from it. */
function stated(
  state: DeskState,
  said: Stated & { readonly locked?: true },
  at: At,
  policy: SyntPolicy,
): Answered {
  const request = ownValue(state.requests, said.request);
  if (request === undefined) return { state, letters: [] };
  const line = request.lines + 1;
  const account = ownValue(state.accounts.requests, said.request);
  const epochMs = state.startsAtMs + at.nowMs;
  const text = auditLine(said, {
    epochMs,
    costCents: inCents(account?.spent ?? 0),
    exceededCents: inCents(account?.exceeded ?? 0),
    budgetCents: inCents(account?.cap ?? 0),
    durationMs: at.nowMs - request.openedMs,
    line,
  });
  // With its R it waits for the person; amended, it has none any more.
  const isAtGate = said.scored !== null && !isTerminal(said.state);
  const next = { ...request, lines: line, state: said.state, isAtGate };
  const kept = { ...state, requests: { ...state.requests, [said.request]: next } };
  const audit: Letter = {
    to: "files",
    event: { type: "files.append", path: auditPath(epochMs), text: `${text}\n` },
    because: [at.seq],
  };
  if (!isTerminal(said.state)) {
    // The user is told once that something is being built.
    const isNews = said.state === "generating" && request.state !== "generating";
    const progressed = { type: "synth.progressed", request: said.request, state: said.state };
    const news = isNews ? request.askers.map(({ to }) => ({ to, event: progressed })) : [];
    return { state: kept, letters: [audit, ...news] };
  }
  const locks = said.locked ? {} : locksAfter(kept, said, at, policy);
  const { state: left, letters } = withdrawn({ ...kept, ...locks }, said.request);
  const found = said.locked ? [] : nightLocked(left, said, at);
  return { state: left, letters: [audit, ...answersOf(request, said), ...letters, ...found] };
}

const answersOf = ({ askers }: Request, said: Stated): Letter[] =>
  askers.map(({ to, re }) => ({
    to,
    re,
    event: {
      type: "synth.ended",
      request: said.request,
      state: said.state,
      rationale: said.rationale,
      artefact: said.artefact,
    },
  }));

/** What must not be tried again for a while, or not until profiles change. */
function locksAfter(
  state: DeskState,
  { request, intent, proto, state: end }: Stated,
  { nowMs, seq }: At,
  { locks: policy }: SyntPolicy,
): Partial<DeskState> {
  const { locks, lockers, suspended, requests, facts } = state;
  if (end === "suspended") {
    const wanted = ownValue(requests, request)?.wanted;
    const profiles = wanted === undefined ? "" : profilesOf(wanted);
    return { suspended: { ...suspended, [profilesKey(intent)]: profiles } };
  }
  const kind = end === "abandoned" ? "abandon" : end === "rejected" ? "reject" : null;
  if (kind === null) return {};
  const key = lockKey(kind, intent, proto, request);
  return {
    locks: locked(locks, { kind, key }, nowMs, policy),
    lockers: { ...lockers, [key]: request },
    facts: told(facts, about.lock(key), seq),
  };
}

/**
 * A pattern that the nightly filters turned down: logged once a while, and its proto-mnest rests as
 * long under its own key; see deskQueue.ts.
 */
function patternRefused(state: DeskState, event: Stamped, { locks: policy }: SyntPolicy): Answered {
  const { nowMs, seq } = event.at;
  const { pattern, proto, reason } = event as unknown as Refused;
  const keys = [lockKey("suspend", pattern), restKey(proto)].filter(
    (key) => !isLocked(state.locks, key, nowMs),
  );
  let { locks, facts } = state;
  for (const key of keys) {
    locks = locked(locks, { kind: "suspend", key }, nowMs, policy);
    facts = told(facts, about.lock(key), seq);
  }
  const next = { ...state, locks, facts };
  if (!keys.includes(lockKey("suspend", pattern))) return { state: next, letters: [] };
  const line = auditNote({ event: event.type, pattern, reason }, state.startsAtMs + nowMs);
  return { state: next, letters: [{ to: "files", event: line, because: [seq] }] };
}

/** A user's prompt repertoire that is not in order: the bundled entries serve, and it is written down. */
function hintsFaulty(state: DeskState, event: Stamped): Answered {
  const { path, fault, at } = event as unknown as { path: string; fault: string; at: At };
  const line = { event: "hints.faulty", path, fault };
  const audit = auditNote(line, state.startsAtMs + at.nowMs);
  return { state, letters: [{ to: "files", event: audit, because: [at.seq] }] };
}
