/**
 * The goal of an agent whose model gave nothing usable: made from what is really there, from one
 * source after another. Source: seed 004, "Goals"; ruling U8.
 */
import { cutText } from "../../cutText.ts";
import { TEXT_MAX } from "../model/modelAnswers.ts";
import { sufferingView } from "../suffering/sufferingLines.ts";
import type { AgentContext, Fallback } from "./context.ts";
import { FALLBACK_SOURCES, type FallbackSource } from "./fallbackSources.ts";
import type { AgentPolicy } from "./planner.ts";

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
