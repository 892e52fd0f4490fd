// The thread of a shell, for many commands one after another.
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ShellRan, ShellRun } from "../../../src/edges/shell/shellProtocol.ts";

const file = new URL("../../../src/edges/shell/shellThread.ts", import.meta.url);
/** As that of shellChild.ts, so that depth is bounded by the shell itself. */
const stackSizeMb = 512;

async function started(): Promise<Worker> {
  const thread = new Worker(file, {
    env: { TZ: "UTC" },
    execArgv: [],
    resourceLimits: { stackSizeMb },
  });
  await once(thread, "message"); // It has loaded its shell.
  return thread;
}

/** One command at a time. A thread that a bound ended is replaced. */
export function oneThread() {
  let thread: Promise<Worker> | undefined;
  const close = async (): Promise<void> => {
    await (await thread)?.terminate();
    thread = undefined;
  };
  const run = async (asked: ShellRun): Promise<ShellRan> => {
    thread ??= started();
    const answer = once(await thread, "message");
    (await thread).postMessage(asked);
    const [ran] = (await answer) as [ShellRan];
    if (ran.stopped !== undefined) await close();
    return ran;
  };
  return { run, close };
}
