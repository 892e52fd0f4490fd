/** A process that measures, and answers with one line of JSON. */
import { spawnSync } from "node:child_process";

/** `T` is what that script is written to answer. */
export function asked<T>(script: string, args: readonly string[]): T {
  const run = spawnSync(process.execPath, ["--expose-gc", script, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`measuring ended with ${run.signal ?? run.status}`);
  return JSON.parse(run.stdout) as T;
}
