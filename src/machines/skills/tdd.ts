/**
 * Whether a skill's test run passed, the one line that says why not, and how a call of it counts. Source: seed 001, TDD
 * validation and telemetry; ruling K3; the words of the real system's executor.
 */
import { cutText } from "../cutText.ts";
import type { CreationPolicy } from "./creationPolicy.ts";
import { trimPython } from "./pythonText.ts";

export interface ScriptResult {
  /** Null when nothing says how it ended. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What ended the program: its exception, or the words that it left with; absent when nothing of the kind did. */
  readonly cause?: string;
}

export type TddVerdict =
  | { readonly passed: true; readonly printed: string }
  | { readonly passed: false; readonly cause: string; readonly todo: string };

/** What a test run that failed is refused for. */
export const testRefusal = ({ cause, todo }: Extract<TddVerdict, { readonly passed: false }>) => ({
  cause: "test-run",
  found: cause,
  todo,
});

const SILENT = "(Process executed successfully, but no output was printed to stdout.)";
const OUTPUT = "STDOUT/STDERR:";
const CAUSE_CHARS_MAX = 200;

export function tddVerdict(
  result: ScriptResult,
  { stderrCounts }: Pick<CreationPolicy, "stderrCounts">,
): TddVerdict {
  const { exitCode, stdout, stderr } = result;
  if (exitCode !== 0) {
    const todo = "Mend the code, and create the skill again.";
    return { passed: false, cause: runCause(result), todo };
  }
  const printed = stderrCounts ? stdout + stderr : stdout;
  if (trimPython(printed) !== "") return { passed: true, printed };
  return {
    passed: false,
    cause: tddCause(SILENT),
    todo: "Read sys.argv[1], and print the result to stdout.",
  };
}

/** A run as an agent is shown it. */
export function executionText({ exitCode, stdout, stderr }: ScriptResult): string {
  const printed = [stdout, stderr].filter((text) => text !== "").join("\n");
  const shown = exitCode === 0 && trimPython(printed) === "" ? SILENT : printed;
  const banner = exitCode === null ? "" : `EXIT CODE: ${exitCode}\n`;
  return `--- EXECUTION RESULT ---\n${banner}${OUTPUT}\n${shown}`;
}

/** The result that a text shows: its first banner counts, and what stands behind the mark of output is its stdout. */
export function resultOfText(text: string): ScriptResult {
  const mark = text.indexOf(OUTPUT);
  const printed = mark < 0 ? "" : text.slice(mark + OUTPUT.length);
  const isSilent = printed.includes(SILENT.slice(0, SILENT.indexOf(".")));
  return { exitCode: exitCodeOf(text), stdout: isSilent ? "" : printed, stderr: "" };
}

/** The first one that a text names; a program may print another. */
function exitCodeOf(text: string): number | null {
  const [, code] = /EXIT CODE:\s*(\d+)/.exec(text) ?? [];
  return code === undefined ? null : Number.parseInt(code, 10);
}

const TRACEBACK = "Traceback (most recent call last):";
const EXCEPTION = /^[A-Z]\w*(Error|Exception|Warning):\s*.+/;

/** Why a run failed, on one line: what ended the program, else what the text of the run says. */
export function runCause(result: ScriptResult): string {
  const cause = firstLine(result.cause ?? "") ?? lastRaised(result.stderr);
  return cause === undefined ? tddCause(executionText(result)) : cutText(cause, CAUSE_CHARS_MAX);
}

const firstLine = (text: string): string | undefined =>
  text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "");

/** Of a program that caught its exception and printed it: of any kind, with a message or without. */
function lastRaised(stderr: string): string | undefined {
  const lines = stderr.split("\n");
  const start = lines.lastIndexOf(TRACEBACK);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  return rest.findLast((line) => EXCEPTION.test(line)) ?? rest.find((line) => /^\S/.test(line));
}

/** What the text of a run says of its failure, as the real system reads it: the last exception, else what the system said, else the first line. */
export function tddCause(text: string): string {
  if (text.trim() === "") return "unknown cause";
  if (text.includes("no output was printed to stdout")) {
    return "script exited 0 but printed nothing to stdout";
  }
  const mark = text.indexOf(OUTPUT);
  const printed = mark < 0 ? text : text.slice(mark + OUTPUT.length);
  const lines = printed.split("\n").map((line) => line.trim());
  const found =
    lines.findLast((line) => EXCEPTION.test(line)) ??
    lines.find((line) => /^(Syntax Error Detected|SYSTEM ERROR)/.test(line)) ??
    lines.find((line) => line !== "");
  return cutText(found ?? "no diagnostic output", CAUSE_CHARS_MAX);
}

/** How a call counts: `infra` is charged to neither side. */
export type CallClass = "ok" | "fail" | "infra";

/** Killed by the machine, or still running elsewhere. */
const NOT_ITS_FAULT = /\[SYSTEM ERROR\]|Critical Tool Error|\[SANDBOX JOB PROMOTED\]/;
const CODES_OF_INFRA: readonly (number | null)[] = [124, 137];

export function skillResultClass(text: string): CallClass {
  const exitCode = exitCodeOf(text);
  if (NOT_ITS_FAULT.test(text) || CODES_OF_INFRA.includes(exitCode)) return "infra";
  if (exitCode !== null) return exitCode === 0 ? "ok" : "fail";
  return /^\s*(Error|ERROR|SYSTEM ERROR|Traceback)/.test(text) ? "fail" : "ok";
}
