/** What the two sides of the pipe say to each other. */
import type { CallResult, SandboxRequest } from "./answer.ts";

export interface ChildSetup {
  readonly mode: "serve" | "snapshot";
  /** Path of pyodide.mjs. */
  readonly pyodide: string;
  /** Comes over standard input before the first request; null only to make one. */
  readonly snapshot: { readonly bytes: number; readonly sha256: string } | null;
  /** Of Python's own memory. */
  readonly memoryMb: number;
  /** Of the whole process, at which it ends itself. */
  readonly residentMb: number;
}

/** The first line of a process that serves. */
export interface ChildReady {
  readonly readyMs: number;
  readonly rssMb: number;
  readonly pythonVersion: string;
}

export interface ChildRequest {
  /** Hard to guess, and repeated in the answer: an answer to something else is a forgery. */
  readonly id: string;
  readonly mode: SandboxRequest["mode"];
  readonly code: string;
  readonly functionName: string;
  readonly kwargs: object;
  readonly seed: number;
  readonly nowMs: number;
  readonly limitMs: number;
  readonly events: number | null;
  readonly files: Readonly<Record<string, string>>;
}

/** A process that is to `retire` ends after this answer: the call touched what is not put back. */
export interface ChildAnswer extends Partial<CallResult> {
  readonly retire: boolean;
  readonly id?: string;
  readonly rssMb?: number;
}
