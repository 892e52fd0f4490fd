/** What a scenario says of agents: who they are, what they hear, their tools and their model. */
import type * as Schema from "effect/Schema";
import type { ScenarioPart } from "../../../contract/edge/scenarioPart.ts";
import {
  agent,
  ITEMS_MAX,
  listOf,
  opinion,
  optional,
  outsideEvent,
  says,
  sentence,
  text,
} from "../../../edges/scenario/scenarioFields.ts";
import {
  eachSaid,
  filled,
  type Given,
  mapSaid,
  present,
} from "../../../edges/scenario/sourceFields.ts";
import type { StartingProfile } from "../../../machines/agents/agent/profile.ts";
import type { Opinion } from "../../../machines/agents/model/modelAnswers.ts";
import type { Acquaintances } from "../../../machines/agents/suffering/goalLedger.ts";
import { defined } from "../../../machines/defined.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
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
import { ALARMS } from "../scriptedChoices.ts";
import { failureChoice } from "../scriptedTools.ts";
import { eventFindings, findings, wholeFindings } from "./checks.ts";
import { foreseen } from "./foreseen.ts";
import { type GoalSource, type ModelSource, model, type PlanSource } from "./modelSchema.ts";
import { tool, toolOf, toolSaid } from "./toolSchema.ts";
import { world, worldChoices, worldOf, worldSaid } from "./worldSchema.ts";

const tools = {
  tools: optional(listOf(tool, 0, 1_000), "Synthesized tools there from the start."),
};

const sections = {
  model: says(model, "The scripted model's repertoire."),
  world: optional(world, "What people, models and the web outside answer when a tool asks them."),
};

const agentFields = {
  traits: optional(listOf(sentence, 1, 12), "What it is like, in words."),
  opinions: optional(listOf(opinion, 1, 20), "What it thinks from the start."),
  questions: optional(listOf(sentence, 1, 12), "What it asks itself."),
  knows: optional(
    listOf(agent, 0, ITEMS_MAX),
    "The agents whose work and crises it hears of. All agents if absent.",
  ),
};

const message = outsideEvent("host.message", "A person writes to an agent.", {
  agent: says(agent, "Who receives the message."),
  text: says(text, "What the message says."),
});
const signal = outsideEvent(
  "outside.signal",
  "Agents notice something that is not said to them: an alarm, a notice.",
  {
    agents: optional(listOf(agent, 1, ITEMS_MAX), "Who notices it. All agents if absent."),
    text: says(text, "What they notice, in words."),
  },
);
const restart = outsideEvent(
  "daemon.restart",
  "The host restarts the daemon and every agent with it.",
  {},
);

type Tools = Schema.Struct.Type<typeof tools>;
type OwnSections = Schema.Struct.Type<typeof sections>;
type AgentFields = Schema.Struct.Type<typeof agentFields>;

declare module "../../../contract/edge/scenarioPart.ts" {
  interface SectionSources extends Tools, OwnSections {}
  interface AgentSources extends AgentFields {}
  interface EventSources {
    "host.message": typeof message.Type;
    "outside.signal": typeof signal.Type;
    "daemon.restart": typeof restart.Type;
  }
}

/** From the YAML's `model:` to the repertoire of the scripted model. */
const repertoireOf = (model: ModelSource): Repertoire =>
  defined({
    malformedPerMille: model.malformedPerMille ?? 0,
    goals: model.goals.map(goalOf),
    inTurn: model.inTurn,
    recorded: model.recorded,
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
    after: goal.after,
    came: goal.came,
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
const repertoireSaid = (repertoire: Given): object =>
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

const opinionOf = ({
  opinion,
  domain = "general",
}: {
  readonly opinion: string;
  readonly domain?: string;
}): Opinion => ({ opinion, domain });

type Described = string | ({ readonly name: string } & AgentFields);

/** Only an agent that a map describes has a profile before it starts; whom it knows is no part of it. */
const profileOf = (one: Described): [string, StartingProfile][] => {
  if (typeof one === "string") return [];
  const { name, knows, ...profile } = one;
  const { traits = [], opinions = [], questions = [] } = profile;
  if (knows !== undefined && Object.keys(profile).length === 0) return [];
  return [[name, { traits, opinions: opinions.map(opinionOf), questions }]];
};

/** Whom each agent knows of which it is said. */
function knownTo(agents: readonly Described[]): Acquaintances | undefined {
  const said = agents.flatMap((one): [string, readonly string[]][] =>
    typeof one === "string" || one.knows === undefined ? [] : [[one.name, one.knows]],
  );
  return said.length === 0 ? undefined : Object.fromEntries(said);
}

const agentsSaid = (agents: unknown, profiles: unknown, knows: unknown): unknown => {
  if (!Array.isArray(agents)) return agents;
  const of = (all: unknown, name: string) => (isMap(all) ? ownValue(all, name) : undefined);
  return agents.map((name: unknown) => {
    const profile = of(profiles, String(name));
    const known = of(knows, String(name));
    if (!isMap(profile) && known === undefined) return name;
    const { traits, opinions, questions } = isMap(profile) ? profile : {};
    return present({
      ...{ name, traits: filled(traits), knows: known },
      ...{ opinions: filled(opinions), questions: filled(questions) },
    });
  });
};

export const agentsScenario: ScenarioPart = {
  name: "agents",
  fields: { before: tools, behind: sections },
  agentFields,
  events: { before: [message, signal], behind: [restart] },
  withoutAgents: { model: { goals: [] } },
  wholeFindings,
  findings,
  eventFindings,
  sectionsOf: (source) => ({
    profiles: Object.fromEntries(source.agents.flatMap(profileOf)),
    ...defined({ knows: knownTo(source.agents) }),
    tools: (source.tools ?? []).map(toolOf),
    model: repertoireOf(source.model),
    world: worldOf(source.world ?? { answers: [] }),
  }),
  sourceOf: ({ agents, profiles, knows, tools, model, world }) => ({
    agents: agentsSaid(agents, profiles, knows),
    tools: eachSaid(tools, toolSaid),
    model: mapSaid(model, repertoireSaid),
    world: mapSaid(world, worldSaid),
  }),
  choices,
  counts: ({ agents, tools }): { readonly [what: string]: number } =>
    agents.length === 0 ? {} : { agents: agents.length, tools: tools.length },
  foreseen,
};

// Names of the choices that agents' models and the world outside may make: what `without` can take out.

interface Named {
  readonly id: string;
}

/** Of a scenario as it is written, or as it is decoded. */
function choices({
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
