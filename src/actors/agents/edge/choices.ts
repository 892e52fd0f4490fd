/** Names of the choices that agents' models and the world outside may make: what `without` can take out. */
import { ALARMS } from "../scriptedChoices.ts";
import { failureChoice } from "../scriptedTools.ts";
import { worldChoices } from "./worldSchema.ts";

interface Named {
  readonly id: string;
}

/** Of a scenario as it is written, or as it is decoded. */
export function choices({
  model,
  world = { answers: [] },
  tools = [],
}: {
  readonly model: {
    readonly goals: readonly { readonly slug: string; readonly plans: readonly Named[] }[];
    readonly fallbackPlans?: readonly Named[];
    readonly lessons?: readonly Named[];
    readonly chat?: readonly Named[];
    readonly judges?: { readonly identity?: unknown; readonly threat?: unknown };
  };
  readonly world?: { readonly answers: readonly Named[] };
  readonly tools?: readonly { readonly name: string; readonly failsPerMille?: number }[];
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
    ...worldChoices(world),
    ...tools.flatMap(({ name, failsPerMille }) =>
      failsPerMille === undefined ? [] : [failureChoice(name)],
    ),
  ];
}
