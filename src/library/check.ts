/** `check`: properties over random worlds, or over worlds near a scenario. */

import type { PolicyValue } from "../contract/policyTree.ts";
import type { Property, Violation } from "../contract/property.ts";
import type { Scenario } from "../contract/scenario.ts";
import { type Problem, refuse } from "../edges/errors.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { type CheckedLists, checkedLists, worldsFor } from "../edges/pool/checkWorlds.ts";
import { lazySandbox } from "../edges/python/sandboxPort.ts";
import { checkOverrides } from "../edges/scenario/policyOverrides.ts";
import { sourceText } from "../edges/scenario/scenarioFile.ts";
import { lazyShell } from "../edges/shell/shellProcess.ts";
import { askable, propertiesOf } from "../run/check/catalogue.ts";
import {
  type CheckPlan,
  checkAll,
  countsOf,
  PLAYS_MAX,
  RUNS,
  type Status,
  smallest,
} from "../run/check/check.ts";
import { SEED_MAX } from "../substrate/random.ts";
import type { Interpreter } from "../substrate/statechart.ts";
import {
  aListOf,
  aSignal,
  aText,
  aWhole,
  type Kind,
  optionProblems,
  unknownName,
} from "./arguments.ts";
import { aCache, textFor } from "./play.ts";
import { anInterpreter, checkedRun, runKinds } from "./runOptions.ts";

/** What can be set for `check`. When empty: every property, over 100 random worlds or 10 near a scenario. */
export interface CheckOptions {
  /** How many worlds. */
  readonly runs?: number | undefined;
  /** The first world's seed, 0 … 4294967295; each next world has the next one. The scenario's own, or 1, when absent. */
  readonly seed?: number | undefined;
  /** Ids of the properties; all when absent. */
  readonly properties?: readonly string[] | undefined;
  /** The same values of the policy, by path, in every world. */
  readonly set?: { readonly [path: string]: PolicyValue } | undefined;
  /** See PlayOptions. */
  readonly cache?: string | undefined;
  /** What drives the statecharts, as in `RunOptions`. */
  readonly interpreter?: Interpreter | undefined;
  /** Ends the check when aborted, with what was found so far. */
  readonly signal?: AbortSignal | undefined;
}

/** What a check found. */
export interface CheckResult {
  /** The first world's seed, and how many worlds were played. */
  readonly seed: number;
  readonly runs: number;
  /** How many worlds ended in each way, such as `ended`. */
  readonly outcomes: { readonly [outcome: string]: number };
  /** In all worlds together. */
  readonly deliveries: number;
  /** How each property fared. */
  readonly properties: readonly CheckedProperty[];
}

/** How one property fared. */
export interface CheckedProperty
  extends Pick<Property, "id" | "kind" | "says" | "source" | "expected"> {
  /**
   * `held` in every world that put it to the test, or `untested`; `broken`; or, of a promise that a source
   * breaks on purpose, `found` or `not found`.
   */
  readonly status: Status;
  /** How often it was put to the test. */
  readonly moments: number;
  /** The seed of the first world, or of the draws, that broke it; null when nothing did. */
  readonly seed: number | null;
  /** In how many worlds it was broken. */
  readonly brokenIn: number;
  /** Where and how it is broken in the smallest world that was found; `atMs` is virtual. Null when it is not. */
  readonly violation: Violation | null;
  /** That world as a scenario's YAML, for `parseScenario`; null when there is none. */
  readonly world: string | null;
}

const RUNS_MAX = 1_000_000;
const checkKinds: { readonly [option in keyof CheckOptions]-?: Kind } = {
  runs: aWhole(1, RUNS_MAX),
  seed: aWhole(0, SEED_MAX),
  properties: aListOf("ids of properties", aText),
  set: runKinds.set,
  cache: aCache,
  interpreter: anInterpreter,
  signal: aSignal,
};

/** See `World.check`. */
export async function checkIn(
  plain: PartLists,
  scenario?: Scenario,
  options: CheckOptions = {},
): Promise<CheckResult> {
  refuse(
    optionProblems("check", options, checkKinds),
    "The type `CheckOptions` says what there is.",
  );
  const lists = await checkedLists(plain);
  const chosen = propertiesIn(lists, options.properties);
  const { signal, interpreter = "tables" } = options;
  const answers = new KeptAnswers(cacheFolder(options.cache, "cache"));
  const sandbox = lazySandbox({ answers });
  const shell = lazyShell({ answers });
  const size = scenario === undefined ? "random" : "near";
  try {
    const set = checkOverrides(lists.parts, options.set ?? {});
    const near = nearOf(lists, scenario);
    const plan: CheckPlan = {
      worlds: { ...worldsFor(lists, near, { set, chosen }, { sandbox, shell }), interpreter },
      chosen,
      first: options.seed ?? scenario?.seed ?? 1,
      runs: options.runs ?? RUNS[size],
      playsMax: PLAYS_MAX[size],
    };
    const { tried, lines } = await checkAll(plan, () => isOver(signal));
    const properties: CheckedProperty[] = [];
    for (const line of lines) {
      const { property, ...fared } = line;
      const { id, kind, says, source, expected } = property;
      const isBroken = fared.status === "broken" || fared.status === "found";
      const found = isBroken ? await smallest(plan, line, () => isOver(signal)) : undefined;
      properties.push({
        ...{ id, kind, says, source, expected },
        ...fared,
        violation: found?.violation ?? fared.violation,
        world: found === undefined ? null : sourceText(found.world),
      });
    }
    return {
      ...{ seed: plan.first, runs: tried.length, properties },
      outcomes: countsOf(tried.map(({ outcome }) => outcome)),
      deliveries: tried.reduce((sum, { deliveries }) => sum + deliveries, 0),
    };
  } finally {
    await Promise.all([sandbox.close(), shell.close()]);
  }
}

/** Between two plays everything else in the program has its turn. */
async function isOver(signal: AbortSignal | undefined): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return signal?.aborted ?? false;
}

/** The scenario near which the worlds are, by its text; null for random ones. */
function nearOf(lists: CheckedLists, scenario: Scenario | undefined) {
  if (scenario === undefined) return null;
  checkedRun(lists, "check", scenario, {});
  return { name: scenario.name, text: textFor(lists, "check", scenario) };
}

function propertiesIn(
  { promised }: CheckedLists,
  ids: readonly string[] | undefined,
): readonly Property[] {
  if (ids === undefined) return propertiesOf(promised);
  const all = askable(promised);
  const known = all.map(({ id }) => id);
  const problems = ids
    .filter((id) => !known.includes(id))
    .map((id): Problem => unknownName("check properties", id, known, "a property"));
  refuse(problems, "`npx ghostlight check --list` says what each of them promises.");
  return all.filter(({ id }) => ids.includes(id));
}
