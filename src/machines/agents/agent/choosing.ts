/** How an agent comes to a goal: what it asks, and what the answer makes of it. */

import { type Question, question } from "../../chart.ts";
import { cutText } from "../../cutText.ts";
import { defined } from "../../defined.ts";
import { foldersOf } from "../../folders.ts";
import { type Delivered, type Letter, type MailOf, startActor } from "../../letter.ts";
import {
  FALLBACK_SOURCES,
  type FallbackSource,
  type GoalDeclaration,
} from "../goal/goalContext.ts";
import {
  type Reflection,
  readGoalAnswer,
  readReflection,
  TEXT_MAX,
} from "../model/modelAnswers.ts";
import type { ExistenceView, View } from "../model/prompts.ts";
import { sufferingView } from "../suffering/sufferingLines.ts";
import { adviceFacts, adviceView } from "./advice.ts";
import type { ActiveGoal, AgentContext, AgentEvent, Fallback, Heard, LastCall } from "./context.ts";
import type { AgentPolicy } from "./planner.ts";
import { journalAfter, journalLetter, last, profileAfter, profileLetter } from "./profile.ts";

/** What was heard stands in the question that is asked now. */
export const asking = ({ heard, askedUpTo: before }: AgentContext): Partial<AgentContext> => ({
  askedUpTo: Math.max(before, ...heard.map(({ fact }) => fact)),
});

/** Messages that came while the model was thinking stand in the next question. */
export const unheard = ({ heard, askedUpTo: upTo }: AgentContext): readonly Heard[] =>
  heard.filter(({ fact }) => fact > upTo);

export function choiceQuestion(context: AgentContext, policy: AgentPolicy): Question {
  const { mind, folders } = policy;
  const { input, heard, profile, rules, lastCall } = context;
  const claims = context.claims.filter(({ path }) => !context.done.includes(path));
  const messages = heard.flatMap(({ from, text }) => (from === null ? [] : [{ from, text }]));
  const signals = textsOf(heard, "signal");
  const view: ExistenceView = defined({
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
    signals: signals.length > 0 ? signals : undefined,
    lastOutcome: profile.lastOutcome,
    recent: context.recent,
    capabilities: context.capabilities,
    broken: context.broken,
    ...adviceView(context),
    folders: foldersOf(folders).length > 0 ? folders : undefined,
    lastCall: lastCall && called(lastCall),
  });
  const because = [...heard.map(({ fact }) => fact), ...claims.map(({ fact }) => fact)];
  if (lastCall !== undefined) because.push(lastCall.fact);
  return modelQuestion(view, [...because, ...promptFacts(context, view)]);
}

const called = ({ fact: _, ...call }: LastCall & { fact: number }): LastCall => call;

/** A model is asked, and what it is asked rests on these. */
export const modelQuestion = (view: View, because: readonly number[]): Question =>
  question("port/llm.chat", { type: "llm.asked", purpose: view.purpose, view }, because);

const textsOf = (heard: readonly Heard[], kind: Heard["kind"]): readonly string[] =>
  heard.filter((one) => one.kind === kind).map(({ text }) => text);

/**
 * What a prompt rests on besides: the answer that gave the rules, when there are any; the onsets of what it
 * speaks of, which is nothing while the agent is calm; what other parts said.
 */
export const promptFacts = (
  context: AgentContext,
  { level }: Pick<ExistenceView, "level">,
): readonly number[] => [
  ...(context.rules.length === 0 || context.rulesFact === null ? [] : [context.rulesFact]),
  ...(level === "calm" ? [] : context.suffering.map(({ fact }) => fact)),
  ...adviceFacts(context),
];

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
    goal: defined({ slug, text, artifact, evidence, n, address, progress: 0, fallback }),
    worked: { n, text, progress: 0 },
    chose: true,
    goalFact: fact,
    lastGoal: n,
    notes: [],
    failedInRow: [],
    emptyPlans: [],
  };
}

/** What the model's answer says: a goal, a rest or neither, and what it says of the agent itself. */
export const choiceIn = (
  { text }: Delivered<"llm.replied">,
  { folders }: AgentPolicy,
): Partial<AgentContext> => ({
  choice: { declared: readGoalAnswer(text, folders) ?? null, said: readReflection(text) },
});

/** What the model said of the agent itself, beside a goal or a rest. */
export function reflected(context: AgentContext, { mind }: AgentPolicy): Partial<AgentContext> {
  if (context.choice === null) return {};
  const { said } = context.choice;
  return {
    heard: unheard(context),
    profile: profileAfter(context.profile, said, mind),
    journal: journalAfter(context.journal, said),
  };
}

export function goalChosen(
  context: AgentContext,
  { at }: AgentEvent,
  policy: AgentPolicy,
): Partial<AgentContext> {
  const declared = context.choice?.declared ?? null;
  if (declared === null || declared === "rest") return {};
  return { ...reflected(context, policy), ...begun(context, declared, at.seq) };
}

