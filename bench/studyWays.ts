/** Plays runs of the incident in each way that studies have, and takes the time. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { builtIn } from "../src/builtIn/lists.ts";
import { KeptAnswers } from "../src/edges/play/keptAnswers.ts";
import { checkedLists } from "../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { packed } from "../src/edges/studies/keptFacts.ts";
import { playSweep, sweepPlan } from "../src/edges/studies/playStudy.ts";
import { queueAddress } from "../src/edges/studies/queue/queueAddress.ts";
import { QueueDatabase } from "../src/edges/studies/queue/queueDatabase.ts";
import { queuedRuns } from "../src/edges/studies/queue/queuedRuns.ts";
import type { QueueJob } from "../src/edges/studies/queue/queueJob.ts";
import { runKey, sha256, worldOf } from "../src/edges/studies/runKey.ts";
import { parseStudy } from "../src/edges/studies/studyFile.ts";
import { studyPlayer } from "../src/edges/studies/studyPlayer.ts";
import { StudyRuns, type StudyRunsOptions } from "../src/edges/studies/studyRuns.ts";
import type { RunFacts, RunOf } from "../src/studies/study.ts";
import { runAt } from "../src/studies/sweep.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../src/cli/main.ts");

const GRID = `why: How much is played in a second?
scenario: safe-file-executor
factors:
  locks.constrained: [.4, .5, .6, .7]
  stressors.repeatedFailure.clearsBelow: [.3, .5, .7]
design: { kind: grid }
replicates: 100
outcomes:
  peak: { metric: load, reduce: max }
  done: { metric: goals.completed, reduce: last }
`;

const study = parseStudy(await checkedLists(builtIn), GRID, "bench.yaml");
const plan = sweepPlan(study, "bench.yaml");
const world = worldOf(study);

export interface Took {
  readonly runsPerSecond: number;
  readonly msPerRun: number | null;
}

/** So many runs, none of which was played before. */
export type Draw = (count: number) => readonly RunOf[];

/** Of a seed for each run of the whole bench: a worker keeps in the database what it once played. */
export function drawing(): Draw {
  let seed = 1_000_000;
  return (count) => {
    const [point] = plan.points;
    if (point === undefined) throw new Error("the grid has no points");
    return Array.from({ length: count }, () => ({ ...runAt(study, point, 0), seed: seed++ }));
  };
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** From the end of the first run, before which threads and processes begin, to that of the last. */
function stopwatch(processor: () => number | null) {
  let first: { readonly atMs: number; readonly processorMs: number | null } | undefined;
  let runs = 0;
  return {
    done: (): void => {
      if (first === undefined) first = { atMs: performance.now(), processorMs: processor() };
      else runs += 1;
    },
    took: (): Took => {
      if (first === undefined) throw new Error("no run was played");
      const [before, after] = [first.processorMs, processor()];
      return {
        runsPerSecond: (runs * 1_000) / (performance.now() - first.atMs),
        msPerRun: before === null || after === null ? null : (after - before) / runs,
      };
    },
  };
}

/** One run after the other, in this thread. */
export async function inLoop(runs: readonly RunOf[]): Promise<Took> {
  const answers = new KeptAnswers(null);
  const sandbox = lazySandbox({ kind: "pyodide", answers, spare: false });
  const shell = lazyShell({ kind: "pyodide", answers });
  const play = await studyPlayer({ ...world, sandbox: "pyodide", cache: null }, sandbox, shell);
  const watch = stopwatch(processorMs);
  for (const run of runs) {
    await play([run]);
    watch.done();
  }
  const took = watch.took();
  await Promise.all([sandbox.close(), shell.close()]);
  return took;
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "ghostlight-bench-"));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const playedBy = (runs: readonly RunOf[], options: Partial<StudyRunsOptions>): Promise<void> =>
  inFolder(async (folder) => {
    const all = new StudyRuns({
      ...{ sandbox: "pyodide", cache: null, folder, world, study: "bench" },
      ...options,
    });
    try {
      await all.play(runs);
    } finally {
      await all.close();
    }
  });

/** As a study plays them, its table of runs included. */
export async function inThreads(runs: readonly RunOf[], workers: number): Promise<Took> {
  const watch = stopwatch(processorMs);
  await playedBy(runs, { workers, onDone: (done) => done > 0 && watch.done() });
  return watch.took();
}

/** By worker processes of one thread each, of an address with its password. */
export async function byQueue(
  runs: readonly RunOf[],
  queue: { readonly url: string; readonly password: string },
  processes: number,
): Promise<Took> {
  const address = new URL(queue.url);
  address.password = queue.password;
  const workers = Array.from({ length: processes }, () =>
    spawn(process.execPath, [PROGRAM, "work", "--queue", queue.url, "--workers", "1"], {
      env: { ...process.env, PGPASSWORD: queue.password, GHOSTLIGHT_CACHE: "" },
      stdio: "ignore",
    }),
  );
  const watch = stopwatch(() => processorMsOf(workers));
  await playedBy(runs, { queue: address.href, onDone: (done) => done > 0 && watch.done() });
  const took = watch.took();
  await Promise.all(
    workers.map((worker) => {
      const ended = new Promise((resolve) => worker.once("exit", resolve));
      worker.kill("SIGTERM");
      return ended;
    }),
  );
  return took;
}

/** Ticks of a second, as Linux counts them. */
const TICK_MS = 10;

/** Null where the system does not say. */
function processorMsOf(workers: readonly ChildProcess[]): number | null {
  try {
    const ticks = workers.map(({ pid }) => {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
  } catch {
    return null;
  }
}

/** Runs a second that go through a queue where nobody has to play them. */
export async function queueAlone(runs: readonly RunOf[], url: string): Promise<number> {
  const code = "bench";
  const address = queueAddress(url);
  const over = new AbortController();
  const facts: RunFacts = {
    ...{ outcome: "ended", virtualMs: runs.length, finals: {}, tooLong: {}, promises: {} },
    series: { load: runs.map((_, at) => [at, 1] as const) },
  };
  const result = JSON.stringify(facts);
  const player = async (): Promise<void> => {
    const database = await QueueDatabase.open(address, () => {});
    const work = async ({ text }: { readonly text: string }): Promise<void> => {
      const [{ key }] = JSON.parse(text) as QueueJob;
      await database.keep(key, packed(result), sha256(result));
    };
    while (!over.signal.aborted) await database.take(code, work, over.signal);
    await database.close();
  };
  const players = Promise.all(Array.from({ length: 8 }, player));
  const jobs = runs.map((run): QueueJob => [{ key: runKey(world, code, run), world, run }]);
  const watch = stopwatch(() => null);
  for await (const _ of queuedRuns({ queue: url, code, jobs })) watch.done();
  over.abort();
  await players;
  return watch.took().runsPerSecond;
}

/** 12 points × 100 seeds, from the first moment to the last. */
export async function wholeGrid(workers: number) {
  const [startedMs, startedProcessorMs] = [performance.now(), processorMs()];
  const runs = plan.points.length * study.replicates.count;
  await inFolder(async (folder) => {
    const all = new StudyRuns({
      ...{ sandbox: "pyodide", cache: null, folder, world, study: "bench", workers },
    });
    try {
      await playSweep(plan, all);
    } finally {
      await all.close();
    }
  });
  return {
    runs,
    seconds: (performance.now() - startedMs) / 1_000,
    processorSeconds: (processorMs() - startedProcessorMs) / 1_000,
  };
}
