/** From the YAML's `model:` to the repertoire of the scripted model. */

import type { Opinion } from "../../../machines/agents/model/modelAnswers.ts";
import type { Json } from "../../../machines/letter.ts";
import { MILLION } from "../../../machines/units.ts";
import type {
  Conditions,
  Repertoire,
  RepertoireGoal,
  RepertoirePlan,
  RepertoireSaying,
} from "../repertoire.ts";
import type { GoalSource, ModelSource, PlanSource } from "./modelSchema.ts";

export const repertoireOf = (model: ModelSource): Repertoire => ({
  malformedPerMille: model.malformedPerMille ?? 0,
  goals: model.goals.map(goalOf),
  ...(model.fallbackPlans && { fallbackPlans: model.fallbackPlans.map(planOf) }),
  ...(model.judges && { judges: model.judges }),
  ...(model.lessons && { lessons: model.lessons }),
  ...(model.chat && {
    chat: model.chat.map(({ match = null, ...one }) => ({ ...one, match })),
  }),
});

function goalOf(goal: GoalSource): RepertoireGoal {
  const { message, signal, says } = goal;
  return {
    slug: goal.slug,
    agents: goal.agents ?? [],
    weight: goal.weight,
    heard: goal.heard ?? null,
    claimBelow: goal.claimBelow ?? null,
    when: {
      ...conditionsOf(goal),
      ...(message !== undefined && { message }),
      ...(signal !== undefined && { signal }),
    },
    text: goal.text,
    artifact: goal.artifact,
    evidence: goal.evidence ?? null,
    ...(says && { says: sayingOf(says) }),
    plans: goal.plans.map(planOf),
  };
}

function sayingOf({ opinions, ...rest }: NonNullable<GoalSource["says"]>): RepertoireSaying {
  return { ...rest, ...(opinions && { opinions: opinions.map(opinionOf) }) };
}

const planOf = (plan: PlanSource): RepertoirePlan => ({
  id: plan.id,
  weight: plan.weight,
  when: { ...conditionsOf(plan), ...(plan.note !== undefined && { note: plan.note }) },
  steps: plan.steps.map(({ intent, params = {} }) => ({
    intents: typeof intent === "string" ? [intent] : intent,
    params: params as { readonly [name: string]: Json },
  })),
});

/** The conditions that goals and plans share; loads in millionths. */
function conditionsOf(source: GoalSource | PlanSource): Conditions {
  const { lesson, withoutLesson, whenLoad, stressor, knows, lacks, broken, notBroken } = source;
  const { section, withoutSection, nudge, withoutNudge } = source;
  return {
    ...(lesson !== undefined && { lesson }),
    ...(withoutLesson !== undefined && { withoutLesson }),
    ...(section !== undefined && { section }),
    ...(withoutSection !== undefined && { withoutSection }),
    ...(nudge !== undefined && { nudge }),
    ...(withoutNudge !== undefined && { withoutNudge }),
    ...(whenLoad && {
      whenLoad: Object.fromEntries(
        Object.entries(whenLoad).map(([bound, load]) => [bound, Math.round(load * MILLION)]),
      ),
    }),
    ...(stressor !== undefined && { stressor }),
    ...(knows !== undefined && { knows }),
    ...(lacks !== undefined && { lacks }),
    ...(broken !== undefined && { broken }),
    ...(notBroken !== undefined && { notBroken }),
  };
}

export const opinionOf = ({
  opinion,
  domain = "general",
}: {
  readonly opinion: string;
  readonly domain?: string;
}): Opinion => ({ opinion, domain });
