/**
 * What the keeper of the pool knows, and pure changes of it; and what it remembers of which delivery
 * made what, for `because`.
 */
import { apartIn, Entries, plainOf } from "../../entries.ts";
import type { At, Json, Mail } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Kept } from "../../service.ts";
import { sortedJson } from "../../sortedJson.ts";
import type { ExecutorFacts, Need, Wanted } from "../contract.ts";
import { normalised } from "../desk/locks.ts";
import { about, type Facts, factsOf, noted, type ToldFacts, withFact } from "../facts.ts";
import type { ExecutorState } from "./executorLifecycle.ts";
import { type Mnest, type MnestEnd, type MnestPolicy, missed, used } from "./mnestome.ts";

export interface PoolEntry extends ExecutorFacts {
  readonly state: ExecutorState;
  readonly isLoaded: boolean;
  readonly isVisible: boolean;
  readonly isHandcrafted: boolean;
  /** Of a born one: its Python, what was signed, and by whom. */
  readonly made: Made | null;
  /** It stands beside this one, for this case. */
  readonly specialises: { readonly of: string; readonly value: string } | null;
  /** Names that were missed, and for which the person approved it. */
  readonly closes: readonly string[];
  readonly seen: Seen;
}

export interface Made {
  readonly code: string;
  readonly manifest: Json;
  readonly signature: string;
  readonly key: string;
}

/** What the signature is over: the manifest and the code, as one text. */
export const signedText = ({ manifest, code }: Pick<Made, "manifest" | "code">): string =>
  sortedJson({ manifest, code });

/** What was observed of its runs. */
export interface Seen {
  readonly runs: number;
  readonly ok: number;
  readonly totalMs: number;
  /** What the runs cost in all. */
  readonly totalCents: number;
  /** The last run; before the start, the start. */
  readonly lastMs: number;
  /** Runs by case. */
  readonly cases: { readonly [value: string]: number };
}

export const unseen: Seen = { runs: 0, ok: 0, totalMs: 0, totalCents: 0, lastMs: 0, cases: {} };

/** An executor as the pool shows it to a request. */
export interface Shown extends ExecutorFacts {
  readonly meanMs: number;
  /** Of a run, in millionths of a cent. */
  readonly meanCost: number;
  /** Names that were missed, and for which the person approved it; absent when there are none. */
  readonly closes?: readonly string[];
}

/** A sequence that was planned for a query, as the fast path keeps it. */
export interface Memo {
  readonly query: string;
  readonly chain: readonly string[];
  readonly uses: number;
  readonly args: readonly string[];
  /** Whether synt composed it: such a chain is not run without the person's word. */
  readonly isComposed: boolean;
  /** What planners called the gaps that it stood in for. */
  readonly gaps: readonly string[];
  readonly lastMs: number;
  /** Whether it has left its proto-mnest. */
  readonly isPromoted: boolean;
}

/** A chain that was composed, and how often lately: what recurs is the chain, whatever the gap was called. */
export interface Composed {
  readonly chain: readonly string[];
  /** The query that it served last. */
  readonly intent: string;
  readonly args: readonly string[];
  /** What planners called the gap that it closed. */
  readonly gaps: readonly string[];
  readonly uses: number;
  readonly lastMs: number;
  /** The last uses, oldest first, as many as recurrence asks for. */
  readonly recentMs: readonly number[];
}

/** What is known of a missing executor, besides its mnests. */
export interface Missing extends Need {
  /** The chain that stood in for it; empty when nothing did. */
  readonly chain: readonly string[];
  readonly args: readonly string[];
}

/** What left the proto-mnests of a name, since it was last missed for the first time. */
export interface GapOrigin {
  /** A user asked for it, or it was missed from the start. */
  readonly isAsked: boolean;
  /** The chains that stood in under that name when they had gone well. */
  readonly chains: readonly (readonly string[])[];
}

export interface PoolState {
  readonly executors: { readonly [name: string]: PoolEntry };
  readonly mnests: readonly Mnest[];
  readonly missing: { readonly [name: string]: Missing };
  readonly origins: { readonly [name: string]: GapOrigin };
  readonly memos: { readonly [query: string]: Memo };
  readonly cleanRuns: { readonly [chain: string]: number };
  /** Chains that stood in for something missing, by chain. */
  readonly composed: { readonly [chain: string]: Composed };
  readonly nights: number;
  /** Artefacts whose signature is being looked at, by the key of the question. */
  readonly checking: { readonly [key: string]: Checking };
  /** What made mnests, memos, cases and states of executors. */
  readonly facts: Facts;
}

export const poolKept: Kept<PoolState> = {
  plain: plainOf,
  restored: (plain) => {
    const saved = plain as Omit<PoolState, "facts"> & { readonly facts: ToldFacts }; // As `plain` made it.
    return { ...saved, facts: Entries.of(saved.facts) };
  },
  apart: apartIn,
};

