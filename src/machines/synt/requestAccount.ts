/** What a request knows, what it works out, and what it says. The order is in synthesisRequest.ts. */
import { defined } from "../defined.ts";
import type { Letter } from "../letter.ts";
import { chainsFrom, isAutoGranted } from "./compose.ts";
import {
  DESK,
  type Draft,
  type ProposalState,
  type Redirect,
  type Scored,
  type Stated,
  type SyntError,
  type Weighed,
} from "./contract.ts";
import { NONE, type Share } from "./exactShare.ts";
import { shortCircuit } from "./redirect.ts";
import {
  artefactOf,
  type Candidate,
  candidateOf,
  endsAt,
  type HeldChain,
  type HeldDraft,
  hintsOf,
  unserved,
  withChain,
} from "./requestChoice.ts";
import type { RequestEvent, RequestInput, Shown } from "./requestEvents.ts";
import { within } from "./requestProfile.ts";
import { type Strategy, testRate } from "./reward.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

export interface RequestContext {
  readonly input: RequestInput;
  readonly pool: readonly Shown[];
  readonly uncovered: readonly string[];
  readonly strategy: Strategy | null;
  /** Composed: the chain. Short-circuited: the executor that does it already. */
  readonly chain: readonly string[];
  /** Short-circuited under another name. */
  readonly redirect: Redirect | null;
  /** Chains that are scored when those before them have missed the gate. */
  readonly candidates: readonly Candidate[];
  readonly heldChain: HeldChain | null;
  readonly heldDraft: HeldDraft | null;
  /** det_pass_rate. */
  readonly det: Share;
  readonly cleanRuns: number;
  /** The uses that its chain goes over, and the clean runs that may grant it. */
  readonly uses: readonly number[];
  readonly runs: readonly number[];
  readonly draft: Draft | null;
  readonly drafts: number;
  readonly judged: number;
  readonly cosine: number;
  /** Millionths of a cent. */
  readonly cost: number;
  readonly scored: Scored | null;
  /** What was scored since the request last said something of itself. */
  readonly weighed: readonly Weighed[];
  readonly feedback: string | null;
  readonly revisions: number;
  /** What was tried and on what it failed: the sentence of an abandonment. */
  readonly tried: readonly string[];
  readonly rationale: string;
  readonly error: SyntError | null;
  readonly grantedBy: number;
  readonly signature: string;
  readonly signer: string;
}

export const openingRequest = (input: RequestInput): RequestContext => ({
  input,
  pool: [],
  uncovered: [],
  strategy: input.strategy,
  chain: [],
  redirect: null,
  candidates: [],
  heldChain: null,
  heldDraft: null,
  det: NONE,
  cleanRuns: 0,
  uses: [],
  runs: [],
  draft: null,
  drafts: 1,
  judged: 1,
  cosine: 0,
  cost: 0,
  scored: null,
  weighed: [],
  feedback: input.revision?.feedback ?? null,
  revisions: 0,
  tried: [],
  rationale: openingWords(input),
  error: null,
  grantedBy: 0,
  signature: "",
  signer: "",
});

function openingWords({ strategy, need, revision }: RequestInput): string {
  const what = strategy === null ? need.intent : `${strategy}: ${need.intent}`;
  return revision === null ? what : `${what} (${revision.request} again: ${wordsOf(revision)})`;
}

const wordsOf = ({ feedback }: Amendment): string => feedback ?? "no word what should change";

export const addressOf = ({ input }: RequestContext): string => `synt/${input.request}`;
const because = (context: RequestContext, rationale: string): RequestContext => ({
  ...context,
  rationale,
});
const triedTo = (context: RequestContext, what: string): RequestContext => ({
  ...context,
  tried: [...context.tried, what],
});

/** What the pool shows, and what follows at once: it is covered, or a chain, or none. */
export function looked(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  if (event.type !== "pool.answered") return context;
  const { executors: pool, edges } = event;
  const { need, mode } = context.input;
  const seen = { ...context, pool, uncovered: unserved(event, need, pool) };
  if (mode === "introspective") return seen;
  const short = shortOf(need.name, pool);
  if (short !== null) {
    const { name, redirect, says } = short;
    return because({ ...seen, chain: [name], redirect }, says);
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
    return because(triedTo(seen, says), says);
  }
  if (best === undefined) {
    const cut = isCut ? "; the walk was cut short" : "";
    const says = `tried to compose with ${pool.length} executors: ${noChain(need, policy)}${cut}`;
    return because(triedTo(seen, says), says);
  }
  return withChain(seen, [best, ...others]);
}

