/**
 * One request of the cascade: reactive, it composes, then generates, then gives up with a reason;
 * introspective, it rewrites and proposes. Nothing enters the pool without R, the person's word and
 * a signature. Source: seed 002, 3 to 8; rulings Y3, Y10, Y12.
 */
import { assign, setup } from "xstate";
import { type At, ask, cancelAsk, type Outbox, post } from "../letter.ts";
import { seconds } from "../units.ts";
import { POOL } from "./contract.ts";
import {
  amendmentIn,
  drafted,
  ended,
  generatingNow,
  isChained,
  isGranted,
  isShort,
  looked,
  openingRequest,
  type RequestContext,
  revised,
  said,
} from "./requestAccount.ts";
import {
  called,
  holdingChain,
  isChainBetter,
  isCompared,
  nextChain,
  withBetterChain,
  withHeldDraft,
} from "./requestChoice.ts";
import type { RequestEvent, RequestInput } from "./requestEvents.ts";
import { chainInstead } from "./requestFallback.ts";
import { judgeStart, personAsked } from "./requestLetters.ts";
import { belowGate, proposalRationale } from "./requestRationale.ts";
import {
  compared,
  isTurnedDown,
  isUnpaid,
  judgedBy,
  rewriteFault,
  turnedDown,
  violationIn,
} from "./requestScore.ts";
import { generatingSteps, proposedSteps } from "./requestSteps.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

const told = (state: Parameters<typeof said>[1]) =>
  post<RequestContext, RequestEvent, RequestEvent>(({ context }) => [said(context, state)]);

