/**
 * The keeper of the pool: executors, the mnestome and the fast path, which must agree at one
 * instant. Nothing enters without a signature that is right. Source: seed 002, chapters 2, 4.1, 5.
 */
import { defined } from "../defined.ts";
import { type At, answer, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome, Service } from "../service.ts";
import { MILLION } from "../units.ts";
import { activeEdges, isAutoGranted, virtualNode } from "./compose.ts";
import { DESK, EXECUTORS_FOLDER, type ExecutorFacts } from "./contract.ts";
import { about, factsOf, withFact } from "./facts.ts";
import { normalised } from "./locks.ts";
import { fastPath, type Mnest, type MnestPolicy } from "./mnestome.ts";
import { chainName } from "./naming.ts";
import { admitted, loaded, offered, started, tampered, turnedAway } from "./poolDoor.ts";
import { afterChain, afterStart, afterUse, forRequests, missedAt } from "./poolFacts.ts";
import { collected, night } from "./poolNightShift.ts";
import {
  afterComposed,
  afterMiss,
  afterRun,
  approvedFor,
  chainKey,
  type Memo,
  type PoolEntry,
  type PoolInput,
  type PoolState,
  poolKept,
  type Seen,
  stoodIn,
  traced,
  uncovered,
  visible,
  withEntry,
} from "./poolState.ts";
import type { Shown } from "./requestEvents.ts";
import { headOf } from "./stageAnswers.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

type Answered = Outcome<PoolState>;

export const poolService = ({
  synt,
}: {
  readonly synt: SyntPolicy;
}): Service<PoolState, PoolInput> => ({
  kind: "service",
  id: "pool",
  on: {
    "pool.asked": (state, { at }) => ({ state, letters: answer(at, shown(state, at, synt)) }),
    "catalogue.asked": (state, event) => ({ state, letters: catalogue(state, event, synt) }),
    "executor.sought": sought,
    "proto.raised": (state, { missing, at }) => ({
      state: missedAt(state, missing, at, synt.mnest),
      letters: [],
    }),
    "executor.ran": (state, event) => ran(state, event, synt),
    "chain.ran": (state, event) => chainRan(state, event, synt),
    "executor.changed": (state, event) => ({ state: changed(state, event), letters: [] }),
    "executor.offered": (state, { offer, at }) => offered(state, offer, at),
    "sign.verified": verified,
    "folder.changed": tampered,
    "files.replied": collected,
    // A night without a lookback looks back at nothing.
    "night.came": (state, { at, lookbackMs = 0 }) => night(state, at, lookbackMs, synt),
  },
  ignores: [],
  init: (input, at) => opened(input, at, synt.mnest),
  kept: poolKept,
});

function opened(input: PoolInput, { nowMs, seq }: At, policy: MnestPolicy): Answered {
  const { executors, traces, missing, memos } = input;
  const entries = executors.map((facts): [string, PoolEntry] => [facts.name, handcrafted(facts)]);
  const bare: PoolState = {
    executors: Object.fromEntries(entries),
    mnests: traces.reduce((all, trace) => traced(all, trace, policy), [] as readonly Mnest[]),
    missing: {},
    origins: {},
    memos: Object.fromEntries(memos.map((memo) => [normalised(memo.query), memo])),
    cleanRuns: {},
    composed: {},
    nights: 0,
    checking: {},
    facts: afterStart(input, seq),
  };
  return {
    state: missing.reduce((state, one) => afterMiss(state, one, nowMs, policy), bare),
    letters: [
      { to: "files", event: { type: "files.watch", folder: EXECUTORS_FOLDER } },
      ...executors.flatMap(({ name, version }) => started(name, version, true)),
    ],
  };
}

const handcrafted = (facts: ExecutorFacts & { readonly seen: Seen }): PoolEntry => ({
  ...facts,
  state: "proposed",
  isLoaded: false,
  isVisible: false,
  isHandcrafted: true,
  made: null,
  specialises: null,
  closes: [],
});

/** What a request may compose and compare with. */
function shown(state: PoolState, { nowMs }: At, { mnest }: SyntPolicy): MailOf<"pool.answered"> {
  return {
    type: "pool.answered",
    executors: visible(state).map(
      ({
        name,
        version,
        description,
        takes,
        gives,
        profile,
        shape,
        affinity,
        closes,
        seen,
      }): Shown =>
        defined({
          ...{ name, version, description, takes, gives, profile, shape },
          affinity,
          closes: closes.length > 0 ? closes : undefined,
          meanMs: mean(seen.totalMs, seen),
          meanCost: mean(seen.totalCents * MILLION, seen),
        }),
    ),
    // Traces outlive executors: one that is archived or in quarantine is no link of a chain.
    edges: activeEdges(state.mnests, nowMs, mnest).filter(
      ({ from, to }) => isShown(state, from) && isShown(state, to),
    ),
    uncovered: uncovered(state),
    stoodIn: stoodIn(state),
    cleanRuns: state.cleanRuns,
    facts: forRequests(state.facts),
  };
}

const isShown = ({ executors }: PoolState, name: string): boolean =>
  ownValue(executors, name)?.isVisible === true;

const mean = (total: number, { runs }: Seen): number => (runs === 0 ? 0 : Math.floor(total / runs));

