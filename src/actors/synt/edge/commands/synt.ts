/** `ghostlight synt`: what synt's arithmetic says to terms, names and chains given by hand. */

import { batchLine, batchLines, type Fields } from "../../../../cli/batchLines.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption } from "../../../../cli/options.ts";
import { print, printJson, printJsonLine } from "../../../../cli/output.ts";
import { BadInput, isEdgeError, nearest } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import {
  type Chain,
  chainsFrom,
  isHinted,
  virtualNode,
} from "../../../../machines/synt/compose.ts";
import { decimalOf } from "../../../../machines/synt/exactShare.ts";
import { checkName, type NameVerdict } from "../../../../machines/synt/naming.ts";
import { shortCircuit } from "../../../../machines/synt/redirect.ts";
import {
  BILLION,
  contractTerms,
  exactTerms,
  type Reward,
  reachable,
  reward,
  TERMS,
} from "../../../../machines/synt/reward.ts";
import type { SyntPolicy } from "../../../../machines/synt/syntPolicy.ts";
import { QUALIFIERS } from "../../../../machines/synt/vocabulary.ts";
import { policyWith } from "../../../../policy.ts";
import { analyseSynt } from "../../analysis.ts";
import { endIn, poolFile, poolFrom, type ReadPool } from "./pool.ts";
import { judgeOf, termsFrom } from "./terms.ts";
import { analysisText, chainText, nameText, scoreText } from "./text.ts";

interface PolicyFlags extends JsonFlag {
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
}

function syntPolicy({ set = [], profile }: PolicyFlags): SyntPolicy {
  const { synt } = policyWith(overridesOption(set, profile));
  echoSet(set);
  return synt;
}

/** Each line is answered in its place; one that cannot be read gets an error there, and exit 2. */
async function answerBatch(answer: (fields: Fields) => object): Promise<number> {
  let bad = 0;
  for (const line of await batchLines()) {
    const said = batchAnswer(line, answer);
    if ("error" in said) bad += 1;
    printJsonLine(said);
  }
  return bad === 0 ? EXIT.ok : EXIT.badInput;
}

function batchAnswer(line: string, answer: (fields: Fields) => object): object {
  const read = batchLine(line);
  if ("error" in read) return read;
  const { id, fields } = read;
  try {
    return { id, ...answer(fields) };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { id, error: error.message.split("\n")[0] ?? "" };
  }
}

function eitherOr(given: boolean, what: string, { batch }: PolicyFlags): void {
  if (given !== (batch === true)) return;
  throw new BadInput({
    where: { path: "synt" },
    found: given ? `${what} and --batch` : `neither ${what} nor --batch`,
    allowed: "one of the two",
    todo: `Give ${what}, or --batch with JSON lines on standard input.`,
  });
}

export interface ScoreFlags extends PolicyFlags {
  readonly strategy?: string;
  readonly det?: string;
  readonly judge?: string;
  readonly cost?: string;
  readonly actualCost?: string;
  readonly estimate?: string;
  readonly similarity?: string;
  readonly coverage?: string;
}

export async function syntScoreCommand(flags: ScoreFlags): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOr(flags.strategy !== undefined, "--strategy", flags);
  if (flags.batch) return answerBatch((fields) => scored(fields, policy));
  const { strategy, det, judge, cost, actualCost, estimate, similarity, coverage } = flags;
  const given = { strategy, det, judge, cost, estimate, similarity, coverage };
  const said = scored({ ...given, actual_cost: actualCost }, policy);
  if (flags.json) printJson(said);
  else print(scoreText(said));
  return said.passes ? EXIT.ok : EXIT.failed;
}

const share = (billionths: number): number => billionths / BILLION;

/** R with every term, in the names of the contract (seed 002, 9). */
function scored(fields: Fields, { reward: by }: SyntPolicy) {
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
  new BadInput({
    where: { path: outside.join(", ") },
    found: "a value outside",
    allowed: "0 … 1",
    todo: "`--set synt.reward.outside=count` counts it as given, with R held in 0 … 1.",
  });

export interface NameFlags extends PolicyFlags {
  readonly pool?: string;
}

export async function syntNameCommand(name: string | undefined, flags: NameFlags): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOr(name !== undefined, "a name", flags);
  const pool = flags.pool === undefined ? undefined : poolFile(flags.pool).names;
  if (name === undefined) return answerBatch((fields) => namedIn(fields, pool, policy));
  const said = named(name, pool, policy);
  if (flags.json) printJson(said);
  else print(nameText(said));
  return said.ok ? EXIT.ok : EXIT.failed;
}

/** A line may bring the names of its own pool. */
function namedIn(fields: Fields, pool: readonly string[] | undefined, policy: SyntPolicy) {
  const { name } = fields;
  if (typeof name !== "string") throw noName(name);
  const own = fields["pool"] ?? fields["live"];
  return named(name, own === undefined ? pool : poolFrom(own as Fields).names, policy);
}

const noName = (found: unknown): BadInput =>
  new BadInput({
    where: { path: "name" },
    found: String(JSON.stringify(found)),
    allowed: "a text",
    todo: "",
  });

function named(name: string, pool: readonly string[] | undefined, policy: SyntPolicy) {
  const verdict = checkName(name, policy.naming, pool);
  const near = verdict.ok ? null : nearMiss(verdict, policy);
  return { name, ...verdict, near, pool: pool === undefined ? null : shortCircuit(name, pool) };
}

export type Named = ReturnType<typeof named>;

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

export interface ChainFlags extends PolicyFlags {
  readonly pool?: string;
  readonly limit?: number;
}

export async function syntChainCommand(
  from: string | undefined,
  to: string | undefined,
  flags: ChainFlags,
): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOr(from !== undefined && to !== undefined, "FROM and TO", flags);
  const limit = flags.limit ?? CHAINS_SHOWN;
  const pool = flags.pool === undefined ? undefined : poolFile(flags.pool);
  if (flags.batch) return answerBatch((fields) => chainedIn(fields, { pool, limit, policy }));
  if (pool === undefined) throw noPool();
  const said = chained(from ?? "", to ?? "", { pool, limit, policy });
  if (flags.json) printJson(said);
  else print(chainText(said));
  return said.chains.length > 0 ? EXIT.ok : EXIT.failed;
}

const CHAINS_SHOWN = 5;
/** How many hops beyond the bound are looked at, to say what the bound omits. */
const HOPS_BEYOND = 3;

interface ChainSearch {
  readonly pool: ReadPool;
  readonly limit: number;
  readonly policy: SyntPolicy;
}

const noPool = (): BadInput =>
  new BadInput({
    where: { path: "--pool" },
    found: "none",
    allowed: "a JSON file",
    todo: "Give the pool whose executors make up the chain.",
  });

/** A line may bring its own pool. */
function chainedIn(
  fields: Fields,
  { pool, ...rest }: Omit<ChainSearch, "pool"> & { readonly pool: ReadPool | undefined },
) {
  const own = fields["pool"] === undefined ? pool : poolFrom(fields["pool"] as Fields);
  if (own === undefined) throw noPool();
  const { from, to } = fields;
  return chained(String(from), String(to), { ...rest, pool: own });
}

function chained(from: string, to: string, { pool, limit, policy }: ChainSearch) {
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

export interface AnalyseFlags extends PolicyFlags {
  readonly judge?: string;
}

export function syntAnalyseCommand(flags: AnalyseFlags): number {
  const judge = judgeOf(flags.judge ?? "0.5");
  const analysis = analyseSynt(syntPolicy(flags), { judge });
  if (flags.json) printJson(analysis);
  else print(analysisText(analysis));
  return EXIT.ok;
}
