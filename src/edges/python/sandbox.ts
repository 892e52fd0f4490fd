/**
 * Runs Python that is not ours, as `SECURITY.md` describes. One call at a time, in the order
 * asked; each starts from the same interpreter, whatever the one before did.
 */

import type { Json } from "../../machines/letter.ts";
import {
  type CallResult,
  type CallSetting,
  type ExecResult,
  execResultOf,
  type SandboxLimits,
  type SandboxRequest,
} from "./answer.ts";
import type { SandboxInfo } from "./backend.ts";
import { openPyodide, type PyodideOptions } from "./pyodideSandbox.ts";

export interface PythonCall {
  readonly code: string;
  /** The tool's own name; the alphabetically first public function when it has none of it. */
  readonly functionName: string;
  readonly kwargs: { readonly [name: string]: Json };
}

/** What Python can be asked. */
export interface Python {
  exec(code: string, limits: SandboxLimits, setting?: CallSetting): Promise<ExecResult>;
  call(call: PythonCall, limits: SandboxLimits, setting: CallSetting): Promise<CallResult>;
  /** What CPython's parser finds; the code is not run. */
  syntax(code: string, limits: SandboxLimits): Promise<CallResult>;
}

export interface Sandbox extends Python {
  readonly info: SandboxInfo;
  /** What each of the others comes to. */
  run(request: SandboxRequest): Promise<CallResult>;
  peakMb(): number;
  close(): Promise<void>;
}

/** Of code that does not look at it. */
export const AT_REST: CallSetting = { seed: 0, nowMs: 0 };

export async function openSandbox(options: PyodideOptions = {}): Promise<Sandbox> {
  const backend = await openPyodide(options);
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const inTurn = (request: SandboxRequest): Promise<CallResult> => {
    if (closed) return Promise.reject(new Error("the sandbox is closed"));
    const turn = last.then(() => backend.run(request));
    last = turn.catch(() => undefined);
    return turn;
  };
  return {
    ...pythonBy(inTurn),
    info: backend.info,
    run: inTurn,
    peakMb: backend.peakMb,
    close: async () => {
      closed = true;
      await backend.close();
    },
  };
}

/** Python whose every request is answered by this. */
export const pythonBy = (run: Sandbox["run"]): Python => ({
  exec: async (code, limits, setting = AT_REST) => {
    const asked = { mode: "exec", code, functionName: "", kwargs: {}, limits, setting } as const;
    return execResultOf(await run(asked));
  },
  call: (call, limits, setting) => run({ mode: "call", ...call, limits, setting }),
  syntax: (code, limits) => {
    const asked = { mode: "syntax", code, functionName: "", kwargs: {}, limits } as const;
    return run({ ...asked, setting: AT_REST });
  },
});
