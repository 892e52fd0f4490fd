/**
 * The desk of synt: which actor asked for what, which targets are locked, what may be spent.
 * Everything that several requests share lives here, and the audit is written here. Source: seed 002, 8 to 10.
 */
import { Entries } from "../entries.ts";
import type { At, Delivered, Letter, MailEvent, MailOf } from "../letter.ts";
import { type Outcome, onlyLogged, type Service } from "../service.ts";
import { auditLine, auditNote, auditPath } from "./auditLine.ts";
import { inCents, noAccounts } from "./budget.ts";
import { BOOT_ERROR_PATH, isTerminal, type Stated } from "./contract.ts";
import { decided, proposed, shownAgain, withdrawn } from "./deskGate.ts";
import { noIndex, withRequest } from "./deskIndex.ts";
import { deskKept } from "./deskKept.ts";
import { moneyAnswered, moneyDecided } from "./deskMoney.ts";
import { asked, flushed, profilesKey, profilesOf, restKey } from "./deskQueue.ts";
import { revised } from "./deskRevision.ts";
import { moneyRan, moneySettled } from "./deskSpending.ts";
import type { DeskState, Request } from "./deskState.ts";
import { about, withFact } from "./facts.ts";
import { isLocked, locked, lockKey } from "./locks.ts";
import { nightLocked } from "./nightLocks.ts";
import { chainKey } from "./poolState.ts";
import { usedTiers } from "./stageTable.ts";
import type { SyntPolicy } from "./syntPolicy.ts";
import { bindingsOf, bootFaults, type TierConfig } from "./tiers.ts";

export interface DeskInput {
  readonly startsAtMs: number;
  readonly tiers: TierConfig;
}

type Answered = Outcome<DeskState>;

export const syntDeskService = ({
  synt,
}: {
  readonly synt: SyntPolicy;
}): Service<DeskState, DeskInput> => ({
  kind: "service",
  id: "syntDesk",
  on: {
    "synth.requested": (state, event) => asked(state, event, event.at, synt),
    "synth.stated": (state, event) => stated(state, event, synt),
    "money.asked": (state, event) => moneyAnswered(state, event, synt),
    "money.decided": (state, event) => ({ state: moneyDecided(state, event), letters: [] }),
    "money.settled": (state, event) => moneySettled(state, event, synt.budget),
    "money.ran": (state, event) => moneyRan(state, event, synt.budget),
    "pattern.filtered": (state, event) => patternFiltered(state, event, synt),
    "hints.faulty": hintsFaulty,
    "gate.asked": proposed,
    "person.decided": decided,
    "synth.revised": (state, event) => revised(state, event, synt),
    "night.came": shownAgain,
    "turn.opened": (state, { turn }) => ({
      state: { ...state, turns: [...state.turns, turn] },
      letters: [],
    }),
    "turn.closed": (state, { turn, at }) => {
      const turns = state.turns.filter((one) => one !== turn);
      return flushed({ ...state, turns }, at, synt);
    },
    "chain.replayed": chainReplayed,
    "user.told": onlyLogged,
    "name.collided": onlyLogged,
    "night.locked": onlyLogged,
    "money.exceeded": onlyLogged,
    "money.dayPassed": onlyLogged,
  },
  ignores: [],
  init: (input, at) => opened(input, at, synt),
  kept: deskKept,
});

function opened({ startsAtMs, tiers }: DeskInput, { seq }: At, policy: SyntPolicy): Answered {
  const faults = bootFaults(tiers, policy.tiers, usedTiers(policy.stages));
  const state: DeskState = {
    startsAtMs,
    bindings: bindingsOf(tiers).bindings,
    faults,
    accounts: noAccounts(),
    locks: {},
    lockers: {},
    requests: Entries.of({}),
    turns: [],
    waiting: [],
    suspended: {},
    proposals: {},
    dossiers: 0,
    facts: withFact(Entries.of({}), about.boot, seq),
    index: noIndex(),
  };
  return { state, letters: faults.length === 0 ? [] : [{ to: "files", event: bootNote(faults) }] };
}

/** An operator finds it where everything else about synt is written down. */
const bootNote = (faults: readonly string[]): MailEvent => ({
  type: "files.write",
  path: BOOT_ERROR_PATH,
  text: `${faults.join("\n")}\n`,
});

