/**
 * The thread in which one shell command runs, and no other after it: started by shellChild.ts in a
 * process without an environment and without rights. What it sees of time and chance is virtual.
 */
import { isMainThread, parentPort } from "node:worker_threads";
import { type ShellRan, type ShellRun, type ShellStop, stoppedRun } from "./shellProtocol.ts";
import { installVirtualHost } from "./virtualHost.ts";

let run: ShellRun | undefined;

/** A bound ends the run at that very step: nothing of it counts, and nothing after it happens. */
function stop(stopped: ShellStop): never {
  const elapsedMs = Math.min(run?.bounds.limitMs ?? 0, host.elapsedMs());
  parentPort?.postMessage(stoppedRun(stopped, elapsedMs));
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const host = installVirtualHost(() => {
  if (run === undefined) return;
  if (host.steps() > run.bounds.steps) stop("steps");
  if (host.elapsedMs() >= run.bounds.limitMs) stop("time");
});

if (!isMainThread) {
  // Only now: it keeps the clock that it finds while loading.
  const { ranIn } = await import("./bashRun.ts");
  parentPort?.on("message", async (given: ShellRun) => {
    run = given;
    host.open({ nowMs: given.nowMs, seed: given.seed, stepsPerMs: given.bounds.stepsPerMs });
    // What the shell throws is its own fault: it ends this command, and says nothing of the host.
    const lost = (): ShellRan => stoppedRun("process", given.bounds.limitMs);
    parentPort?.postMessage(await ranIn(given, host, stop).catch(lost));
  });
  parentPort?.postMessage("ready");
}
