/** The steps that reactive and introspective requests share, as parts of synthesisRequest.ts. */
import { cancelAsk, post } from "../letter.ts";
import { type RequestContext, type RequestEvent, said } from "./requestAccount.ts";
import {
  comparison,
  draftStart,
  gateAsked,
  judgeStart,
  offerMade,
  personAsked,
  signingAsked,
} from "./requestLetters.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

const spoken = post<RequestContext, RequestEvent, RequestEvent>;
const cancelled = (key: string) => spoken(() => [cancelAsk(key)]);

/** From the draft to the pool: the same steps for what a user waits for and what a night proposes. */
/** revise(): at the gate the person sends a proposal back, so often and no more. */
const amending = (state: "generating" | "proposed") =>
  [
    { guard: "isOverRevised", target: "#abandoned", actions: "overRevised" },
    { guard: "isAmendedToCompose", target: "#composing", actions: "amended" },
    {
      guard: "isAmended",
      target: "drafting",
      actions: ["amended", spoken(({ context }) => [said(context, state)])],
    },
  ] as const;

export const making = <const Discarded extends string, const Undecided extends string>(
  policy: SyntPolicy,
  state: "generating" | "proposed",
  discarded: Discarded,
  undecided: Undecided,
) =>
  ({
    drafting: {
      entry: spoken(({ context }) => [draftStart(context, policy)]),
      on: {
        "draft.ended": [
          { guard: "isTooLoose", target: "#suspended", actions: "useless" },
          { guard: "isNoBenefit", target: "#abandoned", actions: "useless" },
          { guard: "isMade", target: "comparing", actions: "drafted" },
          { target: "#abandoned", actions: "undrafted" },
        ],
      },
      after: { draftTimeout: { target: "#abandoned", actions: "late" } },
    },
    comparing: {
      entry: spoken(({ context }) => [comparison(context)]),
      exit: cancelled("compare"),
      on: { "embed.replied": { target: "judging", actions: "compared" } },
      after: { answerTimeout: { target: "#abandoned", actions: "late" } },
    },
    judging: {
      entry: spoken(({ context }) => [judgeStart(context)]),
      on: {
        "paid.ended": [
          { guard: "isUnpaid", target: "#abandoned", actions: "unpaid" },
          { guard: "isViolation", target: "#abandoned", actions: "unlawful" },
          { guard: "passes", target: "deciding", actions: "scored" },
          { target: "#abandoned", actions: "missed" },
        ],
      },
      after: { callTimeout: { target: "#abandoned", actions: "late" } },
    },
    deciding: {
      entry: spoken(({ context }) => [
        said(context, state),
        state === "proposed" ? gateAsked(context) : personAsked(context, "executor"),
      ]),
      exit: cancelled("person"),
      on: {
        "person.decided": [
          { guard: "isApproved", target: "signing", actions: "granted" },
          ...amending(state),
          { target: discarded, actions: "discarded" },
        ],
        "synth.revised": amending(state),
      },
      after: { gateTimeout: { target: undecided, actions: "undecided" } },
    },
    signing: {
      entry: spoken(({ context }) => [signingAsked(context)]),
      exit: cancelled("sign"),
      on: { "sign.signed": { target: "admitting", actions: "signed" } },
      after: { answerTimeout: { target: "#abandoned", actions: "late" } },
    },
    admitting: {
      entry: spoken(({ context }) => [offerMade(context)]),
      exit: cancelled("admit"),
      on: {
        "pool.admitted": [
          { guard: "isMerge", target: "#fused" },
          { guard: "isGeneralise", target: "#generalised" },
          { guard: "isSpecialise", target: "#specialised" },
          { guard: "isAdmitted", target: "#born" },
          { target: "#abandoned", actions: "unadmitted" },
        ],
      },
      after: { answerTimeout: { target: "#abandoned", actions: "late" } },
    },
  }) as const;
