/**
 * One request of the cascade: reactive, it composes, then generates, then gives up with a reason;
 * introspective, it rewrites and proposes. Nothing enters the pool without R, the person's word and
 * a signature. Source: seed 002, 3 to 8; rulings Y3, Y10, Y12.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../../answerWait.ts";
import { chartTypes, question } from "../../chart.ts";
import { post } from "../../letter.ts";
import { between, integer } from "../../policyLeaf.ts";
import { bouncedWords, POOL, type SyntError } from "../contract.ts";
import { isAutoGranted } from "../pool/compose.ts";
import { testRate } from "../score/reward.ts";
import { draftMs } from "../stages/executorDraft.ts";
import { type CallPolicy, paidCallMs } from "../stages/paidCall.ts";
import type { StagePolicy } from "../stages/stageTiers.ts";
import {
  type ChoicePolicy,
  called,
  holdingChain,
  isChainBetter,
  isCompared,
  looked,
  nextChain,
  withBetterChain,
  withHeldChain,
  withHeldDraft,
} from "./requestChoice.ts";
import {
  type Amendment,
  openingRequest,
  type RequestContext,
  type RequestEvent,
  type RequestInput,
  withRationale,
  withTried,
  wordsOf,
} from "./requestContext.ts";
import {
  compared,
  proposalRationale,
  rewriteFault,
  type ScorePolicy,
  weighed,
  within,
} from "./requestScore.ts";
import {
  asks,
  generatingSteps,
  judgeStart,
  personAsked,
  proposedSteps,
  stating,
} from "./requestSteps.ts";

export const revisionsLeaf = integer(3, between(0, 100, "revisions"), {
  says: "How often a proposal is amended before it is given up.",
  source: "ours, after the seed's three retries",
});

interface RequestPolicy extends ChoicePolicy, ScorePolicy {
  readonly gate: CallPolicy["gate"] & { readonly revisions: number };
  readonly stages: CallPolicy["stages"] & Pick<StagePolicy, "mode">;
}

/** A request waits for the person itself, several times over: nobody waits longer for its end. */
export const requestMs = ({ gate, stages }: CallPolicy): number =>
  100 * (stages.modelTimeoutMs + gate.waitMs);

const askPool = asks("pool", () => question(POOL, { type: "pool.asked" }));

