/** From the fields of a study's file to the study: names that exist, values that leaves take, defaults filled in. */
import type { Overrides } from "../../contract/policy.ts";
import { type PolicyValue, policyValues, policyWith } from "../../contract/policyTree.ts";
import { type Scenario, variantOf } from "../../contract/scenario.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import type { Promised } from "../../run/check/promises.ts";
import { acrossIn, type Outcome } from "../../studies/outcomes/outcome.ts";
import {
  type Design,
  type Factor,
  type Goal,
  ITSELF,
  SCENARIO,
  type Setting,
  type Study,
  VARIANT,
  worldName,
} from "../../studies/study.ts";
import { parseDuration } from "../duration.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import type { Finding } from "../scenario/finding.ts";
import { reference, wrong } from "../scenario/findingParts.ts";
import type { Path } from "../scenario/yamlText.ts";
import {
  constraintIn,
  type Reading,
  scenarioFactor,
  settingIn,
  variantFactor,
  variedIn,
  writtenValue,
} from "./studyFactors.ts";
import { frontierFindings } from "./studyFrontier.ts";
import { comparedPaths, leafUnits, outcomesIn, outcomeUnits } from "./studyOutcomes.ts";
import { DEFAULTS, type DesignSource, GOALS_MOST, type StudySource } from "./studySchema.ts";

/** What it takes to read a study: its goal names promises. */
export interface StudyLists extends ReadingLists {
  readonly promised: Promised;
}

/** `findings` gets what is wrong; the study is one only where nothing is. */
export function studyOf(
  lists: StudyLists,
  source: StudySource,
  loaded: readonly LoadedScenario[],
  name: string,
  findings: Finding[],
): Study {
  const all = loaded.map(({ scenario }) => scenario);
  const scenario = all[0] as Scenario;
  const isVaried = all.length > 1;
  const reading: Reading = {
    ...{ lists, findings, scenarios: isVaried ? all.map((one) => one.name) : [] },
    variants: Object.keys(scenario.variants).filter((variant) =>
      all.every(({ variants }) => Object.hasOwn(variants, variant)),
    ),
  };
  findings.push(...namesakes(reading.scenarios));
  const shortest = all.reduce((a, b) => (b.runsForMs < a.runsForMs ? b : a));
  const endMs = endOf(shortest, source, findings);
  const before = findings.length;
  const { set: stays, factors: ranges } = variedIn(reading, source.factors);
  const { variant, varied } = variantsIn(reading, source.variants);
  const worlds = isVaried ? [scenarioFactor(reading) ?? []].flat() : [];
  const factors = [...worlds, ...varied, ...ranges];
  const set = { ...setIn(reading, source), ...stays };
  if (factors.length === 0 && findings.length === before) {
    findings.push({
      path: ["factors"],
      found: "nothing that varies",
      allowed: "a list, or a map with low and high",
    });
  }
  const properties = promisedIn(lists);
  // Actors that are measured are those of all.
  const [outcomes = []] = all.map((one) => {
    const stage = { ...reading, scenario: one, endMs, properties: properties.all };
    return outcomesIn({ ...stage, findings: unseen(findings) }, source.outcomes);
  });
  const names = Object.keys(source.outcomes);
  const goal = goalIn(findings, source.goal, names, properties);
  if (goal !== null && isVaried) {
    const found = "several scenarios beside a goal: nobody chooses a scenario";
    findings.push({ path: ["scenario"], found, allowed: "one scenario, or robust without a goal" });
  }
  const { stop = null } = source;
  if (stop !== null) {
    const at = ["stop", "outcome"];
    findings.push(...reference(at, stop.outcome, names, "outcome"));
    if (acrossIn(outcomes, stop.outcome)?.kind === "worst") {
      findings.push(
        wrong(at, stop.outcome, "an outcome with an interval, which the worst has not"),
      );
    }
  }
  if (source.design === undefined && goal === null) {
    findings.push({
      path: ["design"],
      found: "nothing, but it is required",
      allowed: "a design, or a goal for `tune`",
    });
  }
  findings.push(...frontierFindings(source, factors, outcomes));
  findings.push(...groupFindings(source, factors));
  const setting = (written: StudySource["baseline"] & {}, at: Path, isWhole: boolean): Setting =>
    settingIn(reading, factors, written, at, isWhole);
  const baseline = setting(source.baseline ?? {}, ["baseline"], false);
  const shipped = (one: string | null, of = scenario): Overrides => ({
    ...variantOf(of, one).policy,
    ...set,
  });
  const recordings = all.reduce((sum, one) => sum + recordingsIn(one), 0);
  return {
    name,
    why: source.why,
    scenario: { name: scenario.name, text: loaded[0]?.text ?? "" },
    ...(isVaried && {
      scenarios: Object.fromEntries(loaded.map((one) => [one.scenario.name, one.text])),
    }),
    ...(recordings > 0 && { recordings }),
    seed: source.seed ?? 1,
    untilMs: source.until === undefined ? null : msOf(source.until),
    limits: { ...source.limits },
    variant,
    set,
    factors,
    where: (source.where ?? []).map((one, index) =>
      constraintIn(reading, ranges, one, ["where", index]),
    ),
    design: source.design === undefined ? null : designIn(source.design, findings, setting),
    replicates: replicatesIn(source.replicates),
    stop,
    outcomes,
    baseline: {
      ...shippedSetting(lists, factors, shipped(variant)),
      ...(isVaried && { [SCENARIO]: scenario.name }),
      ...baseline,
    },
    isCompared: source.baseline !== undefined,
    goal,
    ...robustIn(findings, source, factors, names),
    enqueue: (source.enqueue ?? []).map((one, index) => setting(one, ["enqueue", index], true)),
    watched: watchedBy(outcomes, goal),
    leaves: leavesOf(
      lists,
      outcomes,
      all.flatMap((one) =>
        [null, ...reading.variants].map((own) => ({
          name: worldName({ variant: own, ...(isVaried && { scenario: one.name }) }),
          shipped: shipped(own, one),
        })),
      ),
    ),
    units: {
      leaves: leafUnits(lists, [...factors.map((one) => one.name), ...Object.keys(set)], outcomes),
      outcomes: outcomeUnits(lists, outcomes),
    },
  };
}

