/** `ghostlight work`: plays runs of studies, and of searches for causes, for other machines. */
import { EXIT } from "../../edges/exit.ts";
import { codeHash } from "../../edges/studies/codeHash.ts";
import { queueAddress } from "../../edges/studies/queue/queueAddress.ts";
import { CODE_CHARS, workQueue } from "../../edges/studies/queue/queueWorker.ts";
import { clearProgress, note, print, printJson, progress } from "../output.ts";
import { interruptible } from "../signals.ts";
import { hostOf, type StudyFlags } from "./studyRun.ts";

export interface WorkFlags extends StudyFlags {
  readonly queue: string;
  readonly idle?: number;
}

export async function workCommand(flags: WorkFlags): Promise<number> {
  const host = hostOf(flags);
  queueAddress(flags.queue); // Refused before anything is awaited.
  const code = codeHash(flags.part);
  const stop = interruptible("stopping after the runs that are being played");
  note(`waiting for runs of code ${code.slice(0, CODE_CHARS)} on ${host.workers} threads`);
  try {
    const played = await workQueue({
      ...{ ...host, queue: flags.queue, code },
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
