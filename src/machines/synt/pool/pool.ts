/**
 * The keeper of the pool: executors, the mnestome and the fast path, which must agree at one
 * instant. Nothing enters without a signature that is right. Source: seed 002, chapters 2, 4.1, 5;
 * rulings Y15, Y19.
 */
import { defined } from "../../defined.ts";
import {
  type At,
  answer,
  ask,
  type Delivered,
  type Letter,
  type MailOf,
  startActor,
} from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Outcome, Service } from "../../service.ts";
import { sortedJson } from "../../sortedJson.ts";
import { MILLION } from "../../units.ts";
import { DESK, EXECUTORS_FOLDER, type ExecutorFacts, POOL } from "../contract.ts";
import { normalised } from "../desk/locks.ts";
import { about, factsOf, withFact } from "../facts.ts";
import { chainName } from "../naming.ts";
import { headOf } from "../stages/stageAnswers.ts";
import type { SyntPolicy } from "../syntPolicy.ts";
import { activeEdges, isAutoGranted, virtualNode } from "./compose.ts";
import { nightFindings } from "./introspection.ts";
import { aged, fastPath, type Mnest, type MnestPolicy, promoted } from "./mnestome.ts";
import {
  afterChain,
  afterComposed,
  afterMiss,
  afterRun,
  afterStart,
  afterUse,
  approvedFor,
  type Checking,
  chainKey,
  forRequests,
  type Made,
  type Memo,
  madeBy,
  missedAt,
  type Offer,
  type PoolEntry,
  type PoolInput,
  type PoolState,
  poolKept,
  type Seen,
  type Shown,
  signedText,
  stoodIn,
  traced,
  uncovered,
  unseen,
  visible,
  withEntry,
} from "./poolState.ts";

type Answered = Outcome<PoolState>;

