/** What a request works out, as pure changes of its context, and what it says of itself. */
import { defined } from "../defined.ts";
import type { Letter } from "../letter.ts";
import { chainsFrom, isAutoGranted } from "./compose.ts";
import { DESK, type ProposalState, type Stated, type SyntError } from "./contract.ts";
import { shortCircuit } from "./redirect.ts";
import { artefactOf, candidateOf, endsAt, hintsOf, unserved, withChain } from "./requestChoice.ts";
import { type Amendment, type RequestContext, wordsOf } from "./requestContext.ts";
import type { RequestEvent, RequestInput, Shown } from "./requestEvents.ts";
import { within } from "./requestProfile.ts";
import { rewriteFault } from "./requestScore.ts";
import { testRate } from "./reward.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

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
    fault: null,
  };
}

/** The draft, or why there is none or none that may go on. */
export function drafted(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  if (event.type !== "draft.ended") return context;
  const next = { ...context, drafts: context.drafts + 1, cost: context.cost + event.cost };
  if (!event.ok || event.draft === null) {
    const why = `tried to ${context.strategy} it: ${event.why ?? "no draft"}`;
    return { ...next, fault: { kind: "undrafted", why, error: event.error } };
  }
  const { passed, run } = event;
  const draft = { ...event.draft, profile: within(context, event.draft.profile) };
  const says = `${draft.name} was made and passed ${passed} of ${run} birth tests`;
  const fault = rewriteFault(context, event, policy);
  return because({ ...next, draft, fault, det: testRate(passed, run) }, says);
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
  const rationale = next.tried.join("; ");
  return { ...next, rationale, error: error ?? context.error, fault: null };
}

/** The end of what has a fault, with its reason; R is kept where there is one. */
export const turnedDown = (context: RequestContext): RequestContext =>
  context.fault === null ? context : ended(context, context.fault.why, context.fault.error);

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
