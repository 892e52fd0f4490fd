/** The outcomes of a study's file, what is wrong with them, and the units of its numbers. */

import { measuredOn, metricNames, metricTable } from "../../contract/metricTable.ts";
import { policyLeaves } from "../../contract/policyTree.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { shareDigits } from "../../machines/policyLeaf.ts";
import {
  EXPRESSION_ALLOWED,
  namesOf,
  parseExpression,
  TAKEN_NAMES,
} from "../../studies/outcomes/expression.ts";
import {
  type Across,
  type Outcome,
  REDUCTIONS,
  type ReducedOutcome,
  type Threshold,
} from "../../studies/outcomes/outcome.ts";
import { WORLD } from "../../studies/outcomes/outcomesOf.ts";
import { needsThreshold } from "../../studies/outcomes/reduce.ts";
import { SPIRAL } from "../../studies/outcomes/spiral.ts";
import type { StudyUnits } from "../../studies/study.ts";
import { durationText, parseDuration } from "../duration.ts";
import { quoted } from "../errors.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { isReserved, reference, wrong } from "../scenario/findingParts.ts";
import type { Path } from "../scenario/yamlText.ts";
import { leafOf, type Reading, unknownPath } from "./studyFactors.ts";
import type { OutcomeSource, StudySource } from "./studySchema.ts";

/** What outcomes are asked of. */
export interface Stage extends Reading {
  readonly scenario: Scenario;
  readonly endMs: number;
  /** Ids of the promises that a run can break. */
  readonly properties: readonly string[];
}

export function outcomesIn(stage: Stage, written: StudySource["outcomes"]): readonly Outcome[] {
  const entries = Object.entries(written) as [string, OutcomeSource][];
  if (entries.length === 0) {
    stage.findings.push({ path: ["outcomes"], found: "no outcome", allowed: "at least one" });
  }
  const outcomes = entries.flatMap(([name, source]) => {
    const at = ["outcomes", name];
    if (TAKEN_NAMES.includes(name) || isReserved(name)) {
      const isTaken = TAKEN_NAMES.includes(name);
      const allowed = `another name: ${isTaken ? "expressions have this one" : "this one is reserved"}`;
      stage.findings.push({ ...wrong(at, name, allowed), part: "key" });
    }
    return outcomeOf(stage, name, source, at) ?? [];
  });
  refuseCircles(stage, outcomes);
  return outcomes;
}

function outcomeOf(
  stage: Stage,
  name: string,
  source: OutcomeSource,
  at: Path,
): Outcome | undefined {
  const { findings } = stage;
  const kind = kindOf(source);
  if (kind === undefined) {
    const allowed = "metric and reduce, reduce: spiral, is, or promise";
    findings.push({ path: at, found: "no outcome", allowed });
    return undefined;
  }
  for (const key of Object.keys(source)) {
    if (FIELDS[kind].includes(key)) continue;
    const allowed = `beside ${kind}: ${FIELDS[kind].join(", ")}`;
    findings.push({ path: [...at, key], part: "key", found: `the key ${quoted(key)}`, allowed });
  }
  if (source.is !== undefined) {
    const parsed = parseExpression(source.is);
    if ("expression" in parsed) {
      const across = acrossOf(stage, source, at);
      return { kind: "expression", name, text: source.is, ...parsed, ...across };
    }
    const found = `${quoted(source.is)}: ${parsed.fault}`;
    findings.push({ path: [...at, "is"], found, allowed: EXPRESSION_ALLOWED });
    return undefined;
  }
  if (source.promise !== undefined) {
    const property = source.promise;
    const what = "promise of a run (`ghostlight check --list`)";
    findings.push(...reference([...at, "promise"], property, stage.properties, what));
    return { kind: "promise", name, property };
  }
  const span = spanOf(stage, source, at);
  const actor = source.actor ?? WORLD;
  const measured = (key: "metric" | "falls", metric: string): string => {
    measuredFindings(stage, metric, actor, [...at, key], at);
    return metric;
  };
  if (source.reduce === "spiral") {
    const { rise, fall } = { ...SPIRAL, ...source };
    const rises = measured("metric", source.metric ?? SPIRAL.metric);
    const falls = measured("falls", source.falls ?? SPIRAL.falls);
    const windowMs = source.window === undefined ? SPIRAL.windowMs : msOf(source.window);
    const longest = (span.untilMs ?? stage.endMs) - span.fromMs;
    if (windowMs < 1 || windowMs > longest) {
      findings.push(
        wrong(
          [...at, "window"],
          source.window ?? "1h",
          `a window of 1ms … ${durationText(longest)}`,
        ),
      );
    }
    return { kind: "spiral", name, actor, rises, falls, rise, fall, windowMs, ...span };
  }
  const { reduce } = source;
  if (source.metric === undefined || reduce === undefined) {
    const missing = reduce === undefined ? "reduce" : "metric";
    const allowed = reduce === undefined ? [...REDUCTIONS, "spiral"].join(" | ") : "a metric";
    findings.push({ path: [...at, missing], found: "nothing, but it is required", allowed });
    return undefined;
  }
  const metric = measured("metric", source.metric);
  const above = thresholdOf(stage, source.above, [...at, "above"]);
  const isNeeded = needsThreshold(reduce);
  if (isNeeded && source.above === undefined) {
    const allowed = `a number or a path of the policy, for ${reduce}`;
    findings.push({ path: [...at, "above"], found: "nothing, but it is required", allowed });
  } else if (!isNeeded && reduce !== "count" && source.above !== undefined) {
    const allowed = "no threshold, but for timeAbove, timeToRecover and count";
    findings.push(wrong([...at, "above"], source.above, allowed));
  }
  const across = acrossOf(stage, source, at);
  return { kind: "reduced", name, metric, actor, reduce, above, ...span, ...across };
}

