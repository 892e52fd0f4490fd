/** A thread of a study: plays one run after another, as it is given them. */
import "../bundle/nodeSha256.ts";
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "../../machines/defined.ts";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { type Facts, isEdgeError } from "../errors.ts";
import { KeptAnswers } from "../play/keptAnswers.ts";
import { lazySandbox } from "../python/sandboxPort.ts";
import { lazyShell } from "../shell/shellProcess.ts";
import type { StudyHost, StudyWorld } from "./runKey.ts";
import { studyPlayer } from "./studyPlayer.ts";

/** What a thread says: once that it can play, then what came of each run. */
export type Told =
  | "ready"
  | { readonly facts: RunFacts }
  /** What kept it from playing, and would keep it from playing any other. */
  | { readonly threw: Threw };

export interface Threw {
  readonly message: string;
  /** Of an error at an edge: see errors.ts. */
  readonly tag?: string;
  readonly facts?: Facts;
}

const share = workerData as StudyWorld & StudyHost;
const answers = new KeptAnswers(share.cache);
// The other threads keep the processors busy: a spare process would only take their time.
const sandbox = lazySandbox({ kind: share.sandbox, answers, spare: false });
const shell = lazyShell({ kind: share.sandbox, answers });
const play = await studyPlayer(share, sandbox, shell);

const tell = (told: Told): void => parentPort?.postMessage(told);

const threw = (error: unknown): Threw => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!isEdgeError(error)) return { message };
  const { _tag: tag, where, found, allowed, todo, hint } = error;
  return { message, tag, facts: defined({ where, found, allowed, todo, hint }) };
};

parentPort?.on("message", (run: RunOf) => {
  play(run).then(
    (facts) => tell({ facts }),
    (error: unknown) => tell({ threw: threw(error) }),
  );
});
tell("ready");
