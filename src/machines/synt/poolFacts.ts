/** What the keeper of the pool remembers of which delivery made what, for `because`. See facts.ts. */
import { Entries } from "../entries.ts";
import type { At, Mail } from "../letter.ts";
import type { Wanted } from "./contract.ts";
import { about, type Facts, factsOf, noted, type ToldFacts, withFact } from "./facts.ts";
import { normalised } from "./locks.ts";
import type { MnestPolicy } from "./mnestome.ts";
import {
  afterMiss,
  chainKey,
  type Missing,
  type PoolInput,
  type PoolState,
  type Ran,
} from "./poolState.ts";

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