/** Nothing where it is the mean. */
function acrossOf(
  { findings }: Stage,
  { across, reduce }: OutcomeSource,
  at: Path,
): { readonly across?: Across } {
  if (across === undefined) return {};
  const { quantile, worst, upTo } = across;
  const path = [...at, "across"];
  if (Object.keys(across).length !== 1) {
    const found = `${Object.keys(across).length} of them`;
    findings.push({ path, found, allowed: "one of quantile, worst and upTo" });
  }
  if (quantile !== undefined) return { across: { kind: "quantile", share: quantile } };
  if (worst !== undefined) return { across: { kind: "worst", side: worst } };
  const isTime = reduce === "timeAbove" || reduce === "timeToRecover";
  if (typeof upTo === "string" && !isTime) {
    const allowed = "a number: a duration is of timeAbove and timeToRecover";
    findings.push(wrong([...path, "upTo"], upTo, allowed));
  }
  const limit = typeof upTo === "string" ? msOf(upTo) : (upTo ?? 0);
  if (limit <= 0) findings.push(wrong([...path, "upTo"], String(upTo), "above 0"));
  return { across: { kind: "restricted", limit } };
}

const SPAN = ["actor", "from", "until"];

/** What each kind of outcome is made of. */
const FIELDS: { readonly [kind in "is" | "promise" | "spiral" | "reduce"]: readonly string[] } = {
  is: ["is", "across"],
  promise: ["promise"],
  spiral: ["reduce", "metric", "falls", "rise", "fall", "window", ...SPAN],
  reduce: ["metric", "reduce", "above", "across", ...SPAN],
};

function kindOf({ is, promise, reduce, metric }: OutcomeSource): keyof typeof FIELDS | undefined {
  if (is !== undefined) return "is";
  if (promise !== undefined) return "promise";
  if (reduce === "spiral") return "spiral";
  return reduce === undefined && metric === undefined ? undefined : "reduce";
}

const msOf = (text: string): number => parseDuration(text) ?? 0;

function spanOf(
  { findings, endMs }: Stage,
  { from, until }: { readonly from?: string; readonly until?: string },
  at: Path,
) {
  const [fromMs, untilMs] = [msOf(from ?? "0ms"), until === undefined ? null : msOf(until)];
  if (untilMs !== null && untilMs > endMs) {
    findings.push(
      wrong([...at, "until"], until, `a time up to the end of the run, ${durationText(endMs)}`),
    );
  }
  if (fromMs >= (untilMs ?? endMs)) {
    findings.push(wrong([...at, "from"], from, `a time before ${durationText(untilMs ?? endMs)}`));
  }
  return { fromMs, untilMs };
}

