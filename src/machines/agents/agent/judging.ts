/**
 * What an agent has its model judge: whether a plan goes against its own opinions, and whether what
 * it heard threatens its existence. An unreadable answer counts as no.
 * Source: seed 004, "Stressor types"; ruling U3.
 */
import { defined } from "../../defined.ts";
import { ask, type Letter, type MailOf } from "../../letter.ts";
import { readIdentityAnswer, readThreatAnswer } from "../model/modelAnswers.ts";
import type { IdentityView, ThreatView } from "../model/prompts.ts";
import type { StressorType } from "../suffering/stressorPolicy.ts";
import type { AgentContext, AgentEvent, Heard } from "./context.ts";
import type { AgentPolicy } from "./planner.ts";

const isFelt = (type: StressorType, { stressors }: AgentPolicy): boolean =>
  stressors.enabled.includes(type);

/** Whether a judge is asked if this plan contradicts an opinion: only in a world where it can hurt. */
export const weighsPlan = ({ profile }: AgentContext, policy: AgentPolicy): boolean =>
  profile.opinions.length > 0 && isFelt("identity_violation", policy);

/** Looks for what it has heard and no judge has weighed: only in a world where a threat can hurt. */
export const heeded = (
  { heard, weighed }: AgentContext,
  policy: AgentPolicy,
): Partial<AgentContext> => ({
  unweighed: isFelt("existential_threat", policy) ? heard.filter(({ fact }) => fact > weighed) : [],
});

export function identityLetter({ input, profile, plan, planFact }: AgentContext): Letter {
  const view: IdentityView = {
    purpose: "judge.identity",
    agent: input.name,
    opinions: profile.opinions.map(({ opinion }) => opinion),
    actions: plan.map(({ intent, params }) =>
      typeof params["path"] === "string" ? `${intent}: ${params["path"]}` : intent,
    ),
  };
  return question(view, planFact === null ? [] : [planFact]);
}

export function threatLetter(context: AgentContext): Letter {
  const { unweighed: heard } = context;
  const isSignal = ({ kind }: Heard) => kind === "signal";
  const signals = heard.filter(isSignal).map(({ text }) => text);
  const messages = heard.filter((one) => !isSignal(one)).map(({ text }) => text);
  const view: ThreatView = defined({
    purpose: "judge.threat",
    agent: context.input.name,
    message: messages.join("\n"),
    signal: signals.length > 0 ? signals.join("\n") : undefined,
  });
  return question(
    view,
    heard.map(({ fact }) => fact),
  );
}

const question = (view: IdentityView | ThreatView, because: readonly number[]): Letter =>
  ask({
    to: "port/llm.chat",
    key: "judge",
    event: { type: "llm.asked", purpose: view.purpose, view },
    because,
  });

/** Tells the ledger. `fault` says why there was no judgement; then it counts as none. */
export function planJudgedLetter({ input }: AgentContext, event: AgentEvent): Letter {
  const said = event.type === "llm.replied" ? readIdentityAnswer(event.text) : undefined;
  const judged: MailOf<"plan.judged"> = defined({
    type: "plan.judged",
    agent: input.name,
    contradicts: typeof said === "string",
    opinion: said ?? null,
    fault: said === undefined ? faultOf(event) : undefined,
  });
  return { to: input.ledger, event: judged, because: [event.at.seq] };
}

export function messageJudgedLetter({ input }: AgentContext, event: AgentEvent): Letter {
  const said = event.type === "llm.replied" ? readThreatAnswer(event.text) : undefined;
  const judged: MailOf<"message.judged"> = defined({
    type: "message.judged",
    agent: input.name,
    threat: said ?? false,
    fault: said === undefined ? faultOf(event) : undefined,
  });
  return { to: input.ledger, event: judged, because: [event.at.seq] };
}

function faultOf(event: AgentEvent): string {
  if (event.type === "llm.replied") return "the judgement could not be read";
  return event.type === "llm.failed" ? event.error : "no judgement came in time";
}

/** Once asked, everything heard so far counts as judged, even when no answer comes. */
export const weighed = ({ heard, weighed: before }: AgentContext): Partial<AgentContext> => ({
  weighed: Math.max(before, ...heard.map(({ fact }) => fact)),
  unweighed: [],
});
