/** The questions of a synthesis request: to drafts, judge, person, signer and pool. */
import { ask, type Json, type Letter, type MailOf, startActor } from "../letter.ts";
import { DESK, type Dossier, type PersonQuestion, POOL } from "./contract.ts";
import type { DraftInput } from "./draftContext.ts";
import type { PaidCallInput } from "./paidCall.ts";
import { signedText } from "./poolDoor.ts";
import type { Offer } from "./poolState.ts";
import { artefactOf } from "./requestChoice.ts";
import { addressOf, type RequestContext } from "./requestContext.ts";
import { others } from "./requestScore.ts";
import { judgeView } from "./stagePrompts.ts";
import { JUDGE_TIER, JUDGE_TOKENS } from "./stageTable.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

export function draftStart(context: RequestContext, { stages }: SyntPolicy): Letter {
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

export function comparison(context: RequestContext): Letter {
  const texts = [context.draft, ...others(context)].map((one) => one?.description ?? "");
  return ask({
    to: "port/llm.embed",
    key: "compare",
    event: { type: "llm.embed", purpose: "synt.compare", texts: [...new Set(texts)] },
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
export function personAsked(context: RequestContext, purpose: ProposalPurpose): Letter {
  const { request } = context.input;
  const dossier = dossierOf(context);
  const event: MailOf<"person.asked"> = { type: "person.asked", purpose, request, dossier };
  return ask({ to: "port/person.decide", key: "person", event });
}

/** What a night proposes lies at the desk until the whole night's dossier is shown. */
export function gateAsked(context: RequestContext): Letter {
  const { request } = context.input;
  const dossier = dossierOf(context);
  return ask({ to: DESK, key: "person", event: { type: "gate.asked", request, dossier } });
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

export function signingAsked(context: RequestContext): Letter {
  const text = signedText({ manifest: manifestOf(context), code: context.draft?.code ?? "" });
  return ask({
    to: "port/sign",
    key: "sign",
    event: { type: "sign.asked", purpose: "sign", text },
  });
}

export function offerMade(context: RequestContext): Letter {
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
  return ask({
    to: POOL,
    key: "admit",
    event: { type: "executor.offered", offer },
    because: [grantedBy],
  });
}