function measuredFindings(stage: Stage, name: string, actor: string, path: Path, at: Path): void {
  const { findings, scenario } = stage;
  const { parts } = stage.lists;
  const metric = metricNames(parts).find((one) => one === name);
  if (metric === undefined) {
    const what = "metric (`ghostlight metrics` lists them)";
    findings.push(...reference(path, name, metricNames(parts), what));
  } else if (actor !== WORLD) {
    const actors = measuredOn(metricTable(parts)[metric], scenario);
    findings.push(
      ...reference([...at, "actor"], actor, actors, `actor of which ${name} is measured`),
    );
  }
}

function thresholdOf(
  reading: Reading,
  written: number | string | undefined,
  at: Path,
): Threshold | null {
  if (written === undefined || typeof written === "number") return written ?? null;
  const leaf = leafOf(reading, written);
  if (leaf === undefined) {
    reading.findings.push(
      ...unknownPath(reading, written, at).map((one) => ({ ...one, part: "value" as const })),
    );
    return null;
  }
  if (leaf.kind === "integer") return { path: written, per: 10 ** (shareDigits(leaf) ?? 0) };
  reading.findings.push(wrong(at, written, "a leaf of the policy that is a number"));
  return null;
}

/** Expressions over names that there are, and none over itself. */
function refuseCircles({ findings }: Stage, outcomes: readonly Outcome[]): void {
  const names = outcomes.map(({ name }) => name);
  const uses = new Map(
    outcomes.map((one) => [one.name, one.kind === "expression" ? namesOf(one.expression) : []]),
  );
  for (const outcome of outcomes) {
    if (outcome.kind !== "expression") continue;
    const path = ["outcomes", outcome.name, "is"];
    for (const used of uses.get(outcome.name) ?? []) {
      findings.push(...reference(path, used, names, "outcome"));
    }
    const reached = new Set<string>();
    const open = [...(uses.get(outcome.name) ?? [])];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (!reached.has(at)) open.push(...(uses.get(at) ?? []));
      reached.add(at);
    }
    if (reached.has(outcome.name)) {
      const allowed = "other outcomes, that do not rest on this one";
      findings.push(wrong(path, outcome.text, allowed));
    }
  }
}

/** Paths of the leaves that outcomes compare with. */
export const comparedPaths = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap((one) =>
    one.kind === "reduced" && one.above !== null && typeof one.above === "object"
      ? [one.above.path]
      : [],
  );

/** Units of the leaves that a study sets, or compares with. */
export function leafUnits(
  { parts }: ReadingLists,
  paths: readonly string[],
  outcomes: readonly Outcome[],
): StudyUnits["leaves"] {
  const leaves = new Map(policyLeaves(parts));
  const all = [...new Set([...paths, ...comparedPaths(outcomes)])];
  return Object.fromEntries(
    all.flatMap((path) => {
      const leaf = leaves.get(path);
      return leaf?.kind === "integer" ? [[path, leaf.unit]] : [];
    }),
  );
}

export const outcomeUnits = (
  lists: ReadingLists,
  outcomes: readonly Outcome[],
): StudyUnits["outcomes"] =>
  Object.fromEntries(
    outcomes.flatMap((one) => {
      const unit = unitOf(lists, one);
      return unit === undefined ? [] : [[one.name, unit]];
    }),
  );

/** What is 0 or 1 in a run is a share of the runs; what an expression is nobody knows. */
function unitOf(lists: ReadingLists, outcome: Outcome): string | undefined {
  if (outcome.kind === "expression") return undefined;
  return outcome.kind === "reduced" ? reducedUnit(lists, outcome) : "share";
}

function reducedUnit({ parts }: ReadingLists, { metric, reduce }: ReducedOutcome) {
  if (reduce === "timeAbove" || reduce === "timeToRecover") return "ms";
  if (reduce === "count") return "times";
  const name = metricNames(parts).find((one) => one === metric);
  if (name === undefined) return undefined;
  const { unit } = metricTable(parts)[name];
  return reduce === "area" ? `${unit} × ms` : unit;
}