export const synthesisRequestMachine = ({ synt }: { readonly synt: RequestPolicy }) => {
  const explained = (context: RequestContext): RequestContext => ({
    ...context,
    rationale: proposalRationale(context, synt),
  });
  return setup({
    types: chartTypes<RequestContext, RequestEvent, RequestInput>(),
    guards: {
      isReactive: ({ context }) => context.input.mode === "reactive",
      isVetoed: ({ context }) => context.input.material.vetoes.length > 0,
      isCovered: ({ context }) => context.chain.length === 1,
      isChain: ({ context }) => context.chain.length > 1,
      isAutoGranted: ({ context }) => isAutoGranted(context.cleanRuns, synt.compose),
      isFaultless: ({ context }) => context.fault === null,
      isTooLoose: ({ context }) => context.fault?.kind === "tooLoose",
      isOver: ({ context }) =>
        context.fault?.kind === "unpaid" || context.fault?.kind === "unlawful",
      isToCompare: ({ context }) => context.fault === null && isCompared(context, synt),
      hasNextChain: ({ context }) => context.candidates.length > 0,
      isChainBetter: ({ context }) => context.fault === null && isChainBetter(context),
      hasChain: ({ context }) => context.heldChain !== null,
      hasDraft: ({ context }) => context.heldDraft !== null,
      isApproved: ({ event }) => event.type === "person.decided" && event.decision === "approve",
      isOverRevised: ({ context, event }) =>
        amendmentIn(event) !== null && context.revisions >= synt.gate.revisions,
      isAmended: ({ event }) => amendmentIn(event) !== null,
      isAmendedToCompose: ({ context, event }) =>
        amendmentIn(event)?.target === "compose" && context.input.mode === "reactive",
      isAdmitted: ({ event }) => event.type === "pool.admitted" && event.ok,
      isMerge: ({ context, event }) =>
        event.type === "pool.admitted" && event.ok && context.strategy === "merge",
      isGeneralise: ({ context, event }) =>
        event.type === "pool.admitted" && event.ok && context.strategy === "generalise",
      isSpecialise: ({ context, event }) =>
        event.type === "pool.admitted" && event.ok && context.strategy === "specialise",
    },
    actions: {
      looked: assign(({ context, event }) => looked(context, event, synt)),
      unchained: assign(({ context }) => generatingNow(context, null)),
      vetoed: assign(({ context }) =>
        ended(context, context.input.material.vetoes.join("; "), "PolicyVeto"),
      ),
      drafted: assign(({ context, event }) => drafted(context, event, synt)),
      compared: assign(({ context, event }) => compared(context, event)),
      weighed: assign(({ context, event }) => weighed(context, event, synt)),
      explained: assign(({ context }) => explained(context)),
      heldChain: assign(({ context }) => holdingChain(context)),
      nextChain: assign(({ context }) => nextChain(context)),
      chainInstead: assign(({ context }) => explained(withHeldChain(context))),
      betterChain: assign(({ context }) => explained(withBetterChain(context))),
      backToDraft: assign(({ context }) => {
        const tried = [...context.tried, `the person turned down ${called(context)}`];
        return explained(withHeldDraft({ ...context, tried }));
      }),
      /** What was weighed is said once. */
      saidAll: assign({ weighed: [] }),
      unscored: assign(({ context }) => generatingNow(context, context.fault?.why ?? null)),
      turnedDown: assign(({ context }) => turnedDown(context)),
      granted: assign(({ context, event }) => ({
        ...context,
        rationale: `the person approved ${called(context)}`,
        grantedBy: event.at.seq,
      })),
      autoGranted: assign(({ context }) => ({
        ...context,
        rationale: `${called(context)} was granted without asking, after ${context.cleanRuns} clean runs`,
      })),
      amended: assign(({ context, event }) => revised(context, event)),
      amendedChain: assign(({ context, event }) =>
        generatingNow(revised(context, event), "the person asked for something else"),
      ),
      discardedChain: assign(({ context }) => {
        const why = `the person turned down ${called(context)}`;
        return generatingNow(context, why);
      }),
      discarded: assign(({ context }) =>
        ended(context, `the person turned down ${called(context)}`, null),
      ),
      overRevised: assign(({ context }) =>
        ended(context, `it was revised ${context.revisions} times already`, "StrategyExhausted"),
      ),
      undecided: assign(({ context }) =>
        ended(context, "the person did not decide; without a word nothing is done", "PolicyVeto"),
      ),
      signed: assign(({ context, event }) =>
        event.type === "sign.signed"
          ? { ...context, signature: event.signature, signer: event.key }
          : context,
      ),
      unadmitted: assign(({ context, event }) => {
        const why = event.type === "pool.admitted" ? event.why : null;
        return ended(context, `the pool turned it away: ${why}`, "PolicyVeto");
      }),
      bounced: assign(({ context, event }) =>
        ended(context, bouncedWords(event), "StrategyExhausted"),
      ),
      poolLate: assign(({ context }) => late(context, "the pool")),
      draftLate: assign(({ context }) => late(context, "the draft")),
      comparisonLate: assign(({ context }) => late(context, "the comparison with the pool")),
      judgeLate: assign(({ context }) => late(context, "the judge")),
      signerLate: assign(({ context }) => late(context, "the signer")),
    },
    delays: {
      answerTimeout: ANSWER_WAIT_MS,
      gateTimeout: synt.gate.waitMs,
      callTimeout: paidCallMs(synt),
      draftTimeout: draftMs(synt),
    },
  }).createMachine({
    id: "synthesisRequest",
    context: ({ input: { at: _, ...input } }) => openingRequest(input),
    initial: "opening",
    on: { "ask.bounced": { target: ".abandoned", actions: "bounced" } },
    states: {
      opening: {
        always: [{ guard: "isReactive", target: "composing" }, { target: "proposed" }],
      },
      composing: {
        id: "composing",
        initial: "walking",
        entry: stating("composing"),
        states: {
          walking: {
            ...askPool,
            on: { "pool.answered": { target: "walked", actions: "looked" } },
            after: { answerTimeout: { target: "#abandoned", actions: "poolLate" } },
          },
          walked: {
            always: [
              { guard: "isCovered", target: "#delivered" },
              { guard: "isChain", target: "judging" },
              { target: "#generating", actions: "unchained" },
            ],
          },
          judging: {
            entry: post(({ context }) => [judgeStart(context)]),
            on: { "paid.ended": { target: "weighing", actions: "weighed" } },
            after: { callTimeout: { target: "#abandoned", actions: "judgeLate" } },
          },
          weighing: {
            always: [
              { guard: "isOver", target: "#abandoned", actions: "turnedDown" },
              { guard: "isToCompare", target: "#generating", actions: "heldChain" },
              { guard: "isFaultless", target: "#composed", actions: "explained" },
              { guard: "hasNextChain", target: "judging", actions: "nextChain" },
              { target: "#generating", actions: "unscored" },
            ],
          },
        },
      },
      composed: {
        id: "composed",
        initial: "granting",
        entry: [stating("composed"), "saidAll"],
        states: {
          granting: {
            always: [
              { guard: "isAutoGranted", target: "#delivered", actions: "autoGranted" },
              { target: "asking" },
            ],
          },
          asking: {
            ...asks("person", ({ context }) => personAsked(context, "chain")),
            on: {
              "person.decided": [
                { guard: "isApproved", target: "#delivered", actions: "granted" },
                { guard: "isAmended", target: "#generating", actions: "amendedChain" },
                { guard: "hasDraft", target: "#generating.deciding", actions: "backToDraft" },
                { target: "#generating", actions: "discardedChain" },
              ],
              "synth.revised": { target: "#generating", actions: "amendedChain" },
            },
            after: { gateTimeout: { target: "#abandoned", actions: "undecided" } },
          },
        },
      },
      generating: {
        id: "generating",
        initial: "drafting",
        entry: [stating("generating"), "saidAll"],
        states: generatingSteps(synt),
      },
      proposed: {
        id: "proposed",
        initial: "vetoing",
        entry: stating("proposed"),
        states: {
          vetoing: {
            always: [
              { guard: "isVetoed", target: "#suspended", actions: "vetoed" },
              { target: "looking" },
            ],
          },
          looking: {
            ...askPool,
            on: { "pool.answered": { target: "drafting", actions: "looked" } },
            after: { answerTimeout: { target: "#abandoned", actions: "poolLate" } },
          },
          ...proposedSteps(synt),
        },
      },
      delivered: { id: "delivered", type: "final", entry: stating("delivered") },
      born: { id: "born", type: "final", entry: stating("born") },
      fused: { id: "fused", type: "final", entry: stating("fused") },
      generalised: { id: "generalised", type: "final", entry: stating("generalised") },
      specialised: { id: "specialised", type: "final", entry: stating("specialised") },
      abandoned: { id: "abandoned", type: "final", entry: stating("abandoned") },
      rejected: { id: "rejected", type: "final", entry: stating("rejected") },
      suspended: { id: "suspended", type: "final", entry: stating("suspended") },
    },
  });
};