/** What a chain may lead to: what would do as well, and what is missing itself, under a longer name. */
function noChain(need: RequestInput["need"], { compose }: SyntPolicy): string {
  const { from } = need;
  const hints = hintsOf(need);
  if (from === null) return "nothing that is there comes before what is missing";
  if (hints.length === 0) return "nobody knows what a chain would have to lead to";
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
  if (found.outcome !== "redirected") return null;
  const redirect = { from: name, to: found.name };
  return { name: found.name, redirect, says: `redirected to ${found.name}, which does the same` };
}

export const isShort = ({ chain }: RequestContext): boolean => chain.length === 1;
export const isChained = ({ chain }: RequestContext): boolean => chain.length > 1;
export const isGranted = (context: RequestContext, policy: SyntPolicy): boolean =>
  isAutoGranted(context.cleanRuns, policy.compose);

/** On to the next strategy, with the reason. */
export function generatingNow(context: RequestContext, why: string | null): RequestContext {
  const tried = why === null ? context : triedTo(context, why);
  return {
    ...because(tried, why ?? context.rationale),
    strategy: "generate",
    chain: [],
    scored: null,
  };
}

export function drafted(context: RequestContext, event: RequestEvent): RequestContext {
  if (event.type !== "draft.ended") return context;
  const next = { ...context, drafts: context.drafts + 1, cost: context.cost + event.cost };
  if (!event.ok || event.draft === null) {
    const why = `tried to ${context.strategy} it: ${event.why ?? "no draft"}`;
    return { ...triedTo(next, why), error: event.error };
  }
  const { passed, run } = event;
  const draft = { ...event.draft, profile: within(context, event.draft.profile) };
  const says = `${draft.name} was made and passed ${passed} of ${run} birth tests`;
  return because({ ...next, draft, det: testRate(passed, run) }, says);
}

interface Amendment {
  readonly feedback: string | null;
  readonly target: string | null;
}

/** What the person wants changed, at the gate or by revise(); null when it is another decision. */
export function amendmentIn(event: RequestEvent): Amendment | null {
  if (event.type === "synth.revised") return event;
  if (event.type !== "person.decided" || event.decision !== "amend") return null;
  return { feedback: event.feedback ?? null, target: event.target ?? null };
}

export function revised(context: RequestContext, event: RequestEvent): RequestContext {
  const amendment = amendmentIn(event);
  if (amendment === null) return context;
  const { feedback } = amendment;
  const says = `the person asks for a change: ${wordsOf(amendment)}`;
  return {
    ...because(context, says),
    feedback,
    draft: null,
    scored: null,
    ...{ heldChain: null, heldDraft: null },
    revisions: context.revisions + 1,
  };
}

export function ended(
  context: RequestContext,
  why: string,
  error: SyntError | null,
): RequestContext {
  const next = triedTo(context, why);
  return { ...next, rationale: next.tried.join("; "), error: error ?? context.error };
}

/** The letter of a state: the desk writes the audit of it. */
export function said(context: RequestContext, state: ProposalState): Letter {
  const { input, strategy, rationale, error, scored, redirect, weighed } = context;
  const { request, mode, proto, need, revision } = input;
  const stated: Stated = defined({
    request,
    mode,
    proto,
    intent: need.intent,
    strategy,
    state,
    rationale,
    error,
    scored,
    artefact: artefactOf(context),
    weighed,
    revises: revision?.request ?? null,
    redirect: redirect ?? undefined,
  });
  const isUnasked = state === "delivered" && strategy === "compose" && context.grantedBy === 0;
  // A chain rests on its uses; one that the person was not asked about, on its clean runs.
  const rests = state === "composed" ? context.uses : isUnasked ? context.runs : [];
  return { to: DESK, event: { type: "synth.stated", ...stated }, because: rests };
}
