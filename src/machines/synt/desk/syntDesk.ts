/**
 * The desk of synt: which actor asked for what, which targets are locked, what may be spent.
 * Everything that several requests share lives here; the audit is written and the gate of the night is
 * kept here. Source: seed 002, 8 to 10.
 */
import { defined } from "../../defined.ts";
import { Entries } from "../../entries.ts";
import { isoTime } from "../../isoTime.ts";
import {
  type At,
  ask,
  cancelAsk,
  type Delivered,
  type Json,
  type Letter,
  type Mail,
  type MailEvent,
  type MailOf,
} from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { type Outcome, onlyLogged, type Service } from "../../service.ts";
import { sortedJson } from "../../sortedJson.ts";
import { MILLION } from "../../units.ts";
import {
  type Artefact,
  BOOT_ERROR_PATH,
  DESK,
  isChain,
  isTerminal,
  type ProposalState,
  type Scored,
  type Stated,
  type Weighed,
} from "../contract.ts";
import { about, withFact } from "../facts.ts";
import { chainKey } from "../pool/poolState.ts";
import { decimalOf } from "../score/exactShare.ts";
import { BILLION, contractTerms, exactTerms } from "../score/reward.ts";
import { bindingsOf, bootFaults, type TierConfig, usedTiers } from "../stages/stageTiers.ts";
import type { SyntPolicy } from "../syntPolicy.ts";
import { inCents, noAccounts } from "./budget.ts";
import { moneyAnswered, moneyDecided, moneyRan, moneySettled } from "./deskMoney.ts";
import {
  answerTo,
  beginRequest,
  flushQueue,
  nightLocked,
  profilesKey,
  profilesOf,
  restKey,
  underWay,
} from "./deskQueue.ts";
import {
  auditNote,
  auditPath,
  type DeskState,
  deskKept,
  isUnderWay,
  noIndex,
  noteOf,
  type Proposal,
  type Request,
  withRequest,
} from "./deskState.ts";
import { isLocked, locked, lockKey } from "./locks.ts";

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
    "synth.requested": (state, event) => answerTo(state, event, event.at, synt),
    "synth.stated": (state, event) => noteState(state, event, synt),
    "money.asked": (state, event) => moneyAnswered(state, event, synt),
    "money.decided": (state, event) => ({ state: moneyDecided(state, event), letters: [] }),
    "money.settled": (state, event) => moneySettled(state, event, synt.budget),
    "money.ran": (state, event) => moneyRan(state, event, synt.budget),
    "pattern.filtered": (state, event) => patternFiltered(state, event, synt),
    "hints.faulty": hintsFaulty,
    "gate.asked": noteProposal,
    "person.decided": takeDecision,
    "synth.revised": (state, event) => reviseRequest(state, event, synt),
    "night.came": shownAgain,
    "turn.opened": (state, { turn }) => ({
      state: { ...state, turns: [...state.turns, turn] },
      letters: [],
    }),
    "turn.closed": (state, { turn, at }) => {
      const turns = state.turns.filter((one) => one !== turn);
      return flushQueue({ ...state, turns }, at, synt);
    },
    "chain.replayed": chainReplayed,
    "user.told": onlyLogged,
    "name.collided": onlyLogged,
    "night.locked": onlyLogged,
    "money.exceeded": onlyLogged,
    "money.dayPassed": onlyLogged,
  },
  ignores: [],
  init: (input, at) => openDesk(input, at, synt),
  kept: deskKept,
});

