/**
 * Reads a bundle from disk. It is data from strangers: every file is checked before it is used,
 * and nothing in it is ever run.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { countOf } from "../../contract/countOf.ts";
import type { Part } from "../../contract/part.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { FORMAT_VERSION, isIntact, type Manifest } from "../../run/bundle.ts";
import type { Recorded } from "../../run/playRecorded.ts";
import { sha256Hex } from "../../substrate/digest.ts";
import { readRecorded } from "../../substrate/recording.ts";
import { BadInput, badInput, NewerFormat, quoted } from "../errors.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { parseScenario } from "../scenario/scenarioFile.ts";
import { emptyScenario } from "../scenario/scenarioOf.ts";
import { parsedJson } from "../strictValue.ts";
import { damaged, unreadable } from "./bundleFaults.ts";
import { FILES, manifestText } from "./bundleWriter.ts";
import { LINE_BYTES_MAX, LineFile, LineTooLong, NO_TEXT } from "./lineFile.ts";
import { faultOfManifest } from "./manifestSchema.ts";

/** Ours: above the largest shipped bundle by a factor of ten, below what a string can hold. */
const FILE_BYTES_MAX = 400_000_000;

/** Ours, of a log, which stays in its file: some fifteen million deliveries. */
const LOG_BYTES_MAX = 10_000_000_000;

/** Ours: the log of two hours of an incident is quicker in memory; that of days stays in its file. */
export const KEPT_BYTES_MAX = 40_000_000;

/** A bundle that was read and checked, and the folder it lies in. */
export interface ReadBundle extends Recorded {
  readonly folder: string;
  /** The log is, byte for byte, the one that the manifest's seal vouches for. */
  readonly isLogSealed: boolean;
}

/** Whether the log was certainly changed after the run. */
export const hasOtherLog = ({ log, manifest, isLogSealed }: ReadBundle): boolean =>
  log !== undefined && manifest.final?.log !== undefined && !isLogSealed;

export interface ReadOptions {
  /** Bytes of a log that may lie in memory; a larger one stays in its file. */
  readonly keptBytesMax?: number;
}

/** Throws BadInput or NewerFormat (exit 2) when unreadable, Divergence (exit 3) when changed. */
export function readBundle(
  lists: ReadingLists,
  folder: string,
  { keptBytesMax = KEPT_BYTES_MAX }: ReadOptions = {},
): ReadBundle {
  const manifest = readManifest(lists.parts, folder);
  const lines = readLines(folder, FILES.inputs, { bytesMax: FILE_BYTES_MAX });
  const recording = readRecorded(lines, lines.isTorn);
  const { fault, torn, inputs, head } = recording;
  if (fault !== undefined)
    throw damaged(folder, FILES.inputs, fault.line, fault.reason, manifest.origin);
  const { final } = manifest;
  if (final !== undefined)
    checkLength(folder, recording.inputs.length, head, torn, final.inputs, manifest.origin);
  const scenario = scenarioIn(lists, manifest, folder);
  if (manifest.variant !== null && !Object.hasOwn(scenario.variants, manifest.variant)) {
    const found = `the variant ${quoted(manifest.variant)}, which its scenario does not have`;
    throw unreadable({ file: join(folder, FILES.manifest), path: "variant" }, found);
  }
  const log = readLog(folder, manifest, keptBytesMax);
  return {
    folder,
    manifest,
    scenario,
    inputs,
    partial: torn || final === undefined,
    ...log,
  };
}

/** Whether a bundle may lie there: the folder has a manifest, readable or not. */
export const hasManifest = (folder: string): boolean =>
  kindOf(join(folder, FILES.manifest)) !== "nothing";

