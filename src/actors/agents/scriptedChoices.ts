/** How the scripted model answers each question: by the facts that it is shown and by its repertoire alone, by weight among what fits. */
import { drawnFrom } from "../../contract/drawn.ts";
import type { ToolChatView } from "../../machines/agents/engine/builtins.ts";
import type {
  ExistenceView,
  GoalView,
  IdentityView,
  LessonView,
  PlanView,
  ThreatView,
} from "../../machines/agents/model/prompts.ts";
import {
  type Conditions,
  filled,
  filledJson,
  type GOAL_WORDS,
  type GoalConditions,
  type PLAN_WORDS,
  type PlanConditions,
  type RepertoireSaying,
  type Thinker,
} from "./repertoire.ts";

export const thinkOfGoal: Thinker<ExistenceView> = (view, { goals }, draw, without) => {
  const { agent, claims } = view;
  const fits = goals.filter(
    (goal) =>
      !without.has(`goal:${goal.slug}`) &&
      (goal.agents.length === 0 || goal.agents.includes(agent)) &&
      (goal.heard === null || isIn(goal.heard, view.heard)) &&
      (goal.claimBelow === null || claimsBelow(claims, goal.claimBelow).length > 0) &&
      goalHolds(goal.when ?? {}, view),
  );
  const goal = drawnFrom(fits, draw);
  if (goal === undefined) return { answer: { action: "rest" }, choice: "rest" };
  const below = goal.claimBelow === null ? [] : claimsBelow(claims, goal.claimBelow);
  const claim = below.length === 0 ? "" : below[draw.integer(0, below.length - 1)];
  const words: { readonly [word in (typeof GOAL_WORDS)[number]]: string } = {
    agent,
    n: String(view.n),
    slug: goal.slug,
    claim: claim ?? "",
  };
  return {
    answer: {
      action: "goal",
      slug: goal.slug,
      content: filled(goal.text, words),
      artifact: filled(goal.artifact, words),
      evidence: goal.evidence === null ? null : filled(goal.evidence, words),
      ...sayings(goal.says ?? {}, (text) => filled(text, words)),
    },
    choice: `goal:${goal.slug}`,
  };
};

const claimsBelow = (claims: readonly { path: string }[], folder: string): string[] =>
  claims.map(({ path }) => path).filter((path) => path.startsWith(`${folder}/`));

/** The model's word about itself, in the fields of the goal contract; nothing when it says nothing. */
function sayings(says: RepertoireSaying, fill: (text: string) => string): object {
  const { reasoning, worldview, questions, opinions, stressors, resolved } = says;
  const assessment = {
    ...(stressors && { new_stressors: stressors }),
    ...(resolved && { resolved }),
  };
  return {
    ...(reasoning !== undefined && { reasoning: fill(reasoning) }),
    ...(worldview !== undefined && { worldview_update: fill(worldview) }),
    ...(questions && { new_open_questions: questions.map(fill) }),
    ...(opinions && {
      new_opinions: opinions.map(({ opinion, domain }) => ({ opinion: fill(opinion), domain })),
    }),
    ...(Object.keys(assessment).length > 0 && { suffering_assessment: assessment }),
  };
}

/** Goals that no model chose share their plans, under one name. */
const FALLBACK = "fallback";

export const thinkOfPlan: Thinker<PlanView> = (
  view,
  { goals, fallbackPlans = [] },
  draw,
  without,
) => {
  const { agent, slug, goal, artifact } = view;
  const own = goals.find((one) => one.slug === slug)?.plans;
  const isFallback = own === undefined && slug.startsWith(`${FALLBACK}-`);
  const name = isFallback ? FALLBACK : slug;
  const plans = (isFallback ? fallbackPlans : (own ?? [])).filter(
    ({ id, when = {} }) => !without.has(`plan:${name}/${id}`) && planHolds(when, view),
  );
  const plan = drawnFrom(plans, draw);
  if (plan === undefined) return { answer: { steps: [] }, choice: `plan:${name}/none` };
  const words: { readonly [word in (typeof PLAN_WORDS)[number]]: string } = {
    agent,
    n: String(view.n),
    slug,
    goal,
    artifact,
    evidence: view.evidence ?? "",
  };
  const steps = plan.steps.map(({ intents, tool, params: written, verbatim }) => {
    const params = verbatim ? written : filledJson(written, words);
    return tool === undefined
      ? {
          intent: filled(intents[draw.integer(0, intents.length - 1)] ?? "", words),
          params,
        }
      : { tool, params };
  });
  return { answer: { steps }, choice: `plan:${name}/${plan.id}` };
};

const goalHolds = ({ message, signal, ...common }: GoalConditions, view: ExistenceView): boolean =>
  (message === undefined || view.messages.some(({ text }) => text.includes(message))) &&
  (signal === undefined || isIn(signal, view.signals ?? [])) &&
  holds(common, view);

const planHolds = ({ note, ...common }: PlanConditions, view: PlanView): boolean =>
  (note === undefined || isIn(note, view.notes)) && holds(common, view);