export type Checking =
  | { readonly does: "admit"; readonly offer: Offer; readonly to: string; readonly re: number }
  | { readonly does: "load"; readonly name: string };

/** An executor that a request has made, signed and been granted. */
export interface Offer {
  readonly request: string;
  readonly facts: ExecutorFacts;
  readonly made: Made;
  /** What becomes of the members. */
  readonly replaces: { readonly how: "fused" | "superseded"; readonly members: readonly string[] };
  readonly specialises: PoolEntry["specialises"];
  /** Names of proto-mnests that it closes. */
  readonly covers: readonly string[];
  /** The decision that granted it, by its number in the log. */
  readonly grantedBy: number;
}

export const chainKey = (chain: readonly string[]): string => chain.join(" → ");

const endOf = ({ executors }: PoolState, name: string): MnestEnd => ({
  name,
  version: ownValue(executors, name)?.version ?? null,
});

export const withEntry = (
  state: PoolState,
  name: string,
  change: Partial<PoolEntry>,
): PoolState => {
  const entry = ownValue(state.executors, name);
  if (entry === undefined) return state;
  return { ...state, executors: { ...state.executors, [name]: { ...entry, ...change } } };
};

/** Names of executors that planners are shown, in the order in which they came. */
export const visible = ({ executors }: PoolState): readonly PoolEntry[] =>
  Object.values(executors).filter(({ isVisible }) => isVisible);

/** The executor that planners are shown and that the person approved for one of these missing names. */
export const approvedFor = (state: PoolState, gaps: readonly string[]): PoolEntry | undefined =>
  visible(state).find(({ closes }) => closes.some((name) => gaps.includes(name)));

/** Names that are missed, and that no active executor has. */
export const uncovered = ({ mnests, executors }: PoolState): readonly string[] => {
  const missed = mnests.filter(({ state }) => state === "proto").map(({ to }) => to.name);
  return [...new Set(missed)].filter((name) => ownValue(executors, name)?.isVisible !== true);
};

/** Of the uncovered names that no user asked for: the chains that stood in under each. */
export const stoodIn = (state: PoolState): { readonly [name: string]: GapOrigin["chains"] } =>
  Object.fromEntries(
    uncovered(state).flatMap((name) => {
      const origin = ownValue(state.origins, name);
      return origin === undefined || origin.isAsked ? [] : [[name, origin.chains]];
    }),
  );

/** A chain left the proto-mnest, or else a user did. */
function originAfter({ mnests, origins }: PoolState, { name, chain }: Missing): GapOrigin {
  const isMissed = mnests.some(({ state, to }) => state === "proto" && to.name === name);
  const known = isMissed ? ownValue(origins, name) : undefined;
  const { isAsked = false, chains = [] } = known ?? {};
  if (chain.length === 0) return { isAsked: true, chains };
  const isKnown = chains.some((one) => chainKey(one) === chainKey(chain));
  return { isAsked, chains: isKnown ? chains : [...chains, chain] };
}

/** One run of an executor, behind another or first. */
export interface Ran {
  readonly executor: string;
  readonly behind: string | null;
  readonly ok: boolean;
  readonly ms: number;
  readonly cents: number;
  readonly case: string | null;
}

export function afterRun(
  state: PoolState,
  { executor, behind, ok, ms, cents, case: value }: Ran,
  atMs: number,
  policy: MnestPolicy,
): PoolState {
  const entry = ownValue(state.executors, executor);
  if (entry === undefined) return state;
  const { seen } = entry;
  const cases =
    value === null
      ? seen.cases
      : { ...seen.cases, [value]: (ownValue(seen.cases, value) ?? 0) + 1 };
  const counted = withEntry(state, executor, {
    seen: {
      runs: seen.runs + 1,
      ok: seen.ok + (ok ? 1 : 0),
      totalMs: seen.totalMs + ms,
      totalCents: seen.totalCents + cents,
      lastMs: atMs,
      cases,
    },
  });
  if (behind === null) return counted;
  const use = { from: endOf(state, behind), to: endOf(state, executor), atMs, ok };
  return { ...counted, mnests: used(counted.mnests, use, policy) };
}

/** A proto-mnest: `missing.name` was missed behind `missing.from`. */
export function afterMiss(
  state: PoolState,
  missing: Missing,
  atMs: number,
  policy: MnestPolicy,
): PoolState {
  // What was missed from the start stands behind nothing.
  const from = missing.from === null ? { name: "", version: null } : endOf(state, missing.from);
  const known = ownValue(state.missing, missing.name);
  return {
    ...state,
    // What a planner missed by this name tells more than that a chain would be called so.
    missing: {
      ...state.missing,
      [missing.name]: known === undefined || known.chain.length > 0 ? missing : known,
    },
    origins: { ...state.origins, [missing.name]: originAfter(state, missing) },
    mnests: missed(state.mnests, { from, name: missing.name, atMs }, policy),
  };
}

