/**
 * The scripted models of self-play. Each answers from what it is shown and from the seed: the solver knows more
 * the more of what it lacks stands in the playbook and in the errors before it, and whoever extracts copies the
 * task the more often the less was understood. Whether code is right, only Python says. Ours.
 */

import type { Scripted } from "../../contract/part.ts";
import type { Json } from "../../machines/letter.ts";
import type { View } from "../../machines/portMail.ts";
import {
  type ChallengeView,
  type ExtractView,
  renderSkill,
  type SkillView,
  type SolveView,
} from "../../machines/skills/selfPlay.ts";
import { terms } from "../../machines/stemmer.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { Stream } from "../../substrate/random.ts";

/** A challenge that the model may set, and how solvers and extractors fare with it. */
export interface DreamChallenge {
  readonly id: string;
  readonly weight: number;
  readonly domain: string;
  readonly challenge: string;
  readonly setup: { readonly [path: string]: string };
  readonly validator: string;
  readonly solver: Solver;
  readonly lessons: readonly DreamLesson[];
  /** Of a thousand extractions, how many copy the task, for each attempt that failed. */
  readonly copies: number;
}

/** Thousandths. */
export interface Solver {
  /** The code that it writes when it knows how, and when it does not. */
  readonly right: string;
  readonly wrong: string;
  /** What it lacks, in words. */
  readonly lacks: string;
  /** How often it knows how by itself, what each error before adds, and what a playbook that says it all adds. */
  readonly alone: number;
  readonly perError: number;
  readonly told: number;
}

/** A lesson that may come to mind. */
export interface DreamLesson {
  readonly id: string;
  readonly weight: number;
  readonly trigger: string;
  readonly antiPattern: string;
  readonly correctPattern: string;
  readonly domains: readonly string[];
  /** Thousandths. */
  readonly confidence: number;
}

interface Thought {
  readonly answer: Json;
  readonly choice: string;
}

const NOTHING: Thought = { answer: {}, choice: "dream:nothing" };

export const isSkillView = (view: View): view is SkillView => view.purpose.startsWith("skill.");

function own(view: View): SkillView {
  if (!isSkillView(view)) throw new Error(`${view.purpose} is no purpose of skills`);
  return view;
}

export function scriptedModel({
  scenario,
  policy,
  random,
  without,
}: Scripted): PromptProvider<"llm.asked"> {
  const all = scenario.skills?.dreams?.challenges ?? [];
  const challenges = all.filter(({ id }) => !without.has(`dream:${id}`));
  const { latency } = policy.skills.dream;
  const middleMs = {
    "skill.challenge": latency.challengeMs,
    "skill.solve": latency.solveMs,
    "skill.extract": latency.extractMs,
  };
  const think = (view: SkillView, draw: Stream): Thought => {
    if (view.purpose === "skill.challenge") return set(challenges, view, draw);
    const about = all.find(({ challenge }) => challenge === view.challenge);
    if (about === undefined) return NOTHING;
    return view.purpose === "skill.solve"
      ? solve(about, view, draw)
      : extract(about, view, draw, without);
  };
  return {
    text: ({ view }) => renderSkill(own(view)),
    answer: ({ from, purpose, nth, event }) => {
      const view = own(event.view);
      const draw = random.at(from, purpose, nth);
      const { answer, choice } = think(view, draw);
      const text = typeof answer === "string" ? answer : JSON.stringify(answer);
      const spread = Math.floor((middleMs[view.purpose] * policy.model.jitter) / 1_000);
      const latencyMs = middleMs[view.purpose] + draw.integer(-spread, spread);
      return { event: { type: "llm.replied", text }, latencyMs, choice };
    },
  };
}

/** One that was not played lately, as long as there is one. */
function set(challenges: readonly DreamChallenge[], view: ChallengeView, draw: Stream): Thought {
  const fresh = challenges.filter(({ challenge }) => !view.played.includes(challenge));
  const among = fresh.length > 0 ? fresh : challenges;
  const one = drawOne(among, draw);
  if (one === undefined) return NOTHING;
  const { id, domain, challenge, setup, validator } = one;
  return { answer: { domain, challenge, setup, validator }, choice: `dream:${id}` };
}

function solve({ id, solver }: DreamChallenge, view: SolveView, draw: Stream): Thought {
  const { alone, perError, told, lacks, right, wrong } = solver;
  const shown = new Set(terms(view.playbook));
  const wanted = [...new Set(terms(lacks))];
  const found = wanted.filter((term) => shown.has(term)).length;
  const helped = wanted.length === 0 ? 0 : Math.floor((told * found) / wanted.length);
  const knows = draw.integer(1, 1_000) <= alone + perError * view.errors.length + helped;
  return knows
    ? { answer: right, choice: `dream:${id}/right` }
    : { answer: wrong, choice: `dream:${id}/wrong` };
}

function extract(
  { id, lessons, copies, challenge, domain }: DreamChallenge,
  { attempts }: ExtractView,
  draw: Stream,
  without: ReadonlySet<string>,
): Thought {
  const failed = attempts.filter(({ passed }) => !passed).length;
  const isCopied = draw.integer(1, 1_000) <= copies * failed;
  if (isCopied && !without.has(`dream:${id}/copied`)) {
    return {
      answer: {
        trigger: challenge,
        anti_pattern: attempts.at(0)?.error ?? "",
        correct_pattern: attempts.at(-1)?.code ?? "",
        domains: [domain],
        confidence: 0.9,
      },
      choice: `dream:${id}/copied`,
    };
  }
  const lesson = drawOne(
    lessons.filter((one) => !without.has(`dream:${id}/${one.id}`)),
    draw,
  );
  if (lesson === undefined) return NOTHING;
  const { trigger, antiPattern, correctPattern, domains, confidence } = lesson;
  return {
    answer: {
      trigger,
      anti_pattern: antiPattern,
      correct_pattern: correctPattern,
      domains,
      confidence: confidence / 1_000,
    },
    choice: `dream:${id}/${lesson.id}`,
  };
}

const drawOne = <T extends { readonly weight: number }>(
  from: readonly T[],
  draw: Stream,
): T | undefined =>
  from.length === 0 ? undefined : from[draw.weighted(from.map(({ weight }) => weight))];
