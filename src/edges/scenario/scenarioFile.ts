/**
 * Scenarios from files, decoded and checked. Everything that is wrong comes as one BadInput that names
 * file, line, path, what was found and what is allowed.
 */

import * as Schema from "effect/Schema";
import { parseDocument, stringify } from "yaml";
import type { ScenarioPart } from "../../contract/edge/scenarioPart.ts";
import type { Metric } from "../../contract/gauge.ts";
import { metricChecks, metricTable } from "../../contract/metricTable.ts";
import type { Part } from "../../contract/part.ts";
import type { Expectation, Inhabited, Scenario } from "../../contract/scenario.ts";
import type { Json } from "../../machines/letter.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { Limits } from "../../substrate/limits.ts";
import { quoted } from "../errors.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { type Finding, refusal, refusalOf } from "./finding.ts";
import { reference, wrong } from "./findingParts.ts";
import { type CheckOptions, crossFindings } from "./scenarioChecks.ts";
import { nameOf, scenarioText } from "./scenarioFolder.ts";
import { scenarioOf } from "./scenarioOf.ts";
import { type ScenarioSource, scenarioSource } from "./scenarioSchema.ts";
import { findingsOf } from "./schemaFindings.ts";
import type { Given } from "./sourceFields.ts";
import { type Difference, differenceOf, sourceOf } from "./sourceOf.ts";
import { withoutAgents } from "./withoutAgents.ts";
import { type Path, parseYaml } from "./yamlText.ts";

/** A scenario with the text and the file that it was read from. */
export interface LoadedScenario {
  readonly scenario: Scenario;
  /** The whole file, for the bundle's manifest. */
  readonly text: string;
  /** Relative to the working directory when it is below it. */
  readonly file: string;
}

export interface LoadOptions extends CheckOptions {
  /** Where names are looked up; the scenarios that come with the package when absent. */
  readonly folder?: string;
  /** What the caller takes beside a scenario, for its error. */
  readonly others?: readonly string[];
}

/**
 * The scenario of a text; `file` names it in errors, and its base name becomes the scenario's name.
 * Every metric must exist unless `options` say otherwise. Throws BadInput.
 */
export function parseScenario(
  lists: ReadingLists,
  text: string,
  file: string,
  options: CheckOptions = metricChecks(lists.parts),
): Scenario {
  const parsed = parseYaml(text, file, isOverride);
  if ("problems" in parsed) throw refusal(parsed.problems, file);
  const scenario = judged(lists, parsed.value, { name: nameOf(file), options });
  if ("findings" in scenario) throw refusalOf(scenario.findings, parsed, file);
  texts.set(scenario, text);
  return scenario;
}

/** `policy.locks.constrained` of a scenario or of a variant, where 1.0 and 1 are different values. */
const isOverride = (path: Path): boolean =>
  (path.length === 2 && path[0] === "policy") ||
  (path.length === 4 && path[0] === "variants" && path[2] === "policy");

interface Judging {
  readonly name: string;
  readonly options: CheckOptions;
}

/** The scenario of a source, whatever that is, or what is wrong with it. Every scenario passes here. */
function judged(
  lists: ReadingLists,
  given: Json,
  { name, options }: Judging,
): Scenario | { readonly findings: readonly Finding[] } {
  const decoded = decode(lists, given);
  if (decoded._tag === "Failure") return { findings: findingsOf(decoded.failure.issue, given) };
  const source = decoded.success;
  const findings = crossFindings(lists, source, options);
  if (findings.length > 0) return { findings };
  const scenario = scenarioOf(lists, source, name);
  const strangers = actorFindings(lists.parts, source, scenario);
  return strangers.length > 0 ? { findings: strangers } : scenario;
}

const texts = new WeakMap<Scenario, string>();

/** The text that a scenario was read from; undefined for one that a program put together. */
export const textOf = (scenario: Scenario): string | undefined => texts.get(scenario);

const decoder = onceFor((scenarioParts: readonly ScenarioPart[]) =>
  Schema.decodeUnknownResult(scenarioSource(scenarioParts), {
    errors: "all",
    onExcessProperty: "error",
  }),
);

