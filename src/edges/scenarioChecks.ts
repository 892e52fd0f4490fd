/** What the fields of a scenario demand of one another: names that exist, ids that are unique. */

import type { GoalSource, ModelSource } from "../actors/agents/edge/modelSchema.ts";
import { worldFindings } from "../actors/agents/edge/worldSchema.ts";
import { syntFindings } from "../actors/synt/edge/checks.ts";
import { profilePath } from "../machines/agents/agent/profile.ts";
import { TOOLS_FOLDER } from "../machines/agents/engine/state.ts";
import { isPlainPath } from "../machines/files.ts";
import { choicesOf } from "./choiceNames.ts";
import { parseDuration } from "./duration.ts";
import type { Finding } from "./finding.ts";
import { idsOf, isReserved, namesFindings, reference, wrong } from "./findingParts.ts";
import { checkedOverride } from "./policyOverrides.ts";
import type {
  AgentSource,
  EventSource,
  ExpectationSource,
  ScenarioSource,
  VariantSource,
} from "./scenarioSchema.ts";
import type { Part, Path } from "./yamlText.ts";

export interface CheckOptions {
  /** The metrics that exist; any name is taken when absent. */
  readonly metricNames?: readonly string[];
  /** Those that exist for each agent too; every metric may have an actor when absent. */
  readonly agentMetricNames?: readonly string[];
}

/** Everything that is wrong with a scenario whose fields, one by one, are right. */
export function crossFindings(source: ScenarioSource, options: CheckOptions): Finding[] {
  const { agents, events = [], tools = [], files = {}, policy, expect = [] } = source;
  const { world = { answers: [] } } = source;
  // A run of no length is one problem, not one for every event in it.
  const endMs = parseDuration(source.runsFor) || Number.POSITIVE_INFINITY;
  const stage: Stage = { source, endMs, agents: agents.map(nameOf), ...options };
  const nobody = livingFindings(source);
  // Where nobody lives, every name of an agent would be one more problem.
  if (nobody.length > 0) return nobody;
  return [
    ...startFindings(source),
    ...namesFindings(stage.agents, (index) =>
      typeof agents[index] === "string" ? ["agents", index] : ["agents", index, "name"],
    ),
    ...agents.flatMap((agent) => profileFindings(agent, files)),
    ...namesFindings(idsOf(tools, "name"), (index) => ["tools", index, "name"]),
    ...pathFindings(Object.keys(files), (path) => ["files", path], "key"),
    ...tools.flatMap(({ name }) => toolFileFindings(name, files)),
    ...policyFindings(policy, ["policy"]),
    ...eventFindings(events, ["events"], stage, []),
    ...source.model.goals.flatMap((goal, index) =>
      goalFindings(goal, ["model", "goals", index], stage),
    ),
    ...modelFindings(source.model),
    ...worldFindings(world),
    ...(source.synt
      ? syntFindings(source.synt, { endMs, runsFor: source.runsFor, events: idsOf(events, "id") })
      : []),
    ...namesFindings(idsOf(world.answers, "id"), (index) => ["world", "answers", index, "id"]),
    ...expectationFindings(expect, ["expect"], stage),
    ...Object.entries(source.variants ?? {}).flatMap(([name, variant]) =>
      variantFindings(name, variant, stage),
    ),
  ];
}

interface Stage extends CheckOptions {
  readonly source: ScenarioSource;
  readonly endMs: number;
  /** The names of the agents. */
  readonly agents: readonly string[];
}

/** The name of an agent, however much a scenario says of it. */
export const nameOf = (agent: AgentSource): string =>
  typeof agent === "string" ? agent : agent.name;

/** The options of the model that stand beside its goals. */
function modelFindings(model: ModelSource): Finding[] {
  const { goals, fallbackPlans = [], lessons = [], chat = [] } = model;
  return [
    ...namesFindings(idsOf(goals, "slug"), (index) => ["model", "goals", index, "slug"]),
    ...namesFindings(idsOf(fallbackPlans, "id"), (index) => [
      "model",
      "fallbackPlans",
      index,
      "id",
    ]),
    ...namesFindings(idsOf(lessons, "id"), (index) => ["model", "lessons", index, "id"]),
    ...namesFindings(idsOf(chat, "id"), (index) => ["model", "chat", index, "id"]),
  ];
}

/** Who an agent is stands in its map or in its file, not in both. */
function profileFindings(
  agent: AgentSource,
  files: { readonly [path: string]: string },
): Finding[] {
  const path = profilePath(nameOf(agent));
  if (typeof agent === "string" || !Object.hasOwn(files, path)) return [];
  const allowed = `other files: the agent ${agent.name} writes this one itself`;
  return [{ ...wrong(["files", path], path, allowed), part: "key" }];
}

function startFindings({ startsAt, runsFor }: ScenarioSource): Finding[] {
  const ms = Date.parse(startsAt);
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(startsAt.slice(0, 19));
  return [
    ...(isReal ? [] : [wrong(["startsAt"], startsAt, "an instant that exists, in UTC")]),
    ...(parseDuration(runsFor) === 0 ? [wrong(["runsFor"], runsFor, "at least 1ms")] : []),
  ];
}

/** Somebody must live there, and an agent must be able to think of something. */
function livingFindings({ agents, model, synt }: ScenarioSource): Finding[] {
  if (agents.length === 0) {
    return synt === undefined ? [wrong(["agents"], agents, "at least one agent, or synt")] : [];
  }
  return model.goals.length === 0
    ? [wrong(["model", "goals"], model.goals, "at least one goal for the agents to think of")]
    : [];
}