const late = (context: RequestContext, who: string): RequestContext =>
  ended(context, `${who} did not answer in time`, "StrategyExhausted");

/** On to the next strategy, with the reason. */
function generatingNow(context: RequestContext, why: string | null): RequestContext {
  const tried = why === null ? context : withTried(context, why);
  return {
    ...withRationale(tried, why ?? context.rationale),
    strategy: "generate",
    chain: [],
    scored: null,
    fault: null,
  };
}

/** The draft, or why there is none or none that may go on. */
function drafted(
  context: RequestContext,
  event: RequestEvent,
  policy: RequestPolicy,
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
  return withRationale({ ...next, draft, fault, det: testRate(passed, run) }, says);
}

/** What the person wants changed, at the gate or by revise(); null when it is another decision. */
function amendmentIn(event: RequestEvent): Amendment | null {
  if (event.type === "synth.revised") return event;
  if (event.type !== "person.decided" || event.decision !== "amend") return null;
  return { feedback: event.feedback ?? null, target: event.target ?? null };
}

function revised(context: RequestContext, event: RequestEvent): RequestContext {
  const amendment = amendmentIn(event);
  if (amendment === null) return context;
  const { feedback } = amendment;
  const says = `the person asks for a change: ${wordsOf(amendment)}`;
  return {
    ...withRationale(context, says),
    feedback,
    draft: null,
    scored: null,
    ...{ heldChain: null, heldDraft: null },
    revisions: context.revisions + 1,
  };
}

function ended(context: RequestContext, why: string, error: SyntError | null): RequestContext {
  const next = withTried(context, why);
  const rationale = next.tried.join("; ");
  return { ...next, rationale, error: error ?? context.error, fault: null };
}

/** The end of what has a fault, with its reason; R is kept where there is one. */
const turnedDown = (context: RequestContext): RequestContext =>
  context.fault === null ? context : ended(context, context.fault.why, context.fault.error);
