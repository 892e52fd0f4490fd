/** A thread of a pool: does jobs, one after another, until none is left to take. */
import "../bundle/nodeSha256.ts";
import { parentPort, workerData } from "node:worker_threads";
import { KeptAnswers } from "../play/keptAnswers.ts";
import { lazySandbox } from "../python/sandboxPort.ts";
import { lazyShell } from "../shell/shellProcess.ts";
import type { CheckWork } from "./checkWork.ts";
import type { FindWork } from "./findWork.ts";
import type { PlayJob } from "./playJob.ts";
import type { PlayWork } from "./playWork.ts";

export type Work =
  | (PlayWork & { readonly kind: "play"; readonly jobs: readonly PlayJob[] })
  | (CheckWork & { readonly kind: "check" })
  | (FindWork & { readonly kind: "find" });

/** What a thread is given. */
export interface Share {
  readonly work: Work;
  readonly count: number;
  /** Holds the number of the next job that nobody has taken. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

/** One job that was done, by its number; null once the thread takes no more. */
export type Done<T> = readonly [number: number, result: T] | null;

const { work, count, next } = workerData as Share;
const tell = (done: Done<unknown>): void => parentPort?.postMessage(done);
const doAll = async (job: (at: number) => Promise<unknown>): Promise<void> => {
  for (let at = Atomics.add(next, 0, 1); at < count; at = Atomics.add(next, 0, 1)) {
    tell([at, await job(at)]);
  }
  tell(null);
};
// Each kind loads only what it needs.
if (work.kind === "find") await doAll(await (await import("./findWork.ts")).finder(work));
else {
  const answers = new KeptAnswers(work.cache);
  const kind = work.kind === "play" ? work.sandbox : "auto";
  // The other threads keep the processors busy: a spare process would only take their time.
  const sandbox = lazySandbox({ kind, answers, spare: false });
  const shell = lazyShell({ kind, answers });
  const job =
    work.kind === "play"
      ? await (await import("./playWork.ts")).player(work, work.jobs, sandbox, shell)
      : await (await import("./checkWork.ts")).tester(work, sandbox, shell);
  await doAll(job);
  await Promise.all([sandbox.close(), shell.close()]);
}
