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
import { eachSaid, filled, mapSaid, present } from "../../../edges/scenario/sourceFields.ts";
import type { StartingProfile } from "../../../machines/agents/agent/profile.ts";
import { isMap } from "../../../machines/isMap.ts";
import { eventFindings, findings, wholeFindings } from "./checks.ts";
import { choices } from "./choices.ts";
import { foreseen } from "./foreseen.ts";
import { model } from "./modelSchema.ts";
import { opinionOf, repertoireOf, repertoireSaid } from "./repertoireOf.ts";
import { tool, toolOf, toolSaid } from "./toolSchema.ts";
import { world, worldOf, worldSaid } from "./worldSchema.ts";

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

/** Only an agent that a map describes has a profile before it starts. */
const profileOf = (
  one: string | ({ readonly name: string } & AgentFields),
): [string, StartingProfile][] => {
  if (typeof one === "string") return [];
  const { name, traits = [], opinions = [], questions = [] } = one;
  return [[name, { traits, opinions: opinions.map(opinionOf), questions }]];
};

const agentsSaid = (agents: unknown, profiles: unknown): unknown => {
  if (!Array.isArray(agents) || !isMap(profiles)) return agents;
  return agents.map((name: unknown) => {
    const profile = Object.hasOwn(profiles, String(name)) ? profiles[String(name)] : undefined;
    if (!isMap(profile)) return name;
    const { traits, opinions, questions } = profile;
    return present({
      ...{ name, traits: filled(traits) },
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
    tools: (source.tools ?? []).map(toolOf),
    model: repertoireOf(source.model),
    world: worldOf(source.world ?? { answers: [] }),
  }),
  sourceOf: ({ agents, profiles, tools, model, world }) => ({
    agents: agentsSaid(agents, profiles),
    tools: eachSaid(tools, toolSaid),
    model: mapSaid(model, repertoireSaid),
    world: mapSaid(world, worldSaid),
  }),
  choices,
  counts: ({ agents, tools }): { readonly [what: string]: number } =>
    agents.length === 0 ? {} : { agents: agents.length, tools: tools.length },
  foreseen,
};
