/** `ghostlight work`: plays runs of studies for other machines. */
import { EXIT } from "../../edges/exit.ts";
import { cacheFolder } from "../../edges/play/keptAnswers.ts";
import { codeHash } from "../../edges/studies/codeHash.ts";
import { queueAddress } from "../../edges/studies/queue/queueAddress.ts";
import { CODE_CHARS, workQueue } from "../../edges/studies/queue/queueWorker.ts";
import { WORKERS_MAX, workersHere } from "../../edges/studies/studyPool.ts";
import type { PartFlag } from "../chosenParts.ts";
import { refused } from "../flags.ts";
import { interpreterOption, sandboxOption } from "../options.ts";
import { clearProgress, note, print, printJson, progress } from "../output.ts";
import { interruptible } from "../signals.ts";

export interface WorkFlags extends PartFlag {
  readonly queue: string;
  readonly workers?: number;
  readonly idle?: number;
  readonly sandbox?: string;
  readonly cache?: string;
  readonly interpreter?: string;
  readonly json?: true;
}

export async function workCommand(flags: WorkFlags): Promise<number> {
  const workers = flags.workers ?? workersHere();
  if (workers > WORKERS_MAX) {
    throw refused("--workers", String(workers), `1 … ${WORKERS_MAX}`, "Give another number.");
  }
  queueAddress(flags.queue); // Refused before anything is awaited.
  const code = codeHash(flags.part);
  const stop = interruptible("stopping after the runs that are being played");
  note(`waiting for runs of code ${code.slice(0, CODE_CHARS)} on ${workers} threads`);
  try {
    const played = await workQueue({
      queue: flags.queue,
      code,
      workers,
      sandbox: sandboxOption(flags.sandbox),
      cache: cacheFolder(flags.cache),
      partFiles: flags.part,
      interpreter: interpreterOption(flags.interpreter),
      signal: stop.signal,
      idleMs: flags.idle,
      onDone: (done) => progress(`${done} runs played`),
      onTrouble: note,
    });
    clearProgress();
    if (flags.json) printJson({ played });
    else print(`${played} runs played`);
    return EXIT.ok;
  } finally {
    stop.dispose();
  }
}