/** A state of a request: into the audit, and what follows from it. */
function stated(state: DeskState, said: Delivered<"synth.stated">, policy: SyntPolicy): Answered {
  const { at } = said;
  const request = state.requests.get(said.request);
  if (request === undefined) return { state, letters: [] };
  const line = request.lines + 1;
  const account = state.accounts.requests.get(said.request);
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
  const kept = withRequest(state, said.request, next);
  const audit: Letter = {
    to: "files",
    event: { type: "files.append", path: auditPath(epochMs), text: `${text}\n` },
    because: [at.seq],
  };
  if (!isTerminal(said.state)) {
    // The user is told once that something is being built.
    const isNews = said.state === "generating" && request.state !== "generating";
    const progressed: MailOf<"synth.progressed"> = {
      type: "synth.progressed",
      request: said.request,
      state: said.state,
    };
    const news = isNews ? request.askers.map(({ to }): Letter => ({ to, event: progressed })) : [];
    return { state: kept, letters: [audit, ...news] };
  }
  const locks = said.locked ? {} : locksAfter(kept, said, at, policy);
  const { state: left, letters } = withdrawn({ ...kept, ...locks }, said.request);
  const found = said.locked ? [] : nightLocked(left, said, at);
  return { state: left, letters: [audit, ...answersOf(request, said), ...letters, ...found] };
}

const answersOf = ({ askers }: Request, said: Stated): Letter[] =>
  askers.map(
    ({ to, re }): Letter => ({
      to,
      re,
      event: {
        type: "synth.ended",
        request: said.request,
        state: said.state,
        rationale: said.rationale,
        artefact: said.artefact,
      },
    }),
  );

/** What must not be tried again for a while, or not until profiles change. */
function locksAfter(
  state: DeskState,
  { request, intent, proto, state: end }: Stated,
  { nowMs, seq }: At,
  { locks: policy }: SyntPolicy,
): Partial<DeskState> {
  const { locks, lockers, suspended, requests, facts } = state;
  if (end === "suspended") {
    const wanted = requests.get(request)?.wanted;
    const profiles = wanted === undefined ? "" : profilesOf(wanted);
    return { suspended: { ...suspended, [profilesKey(intent)]: profiles } };
  }
  const kind = end === "abandoned" ? "abandon" : end === "rejected" ? "reject" : null;
  if (kind === null) return {};
  const key = lockKey(kind, intent, proto, request);
  return {
    locks: locked(locks, { kind, key }, nowMs, policy),
    lockers: { ...lockers, [key]: request },
    facts: withFact(facts, about.lock(key), seq),
  };
}

/**
 * A pattern that the nightly filters turned down: logged once a while, and its proto-mnest rests as
 * long under its own key; see deskQueue.ts.
 */
function patternFiltered(
  state: DeskState,
  { type, pattern, proto, reason, at }: Delivered<"pattern.filtered">,
  { locks: policy }: SyntPolicy,
): Answered {
  const { nowMs, seq } = at;
  const keys = [lockKey("suspend", pattern), restKey(proto)].filter(
    (key) => !isLocked(state.locks, key, nowMs),
  );
  let { locks, facts } = state;
  for (const key of keys) {
    locks = locked(locks, { kind: "suspend", key }, nowMs, policy);
    facts = withFact(facts, about.lock(key), seq);
  }
  const next = { ...state, locks, facts };
  if (!keys.includes(lockKey("suspend", pattern))) return { state: next, letters: [] };
  const line = auditNote({ event: type, pattern, reason }, state.startsAtMs + nowMs);
  return { state: next, letters: [{ to: "files", event: line, because: [seq] }] };
}

/** A composed chain runs without the person's word: written down, with what grants it. Ruling Y27. */
function chainReplayed(
  state: DeskState,
  { type, turn, intent, chain, cleanRuns, at }: Delivered<"chain.replayed">,
): Answered {
  const reason = `the person was not asked: autonomy full grants ${chainKey(chain)} after ${cleanRuns} clean runs`;
  const line = { event: type, turn, target_intent: intent, chain, clean_runs: cleanRuns, reason };
  const audit = auditNote(line, state.startsAtMs + at.nowMs);
  return { state, letters: [{ to: "files", event: audit, because: [at.seq] }] };
}

/** A user's prompt repertoire that is not in order: the bundled entries serve, and it is written down. */
function hintsFaulty(
  state: DeskState,
  { type, path, fault, at }: Delivered<"hints.faulty">,
): Answered {
  const line = { event: type, path, fault };
  const audit = auditNote(line, state.startsAtMs + at.nowMs);
  return { state, letters: [{ to: "files", event: audit, because: [at.seq] }] };
}
