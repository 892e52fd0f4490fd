/**
 * A skill as the program that it is: run as `__main__`, its payload in `sys.argv[1]`, what it prints kept apart by stream; whether
 * its test run passed, the one line that says why not, and how a call of it counts. The sandbox calls functions, so a function of
 * ours runs the program. Source: seed 001, TDD validation and telemetry; ruling K3; the words of the real system's executor.
 */
import { cutText } from "../cutText.ts";
import { isMap } from "../isMap.ts";
import type { MailOf } from "../letter.ts";
import { flag, type ValuesOf } from "../policyLeaf.ts";
import { trimPython } from "./pythonText.ts";

export const outputLeaves = {
  stderrCounts: flag(false, {
    says: "Whether a test run that wrote to stderr alone has printed something.",
    source: "RULINGS K3; the seed says stdout, the real system counts both",
  }),
};

export type OutputPolicy = ValuesOf<typeof outputLeaves>;

/** Ours: what a program may print and be read of, at each stream. */
const PRINTED_CHARS_MAX = 16_384;
/** Ours: more than any line that is shown of it. */
const CAUSE_READ_MAX = 2_000;

const RUNNER = String.raw`
def run(code, path, arguments):
    import io, linecache, sys, traceback, types
    class Held(io.BytesIO):
        def close(self):
            pass
    def stream(held):
        return io.TextIOWrapper(held, encoding="utf-8", errors="replace", write_through=True)
    def printed(held):
        return held.getvalue().decode("utf-8", "replace")
    def say(text):
        err.write(text.encode("utf-8", "replace"))
    out, err = Held(), Held()
    module = types.ModuleType("__main__")
    module.__file__ = path
    kept = sys.argv, sys.stdout, sys.stderr
    sys.modules["__main__"] = module
    linecache.cache[path] = (len(code), None, code.splitlines(True), path)
    sys.argv, sys.stdout, sys.stderr = [path, *arguments], stream(out), stream(err)
    exit_code, cause = 0, None
    try:
        exec(compile(code, path, "exec", dont_inherit=True), module.__dict__)
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            status = int(end.code or 0)
            # What no machine word holds is -1 to CPython.
            exit_code = status & 255 if -2**63 <= status < 2**63 else 255
        else:
            exit_code = 1
            try:
                cause = str(end.code)
                say(cause + "\n")
            except Exception:
                pass
    except MemoryError:
        raise
    except BaseException as error:
        exit_code = 130 if isinstance(error, KeyboardInterrupt) else 1
        frames = error.__traceback__.tb_next
        say("".join(traceback.format_exception(type(error), error, frames)))
        cause = next((line for line in traceback.format_exception_only(error) if line[:1] != " "), None)
    finally:
        sys.argv, sys.stdout, sys.stderr = kept
    return {"exitCode": exit_code, "stdout": printed(out)[:${PRINTED_CHARS_MAX}],
            "stderr": printed(err)[-${PRINTED_CHARS_MAX}:],
            "cause": None if cause is None else cause[:${CAUSE_READ_MAX}].encode("utf-8", "replace").decode()}
`;

/** What `port/sandbox.run` is asked, without its purpose and its limit. */
export const scriptRun = (code: string, path: string, args: readonly string[]) => ({
  name: "run",
  code: RUNNER,
  params: { code, path, arguments: args },
});

export interface ScriptResult {
  /** Null when nothing says how it ended. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** What ended the program: its exception, or the words that it left with; absent when nothing of the kind did. */
  readonly cause?: string;
}

/** As `timeout` and a process that the machine killed end. */
const TIMED_OUT = 124;
const KILLED = 137;

/** How the program ended, by the sandbox's answer; of one that did not come to its end nothing printed is left. */
export function scriptResult(
  reply: Pick<MailOf<"sandbox.replied">, "ok" | "result" | "error" | "timedOut" | "exitCode">,
): ScriptResult {
  const { ok, result, error = "no reason given", timedOut, exitCode: ownEnd } = reply;
  if (timedOut === true) return { exitCode: TIMED_OUT, stdout: "", stderr: error };
  if (ownEnd !== undefined) {
    return { exitCode: ownEnd, stdout: "", stderr: ownEnd === 0 ? "" : error };
  }
  if (!ok) return { exitCode: KILLED, stdout: "", stderr: error };
  const { exitCode, stdout, stderr, cause }: { readonly [name: string]: unknown } = isMap(result)
    ? result
    : {};
  return typeof exitCode === "number" && typeof stdout === "string" && typeof stderr === "string"
    ? { exitCode, stdout, stderr, ...(typeof cause === "string" && { cause }) }
    : { exitCode: null, stdout: "", stderr: "" };
}

type TddVerdict =
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

export function tddVerdict(result: ScriptResult, { stderrCounts }: OutputPolicy): TddVerdict {
  const { exitCode, stdout, stderr } = result;
  if (exitCode !== 0) {
    const todo = "Mend the code, and create the skill again.";
    return { passed: false, cause: runCause(result), todo };
  }
  const printed = stderrCounts ? stdout + stderr : stdout;
  if (trimPython(printed) !== "") return { passed: true, printed };
  const todo = "Read sys.argv[1], and print the result to stdout.";
  return { passed: false, cause: tddCause(SILENT), todo };
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
  const printed = text.includes(OUTPUT) ? behindMark(text) : "";
  const isSilent = printed.includes(SILENT.slice(0, SILENT.indexOf(".")));
  return { exitCode: exitCodeOf(text), stdout: isSilent ? "" : printed, stderr: "" };
}

/** The whole text where there is no mark of output. */
const behindMark = (text: string): string =>
  text.includes(OUTPUT) ? text.slice(text.indexOf(OUTPUT) + OUTPUT.length) : text;

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
  const lines = behindMark(text)
    .split("\n")
    .map((line) => line.trim());
  const found =
    lines.findLast((line) => EXCEPTION.test(line)) ??
    lines.find((line) => /^(Syntax Error Detected|SYSTEM ERROR)/.test(line)) ??
    lines.find((line) => line !== "");
  return cutText(found ?? "no diagnostic output", CAUSE_CHARS_MAX);
}

/** Killed by the machine, or still running elsewhere. */
const NOT_ITS_FAULT = /\[SYSTEM ERROR\]|Critical Tool Error|\[SANDBOX JOB PROMOTED\]/;
const CODES_OF_INFRA: readonly (number | null)[] = [124, 137];

/** How a call counts: `infra` is charged to neither side. */
export function skillResultClass(text: string): "ok" | "fail" | "infra" {
  const exitCode = exitCodeOf(text);
  if (NOT_ITS_FAULT.test(text) || CODES_OF_INFRA.includes(exitCode)) return "infra";
  if (exitCode !== null) return exitCode === 0 ? "ok" : "fail";
  return /^\s*(Error|ERROR|SYSTEM ERROR|Traceback)/.test(text) ? "fail" : "ok";
}
