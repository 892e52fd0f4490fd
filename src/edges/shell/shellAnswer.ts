/**
 * The answer of a shell's process, read as if the command line had written it: rebuilt field by field,
 * and within the bounds that its run was given.
 */
import { defined } from "../../machines/defined.ts";
import { isMap } from "../../machines/isMap.ts";
import type { ShellAnswer, ShellRan, ShellRun, ShellStop } from "./shellProtocol.ts";

const STOPS: readonly ShellStop[] = ["time", "steps", "output", "files", "memory", "process"];

/** Undefined when it answers something else, or is no answer. */
export function readAnswer(line: string, id: string, run: ShellRun): ShellAnswer | undefined {
  const answer = mapIn(line);
  if (answer === undefined || answer["id"] !== id || !isMap(answer["ran"])) return undefined;
  const ran = ranOf(answer["ran"], run);
  if (ran === undefined) return undefined;
  return defined({ id, ran, isLast: answer["isLast"] === true ? true : undefined });
}

/** What a run came to, alone; undefined when it is not that. */
export function readRan(text: string, run: ShellRun): ShellRan | undefined {
  const ran = mapIn(text);
  return ran === undefined ? undefined : ranOf(ran, run);
}

function mapIn(text: string): { readonly [name: string]: unknown } | undefined {
  try {
    const found: unknown = JSON.parse(text);
    return isMap(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

function ranOf(given: { readonly [name: string]: unknown }, run: ShellRun): ShellRan | undefined {
  const { exitCode, stdout, stderr, changed, reads, elapsedMs, fault, stopped } = given;
  const { outputChars, changedFiles, changedChars } = run.bounds;
  if (!isWhole(exitCode) || !isWhole(elapsedMs) || elapsedMs < 0) return undefined;
  if (!isText(stdout) || !isText(stderr) || !isMap(changed) || !Array.isArray(reads))
    return undefined;
  if (stdout.length > outputChars || stderr.length > outputChars) return undefined;
  const texts = Object.entries(changed);
  if (!texts.every((one): one is [string, string | null] => one[1] === null || isText(one[1])))
    return undefined;
  const chars = texts.reduce((sum, [path, text]) => sum + path.length + (text?.length ?? 0), 0);
  if (texts.length > changedFiles || chars > changedChars) return undefined;
  if (!reads.every((path) => isText(path) && Object.hasOwn(run.files, path))) return undefined;
  if (fault !== undefined && !isText(fault)) return undefined;
  const stop = STOPS.find((one) => one === stopped);
  if (stop !== stopped) return undefined;
  return defined({
    ...{ exitCode, stdout, stderr, changed: Object.fromEntries(texts), reads, elapsedMs },
    fault,
    stopped: stop,
  });
}

const isText = (value: unknown): value is string => typeof value === "string";
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
