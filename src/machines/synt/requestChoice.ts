/**
 * Which proposal of a request is taken: chain after chain until one reaches the threshold, then, with
 * `synt.compare: best`, the chain or the executor, by R. Source: seed 002, 4.1 and 6; rulings Y3, Y8.
 */
import { ownValue } from "../ownValue.ts";
import { type Chain, isHinted, type Link } from "./compose.ts";
import type { Artefact, Need } from "./contract.ts";
import { about, factsOf, hopsOf, type ToldFacts } from "./facts.ts";
import { chainKey } from "./poolState.ts";
import type { Candidate, RequestContext } from "./requestContext.ts";
import { byReward } from "./reward.ts";

export const candidateOf = (
  { names, rate }: Chain,
  known: { readonly cleanRuns: { readonly [chain: string]: number }; readonly facts?: ToldFacts },
): Candidate => ({
  chain: names,
  det: rate,
  cleanRuns: known.cleanRuns[chainKey(names)] ?? 0,
  uses: factsOf(known.facts ?? {}, hopsOf(names)),
  runs: factsOf(known.facts ?? {}, [about.chain(chainKey(names))]),
});

/** The first of these is the proposal; the others wait for it to miss the threshold. */
export function withChain(
  context: RequestContext,
  [first, ...candidates]: readonly [Candidate, ...Candidate[]],
): RequestContext {
  const rationale = `${chainKey(first.chain)} closes the gap with what is there; nothing new is needed`;
  return { ...context, ...first, strategy: "compose", candidates, rationale, fault: null };
}

/** The chain missed the threshold, and its R is kept: the next one's turn. */
export function nextChain(context: RequestContext): RequestContext {
  const [next, ...others] = context.candidates;
  if (next === undefined) return context;
  const tried = [...context.tried, context.fault?.why ?? ""];
  return withChain({ ...context, tried, scored: null }, [next, ...others]);
}

/** What the person wants composed is not compared with anything. */
export const isCompared = ({ drafts, input }: RequestContext): boolean =>
  drafts === 1 && input.revision?.target !== "compose";

/** On to the executor, with the chain in hand. */
export function holdingChain(context: RequestContext): RequestContext {
  const { chain, det, cleanRuns, uses, runs, scored } = context;
  if (scored === null) return context;
  const rationale = `${chainKey(chain)} reaches the threshold and is kept; an executor is made to compare it with`;
  return {
    ...{ ...context, rationale, strategy: "generate", chain: [], scored: null },
    heldChain: { chain, det, cleanRuns, uses, runs, scored },
  };
}

/** Whether the chain in hand is worth as much as the executor that was just scored, or more. */
export function isChainBetter({ heldChain, scored }: RequestContext): boolean {
  if (heldChain === null || scored === null) return false;
  return byReward(heldChain.scored.reward, scored.reward) <= 0;
}

/** Back to the chain in hand. */
export function withHeldChain(context: RequestContext): RequestContext {
  const { heldChain } = context;
  if (heldChain === null) return context;
  const { scored, ...candidate } = heldChain;
  return {
    ...withChain(context, [candidate]),
    ...{ scored, draft: null, error: null, heldChain: null },
  };
}

/** The chain is the better one; an executor that passes as well is kept in turn. */
export function withBetterChain(context: RequestContext): RequestContext {
  const { draft, det, cosine, scored } = context;
  const heldDraft = draft === null || scored === null ? null : { draft, det, cosine, scored };
  const isKept = scored?.reward.passes === true;
  return { ...withHeldChain(context), heldDraft: isKept ? heldDraft : null };
}

/** Back to the executor in hand. */
export function withHeldDraft(context: RequestContext): RequestContext {
  const { heldDraft } = context;
  if (heldDraft === null) return context;
  const { draft } = heldDraft;
  const rationale = `${draft.name} was made, passed its birth tests and reached the threshold`;
  return { ...context, ...heldDraft, rationale, strategy: "generate", chain: [], heldDraft: null };
}

/** What would lead to what is missed: the planner's hints, and the missing name itself. */
export const hintsOf = ({ hints, name }: Need): readonly string[] =>
  [...new Set([...hints, name])].filter((hint) => hint !== "");

/** Whether a chain for this need may end at an executor of the pool. */
export const endsAt = (need: Need, pool: readonly Link[]): ((name: string) => boolean) =>
  isHinted(hintsOf(need), need.from === null ? [] : [need.from], pool);

/**
 * The names of the pool's proto-mnests that nothing serves. What chains left that answer this need
 * was left by its own success; what a user asked for is not among these. Ruling Y23.
 */
export function unserved(
  { uncovered, stoodIn = {} }: Gaps,
  need: Need,
  pool: readonly Link[],
): readonly string[] {
  const isEnd = endsAt(need, pool);
  const answers = (chain: readonly string[]): boolean =>
    need.from !== null && chain[0] === need.from && isEnd(chain.at(-1) ?? "");
  return uncovered.filter((name) => !(ownValue(stoodIn, name) ?? []).some(answers));
}

/** What the pool misses. */
export interface Gaps {
  /** Names of proto-mnests that no active executor has. */
  readonly uncovered: readonly string[];
  /** Of those that no user asked for: the chains that stood in under that name. */
  readonly stoodIn?: { readonly [name: string]: readonly (readonly string[])[] };
}

/** What a proposal is called: the name of its executor, or its chain. */
export const called = ({ chain, draft }: RequestContext): string => draft?.name ?? chainKey(chain);

/** What the person reads before deciding, and what the audit keeps of the proposal. */
export function artefactOf({ chain, draft }: Pick<RequestContext, "chain" | "draft">): Artefact {
  if (draft === null) return chain.length === 0 ? null : [...chain];
  const { name, description, capabilities, profile, tests } = draft;
  return { name, description, capabilities, profile, tests: tests.length };
}
