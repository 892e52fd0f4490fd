/** How the scripted model chooses a goal and makes a plan: among what fits, by weight. */
import type { ExistenceView, PlanView } from "../../machines/agents/model/prompts.ts";
import {
  type Conditions,
  filled,
  filledJson,
  type GOAL_WORDS,
  type GoalConditions,
  type PLAN_WORDS,
  type PlanConditions,
  type RepertoireGoal,
  type RepertoirePlan,
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
  if (fits.length === 0) return { answer: { action: "rest" }, choice: "rest" };
  const goal = fits[draw.weighted(fits.map(({ weight }) => weight))] as RepertoireGoal;
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
  if (plans.length === 0) return { answer: { steps: [] }, choice: `plan:${name}/none` };
  const plan = plans[draw.weighted(plans.map(({ weight }) => weight))] as RepertoirePlan;
  const words: { readonly [word in (typeof PLAN_WORDS)[number]]: string } = {
    agent,
    n: String(view.n),
    slug,
    goal,
    artifact,
    evidence: view.evidence ?? "",
  };
  const steps = plan.steps.map(({ intents, tool, params }) =>
    tool === undefined
      ? {
          intent: filled(intents[draw.integer(0, intents.length - 1)] ?? "", words),
          params: filledJson(params, words),
        }
      : { tool, params: filledJson(params, words) },
  );
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
