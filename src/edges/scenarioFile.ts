/**
 * Scenarios from files: found by name or path, read with a bound, decoded, checked. Everything that
 * is wrong comes as one BadInput that names file, line, path, what was found and what is allowed.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as Schema from "effect/Schema";
import { stringify } from "yaml";
import type { Scenario } from "../actors/scenario.ts";
import { onceFor } from "../machines/onceFor.ts";
import { metricChecks } from "../metricTable.ts";
import { actorFindings } from "./actorFindings.ts";
import { boundedBytes } from "./boundedBytes.ts";
import { BadInput, hintFor, quoted } from "./errors.ts";
import { type Finding, refusal, refusalOf } from "./finding.ts";
import type { ReadingLists } from "./partLists.ts";
import { type CheckOptions, crossFindings } from "./scenarioChecks.ts";
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

/** Beside src/ in a checkout and beside dist/ in the package. */
const packagedFolder = fileURLToPath(new URL("../../scenarios/", import.meta.url));

const BYTES_MAX = 4 * 1_048_576;
const ENDING = /\.ya?ml$/i;

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
  const folder = options.folder ?? packagedFolder;
  for (const file of candidates(nameOrPath, folder)) {
    const text = readText(file);
    if (text === undefined) continue;
    const shown = shownPath(file);
    const scenario = parseScenario(lists, text, shown, { ...metricChecks, ...options });
    return { scenario, text, file: shown };
  }
  const names = listScenarios(folder).map(({ name }) => name);
  throw new BadInput({
    where: {},
    found: `${isFolder(nameOrPath) ? "a folder" : "no scenario"} ${quoted(nameOrPath)}`,
    allowed: [...names, "a path to a YAML file"].join(" | "),
    ...hintFor(nameOf(nameOrPath), names),
    todo: TODO,
  });
}

const TODO = "Give the name or the path of a scenario; `ghostlight scenarios` lists the names.";
const isFolder = (file: string): boolean =>
  !file.includes("\0") && (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false);

/** The scenarios of a folder in the order of their names; none when there is no such folder. */
export function listScenarios(folder = packagedFolder): { name: string; file: string }[] {
  try {
    return readdirSync(folder)
      .filter((file) => ENDING.test(file))
      .sort()
      .map((file) => ({ name: nameOf(file), file: shownPath(path.join(folder, file)) }));
  } catch {
    return [];
  }
}

const nameOf = (file: string): string => path.basename(file).replace(ENDING, "");

function candidates(nameOrPath: string, folder: string): string[] {
  if (nameOrPath === "" || nameOrPath.includes("\0")) return [];
  const isName = !/[\\/]/.test(nameOrPath) && !ENDING.test(nameOrPath);
  const bases = isName ? [path.join(folder, nameOrPath), nameOrPath] : [nameOrPath];
  return bases.flatMap((base) =>
    ENDING.test(base) ? [base] : [`${base}.yaml`, `${base}.yml`, base],
  );
}

function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), path.resolve(file));
  return relative.startsWith("..") || path.isAbsolute(relative) ? path.resolve(file) : relative;
}

/** A file's text; undefined when there is no file. Throws BadInput when it cannot be a scenario. */
function readText(file: string): string | undefined {
  const bytes = readBytes(file);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(file, "bytes that are no UTF-8 text", "YAML text in UTF-8");
  }
}

function readBytes(file: string): Uint8Array | undefined {
  let descriptor: number;
  try {
    // Not blocking: a pipe without a writer would hang.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(code)) return undefined;
    throw unreadable(file, `a file that cannot be opened (${code})`, "a file you may read");
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile()) throw unreadable(file, "no regular file", "a YAML file");
    if (stats.size > BYTES_MAX) {
      throw unreadable(file, `${stats.size} bytes`, `up to ${BYTES_MAX} bytes`);
    }
    return boundedBytes(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}

const unreadable = (file: string, found: string, allowed: string): BadInput =>
  new BadInput({ where: { file: shownPath(file) }, found, allowed, todo: TODO });
