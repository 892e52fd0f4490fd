/** What the two sides of the pipe say to each other. */
import type { CallResult } from "./answer.ts";

export interface ChildSetup {
  readonly mode: "serve" | "snapshot";
  /** Path of pyodide.mjs. */
  readonly pyodide: string;
  readonly snapshot: { readonly file: string; readonly sha256: string } | null;
  readonly memoryMb: number;
  /** A process whose memory grew by more is replaced after the call. */
  readonly growthMb: number;
}

export interface ChildRequest {
  /** Hard to guess, and repeated in the answer: an answer to something else is a forgery. */
  readonly id: string;
  readonly mode: "exec" | "call";
  readonly code: string;
  readonly functionName: string;
  readonly kwargs: object;
  readonly seed: number;
  readonly nowMs: number;
  readonly limitMs: number;
  readonly events: number | null;
  readonly files: Readonly<Record<string, string>>;
}

/** After a result that is to `retire`, the process is gone. */
export interface ChildAnswer extends Partial<CallResult> {
  readonly retire: boolean;
  readonly id?: string;
  readonly rssMb?: number;
}
