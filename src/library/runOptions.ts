/** The world that a program wants to be played, checked as the command line checks its options. */

import type { MetricName } from "../contract/gauge.ts";
import { metricChecks, metricTable } from "../contract/metricTable.ts";
import type { Part } from "../contract/part.ts";
import type { PolicyValue } from "../contract/policyTree.ts";
import type { Expectation, Inhabited, Scenario } from "../contract/scenario.ts";
import { span } from "../edges/duration.ts";
import { type BadInput, badInput, isEdgeError, type Problem, refuse } from "../edges/errors.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { choicesOf, inputsOf } from "../edges/scenario/choiceNames.ts";
import { checkOverrides } from "../edges/scenario/policyOverrides.ts";
import type { ChosenWorld } from "../run/simulate.ts";
import type { Delivery } from "../substrate/envelope.ts";
import { LEVELS, type Level } from "../substrate/level.ts";
import type { Input } from "../substrate/port.ts";
import { SEED_MAX } from "../substrate/random.ts";
import { INTERPRETERS, type Interpreter } from "../substrate/statechart.ts";
import {
  aFunction,
  aListOf,
  aMap,
  aMapOnlyWith,
  aText,
  aWhole,
  type Kind,
  optionProblems,
  orNothing,
  unknownName,
} from "./arguments.ts";
import { judgedScenario } from "./judgedScenario.ts";

/** What can be different from the scenario as it stands. When empty: as it stands. */
export interface RunOptions {
  /** One of the scenario's variants; null or absent for none. */
  readonly variant?: string | null | undefined;
  /** 0 … 4294967295; the scenario's own when absent. Another seed is another world. */
  readonly seed?: number | undefined;
  /** Values of the policy by path, such as `{ "router.kind": "embedding" }`. They win. */
  readonly set?: { readonly [path: string]: PolicyValue } | undefined;
  /** Ends the run earlier than the scenario: virtual milliseconds from its start. */
  readonly untilMs?: number | undefined;
  /** Takes out outside events by id, and choices of models and people by name. */
  readonly without?:
    | { readonly events?: readonly string[]; readonly choices?: readonly string[] }
    | undefined;
  /**
   * How much is made for readers; `full` when absent. What happens is the same on every level. `recorded` has
   * digest and inputs and no log; `bare` has neither, and takes a part of the time.
   */
  readonly level?: Level | undefined;
  /**
   * What drives the statecharts: `tables` made of them when absent, or `xstate`, XState itself, which is slower
   * and decides what is right. What happens is the same, and so is every digest. A machine that tables
   * cannot hold is driven by XState in any case.
   */
  readonly interpreter?: Interpreter | undefined;
  /** Every delivery, in its order, as the event log holds it; frozen. What it throws ends the run. */
  readonly onDelivery?: ((delivery: Delivery) => void) | undefined;
  /** Everything that came from outside, answers of ports and outside events; likewise. */
  readonly onInput?: ((input: Input) => void) | undefined;
}

/** The same, with nothing left to check. */
export interface CheckedRun extends ChosenWorld {
  readonly level: Level;
  readonly interpreter: Interpreter;
  readonly without?: { readonly events?: readonly string[]; readonly choices?: readonly string[] };
}

const names = aListOf("names", aText);

export const anInterpreter: Kind = {
  allowed: INTERPRETERS.join(" | "),
  accepts: (value) => INTERPRETERS.some((one) => one === value),
};

export const runKinds: { readonly [option in keyof RunOptions]-?: Kind } = {
  variant: {
    allowed: "the name of a variant, or null",
    accepts: (value) => value === null || typeof value === "string",
  },
  seed: aWhole(0, SEED_MAX),
  set: { ...aMap, allowed: "a map of policy paths to values" },
  untilMs: aWhole(0, Number.MAX_SAFE_INTEGER),
  without: aMapOnlyWith("what is taken out", {
    events: orNothing(names),
    choices: orNothing(names),
  }),
  level: {
    allowed: LEVELS.join(" | "),
    accepts: (value) => LEVELS.some((level) => level === value),
  },
  interpreter: anInterpreter,
  onDelivery: aFunction,
  onInput: aFunction,
};

const TODO =
  "A scenario says its own names; `policyLeaves()` and `metricNames` list those of policy and metrics.";