/** The manifest alone, checked just as in a whole bundle. */
export function readManifest(parts: readonly Part[], folder: string): Manifest {
  const kind = kindOf(folder);
  if (kind === "nothing") throw unreadable({ file: folder }, "no such folder");
  if (kind !== "a folder") throw unreadable({ file: folder }, `${kind} where a folder should be`);
  if (!hasManifest(folder)) checkHoldsNone(folder);
  const text = readText(folder, FILES.manifest);
  const file = join(folder, FILES.manifest);
  const parsed = parsedJson(text);
  if ("fault" in parsed) {
    throw unreadable({ file }, `text that is not JSON as a bundle has it (${parsed.fault})`);
  }
  const { value: manifest } = parsed;
  checkFormat(manifest as Partial<Manifest> | null, file);
  checkParts(manifest as Partial<Manifest>, parts, file);
  const fault = faultOfManifest(parts, manifest);
  if (fault !== undefined) {
    const { path, found, allowed } = fault;
    throw unreadable({ file, path }, found, allowed);
  }
  // No fault was found in its shape.
  const whole = manifest as unknown as Manifest;
  if (!isIntact(whole) || text !== manifestText(whole)) {
    const found = "its seal does not match its content";
    throw damaged(folder, FILES.manifest, undefined, found, whole.origin);
  }
  if (sha256Hex(whole.scenario.text) !== whole.scenario.sha256) {
    const found = "the scenario is not the one that was hashed";
    throw damaged(folder, FILES.manifest, undefined, found, whole.origin);
  }
  return whole;
}

/** Throws for a folder of bundles, such as an import of several logs leaves: they are named. */
function checkHoldsNone(folder: string): void {
  const inner = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasManifest(join(folder, entry.name)))
    .map(({ name }) => quoted(join(folder, name)))
    .sort();
  const [first] = inner;
  if (first === undefined) return;
  throw badInput(
    { file: folder },
    `a folder that holds ${countOf(inner.length, "bundle")}, and is none`,
    "one bundle",
    `Name one of them, such as ${first}; \`check\` reads them all.`,
  );
}

function checkFormat(manifest: Partial<Manifest> | null, file: string): void {
  const format: unknown = manifest?.format;
  const where = { file, path: "format" };
  if (typeof format !== "number" || !Number.isSafeInteger(format) || format < 1) {
    const found = `${format === undefined ? "nothing" : quoted(format)} as its format`;
    throw unreadable(where, found, `1 … ${FORMAT_VERSION}`);
  }
  if (format <= FORMAT_VERSION) return;
  throw new NewerFormat({
    where,
    found: `format ${format}, written by ${quoted(manifest?.product)}`,
    allowed: `up to ${FORMAT_VERSION}`,
    todo: "Update ghostlight: npm install ghostlight@latest.",
  });
}

/** Without its parts nothing else in a bundle can be understood. */
function checkParts(manifest: Partial<Manifest>, parts: readonly Part[], file: string): void {
  // Whatever it is that stands there: what is no list of names is found next.
  const needed: unknown = manifest.parts;
  const here = parts.map(({ name }) => name);
  const listed: readonly unknown[] = Array.isArray(needed) ? needed : [];
  const missing = listed
    .filter((one) => typeof one === "string")
    .filter((one) => !here.includes(one));
  if (missing.length === 0) return;
  const names = missing.map((one) => quoted(one)).join(", ");
  throw badInput(
    { file, path: "parts" },
    `a run that had the ${missing.length === 1 ? "part" : "parts"} ${names} of a program's own`,
    `a run of the parts that are here: ${here.join(", ")}`,
    "Name the module of each such part: --part FILE. In a program, read it with `world(part).readBundle`.",
  );
}

/** Of its manifest. Rules of scenarios change, so an old one may no longer be valid: throws BadInput. */
export function scenarioIn(
  lists: ReadingLists,
  { scenario, product, startsAt, imported }: Manifest,
  folder: string,
): Scenario {
  // Nobody wrote a world for a log that others left.
  if (imported !== undefined) {
    return { ...emptyScenario(lists), name: scenario.name, startsAt, imported };
  }
  try {
    return parseScenario(lists, scenario.text, `${scenario.name}.yaml`);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const { where, found, allowed } = error;
    const place = [where.line, where.column, where.path].filter((part) => part !== undefined);
    throw badInput(
      { file: join(folder, FILES.manifest), path: "scenario.text" },
      `a scenario that this version does not take: at ${place.join(":")}: ${found}`,
      allowed,
      `Read the bundle with ${product}, which recorded it, or run the scenario again.`,
    );
  }
}

