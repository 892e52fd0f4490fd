/** What `ghostlight synt` calculates, as `--json` gives it. */
import type { Fields } from "../../../../cli/batch.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { nearest } from "../../../../machines/nearest.ts";
import { checkName, type NameVerdict, QUALIFIERS } from "../../../../machines/synt/naming.ts";
import {
  type Chain,
  chainsFrom,
  isHinted,
  virtualNode,
} from "../../../../machines/synt/pool/compose.ts";
import { shortCircuit } from "../../../../machines/synt/request/requestChoice.ts";
import { decimalOf } from "../../../../machines/synt/score/exactShare.ts";
import {
  BILLION,
  contractTerms,
  exactTerms,
  type Reward,
  reachable,
  reward,
  TERMS,
} from "../../../../machines/synt/score/reward.ts";
import type { SyntPolicy } from "../../../../machines/synt/syntPolicy.ts";
import { endIn, type ReadPool } from "./pool.ts";
import { termsFrom } from "./terms.ts";

const share = (billionths: number): number => billionths / BILLION;

/** R with every term, in the names of the contract (seed 002, 9). */
export function scored(fields: Fields, { reward: by }: SyntPolicy) {
  const { measured, assumed } = termsFrom(fields);
  const said = reward(measured, by);
  if (by.outside === "refuse" && said.outside.length > 0) throw outsideRefused(said);
  const { strategy, terms, parts, raw, total, passes, cosine, outside } = said;
  const { least, most } = reachable(strategy, by);
  return {
    strategy,
    total: decimalOf(total),
    passes,
    gate: by.gate / 1000,
    reward: { ...contractTerms(terms), total: decimalOf(total) },
    /** As it is decided by: numerator and denominator. */
    exact: { ...exactTerms(terms), total },
    parts: Object.fromEntries(TERMS.map((term) => [term, decimalOf(parts[term])])),
    sum: decimalOf(raw),
    cosine: share(cosine),
    reachable: { least: decimalOf(least), most: decimalOf(most) },
    assumed,
    outside,
  };
}

export type Scored = ReturnType<typeof scored>;

const outsideRefused = ({ outside }: Reward): BadInput =>
  badInput(
    outside.join(", "),
    "a value outside",
    "0 … 1",
    "`--set synt.reward.outside=count` counts it as given, with R held in 0 … 1.",
  );

export function nameAnswer(name: string, pool: readonly string[] | undefined, policy: SyntPolicy) {
  const verdict = checkName(name, policy.naming, pool);
  const near = verdict.ok ? null : nearMiss(verdict, policy);
  return { name, ...verdict, near, pool: pool === undefined ? null : shortCircuit(name, pool) };
}

export type Named = ReturnType<typeof nameAnswer>;

/** The name with its misspelt words put right, when that makes it a name of the vocabulary. */
function nearMiss({ parts, means }: NameVerdict, { naming }: SyntPolicy): string | null {
  if (parts === null || means !== null) return means;
  const { verb, object, qualifier, descriptor, provider } = parts;
  const known = (word: string, words: readonly string[]) =>
    words.includes(word) ? word : (nearest(word, words) ?? word);
  const name = [
    known(verb, naming.actions),
    known(object, naming.objects),
    qualifier && known(qualifier, Object.keys(QUALIFIERS)),
    descriptor,
    provider,
  ]
    .filter((part) => part !== null)
    .join("_");
  const { ok } = checkName(name, naming);
  return ok ? name : null;
}

/** How many hops beyond the bound are looked at, to say what the bound left out. */
const HOPS_BEYOND = 3;

export interface ChainSearch {
  readonly pool: ReadPool;
  readonly limit: number;
  readonly policy: SyntPolicy;
}

export function chained(from: string, to: string, { pool, limit, policy }: ChainSearch) {
  endIn(from, pool, "FROM");
  endIn(to, pool, "TO");
  const isTarget = pool.names.includes(to) ? (name: string) => name === to : isHinted([to]);
  const { chains, isCut } = chainsFrom(from, isTarget, pool, policy.compose);
  const [best] = chains;
  return {
    from,
    to,
    hopsMax: policy.compose.hopsMax,
    isCut,
    count: chains.length,
    chains: chains.slice(0, limit).map(shownChain),
    asOne: best === undefined ? null : virtualNode(best.names, pool.names),
    beyond: best === undefined ? beyond(from, isTarget, pool, policy) : null,
  };
}

const shownChain = ({ names, hops, fit, meanWeight, rate }: Chain) => ({
  names,
  hops,
  fit: fit / 1000,
  meanWeight: share(meanWeight),
  rate: decimalOf(rate),
});

/** The chain that only the bound on hops forbids, if there is one. */
function beyond(
  from: string,
  isTarget: (name: string) => boolean,
  pool: ReadPool,
  { compose }: SyntPolicy,
) {
  const longer = { ...compose, hopsMax: compose.hopsMax + HOPS_BEYOND };
  const [best] = chainsFrom(from, isTarget, pool, longer).chains;
  return best === undefined ? null : shownChain(best);
}

export type Chained = ReturnType<typeof chained>;
