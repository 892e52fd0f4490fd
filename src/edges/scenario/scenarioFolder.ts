/** The files of scenarios: found by name or path, listed by folder, read with a bound. */
import { closeSync, constants, fstatSync, openSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { boundedBytes } from "../boundedBytes.ts";
import { type BadInput, badInput, hintFor, quoted } from "../errors.ts";

/** Beside src/ in a checkout and beside dist/ in the package. */
const packagedFolder = fileURLToPath(new URL("../../../scenarios/", import.meta.url));

const BYTES_MAX = 4 * 1_048_576;
const ENDING = /\.ya?ml$/i;

/**
 * The text of the scenario of that name in the folder, or of the file at that path; the ending may be left out.
 * Throws BadInput.
 */
export const scenarioText = (
  nameOrPath: string,
  folder = packagedFolder,
  others: readonly string[] = [],
): NamedText => namedText(nameOrPath, folder, "scenario", others);

/** A text with the file that it was read from. */
export interface NamedText {
  readonly text: string;
  readonly file: string;
}

/** As `scenarioText`, of whichever kind of file; `others` says what else the caller takes. Throws BadInput. */
export function namedText(
  nameOrPath: string,
  folder: string,
  what: Kind,
  others: readonly string[] = [],
): NamedText {
  for (const file of candidates(nameOrPath, folder)) {
    const text = readText(file, what);
    if (text !== undefined) return { text, file: shownPath(file) };
  }
  const names = listScenarios(folder).map(({ name }) => name);
  throw badInput(
    {},
    `${isFolder(nameOrPath) ? "a folder" : `no ${what}`} ${quoted(nameOrPath)}`,
    [...names, "a path to a YAML file", ...others].join(" | "),
    TODO[what],
    hintFor(nameOf(nameOrPath), names),
  );
}

const TODO = {
  scenario: "Give the name or the path of a scenario; `ghostlight scenarios` lists the names.",
  study: "Give the name or the path of a study; `ghostlight studies` lists the names.",
} as const;
type Kind = keyof typeof TODO;

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

/** The name of the scenario in a file. */
export const nameOf = (file: string): string => path.basename(file).replace(ENDING, "");

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

/** A file's text; undefined when there is no file. Throws BadInput when it cannot be what it is to be. */
function readText(file: string, what: Kind): string | undefined {
  const unreadable = (found: string, allowed: string): BadInput =>
    badInput({ file: shownPath(file) }, found, allowed, TODO[what]);
  const bytes = readBytes(file, unreadable);
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable("bytes that are no UTF-8 text", "YAML text in UTF-8");
  }
}

function readBytes(
  file: string,
  unreadable: (found: string, allowed: string) => BadInput,
): Uint8Array | undefined {
  let descriptor: number;
  try {
    // Not blocking: a pipe without a writer would hang.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "an error";
    if (["ENOENT", "ENOTDIR", "EISDIR"].includes(code)) return undefined;
    throw unreadable(`a file that cannot be opened (${code})`, "a file you may read");
  }
  try {
    const stats = fstatSync(descriptor);
    if (stats.isDirectory()) return undefined;
    if (!stats.isFile()) throw unreadable("no regular file", "a YAML file");
    if (stats.size > BYTES_MAX) {
      throw unreadable(`${stats.size} bytes`, `up to ${BYTES_MAX} bytes`);
    }
    return boundedBytes(descriptor, stats.size);
  } finally {
    closeSync(descriptor);
  }
}