function checkLength(
  folder: string,
  lines: number,
  head: string,
  torn: boolean,
  expected: { readonly lines: number; readonly head: string },
  origin: string,
): void {
  const missing = expected.lines - lines;
  if (missing === 0 && head === expected.head && !torn) return;
  const reason =
    missing > 0
      ? `the manifest says ${expected.lines} lines, and the file ends after ${lines}`
      : `the manifest says ${expected.lines} lines ending in ${expected.head.slice(0, 12)}`;
  throw damaged(folder, FILES.inputs, lines + 1, reason, origin);
}

/** The log's lines, when the bundle has a log. A kill may have torn the last one, but none of a run that has its end. */
function readLog(
  folder: string,
  { final, origin }: Manifest,
  keptBytesMax: number,
): Pick<ReadBundle, "log" | "logTorn" | "isLogSealed"> {
  if (kindOf(join(folder, FILES.events)) === "nothing") return { isLogSealed: false };
  const lines = readLines(folder, FILES.events, {
    bytesMax: LOG_BYTES_MAX,
    mayGrow: final === undefined,
  });
  const { isTorn: logTorn, sha256 } = lines;
  const log = lines.size > keptBytesMax ? lines : lines.all();
  if (final !== undefined && logTorn) {
    throw damaged(folder, FILES.events, log.length + 1, "a line without its end", origin);
  }
  return { log, logTorn, isLogSealed: final?.log === sha256 };
}

const readLines = (
  folder: string,
  name: string,
  { bytesMax, mayGrow = false }: { readonly bytesMax: number; readonly mayGrow?: boolean },
): LineFile => reading(folder, name, bytesMax, (file) => new LineFile(file, { mayGrow }));

const readText = (folder: string, name: string): string =>
  reading(folder, name, FILE_BYTES_MAX, (file) =>
    // A byte order mark is a byte like any other.
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file)),
  );

/** Throws BadInput for whatever is no file of text. */
function reading<T>(folder: string, name: string, bytesMax: number, read: (file: string) => T): T {
  const file = join(folder, name);
  const kind = kindOf(file);
  if (kind === "nothing") throw unreadable({ file: folder }, `a folder without ${name}`);
  if (kind !== "a file") throw unreadable({ file }, `${kind} where a file should be`);
  try {
    const { size } = statSync(file);
    if (size > bytesMax) throw unreadable({ file }, `${size} bytes`, `up to ${bytesMax} bytes`);
    return read(file);
  } catch (error) {
    if (error instanceof BadInput) throw error;
    if (error instanceof LineTooLong) {
      const { line, message } = error;
      throw unreadable({ file, line }, message, `up to ${LINE_BYTES_MAX} bytes`);
    }
    const { code } = error as NodeJS.ErrnoException;
    const isText = code !== NO_TEXT;
    throw unreadable(
      { file },
      isText ? `a file that cannot be read (${code})` : "bytes that are no text",
    );
  }
}

type Kind = "nothing" | "a file" | "a folder" | "no regular file" | "something unreadable";

/** No entry, or a path that can have none: below a file, too long, with a null in it. */
const NOTHING_THERE = ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"];

/** What lies at a path: a pipe without a writer would hang its reader. */
export function kindOf(path: string): Kind {
  try {
    const stats = statSync(path);
    return stats.isFile() ? "a file" : stats.isDirectory() ? "a folder" : "no regular file";
  } catch (error) {
    const isNothing = NOTHING_THERE.includes((error as NodeJS.ErrnoException).code ?? "");
    return isNothing ? "nothing" : "something unreadable";
  }
}
