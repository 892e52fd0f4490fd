/** What the fields of a scenario that are about agents demand of one another. */

import type { EventSource, Frame } from "../../../contract/edge/scenarioPart.ts";
import type { Finding } from "../../../edges/scenario/finding.ts";
import {
  idsOf,
  namesFindings,
  pathFindings,
  reference,
  wrong,
} from "../../../edges/scenario/findingParts.ts";
import type { AgentSource, ScenarioSource } from "../../../edges/scenario/scenarioSchema.ts";
import type { Path } from "../../../edges/scenario/yamlText.ts";
import { profilePath } from "../../../machines/agents/agent/profile.ts";
import { TOOLS_FOLDER } from "../../../machines/agents/engine/state.ts";
import type { Json } from "../../../machines/letter.ts";
import type { GoalSource, ModelSource, PlanSource } from "./modelSchema.ts";
import { paramFindings } from "./placeholders.ts";
import { toolFindings } from "./toolSchema.ts";
import { worldFindings } from "./worldSchema.ts";

/** An agent must be able to think of something. */
export const wholeFindings = ({ agents, model }: ScenarioSource): Finding[] =>
  agents.length > 0 && model.goals.length === 0
    ? [wrong(["model", "goals"], model.goals, "at least one goal for the agents to think of")]
    : [];

export function findings(source: ScenarioSource, frame: Frame): Finding[] {
  const { agents, tools = [], files = {}, model, world = { answers: [] } } = source;
  return [
    ...agents.flatMap((agent) => profileFindings(agent, files)),
    ...acquaintanceFindings(agents, frame),
    ...namesFindings(idsOf(tools, "name"), (index) => ["tools", index, "name"]),
    ...tools.flatMap(({ name }) => toolFileFindings(name, files)),
    ...toolFindings(tools),
    ...model.goals.flatMap((goal, index) => goalFindings(goal, ["model", "goals", index], frame)),
    ...(model.fallbackPlans ?? []).flatMap((plan, index) =>
      planFindings(plan, ["model", "fallbackPlans", index]),
    ),
    ...model.goals.flatMap(({ plans }, index) =>
      plansFindings(plans, ["model", "goals", index, "plans"], source),
    ),
    ...plansFindings(model.fallbackPlans ?? [], ["model", "fallbackPlans"], source),
    ...modelFindings(model),
    ...worldFindings(world, frame.folders),
    ...namesFindings(idsOf(world.answers, "id"), (index) => ["world", "answers", index, "id"]),
  ];
}

/** An agent that is to hear an event must live in the world. */
export function eventFindings(
  event: EventSource,
  own: Path,
  _source: ScenarioSource,
  { agents }: Frame,
): Finding[] {
  if (event.does === "host.message") {
    return reference([...own, "agent"], event.agent, agents, "agent");
  }
  if (event.does !== "outside.signal" || event.agents === undefined) return [];
  return [
    ...namesFindings(event.agents, (at) => [...own, "agents", at]),
    ...event.agents.flatMap((name, at) => reference([...own, "agents", at], name, agents, "agent")),
  ];
}

/** The options of the model that stand beside its goals. */
function modelFindings(model: ModelSource): Finding[] {
  const { goals, fallbackPlans = [], lessons = [], chat = [] } = model;
  const at =
    (list: string, key: string) =>
    (index: number): Path => ["model", list, index, key];
  return [
    ...namesFindings(idsOf(goals, "slug"), at("goals", "slug")),
    ...namesFindings(idsOf(fallbackPlans, "id"), at("fallbackPlans", "id")),
    ...namesFindings(idsOf(lessons, "id"), at("lessons", "id")),
    ...namesFindings(idsOf(chat, "id"), at("chat", "id")),
  ];
}