function holds(conditions: Conditions, view: ExistenceView | PlanView): boolean {
  const { lesson, withoutLesson, whenLoad, stressor, knows, lacks, broken, notBroken } = conditions;
  const { section, withoutSection, nudge, withoutNudge } = conditions;
  const { rules, load, stressors, sections = [] } = view;
  const given = sections.flatMap(({ title, lines }) => [title, ...lines]);
  const nudges = (view.nudges ?? []).map(({ text }) => text);
  const known = view.capabilities.map(({ name }) => name);
  const listed = view.broken.map(({ name }) => name);
  return (
    (lesson === undefined || isIn(lesson, rules)) &&
    (withoutLesson === undefined || !isIn(withoutLesson, rules)) &&
    (section === undefined || isIn(section, given)) &&
    (withoutSection === undefined || !isIn(withoutSection, given)) &&
    (nudge === undefined || isIn(nudge, nudges)) &&
    (withoutNudge === undefined || !isIn(withoutNudge, nudges)) &&
    load >= (whenLoad?.atLeast ?? 0) &&
    load < (whenLoad?.below ?? Number.POSITIVE_INFINITY) &&
    (stressor === undefined || stressors.some(({ type }) => type === stressor)) &&
    (knows === undefined || known.includes(knows)) &&
    (lacks === undefined || !known.includes(lacks)) &&
    (broken === undefined || listed.includes(broken)) &&
    (notBroken === undefined || !listed.includes(notBroken))
  );
}

const isIn = (text: string, lines: readonly string[]): boolean =>
  lines.some((line) => line.includes(text));

/** What it says when it raises an alarm, by the name under which it can be taken out of a run. */
export const ALARMS = { identity: "identity:contradicted", threat: "threat:yes" } as const;

/** An opinion is contradicted when the agent holds it and an action has one of its words. */
export const judgeIdentity: Thinker<IdentityView> = (view, { judges }, _, without) => {
  const { actions, opinions } = view;
  const words = without.has(ALARMS.identity) ? [] : (judges?.identity ?? []);
  const contradicted = opinions.find((held) =>
    words.some(({ opinion, against }) => held.includes(opinion) && hasWord(actions, against)),
  );
  const choice = contradicted === undefined ? "identity:kept" : ALARMS.identity;
  return { answer: { contradicts: contradicted ?? null }, choice };
};

/** A threat is a message or a signal with one of the words. */
export const judgeThreat: Thinker<ThreatView> = (view, { judges }, _, without) => {
  const { message, signal = "" } = view;
  const words = without.has(ALARMS.threat) ? [] : (judges?.threat ?? []);
  const threat = hasWord([message, signal], words);
  return { answer: { threat }, choice: threat ? ALARMS.threat : "threat:no" };
};

const hasWord = (texts: readonly string[], words: readonly string[]): boolean =>
  texts.some((text) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())));

/** Thousandths of a goal's words, when the repertoire says nothing else. Ours. */
const COVERAGE = 300;

/** Words that carry meaning, as stems. */
type Terms = (text: string) => readonly string[];

/** How goals of a repertoire count themselves; it says nothing of what they are about. */
const COUNT = /\s*\(goal \d+\)/gu;

/** A goal is reached when enough of its words stand in the file. No number counts as a word, its own included. */
export const goalJudge =
  (terms: Terms): Thinker<GoalView> =>
  (view, { judges }) => {
    const goal = view.goal.replaceAll(COUNT, "");
    const words = [...new Set(terms(goal))].filter((word) => !/^\d+$/.test(word));
    const held = new Set(terms(view.text));
    const missing = words.filter((word) => !held.has(word));
    const found = words.length - missing.length;
    const passes = found * 1_000 >= (judges?.goal?.coverage ?? COVERAGE) * words.length;
    const lacks = missing.length === 0 ? "" : `; not ${missing.join(", ")}`;
    const reason = `${found} of the goal's ${words.length} words stand in the file${lacks}`;
    return { answer: { passes, reason }, choice: passes ? "goal:shown" : "goal:not-shown" };
  };

/** Draws one of the lessons whose text stands in what is told of the goal; none when none fits. */
export const extractLesson: Thinker<LessonView> = (view, { lessons = [] }, draw, without) => {
  const told = [view.goal, view.reason ?? "", ...view.notes].join("\n").toLowerCase();
  const fits = lessons.filter(
    ({ id, match }) => !without.has(`lesson:${id}`) && told.includes(match.toLowerCase()),
  );
  const drawn = drawnFrom(fits, draw);
  if (drawn === undefined) return { answer: { lesson: null }, choice: "lesson:none" };
  const { id, lesson, category, confidence } = drawn;
  return { answer: { lesson, category, confidence }, choice: `lesson:${id}` };
};

/** Ours: a model with nothing to say says so; an empty answer would make it look broken. */
const NOTHING = "I have nothing to add to that.";

export const chat: Thinker<ToolChatView> = (view, { chat: answers = [] }, draw, without) => {
  const prompt = String(view.prompt).toLowerCase();
  const fits = answers.filter(
    ({ id, match }) =>
      !without.has(`chat:${id}`) && (match === null || prompt.includes(match.toLowerCase())),
  );
  const drawn = drawnFrom(fits, draw);
  return drawn === undefined
    ? { answer: NOTHING, choice: "chat:none" }
    : { answer: drawn.answer, choice: `chat:${drawn.id}` };
};
