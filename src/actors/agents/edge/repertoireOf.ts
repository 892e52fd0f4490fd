/** From the YAML's `model:` to the repertoire of the scripted model. */

import {
  eachSaid,
  filled,
  type Given,
  mapSaid,
  present,
} from "../../../edges/scenario/sourceFields.ts";
import type { Opinion } from "../../../machines/agents/model/modelAnswers.ts";
import { defined } from "../../../machines/defined.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { MILLION } from "../../../machines/units.ts";
import type {
  Conditions,
  GoalConditions,
  PlanConditions,
  Repertoire,
  RepertoireGoal,
  RepertoirePlan,
  RepertoireSaying,
  RepertoireStep,
} from "../repertoire.ts";
import type { GoalSource, ModelSource, PlanSource } from "./modelSchema.ts";

export const repertoireOf = (model: ModelSource): Repertoire =>
  defined({
    malformedPerMille: model.malformedPerMille ?? 0,
    goals: model.goals.map(goalOf),
    inTurn: model.inTurn,
    fallbackPlans: model.fallbackPlans?.map(planOf),
    judges: model.judges,
    lessons: model.lessons,
    chat: model.chat?.map(({ match = null, ...one }) => ({ ...one, match })),
  });

function goalOf(goal: GoalSource): RepertoireGoal {
  const { message, signal, says } = goal;
  return defined({
    slug: goal.slug,
    agents: goal.agents ?? [],
    weight: goal.weight,
    heard: goal.heard ?? null,
    nth: goal.nth,
    claimBelow: goal.claimBelow ?? null,
    when: defined<GoalConditions>({ ...conditionsOf(goal), message, signal }),
    text: goal.text,
    artifact: goal.artifact,
    evidence: goal.evidence ?? null,
    says: says && sayingOf(says),
    plans: goal.plans.map(planOf),
  });
}

function sayingOf({ opinions, ...rest }: NonNullable<GoalSource["says"]>): RepertoireSaying {
  return defined({ ...rest, opinions: opinions?.map(opinionOf) });
}

const planOf = (plan: PlanSource): RepertoirePlan => ({
  id: plan.id,
  weight: plan.weight,
  when: defined<PlanConditions>({ ...conditionsOf(plan), note: plan.note }),
  steps: plan.steps.map(({ intent = [], tool, args, params = args ?? {} }) =>
    defined<RepertoireStep>({
      intents: typeof intent === "string" ? [intent] : intent,
      tool,
      params: params as { readonly [name: string]: Json },
      verbatim: args === undefined ? undefined : true,
    }),
  ),
});

/** The conditions that goals and plans share; loads in millionths. */
function conditionsOf(source: GoalSource | PlanSource): Conditions {
  const { lesson, withoutLesson, whenLoad, stressor, knows, lacks, broken, notBroken } = source;
  const { section, withoutSection, nudge, withoutNudge } = source;
  return defined({
    lesson,
    withoutLesson,
    section,
    withoutSection,
    nudge,
    withoutNudge,
    stressor,
    knows,
    lacks,
    broken,
    notBroken,
    whenLoad:
      whenLoad &&
      Object.fromEntries(
        Object.entries(whenLoad).map(([bound, load]) => [bound, Math.round(load * MILLION)]),
      ),
  });
}

/** The other way round: what the YAML would say. */
export const repertoireSaid = (repertoire: Given): object =>
  present({
    ...repertoire,
    goals: eachSaid(repertoire["goals"], goalSaid),
    fallbackPlans: eachSaid(repertoire["fallbackPlans"], planSaid),
    chat: eachSaid(repertoire["chat"], present),
  });

const goalSaid = ({ when, agents, plans, ...goal }: Given): object =>
  present({
    ...{ ...goal, ...conditionsSaid(when) },
    ...{ agents: filled(agents), plans: eachSaid(plans, planSaid) },
  });

const planSaid = ({ when, steps, ...plan }: Given): object =>
  present({ ...plan, ...conditionsSaid(when), steps: eachSaid(steps, stepSaid) });

const stepSaid = ({ intents, params, verbatim, ...step }: Given): object =>
  present({ ...step, intent: filled(intents), [verbatim === true ? "args" : "params"]: params });

function conditionsSaid(when: unknown): object {
  if (!isMap(when)) return when === undefined ? {} : { when };
  const whenLoad = mapSaid(when["whenLoad"], (bounds) =>
    Object.fromEntries(
      Object.entries(bounds).map(([bound, load]) => [
        bound,
        typeof load === "number" ? load / MILLION : load,
      ]),
    ),
  );
  return present({ ...when, whenLoad });
}

export const opinionOf = ({
  opinion,
  domain = "general",
}: {
  readonly opinion: string;
  readonly domain?: string;
}): Opinion => ({ opinion, domain });
