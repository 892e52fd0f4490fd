/**
 * Studies from files, decoded and checked. Everything that is wrong comes as one BadInput that names file, line,
 * path, what was found and what is allowed.
 */
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as Schema from "effect/Schema";
import type { Study } from "../../studies/study.ts";
import { makeFolder } from "../bundle/makeFolder.ts";
import { BadInput, OutputRefused, type Where } from "../errors.ts";
import { type Finding, refusal, refusalOf } from "../scenario/finding.ts";
import { loadScenario } from "../scenario/scenarioFile.ts";
import { type NamedText, namedText, nameOf } from "../scenario/scenarioFolder.ts";
import { findingsOf } from "../scenario/schemaFindings.ts";
import { type Path, parseYaml } from "../scenario/yamlText.ts";
import { TABLE_FILE } from "./runTable.ts";
import { type StudyLists, studyOf } from "./studyOf.ts";
import { studySource } from "./studySchema.ts";

/** Beside src/ in a checkout and beside dist/ in the package. */
export const packagedStudies = fileURLToPath(new URL("../../../studies/", import.meta.url));

/** The study of that name, or of the file at that path. Throws BadInput. */
export function loadStudy(
  lists: StudyLists,
  nameOrPath: string,
  folder = packagedStudies,
): NamedText & { readonly study: Study } {
  const named = namedText(nameOrPath, folder, "study");
  return { ...named, study: parseStudy(lists, named.text, named.file) };
}

const decode = Schema.decodeUnknownResult(studySource, {
  errors: "all",
  onExcessProperty: "error",
});

/** The study of a text; `file` names it in errors. Throws BadInput. */
export function parseStudy(lists: StudyLists, text: string, file: string): Study {
  const parsed = parseYaml(text, file, isWritten);
  if ("problems" in parsed) throw refusal(parsed.problems, file);
  const decoded = decode(parsed.value);
  if (decoded._tag === "Failure") {
    throw refusalOf(findingsOf(decoded.failure.issue, parsed.value), parsed, file);
  }
  const source = decoded.success;
  const findings: Finding[] = [];
  const loaded = [source.scenario].flat().map((one, index) => {
    const at = typeof source.scenario === "string" ? ["scenario"] : ["scenario", index];
    const where = { ...parsed.whereOf(at, "value"), file };
    return placed(() => loadScenario(lists, scenarioPath(one, file)), where);
  });
  const study = studyOf(lists, source, loaded, nameOf(file), findings);
  if (findings.length > 0) throw refusalOf(findings, parsed, file);
  return study;
}

/** What is found at a place of the study's, where it does not say one of its own. */
function placed<T>(load: () => T, where: Where): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof BadInput) || error.where.file !== undefined) throw error;
    throw new BadInput({ ...error, where });
  }
}

/** Gives what `work` gives; what that refuses of a field has the field's line. */
export function withLine<T>({ text, file }: NamedText, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const parsed = parseYaml(text, file);
    if (!(error instanceof BadInput) || "problems" in parsed) throw error;
    const where = parsed.whereOf(error.where.path?.split(".") ?? [], "value");
    throw new BadInput({ ...error, where });
  }
}

/** A path leads from the study's own folder; a name is a shipped scenario's. */
const scenarioPath = (scenario: string, file: string): string =>
  /[\\/]|\.ya?ml$/i.test(scenario) ? path.resolve(path.dirname(file), scenario) : scenario;

/** Where 1.0 and 1 are different values: all that is read as `--set` reads it. */
const isWritten = (at: Path): boolean =>
  ["factors", "set", "baseline", "enqueue"].includes(String(at[0])) ||
  (at[0] === "design" && at[1] === "points" && at.length > 2) ||
  (at[0] === "where" && at.length === 3);

/** Makes it. Throws OutputRefused. */
export function claimStudyFolder(folder: string): void {
  try {
    const present = statSync(folder, { throwIfNoEntry: false });
    if (present?.isDirectory() === false) throw new Error("a file, not a folder");
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const isBegun = existsSync(path.join(folder, TABLE_FILE));
    if (!isBegun && readdirSync(folder).length > 0) throw new Error("a folder of something else");
  } catch (error) {
    throw new OutputRefused({
      where: { path: "--out", file: folder },
      found: error instanceof Error ? error.message : String(error),
      allowed: "a new or empty folder that can be written, or that of this study",
      todo: "Name another folder with --out.",
    });
  }
}