export const poolService = ({
  synt,
}: {
  readonly synt: SyntPolicy;
}): Service<PoolState, PoolInput> => ({
  kind: "service",
  id: "pool",
  on: {
    "pool.asked": (state, { at }) => ({ state, letters: answer(at, poolAnswer(state, at, synt)) }),
    "catalogue.asked": (state, event) => ({ state, letters: catalogue(state, event, synt) }),
    "executor.sought": sought,
    "proto.raised": (state, { missing, at }) => ({
      state: missedAt(state, missing, at, synt.mnest),
      letters: [],
    }),
    "executor.ran": (state, event) => takeRun(state, event, synt),
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
function poolAnswer(
  state: PoolState,
  { nowMs }: At,
  { mnest }: SyntPolicy,
): MailOf<"pool.answered"> {
  return {
    type: "pool.answered",
    executors: visible(state).map((entry): Shown => {
      const { name, version, description, takes, gives, profile, shape } = entry;
      const { affinity, closes, seen } = entry;
      return defined({
        ...{ name, version, description, takes, gives, profile, shape },
        affinity,
        closes: closes.length > 0 ? closes : undefined,
        meanMs: mean(seen.totalMs, seen),
        meanCost: mean(seen.totalCents * MILLION, seen),
      });
    }),
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

function takeRun(state: PoolState, event: Delivered<"executor.ran">, policy: SyntPolicy): Answered {
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

/*
 * The door of the pool: an executor comes in when its signature is right, and goes when what lies in
 * its folder is no longer what was signed. Source: seed 002, 3 and 4.2.1; rulings Y12, Y19.
 */
type Admission = Extract<Checking, { does: "admit" }>;

const verification = (key: string, made: Made): Letter =>
  ask({
    to: "port/sign",
    key,
    event: {
      type: "sign.asked",
      purpose: "verify",
      text: signedText(made),
      signature: made.signature,
      key: made.key,
    },
  });

/** A request offers what it has made; the signature is looked at first. */
function offered(state: PoolState, offer: Offer, at: At): Answered {
  const key = `offer:${at.seq}`;
  const checking = { does: "admit" as const, offer, to: at.from, re: at.seq };
  return {
    state: { ...state, checking: { ...state.checking, [key]: checking } },
    letters: [verification(key, offer.made)],
  };
}

const refusal = ({ to, re }: Admission, why: string): Letter => ({
  to,
  event: { type: "pool.admitted", ok: false, why },
  re,
});

const turnedAway = (state: PoolState, checking: Admission): Answered => ({
  state,
  letters: [refusal(checking, "the signature is not that of the artefact")],
});

function admitted(state: PoolState, checking: Admission, at: At): Answered {
  const { facts, made, replaces, specialises, covers, grantedBy } = checking.offer;
  const { name, version } = facts;
  if (Object.hasOwn(state.executors, name)) {
    const taken = refusal(checking, `the pool has ${name} already`);
    const facts = factsOf(state.facts, [about.executor(name)]);
    return { state, letters: [{ ...taken, because: facts }] };
  }
  const entry: PoolEntry = {
    ...facts,
    ...{ state: "proposed", isLoaded: false, isVisible: false, isHandcrafted: false },
    ...{ made, specialises, closes: [...new Set([name, ...covers])], seen: unseen },
  };
  const next = {
    ...state,
    executors: { ...state.executors, [name]: entry },
    mnests: promoted(state.mnests, { name, version }, [name, ...covers]),
    // Chains that it incorporates stand in for nothing any more.
    composed: Object.fromEntries(
      Object.entries(state.composed).filter(
        ([, { chain }]) => ![name, ...covers].includes(chainName(chain) ?? ""),
      ),
    ),
  };
  const changes = replaces.members.map(
    (member): Letter => ({
      to: `executor/${member}`,
      event: { type: `executor.${replaces.how}`, into: name },
    }),
  );
  const letters = [...filesOf(name, made), ...started(name, version, false), ...changes];
  const because = [grantedBy, at.seq];
  const { to, re } = checking;
  return {
    state: next,
    letters: [
      ...letters.map((letter) => ({ ...letter, because })),
      { to, event: { type: "pool.admitted", ok: true, why: null }, re },
    ],
  };
}

/** The island of an executor that is granted already. */
const started = (name: string, version: string, isHandcrafted: boolean): Letter[] => [
  startActor("executorLifecycle", `executor/${name}`, { name, version, isHandcrafted, pool: POOL }),
  { to: `executor/${name}`, event: { type: "executor.synthesized" } },
  { to: `executor/${name}`, event: { type: "executor.granted" } },
];

const pathsOf = (name: string) => ({
  code: `${EXECUTORS_FOLDER}/${name}/${name}.py`,
  manifest: `${EXECUTORS_FOLDER}/${name}/manifest.json`,
  signature: `${EXECUTORS_FOLDER}/${name}/manifest.json.sig`,
});

function filesOf(name: string, { code, manifest, signature }: Made): Letter[] {
  const paths = pathsOf(name);
  const texts = {
    [paths.code]: code,
    [paths.manifest]: sortedJson(manifest),
    [paths.signature]: signature,
  };
  return Object.entries(texts).map(
    ([path, text]): Letter => ({ to: "files", event: { type: "files.write", path, text } }),
  );
}

/** An actor wrote into an executor's folder: what lies there now is checked as it was at birth. */
function tampered(state: PoolState, { path, text, at }: Delivered<"folder.changed">): Answered {
  const name = path.slice(EXECUTORS_FOLDER.length + 1).split("/")[0] ?? "";
  const entry = ownValue(state.executors, name);
  if (entry?.made == null) return { state, letters: [] };
  const { code, manifest, signature } = entry.made;
  const made = madeWith(name, entry.made, path, text);
  const isSame = made.code === code && made.manifest === manifest && made.signature === signature;
  // What the keeper itself has written.
  if (isSame) return { state, letters: [] };
  const key = `load:${at.seq}`;
  return {
    state: { ...state, checking: { ...state.checking, [key]: { does: "load", name } } },
    letters: [verification(key, made)],
  };
}

function madeWith(name: string, made: Made, path: string, text: string | null): Made {
  const paths = pathsOf(name);
  if (path === paths.code) return { ...made, code: text ?? "" };
  if (path === paths.signature) return { ...made, signature: text ?? "" };
  if (path !== paths.manifest || text === sortedJson(made.manifest)) return made;
  return { ...made, manifest: text };
}

const loaded = (state: PoolState, name: string, isRight: boolean): Answered => ({
  state,
  letters: isRight ? [] : [{ to: `executor/${name}`, event: { type: "signature.broken" } }],
});

/** Where colliding leftovers go. Never deleted. */
export const COLLECTED_FOLDER = "/agentOS/tmp/metnos_synth_gc";

/** The ager: mnests fade, executors age, leftovers are moved, and the sweep looks for more. */
function night(state: PoolState, at: At, lookbackMs: number, policy: SyntPolicy): Answered {
  const { mnests } = aged(state.mnests, at.nowMs, policy.mnest);
  const rested = { ...state, mnests, nights: state.nights + 1 };
  const { wanted, filtered, promoted } = nightFindings(
    rested,
    { nowMs: at.nowMs, lookbackMs },
    policy,
  );
  const missed = promoted.reduce(
    (next, missing) => missedAt(next, missing, at, policy.mnest),
    rested,
  );
  const tonight = new Set(promoted.map(({ intent }) => intent));
  const memos = Object.entries(missed.memos).map(([key, memo]) => [
    key,
    { ...memo, isPromoted: memo.isPromoted || tonight.has(memo.query) },
  ]);
  return {
    state: { ...missed, memos: Object.fromEntries(memos) },
    letters: [
      ...Object.values(state.executors).flatMap((entry) => nightLetters(entry, mnests)),
      ...filtered.map((one): Letter => ({ to: DESK, event: { type: "pattern.filtered", ...one } })),
      ...wanted.map(
        (one): Letter => ({
          to: DESK,
          event: { type: "synth.requested", ...one },
          because: madeBy(state.facts, one),
        }),
      ),
      ask({
        to: "files",
        key: "leftovers",
        event: { type: "files.snapshot", folders: [EXECUTORS_FOLDER] },
      }),
    ],
  };
}

function nightLetters({ name, state, isLoaded }: PoolEntry, mnests: readonly Mnest[]): Letter[] {
  const to = `executor/${name}`;
  if (state === "fused" || state === "superseded") {
    const citing = mnests.filter((one) => one.state === "active").filter(cites(name)).length;
    return [{ to, event: { type: "residue.counted", mnests: citing } }];
  }
  return isLoaded ? [{ to, event: { type: "night.came" } }] : [];
}

const cites =
  (name: string) =>
  ({ from, to }: Mnest): boolean =>
    from.name === name || to.name === name;

/** The garbage collector: files of a synthesised executor under the name of a handcrafted one. */
export function collected(state: PoolState, { files = {} }: Delivered<"files.replied">): Answered {
  const moves = Object.keys(files).flatMap((path): Letter[] => {
    const below = path.slice(EXECUTORS_FOLDER.length + 1);
    const isTaken = ownValue(state.executors, below.split("/")[0] ?? "")?.isHandcrafted;
    const to = `${COLLECTED_FOLDER}_${state.nights}/${below}`;
    return isTaken ? [{ to: "files", event: { type: "files.move", path, to } }] : [];
  });
  return { state, letters: moves };
}
