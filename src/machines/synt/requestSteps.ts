/** The steps that reactive and introspective requests share, as parts of synthesisRequest.ts. */
import { cancelAsk, post } from "../letter.ts";
import { type RequestContext, said } from "./requestAccount.ts";
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
  /** A chain that was kept to compare with stands in for what came to nothing. */
  instead: <const A extends string>(actions: A) =>
    [
      { guard: "hasChain", target: "#composed", actions: "chainInstead" },
      { target: "#abandoned", actions },
    ] as const,
  discarded: [
    { guard: "hasChain", target: "#composed", actions: "chainInstead" },
    { target: "#abandoned", actions: "discarded" },
  ],
  judged: [
    { guard: "isTurnedDownWithChain", target: "#composed", actions: "chainInstead" },
    { guard: "isChainBetter", target: "#composed", actions: "betterChain" },
  ],
} as const;

/** What a night proposes must pay, and changes what is there. */
const forNight = {
  unfit: [
    { guard: "isTooLoose", target: "#suspended", actions: "useless" },
    { guard: "isNoBenefit", target: "#abandoned", actions: "useless" },
  ],
  elsewhere: [],
  inPlace: [
    { guard: "isMerge", target: "#fused" },
    { guard: "isGeneralise", target: "#generalised" },
    { guard: "isSpecialise", target: "#specialised" },
  ],
  undecided: "#suspended",
  asked: gateAsked,
  instead: <const A extends string>(actions: A) => [{ target: "#abandoned", actions }] as const,
  discarded: [{ target: "#rejected", actions: "discarded" }],
  judged: [],
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
      on: {
        "draft.ended": [
          ...differs.unfit,
          { guard: "isMade", target: "comparing", actions: "drafted" },
          ...differs.instead("undrafted"),
        ],
      },
      after: { draftTimeout: differs.instead("late") },
    },
    comparing: {
      entry: spoken(({ context }) => [comparison(context)]),
      exit: cancelled("compare"),
      on: { "embed.replied": { target: "judging", actions: "compared" } },
      after: { answerTimeout: differs.instead("late") },
    },
    judging: {
      entry: spoken(({ context }) => [judgeStart(context)]),
      on: {
        "paid.ended": [
          ...differs.judged,
          { guard: "isTurnedDown", target: "#abandoned", actions: "turnedDown" },
          { target: "deciding", actions: "scored" },
        ],
      },
      after: { callTimeout: differs.instead("late") },
    },
    deciding: {
      entry: [spoken(({ context }) => [said(context, state), differs.asked(context)]), "saidAll"],
      exit: cancelled("person"),
      on: {
        "person.decided": [
          { guard: "isApproved", target: "signing", actions: "granted" },
          ...amending(state, differs),
          ...differs.discarded,
        ],
        "synth.revised": amending(state, differs),
      },
      after: { gateTimeout: { target: differs.undecided, actions: "undecided" } },
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
          ...differs.inPlace,
          { guard: "isAdmitted", target: "#born" },
          { target: "#abandoned", actions: "unadmitted" },
        ],
      },
      after: { answerTimeout: { target: "#abandoned", actions: "late" } },
    },
  }) as const;

/** From the draft to the pool, for a user who waits. */
export const generatingSteps = (policy: SyntPolicy) => stepsOf(policy, "generating", forUser);
/** From the rewrite to the pool, for a night that proposes. */
export const proposedSteps = (policy: SyntPolicy) => stepsOf(policy, "proposed", forNight);
