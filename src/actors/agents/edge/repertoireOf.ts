/** From the YAML's `model:` to the repertoire of the scripted model. */

import type { Opinion } from "../../../machines/agents/model/modelAnswers.ts";
import { defined } from "../../../machines/defined.ts";
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
  steps: plan.steps.map(({ intent = [], tool, params = {} }) =>
    defined<RepertoireStep>({
      intents: typeof intent === "string" ? [intent] : intent,
      tool,
      params: params as { readonly [name: string]: Json },
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

export const opinionOf = ({
  opinion,
  domain = "general",
}: {
  readonly opinion: string;
  readonly domain?: string;
}): Opinion => ({ opinion, domain });
