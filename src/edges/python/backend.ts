/** What stands behind a sandbox: processes that answer calls. */
import type { CallResult, SandboxRequest } from "./answer.ts";

export interface SandboxInfo {
  readonly kind: "pyodide";
  /** Belongs in a recording: what parses differs between versions. */
  readonly pythonVersion: string;
  readonly pyodideVersion: string;
  /** What the kernel puts around it; answers are the same. */
  readonly walls: "bwrap" | null;
}

/** What a kind of sandbox provides. */
export interface Backend {
  readonly info: SandboxInfo;
  run(request: SandboxRequest): Promise<CallResult>;
  close(): Promise<void>;
  /** Highest resident memory of a process so far, where it is known. */
  readonly peakMb: () => number;
}