/** Throws BadInput with everything that is wrong. `kinds` are the options that the verb has. */
export function checkedRun(
  lists: ReadingLists,
  verb: string,
  given: Scenario,
  options: RunOptions,
  kinds: { readonly [option: string]: Kind } = runKinds,
): CheckedRun {
  const { parts } = lists;
  const scenario = judgedScenario(lists, `${verb} scenario`, given);
  refuse(optionProblems(verb, options, kinds), TODO);
  const { variant, seed, set, untilMs, without } = options;
  refuse(
    [
      ...variantProblems(verb, scenario, variant ?? null),
      ...overrideProblems(parts, `${verb} set`, set ?? {}),
      ...withoutProblems(lists, verb, scenario, without ?? {}),
      ...endProblems(verb, scenario, untilMs),
      ...levelProblems(verb, options),
    ],
    TODO,
  );
  return {
    scenario,
    variant: variant ?? null,
    seed: seed ?? scenario.seed,
    set: checkOverrides(parts, set ?? {}),
    untilMs: untilMs ?? null,
    level: options.level ?? "full",
    interpreter: options.interpreter ?? "tables",
    ...(without && { without }),
  };
}

function variantProblems(verb: string, { variants }: Scenario, variant: string | null): Problem[] {
  if (variant === null || Object.hasOwn(variants, variant)) return [];
  return [unknownName(`${verb} variant`, variant, Object.keys(variants), "variant")];
}

/** The problems of the command line's own check, under a path that says where. */
function overrideProblems(
  parts: readonly Part[],
  at: string,
  set: { readonly [path: string]: unknown },
): Problem[] {
  try {
    checkOverrides(parts, set);
    return [];
  } catch (thrown) {
    if (!isEdgeError(thrown)) throw thrown;
    return [thrown, ...(thrown.more ?? [])].map(({ where, found, allowed, hint }) => ({
      where: { path: `${at} ${where.path}` },
      ...{ found, allowed },
      ...(hint !== undefined && { hint }),
    }));
  }
}

/** What is wrong with the metric of an expectation and the actor beside it. */
export function metricProblems(
  parts: readonly Part[],
  path: string,
  { metric, actor }: Pick<Expectation, "metric" | "actor">,
  world: Inhabited,
): Problem[] {
  const { metricNames, agentMetricNames } = metricChecks(parts);
  const known: readonly string[] = metricNames;
  if (!known.includes(metric)) return [unknownName(`${path} metric`, metric, known, "a metric")];
  if (actor === null) return [];
  const { agents } = world;
  const { each } = metricTable(parts)[metric as MetricName]; // It is known.
  if (each !== undefined) {
    const names = each.namesIn(world);
    return names.includes(actor) ? [] : [unknownName(`${path} actor`, actor, names, each.kind)];
  }
  if (!agents.includes(actor)) return [unknownName(`${path} actor`, actor, agents, "agent")];
  const perAgent: readonly string[] = agentMetricNames;
  if (perAgent.includes(metric)) return [];
  const allowed = `no actor: ${metric} is measured on the whole world`;
  return [{ where: { path: `${path} actor` }, found: `the agent ${actor}`, allowed }];
}

function withoutProblems(
  { scenarioParts }: ReadingLists,
  verb: string,
  scenario: Scenario,
  { events = [], choices = [] }: NonNullable<RunOptions["without"]>,
): Problem[] {
  const allEvents = [
    ...scenario.events,
    ...Object.values(scenario.variants).flatMap((one) => one.events),
  ];
  const ids = [...allEvents, ...inputsOf(scenarioParts, scenario)].map(({ id }) => id);
  const known = choicesOf(scenarioParts, scenario);
  const unknown = (key: string, given: readonly string[], there: readonly string[], what: string) =>
    given
      .filter((name) => !there.includes(name))
      .map((name) => unknownName(`${verb} without.${key}`, name, there, what));
  return [
    ...unknown("events", events, ids, "event"),
    ...unknown("choices", choices, known, "choice"),
  ];
}

function endProblems(
  verb: string,
  { runsForMs }: Scenario,
  untilMs: number | undefined,
): Problem[] {
  if (untilMs === undefined || untilMs <= runsForMs) return [];
  const allowed = `up to ${runsForMs}, where the scenario ends (${span(runsForMs)})`;
  return [{ where: { path: `${verb} untilMs` }, found: String(untilMs), allowed }];
}

/** What looks on must be told of what this level makes. */
function levelProblems(verb: string, options: RunOptions): Problem[] {
  const { level = "full", onDelivery, onInput } = options;
  const unmade = (name: string, allowed: string): Problem => ({
    where: { path: `${verb} ${name}` },
    found: `a function beside the level ${level}`,
    allowed,
  });
  return [
    ...(onDelivery && level !== "full" ? [unmade("onDelivery", "the level full")] : []),
    ...(onInput && level === "bare" ? [unmade("onInput", "the levels full and recorded")] : []),
  ];
}

/** For a world that a synchronous verb cannot play. */
export const needsPlay = (verb: string, found: string): BadInput =>
  badInput(
    verb,
    found,
    "a world whose ports all answer at once",
    `Use \`await play(scenario, options)\` in place of ${verb}: it opens what a world needs.`,
  );
