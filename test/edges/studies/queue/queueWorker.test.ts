// What a worker does with a job of several runs, of which some end its thread.
import { expect, it, vi } from "vitest";
import { jobText, type QueuedRun } from "../../../../src/edges/studies/queue/queueJob.ts";
import { workQueue } from "../../../../src/edges/studies/queue/queueWorker.ts";
import { runKey } from "../../../../src/edges/studies/runKey.ts";
import type { RunOf } from "../../../../src/studies/study.ts";

const { table, plays } = vi.hoisted(() => ({
  table: {
    jobs: [] as { text: string; attempts: number }[],
    kept: new Set<string>(),
    deaths: new Map<string, string[]>(),
    differing: undefined as object | undefined,
  },
  plays: [] as (readonly number[])[],
}));

vi.mock("../../../../src/edges/studies/queue/queueDatabase.ts", () => ({
  QueueDatabase: {
    open: async () => ({
      take: async (_: string, work: (taken: object) => Promise<void>, signal: AbortSignal) => {
        const [job] = table.jobs;
        if (job === undefined) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return;
        }
        job.attempts += 1;
        await work({ text: job.text, attempt: job.attempts });
        table.jobs.shift();
      },
      results: async (keys: readonly string[]) =>
        keys.filter((key) => table.kept.has(key)).map((key) => ({ key })),
      keep: async (key: string) => {
        table.kept.add(key);
        return table.differing;
      },
      died: async (key: string, said: string) =>
        void table.deaths.set(key, [...(table.deaths.get(key) ?? []), said]),
      deaths: async (key: string) => table.deaths.get(key) ?? [],
      elsewhere: async () => [],
      close: async () => {},
    }),
  },
}));

vi.mock("../../../../src/edges/studies/studyPool.ts", () => {
  class WorkerDied extends Error {}
  class StudyThread {
    async play(runs: readonly RunOf[]) {
      plays.push(runs.map(({ point }) => point));
      if (runs.some(({ point }) => point === 1)) throw new WorkerDied("its thread ended, code 7");
      return { facts: runs.map(({ point }) => ({ point })) };
    }
    async close() {}
  }
  return { WorkerDied, StudyThread, PlayThread: StudyThread };
});

vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

const world = {
  ...{ scenario: { name: "one", text: "" }, limits: {} },
  ...{ untilMs: null, watched: [] },
};
const queued = (point: number): QueuedRun => {
  const run = { point, replicate: 0, seed: 7, variant: null, set: { "locks.crisis": point } };
  return { key: runKey(world, "c", run), world, run };
};

const worked = (signal: AbortSignal, said: string[]): Promise<number> =>
  workQueue({
    ...{ queue: "postgres://me@host/runs", sandbox: "pyodide", cache: null, workers: 1 },
    ...{ code: "c", signal, onDone: () => {} },
    onTrouble: (text) => void said.push(text),
  });

it("[ST63, ST274] plays runs that ended its thread each by itself, keeps the others, and gives the one up after three times", async () => {
  const job = [queued(0), queued(1), queued(2)] as const;
  table.jobs.push({ text: jobText(job), attempts: 0 });
  const said: string[] = [];
  const over = new AbortController();
  const played = worked(over.signal, said);
  await vi.waitFor(() => expect(table.jobs).toEqual([]));
  over.abort();

  expect(await played).toBe(2);
  expect(plays).toEqual([[0, 1, 2], [0], [1], [2], [1], [1]]);
  expect(table.kept).toEqual(new Set([job[0].key, job[2].key]));
  expect([...table.deaths]).toEqual([[job[1].key, Array(3).fill("its thread ended, code 7")]]);
  expect(said.at(-1)).toBe(
    "given up: the run of point 1, replicate 0, seed 7 ends its thread: its thread ended, code 7",
  );
});

it("[ST113] ends where another result of a run was kept, and says whose both are", async () => {
  const run = queued(3);
  table.jobs.push({ text: jobText([run]), attempts: 0 });
  const [made_by, differing_by] = ["one here", "another there"];
  table.differing = { key: run.key, sha256: "aaa", made_by, differing: "bbb", differing_by };

  const ended = worked(new AbortController().signal, []);

  await expect(ended).rejects.toThrow(
    "two results of the run of point 3, replicate 0, seed 7: aaa by one here; bbb by another there; both of code c",
  );
  await expect(ended).rejects.toMatchObject({ exitCode: 3 });
});
