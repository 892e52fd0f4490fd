/** What the fields of a scenario demand of one another: names that exist, ids that are unique. */

import type { EventSource, Frame, ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import { isOfMail } from "../../contract/otherwise.ts";
import type { Part } from "../../contract/part.ts";
import { policyWith } from "../../contract/policyTree.ts";
import type { FolderPolicy } from "../../machines/folders.ts";
import { FOLDER_PATTERN } from "../../machines/policyLeaf.ts";
import { parseDuration } from "../duration.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { choicesOf, inputsOf } from "./choiceNames.ts";
import type { Finding } from "./finding.ts";
import {
  idsOf,
  isReserved,
  namesFindings,
  pathFindings,
  reference,
  wrong,
} from "./findingParts.ts";
import { checkedOverride } from "./policyOverrides.ts";
import type {
  AgentSource,
  ExpectationSource,
  FaultSource,
  ScenarioSource,
  VariantSource,
} from "./scenarioSchema.ts";
import { peopledBy } from "./withoutAgents.ts";
import type { Path } from "./yamlText.ts";

export interface CheckOptions {
  /** The metrics that exist; any name is taken when absent. */
  readonly metricNames?: readonly string[];
  /** Those that exist for each agent too; every metric may have an actor when absent. */
  readonly agentMetricNames?: readonly string[];
  /** Those that exist for each actor of another kind: who that is, only the decoded scenario says. */
  readonly otherMetricNames?: readonly string[];
  /** Those that are never below 0 or above 1. */
  readonly shareMetricNames?: readonly string[];
}

/** Everything that is wrong with a scenario whose fields, one by one, are right. */
export function crossFindings(
  lists: ReadingLists,
  source: ScenarioSource,
  options: CheckOptions,
): Finding[] {
  const { scenarioParts } = lists;
  const { agents, events = [], files = {}, policy, expect = [] } = source;
  // A run of no length is one problem, not one for every event in it.
  const endMs = parseDuration(source.runsFor) || Number.POSITIVE_INFINITY;
  const { builtins } = policyWith(lists.parts, {}).engine;
  const folders = foldersIn(source);
  const stage: Stage = {
    ...{ ...lists, source, endMs, agents: agents.map(nameOf), builtins, folders },
    ...options,
  };
  const nobody = wholeFindings(scenarioParts, source);
  // In a world without actors, every name of an agent would be one more problem.
  if (nobody.length > 0) return nobody;
  return [
    ...startFindings(source),
    ...namesFindings(stage.agents, (index) =>
      typeof agents[index] === "string" ? ["agents", index] : ["agents", index, "name"],
    ),
    ...pathFindings(Object.keys(files), (path) => ["files", path], stage.folders, "key"),
    ...policyFindings(lists.parts, policy, ["policy"]),
    ...eventFindings(events, ["events"], stage, []),
    ...faultFindings(source.faults ?? [], ["faults"], stage),
    ...inputFindings(stage),
    ...scenarioParts.flatMap((part) => part.findings?.(source, stage) ?? []),
    ...expectationFindings(expect, ["expect"], stage),
    ...Object.entries(source.variants ?? {}).flatMap(([name, variant]) =>
      variantFindings(name, variant, stage),
    ),
  ];
}

interface Stage extends CheckOptions, Frame, ReadingLists {
  readonly source: ScenarioSource;
}

/** Those of the scenario and of all its variants: what stands in one of them is found elsewhere if it is wrong. */
function foldersIn({ policy, variants = {} }: ScenarioSource): FolderPolicy {
  const all = [policy, ...Object.values(variants).map((one) => one.policy)];
  const of = (path: string): readonly string[] =>
    all.flatMap((one) => {
      const list: unknown = one?.[path];
      return Array.isArray(list) ? list.filter((item) => FOLDER_PATTERN.test(String(item))) : [];
    });
  return { readable: of("folders.readable"), writable: of("folders.writable") };
}

/** The name of an agent, however much a scenario says of it. */
export const nameOf = (agent: AgentSource): string =>
  typeof agent === "string" ? agent : agent.name;

function startFindings({ startsAt, runsFor }: ScenarioSource): Finding[] {
  const ms = Date.parse(startsAt);
  const isReal = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(startsAt.slice(0, 19));
  return [
    ...(isReal ? [] : [wrong(["startsAt"], startsAt, "an instant that exists, in UTC")]),
    ...(parseDuration(runsFor) === 0 ? [wrong(["runsFor"], runsFor, "at least 1ms")] : []),
  ];
}

/** At least one actor must live there. */
function wholeFindings(scenarioParts: readonly ScenarioPart[], source: ScenarioSource): Finding[] {
  const isPeopled =
    source.agents.length > 0 ||
    peopledBy(scenarioParts).some((field) => Object.hasOwn(source, field));
  return [
    ...(isPeopled
      ? []
      : [
          wrong(
            ["agents"],
            source.agents,
            ["at least one agent", ...peopledBy(scenarioParts)].join(", or "),
          ),
        ]),
    ...scenarioParts.flatMap((part) => part.wholeFindings?.(source) ?? []),
  ];
}

function policyFindings(
  parts: readonly Part[],
  policy: ScenarioSource["policy"],
  base: Path,
): Finding[] {
  return Object.entries(policy ?? {}).flatMap(([path, written]) => {
    const checked = checkedOverride(parts, path, written);
    return "value" in checked ? [] : [{ path: [...base, path], ...checked }];
  });
}

function eventFindings(
  events: readonly EventSource[],
  base: Path,
  stage: Stage,
  taken: readonly string[],
): Finding[] {
  const { source } = stage;
  const names = [...taken, ...idsOf(events, "id")];
  return [
    ...namesFindings(names, (index) => [...base, index - taken.length, "id"]),
    ...events.flatMap((event, index): Finding[] => {
      const own = [...base, index];
      return [
        ...lateFindings([...own, "at"], event.at, stage),
        ...stage.scenarioParts.flatMap(
          (part) => part.eventFindings?.(event, own, source, stage) ?? [],
        ),
        ...("path" in event
          ? pathFindings([event.path], () => [...own, "path"], stage.folders)
          : []),
        // Of a move; a rollback has a revision there.
        ...("path" in event && "to" in event
          ? pathFindings([event.to], () => [...own, "to"], stage.folders)
          : []),
      ];
    }),
  ];
}

function faultFindings(
  faults: readonly FaultSource[],
  base: Path,
  stage: Stage,
  taken: readonly string[] = [],
): Finding[] {
  return [
    ...namesFindings([...taken, ...idsOf(faults, "id")], (at) => [
      ...base,
      at - taken.length,
      "id",
    ]),
    ...faults.flatMap(({ does, from = "0ms", to, by }, index): Finding[] => {
      const own = [...base, index];
      const isEmpty = to !== undefined && (parseDuration(to) ?? 0) <= (parseDuration(from) ?? 0);
      const isLate = does === "late";
      return [
        ...lateFindings([...own, "from"], from, stage),
        ...(isEmpty
          ? [wrong([...own, "to"], to, `a time after ${from}, from which on it is`)]
          : []),
        ...(isLate && by === undefined
          ? [wrong(own, does, "`by` beside late: how much later")]
          : []),
        ...(!isLate && by !== undefined
          ? [wrong([...own, "by"], by, "`by` beside late alone")]
          : []),
      ];
    }),
  ];
}

const lateFindings = (path: Path, at: string, { source, endMs }: Stage): Finding[] =>
  (parseDuration(at) ?? 0) > endMs
    ? [wrong(path, at, `a time up to the end, ${source.runsFor}`)]
    : [];

/** What the parts' own fields bring from outside comes under an id and at a time as events do. */
function inputFindings(stage: Stage): Finding[] {
  const inputs = inputsOf(stage.scenarioParts, stage.source);
  const events = idsOf(stage.source.events ?? [], "id");
  const named = namesFindings([...events, ...idsOf(inputs, "id")], (index) => {
    const input = inputs[index - events.length];
    return input === undefined ? [] : [...input.path, "id"];
  });
  return [
    // What is wrong among the events themselves is said of them.
    ...named.filter(({ path }) => path.length > 0),
    ...inputs.flatMap(({ at, path }) =>
      at === undefined ? [] : lateFindings([...path, "at"], at, stage),
    ),
  ];
}

const METRIC = "metric (`ghostlight metrics` lists them)";
const FEW = 12;

/** A metric that does not exist; `goals.failed` is told which metrics of goals there are. */
function unknownMetric(path: Path, metric: string, names: readonly string[]): Finding[] {
  const alike = names.filter((name) => name.startsWith(`${metric.split(".")[0]}.`));
  const few =
    names.length > FEW && alike.length > 0 && alike.length <= FEW
      ? `, such as ${alike.join(", ")}`
      : "";
  return reference(path, metric, names, METRIC).map((found) => ({
    ...found,
    allowed: `${found.allowed}${few}`,
  }));
}

function expectationFindings(
  expectations: readonly ExpectationSource[],
  base: Path,
  stage: Stage,
): Finding[] {
  const { agents, metricNames, agentMetricNames } = stage;
  const { otherMetricNames = [], shareMetricNames = [] } = stage;
  return expectations.flatMap(({ metric, actor, value, at = "end" }, index) => {
    const own = [...base, index];
    const unknown = metricNames ? unknownMetric([...own, "metric"], metric, metricNames) : [];
    const isShare = shareMetricNames.includes(metric);
    // What is no metric at all is no agent's metric either: one slip is one problem.
    const isOfAgents = actor !== undefined && !otherMetricNames.includes(metric);
    const isOfWorld = unknown.length === 0 && agentMetricNames?.includes(metric) === false;
    return [
      ...unknown,
      ...(isOfAgents ? reference([...own, "actor"], actor, agents, "agent") : []),
      ...(isOfAgents && isOfWorld
        ? [wrong([...own, "actor"], actor, `no actor: ${metric} is measured on the whole world`)]
        : []),
      ...(isShare && (value < 0 || value > 1)
        ? [wrong([...own, "value"], value, `a number 0 … 1, which ${metric} always is`)]
        : []),
      ...lateFindings([...own, "at"], at, stage),
    ];
  });
}

function variantFindings(name: string, variant: VariantSource, stage: Stage): Finding[] {
  const base = ["variants", name];
  const { policy, events = [], faults = [], without = {}, expect = [] } = variant;
  const ownFaults = idsOf(stage.source.faults ?? [], "id");
  const taken = idsOf(
    [...(stage.source.events ?? []), ...inputsOf(stage.scenarioParts, stage.source)],
    "id",
  );
  const choices = choicesOf(stage.scenarioParts, stage.source);
  const missing = (key: "events" | "choices", existing: readonly string[], what: string) =>
    (without[key] ?? []).flatMap((one, index) =>
      // Which mail there is, only a run can say.
      key === "choices" && isOfMail(one)
        ? []
        : reference([...base, "without", key, index], one, existing, what),
    );
  return [
    ...(isReserved(name)
      ? [{ ...wrong(base, name, "another name: this one is reserved"), part: "key" as const }]
      : []),
    ...policyFindings(stage.parts, policy, [...base, "policy"]),
    ...eventFindings(events, [...base, "events"], stage, taken).filter(({ path }) =>
      path.every((step) => typeof step === "string" || step >= 0),
    ),
    ...faultFindings(faults, [...base, "faults"], stage, ownFaults).filter(({ path }) =>
      path.every((step) => typeof step === "string" || step >= 0),
    ),
    ...missing("events", taken, "event"),
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