interface LoadedScenario {
  readonly scenario: Scenario;
  readonly text: string;
}

/** Of how many recordings a world was made: each agent of it has that many. */
const recordingsIn = ({ model }: Scenario): number =>
  Math.max(0, ...Object.values(model.recorded ?? {}).map((all) => [all].flat().length));

/** Of several scenarios what is wrong in the same way is said once. */
function unseen(findings: Finding[]): Finding[] {
  const push = (...more: readonly Finding[]): number => {
    const known = new Set(findings.map((one) => JSON.stringify(one)));
    return findings.push(...more.filter((one) => !known.has(JSON.stringify(one))));
  };
  return Object.assign([...findings], { push });
}

/** Points name scenarios by the names of their files. */
const namesakes = (names: readonly string[]): readonly Finding[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [wrong(["scenario", index], name, "files of different names")],
  );

const msOf = (text: string): number => parseDuration(text) ?? 0;

function endOf({ runsForMs }: Scenario, { until }: StudySource, findings: Finding[]): number {
  if (until === undefined) return runsForMs;
  const isInside = msOf(until) >= 1 && msOf(until) <= runsForMs;
  if (!isInside) findings.push(wrong(["until"], until, `1ms … ${runsForMs}ms, the scenario's end`));
  return isInside ? msOf(until) : runsForMs;
}

