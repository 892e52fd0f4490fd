/** The steps that reactive and introspective requests share, as parts of synthesisRequest.ts. */
import { cancelAsk, post } from "../letter.ts";
import type { RequestContext } from "./requestContext.ts";
import type { RequestEvent } from "./requestEvents.ts";
import {
  comparison,
  draftStart,
  gateAsked,
  judgeStart,
  offerMade,
  personAsked,
  signingAsked,
} from "./requestLetters.ts";
import { said } from "./requestUpdates.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

const spoken = post<RequestContext, RequestEvent, RequestEvent>;
const cancelled = (key: string) => spoken(() => [cancelAsk(key)]);

type Mode = "generating" | "proposed";

/** What a user waits for is one new executor, or a chain after all. */
const forUser = {
  unfit: [],
  elsewhere: [{ guard: "isAmendedToCompose", target: "#composing", actions: "amended" }],
  inPlace: [],
  undecided: "#abandoned",
  asked: (context: RequestContext) => personAsked(context, "executor"),
  instead: <const A extends string>(actions: A) => ({ target: "fallingBack", actions }) as const,
  discarded: { target: "fallingBack", actions: "discarded" },
  weighed: [{ guard: "isChainBetter", target: "#composed", actions: "betterChain" }],
  more: {
    /** A chain that was kept to compare with stands in for an executor that came to nothing. */
    fallingBack: {
      always: [
        { guard: "hasChain", target: "#composed", actions: "chainInstead" },
        { target: "#abandoned" },
      ],
    },
  },
} as const;

/** What a night proposes must pay, and changes what is there. */
const forNight = {
  unfit: [{ guard: "isTooLoose", target: "#suspended", actions: "turnedDown" }],
  elsewhere: [],
  inPlace: [
    { guard: "isMerge", target: "#fused" },
    { guard: "isGeneralise", target: "#generalised" },
    { guard: "isSpecialise", target: "#specialised" },
  ],
  undecided: "#suspended",
  asked: gateAsked,
  instead: <const A extends string>(actions: A) => ({ target: "#abandoned", actions }) as const,
  discarded: { target: "#rejected", actions: "discarded" },
  weighed: [],
  more: {},
} as const;

/** revise(): at the gate the person sends a proposal back, up to a bound. */
const amending = (state: Mode, { elsewhere }: typeof forUser | typeof forNight) =>
  [
    { guard: "isOverRevised", target: "#abandoned", actions: "overRevised" },
    ...elsewhere,
    {
      guard: "isAmended",
      target: "drafting",
      actions: ["amended", spoken(({ context }) => [said(context, state)])],
    },
  ] as const;

const stepsOf = <const Differs extends typeof forUser | typeof forNight>(
  policy: SyntPolicy,
  state: Mode,
  differs: Differs,
) =>
  ({
    drafting: {
      entry: spoken(({ context }) => [draftStart(context, policy)]),
      on: { "draft.ended": { target: "checking", actions: "drafted" } },
      after: { draftTimeout: differs.instead("draftLate") },
    },
    checking: {
      always: [
        ...differs.unfit,
        { guard: "isFaultless", target: "comparing" },
        differs.instead("turnedDown"),
      ],
    },
    comparing: {
      entry: spoken(({ context }) => [comparison(context)]),
      exit: cancelled("compare"),
      on: { "embed.replied": { target: "judging", actions: "compared" } },
      after: { answerTimeout: differs.instead("comparisonLate") },
    },
    judging: {
      entry: spoken(({ context }) => [judgeStart(context)]),
      on: { "paid.ended": { target: "weighing", actions: "weighed" } },
      after: { callTimeout: differs.instead("judgeLate") },
    },
    weighing: {
      always: [
        ...differs.weighed,
        { guard: "isFaultless", target: "deciding", actions: "explained" },
        differs.instead("turnedDown"),
      ],
    },
    deciding: {
      entry: [spoken(({ context }) => [said(context, state), differs.asked(context)]), "saidAll"],
      exit: cancelled("person"),
      on: {
        "person.decided": [
          { guard: "isApproved", target: "signing", actions: "granted" },
          ...amending(state, differs),
          differs.discarded,
        ],
        "synth.revised": amending(state, differs),
      },
      after: { gateTimeout: { target: differs.undecided, actions: "undecided" } },
    },
    signing: {
      entry: spoken(({ context }) => [signingAsked(context)]),
      exit: cancelled("sign"),
      on: { "sign.signed": { target: "admitting", actions: "signed" } },
      after: { answerTimeout: { target: "#abandoned", actions: "signerLate" } },
    },
    admitting: {
      entry: spoken(({ context }) => [offerMade(context)]),
      exit: cancelled("admit"),
      on: {
        "pool.admitted": [
          ...differs.inPlace,
          { guard: "isAdmitted", target: "#born" },
          { target: "#abandoned", actions: "unadmitted" },
        ],
      },
      after: { answerTimeout: { target: "#abandoned", actions: "poolLate" } },
    },
    ...differs.more,
  }) as const;

/** From the draft to the pool, for a user who waits. */
export const generatingSteps = (policy: SyntPolicy) => stepsOf(policy, "generating", forUser);
/** From the rewrite to the pool, for a night that proposes. */
export const proposedSteps = (policy: SyntPolicy) => stepsOf(policy, "proposed", forNight);
