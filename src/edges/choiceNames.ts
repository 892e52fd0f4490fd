/** Names of the choices that a scenario's models and people may make: what `without` can take out. */

import { worldChoices } from "../actors/agents/edge/worldSchema.ts";
import { ALARMS } from "../actors/agents/scriptedAlarms.ts";
import { syntChoices } from "../actors/synt/edge/schema.ts";

interface Named {
  readonly id: string;
}

/** Of a scenario as it is written, or as it is decoded. */
export function choicesOf({
  model,
  world = { answers: [] },
  synt = {},
}: {
  readonly model: {
    readonly goals: readonly { readonly slug: string; readonly plans: readonly Named[] }[];
    readonly fallbackPlans?: readonly Named[];
    readonly lessons?: readonly Named[];
    readonly chat?: readonly Named[];
    readonly judges?: { readonly identity?: unknown; readonly threat?: unknown };
  };
  readonly world?: { readonly answers: readonly Named[] };
  readonly synt?: { readonly answers?: readonly Named[]; readonly person?: readonly Named[] };
}): string[] {
  const { goals, fallbackPlans = [], lessons = [], chat = [], judges = {} } = model;
  return [
    ...goals.flatMap(({ slug, plans }) => [
      `goal:${slug}`,
      ...plans.map(({ id }) => `plan:${slug}/${id}`),
    ]),
    ...fallbackPlans.map(({ id }) => `plan:fallback/${id}`),
    ...lessons.map(({ id }) => `lesson:${id}`),
    ...chat.map(({ id }) => `chat:${id}`),
    ...(judges.identity ? [ALARMS.identity] : []),
    ...(judges.threat ? [ALARMS.threat] : []),
    ...syntChoices(synt),
    ...worldChoices(world),
  ];
}
