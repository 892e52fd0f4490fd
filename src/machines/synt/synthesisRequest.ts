/**
 * One request of the cascade: reactive, it composes, then generates, then gives up with a reason;
 * introspective, it rewrites and proposes. Nothing enters the pool without R, the person's word and
 * a signature. Source: seed 002, 3 to 8; rulings Y3, Y10, Y12.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { type At, ask, cancelAsk, type Outbox, post } from "../letter.ts";
import { bouncedWords, POOL } from "./contract.ts";
import {
  called,
  holdingChain,
  isChainBetter,
  isCompared,
  nextChain,
  withBetterChain,
  withHeldChain,
  withHeldDraft,
} from "./requestChoice.ts";
import { openingRequest, type RequestContext } from "./requestContext.ts";
import type { RequestEvent, RequestInput } from "./requestEvents.ts";
import { judgeStart, personAsked } from "./requestLetters.ts";
import { proposalRationale } from "./requestRationale.ts";
import { compared, weighed } from "./requestScore.ts";
import { generatingSteps, proposedSteps } from "./requestSteps.ts";
import {
  amendmentIn,
  drafted,
  ended,
  generatingNow,
  isChained,
  isGranted,
  isShort,
  looked,
  revised,
  said,
  turnedDown,
} from "./requestUpdates.ts";
import type { SyntPolicy } from "./syntPolicy.ts";
import { draftMs, paidCallMs } from "./waits.ts";

const stating = (state: Parameters<typeof said>[1]) =>
  post<RequestContext, RequestEvent, RequestEvent>(({ context }) => [said(context, state)]);

export const synthesisRequestMachine = ({ synt }: { readonly synt: SyntPolicy }) => {
  const explained = (context: RequestContext): RequestContext => ({
    ...context,
    rationale: proposalRationale(context, synt),
  });
  return setup({
    types: {
      context: {} as RequestContext,
      events: {} as RequestEvent,
      input: {} as RequestInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isReactive: ({ context }) => context.input.mode === "reactive",
      isVetoed: ({ context }) => context.input.material.vetoes.length > 0,
      isCovered: ({ context }) => isShort(context),
      isChain: ({ context }) => isChained(context),
      isAutoGranted: ({ context }) => isGranted(context, synt),
      isFaultless: ({ context }) => context.fault === null,
      isTooLoose: ({ context }) => context.fault?.kind === "tooLoose",
      isOver: ({ context }) =>
        context.fault?.kind === "unpaid" || context.fault?.kind === "unlawful",
      isToCompare: ({ context }) =>
        context.fault === null && synt.compare === "best" && isCompared(context),
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
            entry: post(() => [ask({ to: POOL, key: "pool", event: { type: "pool.asked" } })]),
            exit: post(() => [cancelAsk("pool")]),
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
            entry: post(({ context }) => [personAsked(context, "chain")]),
            exit: post(() => [cancelAsk("person")]),
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
            entry: post(() => [ask({ to: POOL, key: "pool", event: { type: "pool.asked" } })]),
            exit: post(() => [cancelAsk("pool")]),
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
