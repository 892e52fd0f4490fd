/** What the parent, the child and the thread in which a shell runs say to each other: strict JSON. */

/** How much one run may take; the leaves of the policy say what each is. */
export interface ShellBounds {
  readonly limitMs: number;
  readonly steps: number;
  readonly stepsPerMs: number;
  readonly outputChars: number;
  readonly changedFiles: number;
  readonly changedChars: number;
  readonly memoryMb: number;
}

export interface ShellRun {
  readonly command: string;
  /** The agent that `whoami` names. */
  readonly agent: string;
  /** An absolute path; the folder is always there. */
  readonly cwd: string;
  /** All virtual files, texts by path. */
  readonly files: { readonly [path: string]: string };
  /** When they were last written, in ms since 1970. */
  readonly mtimesMs: { readonly [path: string]: number };
  readonly seed: number;
  /** Virtual time at the start, in ms since 1970. */
  readonly nowMs: number;
  readonly bounds: ShellBounds;
}

/** What ended a run before its own end: a bound, or the end of its process. */
export type ShellStop = "time" | "steps" | "output" | "files" | "memory" | "process";

export interface ShellRan {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** New texts by path, also beyond /agentOS; null for what is gone. */
  readonly changed: { readonly [path: string]: string | null };
  /** Files of the view whose text was opened, sorted. */
  readonly reads: readonly string[];
  /** Virtual milliseconds: what it slept, and its steps. */
  readonly elapsedMs: number;
  /** Why nothing of the run counts, in words. */
  readonly fault?: string;
  readonly stopped?: ShellStop;
}

/** `id` is hard to guess, and repeated in the answer: an answer to something else is a forgery. */
export interface ShellRequest {
  readonly id: string;
  readonly run: ShellRun;
  /** How long the machine may work on it. */
  readonly wallMs: number;
}

export interface ShellAnswer {
  readonly id: string;
  readonly ran: ShellRan;
  /** The process ends after it. */
  readonly isLast?: true;
}

/** A run that a bound ended: nothing of it is kept. */
export const stoppedRun = (stopped: ShellStop, elapsedMs: number): ShellRan => ({
  ...{ exitCode: 124, stdout: "", stderr: "", changed: {}, reads: [], elapsedMs, stopped },
});