/** One more clean run of a chain that synt composed. */
export function afterComposed(
  state: PoolState,
  run: Pick<Composed, "chain" | "intent" | "args" | "gaps">,
  atMs: number,
  { recurrences }: MnestPolicy,
): PoolState {
  const key = chainKey(run.chain);
  const known = ownValue(state.composed, key);
  const composed: Composed = {
    ...run,
    gaps: [...new Set([...(known?.gaps ?? []), ...run.gaps])],
    uses: (known?.uses ?? 0) + 1,
    lastMs: atMs,
    recentMs: [...(known?.recentMs ?? []), atMs].slice(-recurrences),
  };
  return { ...state, composed: { ...state.composed, [key]: composed } };
}

/** Uses of one executor behind another, at equal distances up to the start. */
export interface Trace {
  readonly from: string;
  readonly to: string;
  readonly uses: number;
  readonly failed: number;
  readonly overMs: number;
}

/** What was used before the start has times before 0. */
export function traced(all: readonly Mnest[], trace: Trace, policy: MnestPolicy): readonly Mnest[] {
  const { uses, failed, overMs } = trace;
  const from = { name: trace.from, version: "1" };
  const to = { name: trace.to, version: "1" };
  let mnests = all;
  for (let index = 0; index < uses; index += 1) {
    const atMs = -Math.floor((overMs * (uses - index)) / uses);
    mnests = used(mnests, { from, to, atMs }, policy);
  }
  for (let index = 0; index < failed; index += 1) {
    mnests = used(mnests, { from, to, atMs: -1, ok: false }, policy);
  }
  return mnests;
}

export interface PoolInput {
  readonly executors: readonly (ExecutorFacts & { readonly seen: Seen })[];
  readonly traces: readonly Trace[];
  readonly missing: readonly Missing[];
  readonly memos: readonly Memo[];
}

/** What was there when the pool was opened goes back to its opening. */
export function afterStart({ traces, missing, memos, executors }: PoolInput, seq: number): Facts {
  const abouts = [
    ...traces.map(({ from, to }) => about.use(from, to)),
    ...missing.map(({ name }) => about.miss(name)),
    ...memos.map(({ query }) => about.memo(normalised(query))),
    ...executors.flatMap(({ name, seen }) =>
      Object.keys(seen.cases).map((value) => about.hot(name, value)),
    ),
  ];
  return Entries.of(Object.fromEntries(abouts.map((one) => [one, [seq]])));
}

export function afterUse(facts: Facts, { executor, behind, case: value }: Ran, seq: number): Facts {
  const used = behind === null ? facts : noted(facts, about.use(behind, executor), seq);
  return value === null ? used : noted(used, about.hot(executor, value), seq);
}

/** A proto-mnest, and what left it. */
export function missedAt(
  state: PoolState,
  missing: Missing,
  { nowMs, seq }: At,
  policy: MnestPolicy,
): PoolState {
  const facts = noted(state.facts, about.miss(missing.name), seq);
  return afterMiss({ ...state, facts }, missing, nowMs, policy);
}

/** A sequence was run; one that failed leaves nothing but that its count begins again. */
export function afterChain(
  facts: Facts,
  { chain, query, ok }: Mail["chain.ran"],
  seq: number,
): Facts {
  const key = about.chain(chainKey(chain));
  if (!ok) return withFact(facts, key, seq);
  const memo = about.memo(normalised(query));
  return noted(noted(facts, key, seq), memo, seq);
}

/** What a request's chain may rest on: uses and clean runs. */
export const forRequests = (facts: Facts): ToldFacts =>
  Object.fromEntries(facts.entries().filter(([key]) => /^(use|chain) /.test(key)));

/** The uses, misses and sequences that made the night ask for this. */
export function madeBy(facts: Facts, { material, need, strategy }: Wanted): readonly number[] {
  const { members, chain, covers, hot } = material;
  const pairs = members.flatMap((a) => members.map((b) => about.use(a, b)));
  return factsOf(facts, [
    ...(strategy === "merge" ? pairs : []),
    ...(strategy === "generate" && chain.length > 0 ? [about.memo(normalised(need.intent))] : []),
    ...(hot === null ? [] : members.map((name) => about.hot(name, hot.value))),
    ...(strategy === "generalise" && chain.length > 0 ? [about.chain(chainKey(chain))] : []),
    ...covers.map((name) => about.miss(name)),
  ]);
}