function openDesk({ startsAtMs, tiers }: DeskInput, { seq }: At, policy: SyntPolicy): Answered {
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
function noteState(
  state: DeskState,
  said: Delivered<"synth.stated">,
  policy: SyntPolicy,
): Answered {
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
 * long under its own key.
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
  return { state: next, letters: [noteOf({ event: type, pattern, reason }, state, at)] };
}

/** A composed chain runs without the person's word: written down, with what grants it. Ruling Y27. */
function chainReplayed(
  state: DeskState,
  { type, turn, intent, chain, cleanRuns, at }: Delivered<"chain.replayed">,
): Answered {
  const reason = `the person was not asked: autonomy full grants ${chainKey(chain)} after ${cleanRuns} clean runs`;
  const line = { event: type, turn, target_intent: intent, chain, clean_runs: cleanRuns, reason };
  return { state, letters: [noteOf(line, state, at)] };
}

/** A user's prompt repertoire that is not in order: the bundled entries serve, and it is written down. */
function hintsFaulty(
  state: DeskState,
  { type, path, fault, at }: Delivered<"hints.faulty">,
): Answered {
  return { state, letters: [noteOf({ event: type, path, fault }, state, at)] };
}

/*
 * One line of the audit: canonical JSON of a state, with its reason and what it has cost so far. The
 * last line of a request certifies its costs. Source: seed 002, 10.
 */

export interface AuditFacts {
  /** Ms since 1970. */
  readonly epochMs: number;
  /** What it has cost so far, also above what was set aside for it. */
  readonly costCents: number;
  /** How much of it is above the reservations of its calls. */
  readonly exceededCents: number;
  readonly budgetCents: number;
  readonly durationMs: number;
  /** Which line of its request this is, from 1. */
  readonly line: number;
}

/** The seed's ULID-like stamps have no fractions of seconds; ours keep them, as order needs them. */
export function auditLine(stated: Stated, facts: AuditFacts): string {
  const { request, mode, proto, intent, strategy, state, rationale, error } = stated;
  const { artefact, revises, redirect } = stated;
  const exceeded = facts.exceededCents > 0 && { exceeded: facts.exceededCents };
  const certificate = isTerminal(state) && {
    certified: {
      budget_cents: facts.budgetCents,
      lines: facts.line,
      within_budget: facts.costCents <= facts.budgetCents,
      ...exceeded,
    },
  };
  return sortedJson({
    ts: isoTime(facts.epochMs),
    request_id: request,
    mode,
    proto_mnest: proto,
    target_intent: intent,
    strategy,
    state,
    rationale,
    ...(error !== null && { error }),
    ...(revises !== null && { revises }),
    ...(redirect !== undefined && { redirect: { ...redirect } }),
    ...madeOf(artefact),
    reward: stated.scored === null ? null : rewardOf(stated.scored),
    ...(stated.weighed.length > 0 && { weighed: stated.weighed.map(weighedOf) }),
    cost_cents: facts.costCents,
    ...exceeded,
    duration_ms: facts.durationMs,
    line: facts.line,
    ...certificate,
  });
}

const madeOf = (artefact: Artefact) => (isChain(artefact) ? { chain: artefact } : { artefact });

const weighedOf = ({ strategy, artefact, scored }: Weighed): Json => ({
  ...{ strategy, ...madeOf(artefact), passes: scored.reward.passes },
  reward: rewardOf(scored),
});

function rewardOf({ reward, judgeReasoning }: Scored): Json {
  return {
    ...contractTerms(reward.terms),
    total: decimalOf(reward.total),
    judge_reasoning: judgeReasoning,
    similarity_cosine: reward.cosine / BILLION,
    // As it was decided: the decimals above are for people.
    exact: { ...exactTerms(reward.terms), total: reward.total },
  };
}

/*
 * The gate of the night: proposals wait at the desk until none is being made any more, and go to the
 * person as one dossier, each with its R. What they leave undecided is in the next night's dossier
 * again, until its request gives up waiting. Source: seed 002, 3 (figure 1), 6 and 8.1; ruling Y12.
 */

const dossierKey = (dossier: number): string => `dossier:${dossier}`;

function noteProposal(
  state: DeskState,
  { request, dossier, at }: Delivered<"gate.asked">,
): Answered {
  const proposal: Proposal = { to: at.from, re: at.seq, dossier, asked: null, isLeft: false };
  return showProposals({ ...state, proposals: { ...state.proposals, [request]: proposal } });
}

/** Asks about everything that is ready, once nothing of the night is being made any more. */
function showProposals(state: DeskState): Answered {
  const { proposals, index } = state;
  const isMaking = Object.entries(index.open).some(
    ([name, { mode }]) => mode === "introspective" && !Object.hasOwn(proposals, name),
  );
  const free = Object.entries(proposals).filter(([, { asked }]) => asked === null);
  if (isMaking || free.every(([, { isLeft }]) => isLeft)) return { state, letters: [] };
  const dossier = state.dossiers + 1;
  const taken = free.map(([name, one]) => [name, { ...one, asked: dossier, isLeft: false }]);
  return {
    state: {
      ...state,
      dossiers: dossier,
      proposals: { ...proposals, ...Object.fromEntries(taken) },
    },
    letters: [
      ask({
        to: "port/person.decide",
        key: dossierKey(dossier),
        event: {
          type: "person.asked",
          purpose: "proposals",
          dossier: { proposals: free.map(([request, one]) => ({ request, dossier: one.dossier })) },
        },
        because: free.map(([, { re }]) => re),
      }),
    ],
  };
}

/** The person's word on a dossier, proposal by proposal. What was not in it is not decided by it. */
function takeDecision(state: DeskState, { decisions, at }: Delivered<"person.decided">): Answered {
  const inIt = Object.entries(state.proposals).filter(
    ([, { asked }]) => asked !== null && dossierKey(asked) === at.key,
  );
  const words = decisionsOf(decisions);
  const done = inIt.filter(([name]) => Object.hasOwn(words, name));
  const kept = Object.entries(state.proposals).flatMap(([name, one]): [string, Proposal][] => {
    if (done.some(([other]) => other === name)) return [];
    const isLeft = inIt.some(([other]) => other === name);
    return [[name, isLeft ? { ...one, asked: null, isLeft } : one]];
  });
  return {
    state: { ...state, proposals: Object.fromEntries(kept) },
    letters: done.map(
      ([name, { to, re }]): Letter => ({
        to,
        re,
        event: { type: "person.decided", ...words[name] },
      }),
    ),
  };
}

type Word = Omit<Mail["person.decided"], "decisions">;

/** Whatever came through the port: only what has the shape of a decision counts. */
function decisionsOf(found: unknown): { readonly [request: string]: Word } {
  const list: readonly unknown[] = Array.isArray(found) ? found : [];
  const words = list.flatMap((one): [string, Word][] => {
    const { request, decision, feedback, target } = (one ?? {}) as { [field: string]: unknown };
    if (typeof request !== "string" || typeof decision !== "string") return [];
    const said: Word = defined({
      decision,
      feedback: typeof feedback === "string" ? feedback : undefined,
      target: typeof target === "string" ? target : undefined,
    });
    return [[request, said]];
  });
  return Object.fromEntries(words);
}

/** A request has ended: the person need not decide on it, and a dossier that holds nothing else is taken back. */
function withdrawn(state: DeskState, request: string): Answered {
  const gone = ownValue(state.proposals, request);
  const { [request]: _gone, ...proposals } = state.proposals;
  const isLast =
    gone?.asked != null && Object.values(proposals).every(({ asked }) => asked !== gone.asked);
  const back: Letter[] = isLast ? [cancelAsk(dossierKey(gone.asked ?? 0))] : [];
  const next = showProposals({ ...state, proposals });
  return { state: next.state, letters: [...back, ...next.letters] };
}

/** A new night: what was left undecided is shown once more. */
const shownAgain = (state: DeskState): Answered =>
  showProposals({
    ...state,
    proposals: Object.fromEntries(
      Object.entries(state.proposals).map(([name, one]) => [name, { ...one, isLeft: false }]),
    ),
  });

/* revise(): the person takes a proposal up again and says what should be different. */

/** Ends that left nothing, so that there is something to take up again. */
const FRUITLESS: readonly (ProposalState | null)[] = ["abandoned", "rejected", "suspended"];

function reviseRequest(
  state: DeskState,
  // Only on its way to a request does a revision name none.
  { request = "", feedback, target, at }: Delivered<"synth.revised">,
  policy: SyntPolicy,
): Answered {
  const known = state.requests.get(request);
  const why = refusalOf(known, request);
  if (known === undefined || why !== null) return refuseRevision(state, request, why ?? "", at);
  if (known.isAtGate) {
    const amended: MailOf<"synth.revised"> = { type: "synth.revised", feedback, target };
    const { state: left, letters } = withdrawn(state, request);
    return { state: left, letters: [...letters, { to: `synt/${request}`, event: amended }] };
  }
  const twin = underWay(state, known.wanted);
  if (twin !== undefined)
    return refuseRevision(state, request, `${twin} is at the same already`, at);
  const wanted = {
    ...known.wanted,
    budgetCents: centsLeft(state, request),
    revision: { request, feedback, target },
  };
  if (wanted.mode === "introspective" && state.turns.length > 0) {
    return {
      state: { ...state, waiting: [...state.waiting, { wanted, seq: at.seq }] },
      letters: [],
    };
  }
  return beginRequest(state, wanted, { nowMs: at.nowMs, seq: at.seq, from: DESK }, policy);
}

function refusalOf(known: Request | undefined, request: string): string | null {
  if (known === undefined) return `there is no request ${request}`;
  if (known.isAtGate) return null;
  if (isUnderWay(known)) return `${request} is being made; it can be revised at the gate`;
  if (known.isRefused) return `${request} was refused at once; nothing of it can be taken up again`;
  return FRUITLESS.includes(known.state)
    ? null
    : `${request} is ${known.state}; what is in the pool is revoked, not revised`;
}

/** Whole cents of its own cap that the request has not spent; none when it spent more. */
function centsLeft({ accounts }: DeskState, request: string): number {
  const { cap = 0, spent = 0 } = accounts.requests.get(request) ?? {};
  return Math.max(0, Math.floor((cap - spent) / MILLION));
}

function refuseRevision(state: DeskState, request: string, reason: string, at: At): Answered {
  const line = { event: "revision.refused", revises: request, reason };
  const note: Letter = { to: "files", event: auditNote(line, state.startsAtMs + at.nowMs) };
  return { state, letters: [note] };
}