function pathFindings(
  paths: readonly string[],
  pathOf: (path: string) => Path,
  part: Part = "value",
): Finding[] {
  const allowed = "a path below /agentOS/ without empty, . or .. segments";
  return paths
    .filter((path) => !isPlainPath(path))
    .map((path) => ({ ...wrong(pathOf(path), path, allowed), part }));
}

function toolFileFindings(tool: string, files: { readonly [path: string]: string }): Finding[] {
  return [`${TOOLS_FOLDER}/${tool}.json`, `${TOOLS_FOLDER}/${tool}.py`]
    .filter((path) => Object.hasOwn(files, path))
    .map((path) => {
      const allowed = `other files: the tool ${tool} writes this one itself`;
      return { ...wrong(["files", path], path, allowed), part: "key" };
    });
}

function policyFindings(policy: ScenarioSource["policy"], base: Path): Finding[] {
  return Object.entries(policy ?? {}).flatMap(([path, written]) => {
    const checked = checkedOverride(path, written);
    return "value" in checked ? [] : [{ path: [...base, path], ...checked }];
  });
}

const SYNT_EVENTS: readonly string[] = ["synt.homeostasis", "synt.revise", "executor.revoke"];

function eventFindings(
  events: readonly EventSource[],
  base: Path,
  { source, endMs, agents }: Stage,
  taken: readonly string[],
): Finding[] {
  const names = [...taken, ...idsOf(events, "id")];
  return [
    ...namesFindings(names, (index) => [...base, index - taken.length, "id"]),
    ...events.flatMap((event, index): Finding[] => {
      const own = [...base, index];
      const isLate = (parseDuration(event.at) ?? 0) > endMs;
      const late = wrong([...own, "at"], event.at, `a time up to the end, ${source.runsFor}`);
      return [
        ...(isLate ? [late] : []),
        ...(SYNT_EVENTS.includes(event.does) && source.synt === undefined
          ? [wrong([...own, "does"], event.does, "an event of a world with `synt:`")]
          : []),
        ...("agent" in event ? reference([...own, "agent"], event.agent, agents, "agent") : []),
        ...("agents" in event
          ? [
              ...namesFindings(event.agents, (at) => [...own, "agents", at]),
              ...event.agents.flatMap((name, at) =>
                reference([...own, "agents", at], name, agents, "agent"),
              ),
            ]
          : []),
        ...("path" in event ? pathFindings([event.path], () => [...own, "path"]) : []),
        ...("to" in event ? pathFindings([event.to], () => [...own, "to"]) : []),
      ];
    }),
  ];
}

function goalFindings(goal: GoalSource, base: Path, stage: Stage): Finding[] {
  const { agents = [], claimBelow, plans } = goal;
  return [
    ...agents.flatMap((name, index) =>
      reference([...base, "agents", index], name, stage.agents, "agent"),
    ),
    ...(claimBelow === undefined ? [] : pathFindings([claimBelow], () => [...base, "claimBelow"])),
    ...namesFindings(idsOf(plans, "id"), (index) => [...base, "plans", index, "id"]),
  ];
}

const METRIC = "metric (`ghostlight metrics` lists them)";

function expectationFindings(
  expectations: readonly ExpectationSource[],
  base: Path,
  { source, endMs, agents, metricNames, agentMetricNames }: Stage,
): Finding[] {
  return expectations.flatMap(({ metric, actor, at = "end" }, index) => {
    const own = [...base, index];
    const isLate = (parseDuration(at) ?? 0) > endMs;
    const unknown = metricNames ? reference([...own, "metric"], metric, metricNames, METRIC) : [];
    // What no metric measures, it also measures on nobody: one slip is one problem.
    const isOfWorld = unknown.length === 0 && agentMetricNames?.includes(metric) === false;
    return [
      ...unknown,
      ...(actor === undefined ? [] : reference([...own, "actor"], actor, agents, "agent")),
      ...(actor !== undefined && isOfWorld
        ? [wrong([...own, "actor"], actor, `no actor: ${metric} is measured on the whole world`)]
        : []),
      ...(isLate ? [wrong([...own, "at"], at, `a time up to the end, ${source.runsFor}`)] : []),
    ];
  });
}

function variantFindings(name: string, variant: VariantSource, stage: Stage): Finding[] {
  const base = ["variants", name];
  const { policy, events = [], without = {}, expect = [] } = variant;
  const eventIds = idsOf(stage.source.events ?? [], "id");
  const choices = choicesOf(stage.source);
  const missing = (key: "events" | "choices", existing: readonly string[], what: string) =>
    (without[key] ?? []).flatMap((one, index) =>
      reference([...base, "without", key, index], one, existing, what),
    );
  return [
    ...(isReserved(name)
      ? [{ ...wrong(base, name, "another name: this one is reserved"), part: "key" as const }]
      : []),
    ...policyFindings(policy, [...base, "policy"]),
    ...eventFindings(events, [...base, "events"], stage, eventIds).filter(({ path }) =>
      path.every((step) => typeof step === "string" || step >= 0),
    ),
    // A user's turn comes from outside like an event.
    ...missing("events", [...eventIds, ...idsOf(stage.source.synt?.turns ?? [], "id")], "event"),
    ...missing("choices", choices, "choice"),
    ...(expect === "inherit"
      ? inheritFindings([...base, "expect"], stage.source)
      : expectationFindings(expect, [...base, "expect"], stage)),
  ];
}

function inheritFindings(path: Path, { expect = [] }: ScenarioSource): Finding[] {
  const allowed = "a list: the scenario has no `expect` to inherit";
  return expect.length > 0 ? [] : [wrong(path, "inherit", allowed)];
}