function setIn(reading: Reading, { set = {}, factors }: StudySource): Overrides {
  const values = Object.entries(set).flatMap(([name, written]): [string, PolicyValue][] => {
    const at = ["set", name];
    if (Object.hasOwn(factors, name)) {
      reading.findings.push({
        ...wrong(at, name, "a path that `factors` does not have"),
        part: "key",
      });
    }
    const value = writtenValue(reading, name, written, at);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values);
}

/** One name stays, a list varies; `itself` is the scenario. */
function variantsIn(reading: Reading, written: StudySource["variants"]) {
  if (written === undefined) return { variant: null, varied: [] };
  if (typeof written !== "string") {
    const factor = variantFactor(reading, written);
    return { variant: null, varied: factor === undefined ? [] : [factor] };
  }
  const value = writtenValue(reading, VARIANT, written, ["variants"]);
  return { variant: value === ITSELF || value === undefined ? null : String(value), varied: [] };
}

function designIn(
  design: DesignSource,
  findings: Finding[],
  setting: (written: { readonly [name: string]: unknown }, at: Path, isWhole: boolean) => Setting,
): Design {
  switch (design.kind) {
    case "grid":
    case "oat":
      return { kind: design.kind, levels: design.levels ?? DEFAULTS.levels };
    case "random":
    case "lhs":
      return design;
    case "sobol":
      return { kind: "sobol", points: design.points, isScrambled: design.scrambled ?? true };
    case "morris": {
      const { levels = DEFAULTS.morrisLevels } = design;
      if (levels % 2 !== 0) findings.push(wrong(["design", "levels"], levels, "an even number"));
      return { ...design, levels };
    }
    case "saltelli":
      if (!Number.isInteger(Math.log2(design.rows))) {
        findings.push(wrong(["design", "rows"], design.rows, "a power of two"));
      }
      return design;
    case "frontier": {
      const { along, outcome, at = DEFAULTS.frontierAt, levels = DEFAULTS.frontierLevels } = design;
      return { kind: "frontier", along, outcome, at, levels };
    }
    case "points":
      return {
        kind: "points",
        points: design.points.map((one, index) => setting(one, ["design", "points", index], true)),
      };
  }
}

/** Each factor is in one group at most, and no group is named as a factor is. */
function groupFindings({ design }: StudySource, factors: readonly Factor[]): readonly Finding[] {
  const groups = (design !== undefined && "groups" in design && design.groups) || {};
  const names = factors.map(({ name }) => name);
  const all = Object.values(groups).flat();
  return Object.entries(groups).flatMap(([group, members]) =>
    [group, ...members].flatMap((name, index) => {
      const at = ["design", "groups", group];
      if (index === 0)
        return names.includes(name) ? [wrong(at, name, "a name that no factor has")] : [];
      if (all.indexOf(name) === all.lastIndexOf(name))
        return reference([...at, index - 1], name, names, "factor that varies");
      return [wrong([...at, index - 1], name, "each factor in one group")];
    }),
  );
}

const replicatesIn = (written: StudySource["replicates"]): Study["replicates"] => {
  const {
    n,
    seeds = "common",
    batch = DEFAULTS.batch,
  } = typeof written === "number" ? { n: written } : written;
  return { count: n, seeds, batch };
};

/** What a run can break; the findings are broken on purpose, and are no promises. */
function promisedIn({ promised }: StudyLists) {
  const watchable = propertiesOf(promised).filter(({ kind }) => kind === "world");
  return {
    all: watchable.map(({ id }) => id),
    held: watchable.filter(({ expected }) => expected === "holds").map(({ id }) => id),
  };
}

function goalIn(
  findings: Finding[],
  goal: StudySource["goal"],
  outcomes: readonly string[],
  promised: ReturnType<typeof promisedIn>,
): Goal | null {
  if (goal === undefined) return null;
  const objectives = (["maximise", "minimise"] as const).flatMap((direction) =>
    [goal[direction] ?? []].flat().map((outcome) => {
      findings.push(...reference(["goal", direction], outcome, outcomes, "outcome"));
      return { outcome, direction };
    }),
  );
  const isDifferent = new Set(objectives.map(({ outcome }) => outcome)).size === objectives.length;
  if (objectives.length < 1 || objectives.length > GOALS_MOST || !isDifferent) {
    const found = `${objectives.length} outcomes`;
    findings.push({
      path: ["goal"],
      found,
      allowed: `one outcome, or up to ${GOALS_MOST} different ones`,
    });
  }
  const { constraints = "promised", censored = "refuse" } = goal;
  const { heldOut = DEFAULTS.heldOut, trials = DEFAULTS.trials } = goal;
  const ids =
    constraints === "promised" ? promised.held : constraints === "none" ? [] : constraints;
  ids.forEach((id, index) => {
    const what = "promise of a run (`ghostlight check --list`)";
    findings.push(...reference(["goal", "constraints", index], id, promised.all, what));
  });
  const { search } = goal;
  return { objectives, constraints: ids, censored, heldOut, trials, ...(search && { search }) };
}

function robustIn(
  findings: Finding[],
  { robust, replicates, design }: StudySource,
  factors: readonly Factor[],
  outcomes: readonly string[],
): Pick<Study, "robust"> {
  if (robust === undefined) return {};
  const { maximise, minimise, over, ...asked } = robust;
  const outcome = maximise ?? minimise ?? "";
  const direction = maximise === undefined ? "minimise" : "maximise";
  if ((maximise === undefined) === (minimise === undefined)) {
    const found = maximise === undefined ? "no outcome" : "two outcomes";
    findings.push({ path: ["robust"], found, allowed: "maximise or minimise" });
  } else findings.push(...reference(["robust", direction], outcome, outcomes, "outcome"));
  const names = factors.map(({ name }) => name);
  over.forEach((name, index) => {
    findings.push(...reference(["robust", "over", index], name, names, "factor that varies"));
  });
  if (names.every((name) => over.includes(name))) {
    findings.push({
      path: ["robust", "over"],
      found: "all factors",
      allowed: "not all: some are chosen",
    });
  }
  const n = typeof replicates === "number" ? replicates : replicates.n;
  const isGrid = design?.kind === "grid" || design?.kind === "points";
  if (n < 4) findings.push(wrong(["replicates"], n, "4 or more, beside robust"));
  if (!isGrid) {
    const found = design?.kind ?? "no design";
    findings.push({ path: ["design"], found, allowed: "grid or points, beside robust" });
  }
  return { robust: { outcome, direction, over, ...asked } };
}

const watchedBy = (outcomes: readonly Outcome[], goal: Goal | null): readonly string[] => [
  ...new Set([
    ...outcomes.flatMap((one) => (one.kind === "promise" ? [one.property] : [])),
    ...(goal?.constraints ?? []),
  ]),
];

/** Every factor as a run without it has it. */
function shippedSetting(
  { parts }: ReadingLists,
  factors: readonly Factor[],
  set: Overrides,
): Setting {
  const values = policyValues(parts, policyWith(parts, set));
  return Object.fromEntries(
    factors.map(({ name }) => [name, name === VARIANT ? ITSELF : (values[name] ?? 0)]),
  );
}

/** The leaves that outcomes compare with, in each scenario and variant. */
function leavesOf(
  { parts }: ReadingLists,
  outcomes: readonly Outcome[],
  worlds: readonly { readonly name: string; readonly shipped: Overrides }[],
): Study["leaves"] {
  const paths = comparedPaths(outcomes);
  const values = worlds.map(
    ({ name, shipped }) => [name, policyValues(parts, policyWith(parts, shipped))] as const,
  );
  const inWorlds = (leaf: string): { readonly [world: string]: number } =>
    Object.fromEntries(values.map(([world, all]) => [world, Number(all[leaf])]));
  return Object.fromEntries([...new Set(paths)].map((leaf) => [leaf, inWorlds(leaf)]));
}
