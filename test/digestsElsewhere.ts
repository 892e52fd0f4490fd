// What every scenario ends with in another process, thread, time zone, locale or build of XState.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

interface Place {
  /** Options of Node. */
  readonly node: readonly string[];
  /** Options of tools/digests.ts. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** XState's development build, in the main thread. */
export const FAR: Place = {
  node: ["--conditions=development"],
  args: [],
  env: { TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" },
};

/** Its production build, in a worker thread. Neither its digits nor its quarter of an hour are ours. */
export const ELSEWHERE: Place = {
  node: [],
  args: ["--worker"],
  env: { TZ: "Asia/Kathmandu", LANG: "ar_EG.UTF-8", LC_ALL: "ar_EG.UTF-8" },
};

export interface Ended {
  readonly name: string;
  readonly outcome: string | undefined;
  readonly digest: string | undefined;
}

/** What every scenario ends with in a process of its own, by name. */
export async function digestsIn(
  { node, args, env }: Place,
  ...more: readonly string[]
): Promise<readonly Ended[]> {
  const { stdout } = await run(
    process.execPath,
    [...node, "tools/digests.ts", "--plain", ...args, ...more],
    { env: { ...process.env, ...env } },
  );
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.split(" "))
    .map(([name = "", _variant, _seed, outcome, digest]) => ({ name, outcome, digest }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
