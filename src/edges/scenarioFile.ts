/**
 * Scenarios from files, decoded and checked. Everything that is wrong comes as one BadInput that names
 * file, line, path, what was found and what is allowed.
 */
import * as Schema from "effect/Schema";
import { stringify } from "yaml";
import type { Scenario } from "../actors/scenario.ts";
import { onceFor } from "../machines/onceFor.ts";
import { metricChecks } from "../metricTable.ts";
import { actorFindings } from "./actorFindings.ts";
import { type Finding, refusal, refusalOf } from "./finding.ts";
import type { ReadingLists } from "./partLists.ts";
import { type CheckOptions, crossFindings } from "./scenarioChecks.ts";
import { nameOf, scenarioText } from "./scenarioFolder.ts";
import { scenarioOf } from "./scenarioOf.ts";
import type { ScenarioPart } from "./scenarioPart.ts";
import { type ScenarioSource, scenarioSource } from "./scenarioSchema.ts";
import { findingsOf } from "./schemaFindings.ts";
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
  const decoded = decode(lists, parsed.value);
  if (decoded._tag === "Failure") {
    throw refusalOf(findingsOf(decoded.failure.issue, parsed.value), parsed, file);
  }
  const scenario = compiled(lists, decoded.success, { name: nameOf(file), options });
  if ("findings" in scenario) throw refusalOf(scenario.findings, parsed, file);
  texts.set(scenario, text);
  return scenario;
}

/** `policy.locks.constrained` of a scenario or of a variant, where 1.0 and 1 are different values. */
const isOverride = (path: Path): boolean =>
  (path.length === 2 && path[0] === "policy") ||
  (path.length === 4 && path[0] === "variants" && path[2] === "policy");

/** The scenario of a source, or what is wrong with it. */
function compiled(
  lists: ReadingLists,
  source: ScenarioSource,
  { name, options }: { readonly name: string; readonly options: CheckOptions },
): Scenario | { readonly findings: readonly Finding[] } {
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
  const decoded = decode(lists, source);
  const options = metricChecks(lists.parts);
  const scenario =
    decoded._tag === "Success" && compiled(lists, decoded.success, { name, options });
  if (scenario !== false && !("findings" in scenario)) return scenario;
  return parseScenario(lists, sourceText(source), `${name}.yaml`);
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
  const { text, file } = scenarioText(nameOrPath, options.folder);
  const scenario = parseScenario(lists, text, file, {
    ...metricChecks(lists.parts),
    ...options,
  });
  return { scenario, text, file };
}