const decode = ({ scenarioParts }: ReadingLists, source: unknown) =>
  decoder(scenarioParts)(withoutAgents(scenarioParts, source));

/** The scenario of a source that never was a text. Throws BadInput, whose places are in the text. */
export function scenarioOfSource(lists: ReadingLists, source: object, name: string): Scenario {
  const scenario = judged(lists, source as Json, { name, options: metricChecks(lists.parts) });
  if (!("findings" in scenario)) return scenario;
  return parseScenario(lists, sourceText(source), `${name}.yaml`);
}

/**
 * The scenario that a program put together, as its file would say it; or what is wrong with it, at the places of
 * that file. It is strict JSON.
 */
export function scenarioOfProgram(
  lists: ReadingLists,
  given: Given,
  name: string,
): Scenario | { readonly findings: readonly Finding[] } {
  const source = sourceOf(lists.scenarioParts, given);
  // It is made of what it was given.
  const scenario = judged(lists, source as Json, { name, options: metricChecks(lists.parts) });
  if ("findings" in scenario) return scenario;
  const difference = differenceOf(given, scenario);
  if (difference === undefined) return scenario;
  const isUnread = lists.scenarioParts.some((part) => part.sourceOf === undefined);
  return { findings: [otherFinding(difference, isUnread ? UNREAD : "")] };
}

const UNREAD = "; a section that was made and not read needs `sourceOf` of its part";

/** What no file comes to: mostly a field that does not exist. */
function otherFinding({ path, given, said, names }: Difference, besides: string): Finding {
  const word = String(path.at(-1));
  if (said !== undefined) return wrong(path, given, `${quoted(said)}, as a file would have it`);
  const allowed = `${names.join(", ") || "nothing"}${besides}`;
  return { path, found: `the key ${quoted(word)}`, allowed, meant: { word, names } };
}

/** The text that reads back as this source. */
export const sourceText = (source: object): string =>
  stringify(source, { lineWidth: 0, aliasDuplicateObjects: false });

/**
 * The scenario of that name in the folder, or of the file at that path; the ending may be left out.
 * Throws BadInput.
 */
export function loadScenario(
  lists: ReadingLists,
  nameOrPath: string,
  options: LoadOptions = {},
): LoadedScenario {
  const { text, file } = scenarioText(nameOrPath, options.folder, options.others);
  const scenario = parseScenario(lists, text, file, {
    ...metricChecks(lists.parts),
    ...options,
  });
  return { scenario, text, file };
}

/* Expectations of actors that are no agents: who there is, only the decoded scenario says. */

/** The caller has found nothing else wrong with the source. */
function actorFindings(
  parts: readonly Part[],
  { variants = {} }: ScenarioSource,
  scenario: Scenario,
): Finding[] {
  const table = metricTable(parts);
  return [
    ...inList(table, scenario.expect, ["expect"], scenario),
    ...Object.entries(scenario.variants).flatMap(([name, { expect }]) =>
      // What is inherited is said of the scenario itself.
      variants[name]?.expect === "inherit"
        ? []
        : inList(table, expect, ["variants", name, "expect"], scenario),
    ),
  ];
}

const inList = (
  table: ReturnType<typeof metricTable>,
  expectations: readonly Expectation[],
  base: Path,
  world: Inhabited,
): Finding[] =>
  expectations.flatMap(({ metric, actor }, index) => {
    const { each }: Partial<Metric> = ownValue(table, metric) ?? {}; // Any name, where none is checked.
    if (actor === null || each === undefined) return [];
    return reference([...base, index, "actor"], actor, each.namesIn(world), each.kind);
  });

/* A scenario with other bounds of a run, as if its file had them: a bundle's text says all that a run rests on. */

/** Throws BadInput for a bound that scenarios do not take. */
export function limitedScenario(
  lists: ReadingLists,
  loaded: LoadedScenario,
  limits: Partial<Limits>,
): LoadedScenario {
  const entries = Object.entries(limits);
  if (entries.length === 0) return loaded;
  const document = parseDocument(loaded.text);
  for (const [name, value] of entries) document.setIn(["limits", name], value);
  const text = document.toString({ lineWidth: 0 });
  return { ...loaded, text, scenario: parseScenario(lists, text, loaded.file) };
}