/** What is worth keeping of the model's word goes to files; what it says it feels, to the ledger. */
export function reflectionLetters(
  { input, profile, choice }: AgentContext,
  { at: { nowMs, seq } }: AgentEvent,
  { mind }: AgentPolicy,
): Letter[] {
  if (choice === null) return [];
  const { said } = choice;
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

/** Looks for a goal that can be made without the model. */
export const atALoss = (
  context: AgentContext,
  { at }: AgentEvent,
  policy: AgentPolicy,
): Partial<AgentContext> => ({
  choice: null,
  fallback: (policy.planner.fallback && fallbackGoal(context, at.nowMs, policy)) || null,
});

/** Takes that goal. */
export function fellBack(context: AgentContext, { at }: AgentEvent): Partial<AgentContext> {
  const { fallback, profile } = context;
  if (fallback === null) return {};
  return {
    ...begun(context, fallback, at.seq),
    profile: { ...profile, rotation: fallback.rotation },
    fallback: null,
  };
}

export function startGoalLetter({ goal, input }: AgentContext): Letter[] {
  if (goal === null) return [];
  const { address, progress: _, ...declared } = goal;
  const { name: agent, ledger, lessons } = input;
  return [startActor("goal", address, { ...declared, agent, ledger, lessons })];
}

/*
 * The goal of an agent whose model gave nothing usable: made from what is really there, from one
 * source after another. Source: seed 004, "Goals"; ruling U8.
 */

interface Ground {
  readonly text: string;
  readonly facts?: readonly number[];
}

/** Each gives a ground, or undefined when there is none. */
const GROUNDS: {
  readonly [Source in FallbackSource]: (
    context: AgentContext,
    nowMs: number,
    policy: AgentPolicy,
  ) => Ground | undefined;
} = {
  stressor: fromStressor,
  question: fromQuestion,
  "peer-file": fromPeerFile,
  "last-outcome": fromLastOutcome,
  journal: fromJournal,
};

/** The next goal in the rotation; undefined when every source is empty: then the agent rests. */
export function fallbackGoal(
  context: AgentContext,
  nowMs: number,
  policy: AgentPolicy,
): Fallback | undefined {
  const { input, profile, lastGoal } = context;
  for (let tried = 0; tried < FALLBACK_SOURCES.length; tried++) {
    const index = (profile.rotation + tried) % FALLBACK_SOURCES.length;
    const name = FALLBACK_SOURCES[index] as FallbackSource;
    const ground = GROUNDS[name](context, nowMs, policy);
    if (ground === undefined) continue;
    return {
      fallback: name,
      slug: `fallback-${name}`,
      text: cutText(ground.text, TEXT_MAX),
      artifact: `/agentOS/workspace/${input.name}/${lastGoal + 1}-fallback-${name}.md`,
      evidence: null,
      rotation: (index + 1) % FALLBACK_SOURCES.length,
      facts: ground.facts ?? [],
    };
  }
  return undefined;
}

/** The worst of what it suffers from. */
function fromStressor(
  { suffering }: AgentContext,
  nowMs: number,
  policy: AgentPolicy,
): Ground | undefined {
  const worst = sufferingView(suffering, nowMs, policy).stressors[0];
  if (worst === undefined) return undefined;
  const facts = suffering.filter(({ type }) => type === worst.type).map(({ fact }) => fact);
  const condition = worst.condition === "" ? "" : ` It will ease when: ${worst.condition}.`;
  return { text: `Do what eases ${worst.type}, and write down what you did.${condition}`, facts };
}

/** Another one each time, so that no question keeps the others from being asked. */
function fromQuestion({ profile, lastGoal }: AgentContext): Ground | undefined {
  const { questions } = profile;
  const question = questions[lastGoal % Math.max(1, questions.length)];
  return question === undefined
    ? undefined
    : { text: `Find out, and write down what you found: ${question}` };
}

/** A file that a peer says it wrote, and about which the agent has finished no goal. */
function fromPeerFile({ claims, done }: AgentContext): Ground | undefined {
  const claim = claims.find(({ path }) => !done.includes(path));
  if (claim === undefined) return undefined;
  const text = `Read ${claim.path} by ${claim.agent}, and write down what follows from it.`;
  return { text, facts: [claim.fact] };
}

function fromLastOutcome({ profile }: AgentContext): Ground | undefined {
  if (profile.lastOutcome === null) return undefined;
  return { text: `Write down what follows from how your last goal ended: ${profile.lastOutcome}` };
}

function fromJournal({ journal }: AgentContext): Ground | undefined {
  const entry = journal.at(-1);
  return entry === undefined ? undefined : { text: `Go on from your journal: ${entry}` };
}
