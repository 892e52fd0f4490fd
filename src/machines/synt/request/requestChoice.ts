/**
 * Which proposal of a request is taken: what the pool has already, else chain after chain until one
 * reaches the threshold, then, with `synt.compare: best`, the chain or the executor, by R.
 */
import { ownValue } from "../../ownValue.ts";
import { between, choice, integer } from "../../policyLeaf.ts";
import type { Artefact, Need } from "../contract.ts";
import { about, factsOf, hopsOf, type ToldFacts } from "../facts.ts";
import { canonicalObject, PRODUCERS, PROVIDERS, parseName } from "../naming.ts";
import {
  type Chain,
  type ComposePolicy,
  chainsFrom,
  isHinted,
  type Link,
} from "../pool/compose.ts";
import { chainKey, type Shown } from "../pool/poolState.ts";
import { byReward } from "../score/reward.ts";
import {
  type Candidate,
  type RequestContext,
  type RequestEvent,
  withRationale,
  withTried,
} from "./requestContext.ts";

export const compareLeaf = choice("first", ["first", "best"], {
  says: "The first strategy whose R reaches the threshold, or the best of chain and executor by R; the latter pays for a generation each time.",
  source: "seed 002, 3 and 6 (first); ours (best)",
});

export const chainsMaxLeaf = integer(3, between(1, 100, "chains"), {
  says: "Chains of a need that are scored, the best first, until one reaches the threshold.",
  source: "ours: the seed says whether a chain is found, not what follows one below the threshold",
});

export interface ChoicePolicy {
  readonly compare: "first" | "best";
  readonly compose: ComposePolicy & { readonly chainsMax: number };
}

/** What the pool shows, and what follows at once: it is covered, or a chain, or none. */
export function looked(
  context: RequestContext,
  event: RequestEvent,
  policy: Pick<ChoicePolicy, "compose">,
): RequestContext {
  if (event.type !== "pool.answered") return context;
  const { executors: pool, edges } = event;
  const { need, mode } = context.input;
  const seen = { ...context, pool, uncovered: unserved(event, need, pool) };
  if (mode === "introspective") return seen;
  const short = shortOf(need.name, pool);
  if (short !== null) {
    const { name, redirect, says } = short;
    return withRationale({ ...seen, chain: [name], redirect }, says);
  }
  const { chains, isCut } =
    need.from === null
      ? { chains: [], isCut: false }
      : chainsFrom(
          need.from,
          endsAt(need, pool),
          { links: pool, edges, intent: need.intent },
          policy.compose,
        );
  const [best, ...others] = chains
    .slice(0, policy.compose.chainsMax)
    .map((chain) => candidateOf(chain, event));
  if (context.input.revision?.target === "generate") {
    const says = "the person asked for new code in place of a chain";
    return withRationale(withTried(seen, says), says);
  }
  if (best === undefined) {
    const cut = isCut ? "; the walk was cut short" : "";
    const says = `tried to compose with ${pool.length} executors: ${noChain(need, policy)}${cut}`;
    return withRationale(withTried(seen, says), says);
  }
  return withChain(seen, [best, ...others]);
}

/** What a chain may lead to: what would do as well, and what is missing itself, under a longer name. */
function noChain(need: Need, { compose }: Pick<ChoicePolicy, "compose">): string {
  const { from } = need;
  const hints = hintsOf(need);
  if (from === null) return "nothing that is there comes before what is missing";
  if (hints.length === 0) return "the plan does not say what a chain would have to lead to";
  return `no chain of at most ${compose.hopsMax} hops leads from ${from} to ${hints.join(" or ")}`;
}

function shortOf(name: string, pool: readonly Shown[]) {
  const found = shortCircuit(
    name,
    pool.map((one) => one.name),
  );
  if (found.outcome === "covered") {
    return { name: found.name, redirect: null, says: `${found.name} covers it already` };
  }
  const approved = pool.find(({ closes = [] }) => closes.includes(name));
  if (approved !== undefined) {
    return { name: approved.name, redirect: null, says: `${approved.name} was approved for it` };
  }
  if (found.outcome !== "redirected") return null;
  const redirect = { from: name, to: found.name };
  return { name: found.name, redirect, says: `redirected to ${found.name}, which does the same` };
}

/*
 * The short circuit, before anything is built: the pool has what is missed, or has the same under
 * another producing verb. Source: seed 002, "short-circuit"; the real system's order of verbs.
 */

export type ShortCircuit =
  | { readonly outcome: "missing-name" }
  | { readonly outcome: "covered" | "redirected"; readonly name: string }
  | { readonly outcome: "cascade" };

/** In this order: no name, already in the pool, redirected to a canonical executor; else the cascade. */
export function shortCircuit(name: string, pool: readonly string[]): ShortCircuit {
  if (name === "") return { outcome: "missing-name" };
  if (pool.includes(name)) return { outcome: "covered", name };
  const other = canonicalExecutor(name, pool);
  return other === null ? { outcome: "cascade" } : { outcome: "redirected", name: other };
}

/**
 * Another executor of the pool that does what `name` says. An exact qualifier goes before none, over
 * all verbs; a provider is never dropped (the real system tries verb by verb and drops it), but the
 * qualifier before it may be.
 */
export function canonicalExecutor(name: string, pool: readonly string[]): string | null {
  const parts = parseName(name);
  if (parts === null || !PRODUCERS.includes(parts.verb)) return null;
  const object = canonicalObject(parts.object);
  if (object === null) return null;
  const { qualifier, provider } = parts;
  const isProvider = qualifier !== null && PROVIDERS.includes(qualifier);
  const tails = [
    [qualifier, provider],
    ...(qualifier === null || isProvider ? [] : [[null, provider]]),
  ];
  for (const tail of tails) {
    const rest = tail.filter((part) => part !== null);
    const found = PRODUCERS.map((verb) => [verb, object, ...rest].join("_")).find(
      (one) => one !== name && pool.includes(one),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/* Chain after chain, and the chain or the executor. Source: seed 002, 4.1 and 6; rulings Y3, Y8. */

const candidateOf = (
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
function withChain(
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
export const isCompared = (
  { drafts, input }: RequestContext,
  { compare }: Pick<ChoicePolicy, "compare">,
): boolean => compare === "best" && drafts === 1 && input.revision?.target !== "compose";

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

/** The chain is the better one; the executor, which passes as well, is kept in turn. */
export function withBetterChain(context: RequestContext): RequestContext {
  const { draft, det, cosine, scored } = context;
  const heldDraft = draft === null || scored === null ? null : { draft, det, cosine, scored };
  return { ...withHeldChain(context), heldDraft };
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
const hintsOf = ({ hints, name }: Need): readonly string[] =>
  [...new Set([...hints, name])].filter((hint) => hint !== "");

/** Whether a chain for this need may end at an executor of the pool. */
const endsAt = (need: Need, pool: readonly Link[]): ((name: string) => boolean) =>
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