/** What a planner is shown: heads of descriptions, and the sequence that is replayed, if any. */
function catalogue(
  state: PoolState,
  { at, ...event }: Delivered<"catalogue.asked">,
  policy: SyntPolicy,
): Letter[] {
  const query = normalised(event.query);
  const memo = ownValue(state.memos, query);
  const isReplayed =
    memo !== undefined &&
    fastPath(memo.uses, policy.mnest) === "replay" &&
    memo.chain.every((name) => ownValue(state.executors, name)?.isLoaded) &&
    needsNoWord(state, memo, policy) &&
    approvedFor(state, gapsOf(memo)) === undefined;
  const known: MailOf<"catalogue.answered"> = {
    type: "catalogue.answered",
    executors: visible(state).map(({ name, description }) => ({ name, head: headOf(description) })),
    replay: isReplayed ? memo.chain : null,
    ...(isReplayed && memo.isComposed && { unasked: cleanRunsOf(state, memo.chain) }),
  };
  const because = isReplayed ? factsOf(state.facts, [about.memo(query)]) : [];
  return answer(at, known, { because });
}

/** A composed chain is asked for each time, unless its clean runs grant it: no way round the gate. */
const needsNoWord = (state: PoolState, { chain, isComposed }: Memo, { compose }: SyntPolicy) =>
  !isComposed || isAutoGranted(cleanRunsOf(state, chain), compose);

const cleanRunsOf = ({ cleanRuns }: PoolState, chain: readonly string[]): number =>
  ownValue(cleanRuns, chainKey(chain)) ?? 0;

/** The missing names that a composed chain stands in for, its own name among them. Ruling Y27. */
const gapsOf = ({ chain, gaps, isComposed }: Memo): readonly string[] =>
  isComposed ? [...gaps, ...[chainName(chain)].filter((name) => name !== null)] : [];

/** The executor that really runs for this case: the specialised one where it is the hot one. */
function sought(state: PoolState, event: Delivered<"executor.sought">): Answered {
  const { name } = event;
  const special = visible(state).find(
    ({ specialises }) => specialises?.of === name && specialises.value === event.case,
  );
  const entry = special ?? ownValue(state.executors, name);
  const found: MailOf<"executor.found"> = {
    type: "executor.found",
    name: entry?.name ?? name,
    isLoaded: entry?.isLoaded ?? false,
    code: entry?.made?.code ?? null,
  };
  // That it can be called is no news; that it cannot, or that another runs instead, is.
  const isNews = special !== undefined || !found.isLoaded;
  const because = isNews ? factsOf(state.facts, [about.executor(found.name)]) : [];
  return { state, letters: answer(event.at, found, { because }) };
}

function ran(state: PoolState, event: Delivered<"executor.ran">, policy: SyntPolicy): Answered {
  const { executor, behind, ok, ms, cents, case: value, at } = event;
  const facts = afterUse(state.facts, event, at.seq);
  const next = afterRun(
    { ...state, facts },
    { executor, behind, ok, ms, cents, case: value },
    at.nowMs,
    policy.mnest,
  );
  const isKnown = ownValue(state.executors, executor)?.isLoaded;
  const letter: Letter = { to: `executor/${executor}`, event: { type: "executor.used" } };
  return { state: next, letters: isKnown ? [letter] : [] };
}

/** A whole sequence was run: for the fast path, and as if it were one executor when composed. */
function chainRan(state: PoolState, event: Delivered<"chain.ran">, policy: SyntPolicy): Answered {
  const { chain, query, args, composed: isComposed, at } = event;
  const facts = afterChain(state.facts, event, at.seq);
  if (!event.ok) {
    const cleanRuns = { ...state.cleanRuns, [chainKey(chain)]: 0 };
    return { state: { ...state, facts, cleanRuns }, letters: [] };
  }
  const known = ownValue(state.memos, normalised(query));
  const gaps = event.missed.filter((name) => name !== "");
  const memo =
    known !== undefined && chainKey(known.chain) === chainKey(chain)
      ? // A replay composes nothing and is no plan: the chain stays one that needs a word.
        {
          ...known,
          uses: known.uses + 1,
          lastMs: at.nowMs,
          isComposed: known.isComposed || isComposed,
          gaps: [...new Set([...known.gaps, ...gaps])],
        }
      : { query, chain, uses: 1, args, isComposed, gaps, lastMs: at.nowMs, isPromoted: false };
  const clean = cleanRunsOf(state, chain) + 1;
  const counted = {
    ...state,
    facts,
    cleanRuns: { ...state.cleanRuns, [chainKey(chain)]: clean },
    memos: chain.length > 1 ? { ...state.memos, [normalised(query)]: memo } : state.memos,
  };
  if (!isComposed) return { state: counted, letters: [] };
  const run = { chain, intent: query, args, gaps };
  const composed = afterComposed(counted, run, at.nowMs, policy.mnest);
  const node = virtualNode(chain, Object.keys(state.executors));
  if (node.name === null) return { state: composed, letters: [] };
  const from = chain[0] ?? null;
  const missing = { intent: query, name: node.name, from, hints: [], chain, args };
  const finding: MailOf<"name.collided"> = { type: "name.collided", name: node.name, chain };
  return {
    // Missed under the very name of the chain, it has left its proto-mnest already.
    state: gaps.includes(node.name) ? composed : missedAt(composed, missing, at, policy.mnest),
    letters: node.collides ? [{ to: DESK, event: finding }] : [],
  };
}

function changed(state: PoolState, event: Delivered<"executor.changed">): PoolState {
  const { name, isLoaded, isVisible, at } = event;
  const facts = withFact(state.facts, about.executor(name), at.seq);
  return withEntry({ ...state, facts }, name, { state: event.state, isLoaded, isVisible });
}

function verified(state: PoolState, { ok, at }: Delivered<"sign.verified">): Answered {
  const key = at.key ?? "";
  const checking = ownValue(state.checking, key);
  if (checking === undefined) return { state, letters: [] };
  const { [key]: _done, ...others } = state.checking;
  const next = { ...state, checking: others };
  if (checking.does === "load") return loaded(next, checking.name, ok);
  return ok ? admitted(next, checking, at) : turnedAway(next, checking);
}
