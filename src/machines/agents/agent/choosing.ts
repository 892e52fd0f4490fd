/** How an agent comes to a goal: what it asks, and what the answer makes of it. */

import { ask, type Delivered, type Letter, type MailOf, startActor } from "../../letter.ts";
import type { GoalDeclaration } from "../goal/goalContext.ts";
import { type Reflection, readGoalAnswer, readReflection } from "../model/modelAnswers.ts";
import type { ExistenceView } from "../model/prompts.ts";
import { sufferingView } from "../suffering/sufferingLines.ts";
import type { ActiveGoal, AgentContext, AgentEvent, Heard } from "./context.ts";
import { fallbackGoal } from "./fallbackGoal.ts";
import type { AgentPolicy } from "./planner.ts";
import { journalAfter, journalLetter, last, profileAfter, profileLetter } from "./profile.ts";

/** What was heard stands in the question that is asked now. */
export const told = ({ heard, told: before }: AgentContext): Partial<AgentContext> => ({
  told: Math.max(before, ...heard.map(({ fact }) => fact)),
});

/** Messages that came while the model was thinking stand in the next question. */
export const unheard = ({ heard, told: upTo }: AgentContext): readonly Heard[] =>
  heard.filter(({ fact }) => fact > upTo);

export function chooseLetter(context: AgentContext, policy: AgentPolicy): Letter {
  const { mind } = policy;
  const { input, heard, profile, rules } = context;
  const claims = context.claims.filter(({ path }) => !context.done.includes(path));
  const messages = heard.flatMap(({ from, text }) => (from === null ? [] : [{ from, text }]));
  const signals = textsOf(heard, "signal");
  const view: ExistenceView = {
    purpose: "goal.choose",
    agent: input.name,
    n: context.lastGoal + 1,
    rules,
    traits: profile.traits,
    ...sufferingView(context.suffering, context.nowMs, policy),
    locks: context.locks,
    worldview: profile.worldview,
    opinions: last(profile.opinions, mind.opinionsShown),
    questions: last(profile.questions, mind.questionsShown),
    journal: last(context.journal, mind.journalShown),
    peers: input.peers,
    claims: claims.map(({ agent, path }) => ({ agent, path })),
    messages: last(messages, mind.messagesShown),
    heard: textsOf(heard, "person"),
    ...(signals.length > 0 && { signals }),
    lastOutcome: profile.lastOutcome,
    recent: context.recent,
    capabilities: context.capabilities,
    broken: context.broken,
  };
  const because = [...heard.map(({ fact }) => fact), ...claims.map(({ fact }) => fact)];
  return ask({
    to: "port/llm.chat",
    key: "model",
    event: { type: "llm.asked", purpose: view.purpose, view },
    because: [...because, ...rulesFact(context), ...sufferingFacts(context, view)],
  });
}

const textsOf = (heard: readonly Heard[], kind: Heard["kind"]): readonly string[] =>
  heard.filter((one) => one.kind === kind).map(({ text }) => text);

/** The onsets of what the prompt speaks of: while the agent is calm, nothing. */
export const sufferingFacts = (
  { suffering }: AgentContext,
  { level }: Pick<ExistenceView, "level">,
): readonly number[] => (level === "calm" ? [] : suffering.map(({ fact }) => fact));

/** The answer that gave the rules, when there are any: what is decided rests on it. */
export const rulesFact = ({ rules, rulesFact: fact }: AgentContext): readonly number[] =>
  rules.length === 0 || fact === null ? [] : [fact];

/** A new goal and what it begins with. */
function begun(
  context: AgentContext,
  declared: GoalDeclaration & Pick<ActiveGoal, "fallback">,
  fact: number,
): Partial<AgentContext> {
  const { slug, text, artifact, evidence, fallback } = declared;
  const n = context.lastGoal + 1;
  const address = `goal/${context.input.name}/${n}${context.input.suffix}`;
  return {
    goal: {
      ...{ slug, text, artifact, evidence, n, address, progress: 0 },
      ...(fallback && { fallback }),
    },
    worked: { n, text, progress: 0 },
    chose: true,
    goalFact: fact,
    lastGoal: n,
    notes: [],
    failedInRow: [],
    emptyPlans: [],
  };
}

/** What the model said of the agent itself, beside a goal or a rest. */
export function reflected(
  context: AgentContext,
  event: Delivered<"llm.replied">,
  { mind }: AgentPolicy,
): Partial<AgentContext> {
  const said = readReflection(event.text);
  return {
    heard: unheard(context),
    profile: profileAfter(context.profile, said, mind),
    journal: journalAfter(context.journal, said),
  };
}

export function goalChosen(
  context: AgentContext,
  event: Delivered<"llm.replied">,
  policy: AgentPolicy,
): Partial<AgentContext> {
  const declared = readGoalAnswer(event.text);
  if (typeof declared !== "object") return {};
  return { ...reflected(context, event, policy), ...begun(context, declared, event.at.seq) };
}

/** What is worth keeping of the model's word goes to files; what it says it feels, to the ledger. */
export function reflectionLetters(
  { input, profile }: AgentContext,
  event: Delivered<"llm.replied">,
  { mind }: AgentPolicy,
): Letter[] {
  const said = readReflection(event.text);
  const { nowMs, seq } = event.at;
  const resolved = said.resolved.slice(0, mind.newResolutions);
  const fresh = said.fresh.slice(0, mind.newStressors);
  const agent = input.name;
  const reported: MailOf<"suffering.reported"> = {
    type: "suffering.reported",
    agent,
    resolved,
    fresh,
  };
  return [
    ...(changesProfile(said) ? [profileLetter(input.name, profile)] : []),
    ...(said.reasoning === null ? [] : [journalLetter(input.name, nowMs, said.reasoning)]),
    ...(resolved.length + fresh.length === 0
      ? []
      : [{ to: input.ledger, event: reported, because: [seq] }]),
  ];
}

const changesProfile = ({ worldview, opinions, questions }: Reflection): boolean =>
  worldview !== null || opinions.length + questions.length > 0;

/** The goal made without the model; nothing when there is nothing to make it from. */
export function fellBack(
  context: AgentContext,
  { at }: AgentEvent,
  policy: AgentPolicy,
): Partial<AgentContext> {
  const fallback = fallbackGoal(context, at.nowMs, policy);
  if (fallback === undefined) return {};
  return {
    ...begun(context, fallback, at.seq),
    profile: { ...context.profile, rotation: fallback.rotation },
  };
}

export function startGoalLetter({ goal, input }: AgentContext): Letter[] {
  if (goal === null) return [];
  const { address, progress: _, ...declared } = goal;
  const { name: agent, ledger, lessons } = input;
  return [startActor("goal", address, { ...declared, agent, ledger, lessons })];
}
