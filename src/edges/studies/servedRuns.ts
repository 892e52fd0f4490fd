/** What a thread does that plays runs as they are handed out: says that it is ready, and what came of each. */
import { parentPort } from "node:worker_threads";
import { defined } from "../../machines/defined.ts";
import { type Facts as ErrorFacts, isEdgeError } from "../errors.ts";
import { KeptAnswers } from "../play/keptAnswers.ts";
import { lazySandbox } from "../python/sandboxPort.ts";
import { lazyShell } from "../shell/shellProcess.ts";
import type { StudyHost } from "./runKey.ts";

/** What a thread says: once that it can play, then what came of each run. */
export type Told<Facts> =
  | "ready"
  | { readonly facts: Facts }
  /** What kept it from playing, and would keep it from playing any other. */
  | { readonly threw: Threw };

export interface Threw {
  readonly message: string;
  /** Of an error at an edge: see errors.ts. */
  readonly tag?: string;
  readonly facts?: ErrorFacts;
}

/** Where the Python and the command lines of such a thread run. */
export function playersHost({ sandbox: kind, cache }: Pick<StudyHost, "sandbox" | "cache">) {
  const answers = new KeptAnswers(cache);
  // The other threads keep the processors busy: a spare process would only take their time.
  return {
    sandbox: lazySandbox({ kind, answers, spare: false }),
    shell: lazyShell({ kind, answers }),
  };
}

/** Answers each run that it is sent, one at a time, for as long as the thread lives. */
export function serveRuns<Run, Facts>(play: (run: Run) => Promise<Facts>): void {
  const tell = (told: Told<Facts>): void => parentPort?.postMessage(told);
  parentPort?.on("message", (run: Run) => {
    play(run).then(
      (facts) => tell({ facts }),
      (error: unknown) => tell({ threw: threw(error) }),
    );
  });
  tell("ready");
}

const threw = (error: unknown): Threw => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!isEdgeError(error)) return { message };
  const { _tag: tag, where, found, allowed, todo, hint } = error;
  return { message, tag, facts: defined({ where, found, allowed, todo, hint }) };
};
