/**
 * A skill as the program that it is: run as `__main__`, its payload in `sys.argv[1]`, what it prints kept apart by stream.
 * The sandbox calls functions, so a function of ours runs the program, and answers how it ended.
 */
import { isMap } from "../isMap.ts";
import type { Json, MailOf } from "../letter.ts";
import type { ScriptResult } from "./tdd.ts";

/** Ours: what a program may print and be read of, at each stream. */
const PRINTED_CHARS_MAX = 16_384;
/** Ours: more than any line that is shown of it. */
const CAUSE_CHARS_MAX = 2_000;

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
            "cause": None if cause is None else cause[:${CAUSE_CHARS_MAX}].encode("utf-8", "replace").decode()}
`;

/** What `port/sandbox.run` is asked, without its purpose and its limit. */
export type ScriptRun = Required<Pick<MailOf<"sandbox.run">, "name" | "code">> & {
  readonly params: { readonly [name: string]: Json };
};

export const scriptRun = (code: string, path: string, args: readonly string[]): ScriptRun => ({
  name: "run",
  code: RUNNER,
  params: { code, path, arguments: args },
});

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
  const { exitCode, stdout, stderr, cause } = isMap(result) ? (result as Answer) : {};
  return typeof exitCode === "number" && typeof stdout === "string" && typeof stderr === "string"
    ? { exitCode, stdout, stderr, ...(typeof cause === "string" && { cause }) }
    : { exitCode: null, stdout: "", stderr: "" };
}

interface Answer {
  readonly exitCode?: Json;
  readonly stdout?: Json;
  readonly stderr?: Json;
  readonly cause?: Json;
}
