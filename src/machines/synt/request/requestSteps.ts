/**
 * From the draft to the pool: the steps that reactive and introspective requests share, as parts of
 * synthesisRequest.ts, with the letters to drafts, judge, person, signer and pool.
 */
import { askingIn, type Question, question } from "../../chart.ts";
import { defined } from "../../defined.ts";
import { type Json, type Letter, post, startActor } from "../../letter.ts";
import {
  DESK,
  type Dossier,
  type PersonQuestion,
  POOL,
  type ProposalState,
  type Stated,
} from "../contract.ts";
import { type Offer, signedText } from "../pool/poolState.ts";
import type { DraftInput } from "../stages/executorDraft.ts";
import type { PaidCallInput } from "../stages/paidCall.ts";
import { judgeView } from "../stages/stagePrompts.ts";
import { JUDGE_TIER, JUDGE_TOKENS, type StagePolicy } from "../stages/stageTiers.ts";
import { artefactOf } from "./requestChoice.ts";
import { addressOf, type RequestContext, type RequestEvent } from "./requestContext.ts";
import { others } from "./requestScore.ts";

const spoken = post<RequestContext, RequestEvent, RequestEvent>;

export const stating = (state: ProposalState) =>
  spoken(({ context }) => [stateLetter(context, state)]);

/** The letter of a state: the desk writes the audit of it. */
function stateLetter(context: RequestContext, state: ProposalState): Letter {
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

export const asks = askingIn<RequestContext, RequestEvent>();

type Mode = "generating" | "proposed";

interface StepsPolicy {
  readonly stages: Pick<StagePolicy, "mode">;
}

/** What a user waits for is one new executor, or a chain after all. */
const forUser = {
  unfit: [],
  elsewhere: [{ guard: "isAmendedToCompose", target: "#composing", actions: "amended" }],
  inPlace: [],
  undecided: "#abandoned",
  asked: asks("person", ({ context }) => personAsked(context, "executor")),
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
  asked: asks("person", ({ context }) => gateAsked(context)),
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
      actions: ["amended", stating(state)],
    },
  ] as const;

const stepsOf = <const Differs extends typeof forUser | typeof forNight>(
  policy: StepsPolicy,
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
      ...asks("compare", ({ context }) => comparison(context)),
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
      entry: [stating(state), differs.asked.entry, "saidAll"],
      exit: differs.asked.exit,
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
      ...asks("sign", ({ context }) => signingAsked(context)),
      on: { "sign.signed": { target: "admitting", actions: "signed" } },
      after: { answerTimeout: { target: "#abandoned", actions: "signerLate" } },
    },
    admitting: {
      ...asks("admit", ({ context }) => offerMade(context)),
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
export const generatingSteps = (policy: StepsPolicy) => stepsOf(policy, "generating", forUser);
/** From the rewrite to the pool, for a night that proposes. */
export const proposedSteps = (policy: StepsPolicy) => stepsOf(policy, "proposed", forNight);

function draftStart(context: RequestContext, { stages }: StepsPolicy): Letter {
  const { input, pool, drafts, feedback, strategy } = context;
  const self = `${addressOf(context)}/draft-${drafts}`;
  const { members, chain } = input.material;
  const shown = pool.filter(({ name }) => members.includes(name) || chain.includes(name));
  const draft: DraftInput = {
    request: input.request,
    self,
    replyTo: addressOf(context),
    kind: input.mode === "introspective" ? "transform" : stages.mode,
    strategy: strategy ?? "generate",
    need: input.need,
    material: input.material,
    members: shown.map(({ name, description, takes, gives, profile, shape }) => ({
      ...{ name, description, takes, gives, shape },
      profile,
    })),
    pool: pool.map(({ name }) => name),
    feedback,
    coder: input.coder,
  };
  return startActor("executorDraft", self, draft);
}

function comparison(context: RequestContext): Question {
  const texts = [context.draft, ...others(context)].map((one) => one?.description ?? "");
  return question("port/llm.embed", {
    type: "llm.embed",
    purpose: "synt.compare",
    texts: [...new Set(texts)],
  });
}

export function judgeStart(context: RequestContext): Letter {
  const { input, strategy, rationale, judged } = context;
  const self = addressOf(context);
  const call: PaidCallInput = {
    request: input.request,
    call: `${self}/judge-${judged}`,
    served: JUDGE_TIER,
    view: judgeView(strategy ?? "generate", input.need.intent, artefactOf(context), rationale),
    maxTokens: JUDGE_TOKENS,
    replyTo: self,
  };
  return startActor("paidCall", call.call, call);
}

type ProposalPurpose = Exclude<PersonQuestion["purpose"], "soft-cap" | "proposals">;

/** The dossier: what, why, and R with every term. */
export function personAsked(context: RequestContext, purpose: ProposalPurpose): Question {
  const { request } = context.input;
  const dossier = dossierOf(context);
  return question("port/person.decide", { type: "person.asked", purpose, request, dossier });
}

/** What a night proposes lies at the desk until the whole night's dossier is shown. */
function gateAsked(context: RequestContext): Question {
  const { request } = context.input;
  return question(DESK, { type: "gate.asked", request, dossier: dossierOf(context) });
}

function dossierOf(context: RequestContext): Dossier {
  const { input, strategy, rationale, scored, cost } = context;
  return {
    strategy,
    rationale,
    cost,
    intent: input.need.intent,
    artefact: artefactOf(context),
    reward: scored?.reward ?? null,
    judge: scored?.judgeReasoning ?? null,
  };
}

/** What it is and what it may do: what the signature stands for. */
function manifestOf({ draft, input, strategy }: RequestContext): Json {
  const { code: _code, tests, ...facts } = draft ?? { code: "", tests: [] };
  return {
    // A draft is strict JSON; its type cannot say so.
    ...(facts as { readonly [fact: string]: Json }),
    origin: { request: input.request, strategy },
    birthTests: tests.length,
  };
}

function signingAsked(context: RequestContext): Question {
  const text = signedText({ manifest: manifestOf(context), code: context.draft?.code ?? "" });
  return question("port/sign", { type: "sign.asked", purpose: "sign", text });
}

function offerMade(context: RequestContext): Question {
  const { input, strategy, draft, signature, signer, grantedBy } = context;
  const { material, need } = input;
  const { name = "", version = "1", description = "" } = draft ?? {};
  const { takes = [], gives = [], profile = {}, shape = {}, affinity = [] } = draft ?? {};
  const replaced = strategy === "merge" || strategy === "generalise" ? material.members : [];
  const offer: Offer = {
    request: input.request,
    facts: { name, version, description, takes, gives, profile, shape, affinity },
    made: { code: draft?.code ?? "", manifest: manifestOf(context), signature, key: signer },
    replaces: { how: strategy === "merge" ? "fused" : "superseded", members: replaced },
    specialises:
      strategy === "specialise" && material.hot !== null
        ? { of: material.members[0] ?? "", value: material.hot.value }
        : null,
    covers: [need.name, ...material.covers],
    grantedBy,
  };
  return question(POOL, { type: "executor.offered", offer }, [grantedBy]);
}