/** Whom an agent knows is another agent, each once. */
function acquaintanceFindings(agents: readonly AgentSource[], frame: Frame): Finding[] {
  const there = new Set(frame.agents);
  return agents.flatMap((agent, index) => {
    if (typeof agent === "string") return [];
    const { name, knows = [] } = agent;
    const pathOf = (at: number): Path => ["agents", index, "knows", at];
    return [
      ...namesFindings(knows, pathOf),
      ...knows.flatMap((one, at) => {
        if (one === name) return [wrong(pathOf(at), one, "another agent than itself")];
        if (there.has(one)) return [];
        const others = frame.agents.filter((other) => other !== name);
        return reference(pathOf(at), one, others, "agent");
      }),
    ];
  });
}

/** An agent's profile stands in its map or in its file, not in both. */
function profileFindings(
  agent: AgentSource,
  files: { readonly [path: string]: string },
): Finding[] {
  if (typeof agent === "string") return [];
  const path = profilePath(agent.name);
  if (!Object.hasOwn(files, path)) return [];
  const allowed = `other files: the agent ${agent.name} writes this one itself`;
  return [{ ...wrong(["files", path], path, allowed), part: "key" }];
}

function toolFileFindings(tool: string, files: { readonly [path: string]: string }): Finding[] {
  return [`${TOOLS_FOLDER}/${tool}.json`, `${TOOLS_FOLDER}/${tool}.py`]
    .filter((path) => Object.hasOwn(files, path))
    .map((path) => {
      const allowed = `other files: the tool ${tool} writes this one itself`;
      return { ...wrong(["files", path], path, allowed), part: "key" };
    });
}

/** A step says what it wants in words, or names its tool; where tools are called by name it names one. */
const plansFindings = (
  plans: readonly PlanSource[],
  base: Path,
  { policy = {} }: ScenarioSource,
): Finding[] =>
  plans.flatMap(({ steps }, plan) =>
    steps.flatMap(({ intent, tool, params, args }, step) => {
      const own = [...base, plan, "steps", step];
      if (params !== undefined && args !== undefined) {
        return [{ ...wrong([...own, "args"], "args", "params or args, not both"), part: "key" }];
      }
      if ((intent === undefined) === (tool === undefined)) {
        return [wrong(own, { intent, tool }, "either intent or tool, not both or none")];
      }
      return intent !== undefined && policy["router.kind"] === "name"
        ? [wrong([...own, "intent"], intent, "tool: NAME, since router.kind is name")]
        : [];
    }),
  );

function goalFindings(goal: GoalSource, base: Path, frame: Frame): Finding[] {
  const { agents = [], claimBelow, plans } = goal;
  return [
    ...agents.flatMap((name, index) =>
      reference([...base, "agents", index], name, frame.agents, "agent"),
    ),
    ...(claimBelow === undefined
      ? []
      : pathFindings([claimBelow], () => [...base, "claimBelow"], frame.folders)),
    ...namesFindings(idsOf(plans, "id"), (index) => [...base, "plans", index, "id"]),
    ...contradictions(goal, base),
    ...plans.flatMap((plan, index) => planFindings(plan, [...base, "plans", index])),
  ];
}

const planFindings = (plan: PlanSource, base: Path): Finding[] => [
  ...contradictions(plan, base),
  ...plan.steps.flatMap(({ params = {} }, index) =>
    paramFindings(params as { readonly [name: string]: Json }, [...base, "steps", index, "params"]),
  ),
];

/** Conditions that exclude one another, so that nothing ever fits. */
function contradictions(conditions: GoalSource | PlanSource, base: Path): Finding[] {
  const { whenLoad: { atLeast = 0, below = Number.POSITIVE_INFINITY } = {} } = conditions;
  const pairs = [
    ["knows", "lacks"],
    ["broken", "notBroken"],
    ["lesson", "withoutLesson"],
    ["section", "withoutSection"],
    ["nudge", "withoutNudge"],
  ] as const;
  return [
    ...(atLeast < below
      ? []
      : [wrong([...base, "whenLoad"], { atLeast, below }, "atLeast less than below")]),
    ...pairs.flatMap(([one, other]) => {
      const text = conditions[one];
      return text === undefined || text !== conditions[other]
        ? []
        : [wrong([...base, other], text, `another text than ${one} has`)];
    }),
  ];
}