export const synthesisRequestMachine = ({ synt }: { readonly synt: SyntPolicy }) =>
  setup({
    types: {
      context: {} as RequestContext,
      events: {} as RequestEvent,
      input: {} as RequestInput & { at: At },
      emitted: {} as Outbox,
    },
    guards: {
      isReactive: ({ context }) => context.input.mode === "reactive",
      isVetoed: ({ context }) => context.input.material.vetoes.length > 0,
      isCovered: ({ context, event }) => isShort(looked(context, event, synt)),
      isChain: ({ context, event }) => isChained(looked(context, event, synt)),
      isAutoGranted: ({ context }) => isGranted(context, synt),
      isMade: ({ event }) => event.type === "draft.ended" && event.ok,
      isTooLoose: ({ context, event }) => rewriteFault(context, event, synt)?.verdict === "suspend",
      isNoBenefit: ({ context, event }) => rewriteFault(context, event, synt) !== null,
      isOver: ({ event }) => isUnpaid(event) || violationIn(event) !== null,
      isTurnedDown: ({ context, event }) => isTurnedDown(context, event, synt),
      isTurnedDownWithChain: ({ context, event }) =>
        context.heldChain !== null && isTurnedDown(context, event, synt),
      passes: ({ context, event }) => judgedBy(context, event, synt).scored?.reward.passes === true,
      isToCompare: ({ context, event }) =>
        synt.compare === "best" &&
        isCompared(context) &&
        judgedBy(context, event, synt).scored?.reward.passes === true,
      hasNextChain: ({ context }) => context.candidates.length > 0,
      isChainBetter: ({ context, event }) => isChainBetter(judgedBy(context, event, synt)),
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
      unchained: assign(({ context, event }) => generatingNow(looked(context, event, synt), null)),
      vetoed: assign(({ context }) =>
        ended(context, context.input.material.vetoes.join("; "), "PolicyVeto"),
      ),
      drafted: assign(({ context, event }) => drafted(context, event)),
      undrafted: assign(({ context, event }) => {
        const next = drafted(context, event);
        return { ...next, rationale: next.tried.join("; ") };
      }),
      useless: assign(({ context, event }) => {
        const fault = rewriteFault(context, event, synt);
        const reasons = fault === null || !("reasons" in fault) ? [] : fault.reasons;
        const error = fault?.verdict === "suspend" ? "PolicyVeto" : "StrategyExhausted";
        return ended(drafted(context, event), reasons.join("; "), error);
      }),
      compared: assign(({ context, event }) => compared(context, event)),
      scored: assign(({ context, event }) => {
        const next = judgedBy(context, event, synt);
        return { ...next, rationale: proposalRationale(next, synt) };
      }),
      heldChain: assign(({ context, event }) => holdingChain(judgedBy(context, event, synt))),
      nextChain: assign(({ context, event }) => nextChain(judgedBy(context, event, synt))),
      chainInstead: assign(({ context, event }) => chainInstead(context, event, synt)),
      betterChain: assign(({ context, event }) => {
        const next = withBetterChain(judgedBy(context, event, synt));
        return { ...next, rationale: proposalRationale(next, synt) };
      }),
      backToDraft: assign(({ context }) => {
        const tried = [...context.tried, `the person turned down ${called(context)}`];
        const next = withHeldDraft({ ...context, tried });
        return { ...next, rationale: proposalRationale(next, synt) };
      }),
      /** What was weighed is said once. */
      saidAll: assign({ weighed: [] }),
      unscored: assign(({ context, event }) => {
        const next = judgedBy(context, event, synt);
        return generatingNow(next, belowGate(next));
      }),
      turnedDown: assign(({ context, event }) => turnedDown(context, event, synt)),
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
        ended(context, "nobody decided; without a word nothing is done", "PolicyVeto"),
      ),
      signed: assign(({ context, event }) =>
        event.type === "sign.signed"
          ? { ...context, signature: event.signature, signer: event.key }
          : context,
      ),
      unadmitted: assign(({ context, event }) => {
        const why = event.type === "pool.admitted" ? event.why : null;
        return ended(context, `the pool refused it: ${why}`, "PolicyVeto");
      }),
      late: assign(({ context }) => ended(context, "nobody answered in time", "StrategyExhausted")),
    },
    delays: {
      answerTimeout: seconds(60),
      gateTimeout: synt.gate.waitMs,
      callTimeout: synt.stages.modelTimeoutMs + synt.gate.waitMs + seconds(120),
      // Every stage with every retry, each as long as a call may take.
      draftTimeout: 30 * (synt.stages.modelTimeoutMs + synt.gate.waitMs),
    },
  }).createMachine({
    id: "synthesisRequest",
    context: ({ input: { at: _, ...input } }) => openingRequest(input),
    initial: "opening",
    on: { "ask.bounced": { target: ".abandoned", actions: "late" } },
    states: {
      opening: {
        always: [{ guard: "isReactive", target: "composing" }, { target: "proposed" }],
      },
      composing: {
        id: "composing",
        initial: "walking",
        entry: told("composing"),
        states: {
          walking: {
            entry: post(() => [ask({ to: POOL, key: "pool", event: { type: "pool.asked" } })]),
            exit: post(() => [cancelAsk("pool")]),
            on: {
              "pool.answered": [
                { guard: "isCovered", target: "#delivered", actions: "looked" },
                { guard: "isChain", target: "judging", actions: "looked" },
                { target: "#generating", actions: "unchained" },
              ],
            },
            after: { answerTimeout: { target: "#abandoned", actions: "late" } },
          },
          judging: {
            entry: post(({ context }) => [judgeStart(context)]),
            on: {
              "paid.ended": [
                { guard: "isOver", target: "#abandoned", actions: "turnedDown" },
                { guard: "isToCompare", target: "#generating", actions: "heldChain" },
                { guard: "passes", target: "#composed", actions: "scored" },
                {
                  guard: "hasNextChain",
                  target: "judging",
                  reenter: true,
                  actions: "nextChain",
                },
                { target: "#generating", actions: "unscored" },
              ],
            },
            after: { callTimeout: { target: "#abandoned", actions: "late" } },
          },
        },
      },
      composed: {
        id: "composed",
        initial: "granting",
        entry: [told("composed"), "saidAll"],
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
        entry: [told("generating"), "saidAll"],
        states: generatingSteps(synt),
      },
      proposed: {
        id: "proposed",
        initial: "vetoing",
        entry: told("proposed"),
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
            after: { answerTimeout: { target: "#abandoned", actions: "late" } },
          },
          ...proposedSteps(synt),
        },
      },
      delivered: { id: "delivered", type: "final", entry: told("delivered") },
      born: { id: "born", type: "final", entry: told("born") },
      fused: { id: "fused", type: "final", entry: told("fused") },
      generalised: { id: "generalised", type: "final", entry: told("generalised") },
      specialised: { id: "specialised", type: "final", entry: told("specialised") },
      abandoned: { id: "abandoned", type: "final", entry: told("abandoned") },
      rejected: { id: "rejected", type: "final", entry: told("rejected") },
      suspended: { id: "suspended", type: "final", entry: told("suspended") },
    },
  });
