// Which runs of a study are played together, and where they are kept.
import { readdirSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { codeHash } from "../../../src/edges/studies/codeHash.ts";
import type { QueuedOptions } from "../../../src/edges/studies/queue/queuedRuns.ts";
import { ReplicateCache } from "../../../src/edges/studies/replicateCache.ts";
import { runKey } from "../../../src/edges/studies/runKey.ts";
import {
  runFamilies,
  StudyRuns,
  type StudyRunsOptions,
} from "../../../src/edges/studies/studyRuns.ts";
import type { RunOf } from "../../../src/studies/study.ts";
import { newFolder } from "../../folders.ts";

const { offered } = vi.hoisted(() => ({ offered: [] as (readonly number[])[] }));

vi.mock("../../../src/edges/studies/queue/queuedRuns.ts", async (original) => ({
  ...(await original<object>()),
  // Plays nothing: whoever asked is interrupted.
  queuedRuns: async function* ({ jobs }: QueuedOptions) {
    const pointsOf = (job: QueuedOptions["jobs"][number]): readonly number[] =>
      job.flatMap((one) => ("run" in one ? [one.run.point] : []));
    offered.push(...jobs.map(pointsOf));
    yield* [];
  },
}));

const runAt = (point: number, more: Partial<RunOf> = {}): RunOf => {
  const set = { "locks.crisis": point };
  return { ...{ point, replicate: 0, seed: 7, variant: null, set }, ...more };
};
const runsOf = (count: number): readonly RunOf[] =>
  Array.from({ length: count }, (_, point) => runAt(point));
const together = (runs: readonly RunOf[], share: number) => [
  ...runFamilies(new Map(runs.map((run, at) => [`${at}`, run])), share),
];

const world = { scenario: { name: "a", text: "" }, limits: {}, untilMs: null, watched: [] };
const studyRuns = (more: Partial<StudyRunsOptions>): StudyRuns =>
  new StudyRuns({
    ...{ sandbox: "pyodide", cache: null, folder: newFolder(), study: "a study", workers: 1 },
    world,
    ...more,
  });

it("[ST270] runs of one scenario, variant and seed are played together, of several points", () => {
  const runs = [
    ...[runAt(0), runAt(1), runAt(1, { seed: 8 }), runAt(1, { variant: "v" })],
    ...[runAt(1, { scenario: "other" }), runAt(2, { seed: 8 })],
  ];

  expect(together(runs, 9)).toEqual([["0", "1"], ["2", "5"], ["3"], ["4"]]);
});

it("[ST272] at most 32 runs are played together", () => {
  expect(together(runsOf(33), 99).map((keys) => keys.length)).toEqual([32, 1]);
  expect(together(runsOf(33), 16.5).map((keys) => keys.length)).toEqual([17, 16]);
});

it("[ST274] a job has as many runs as make 32 jobs of all that are asked for, 32 at most", async () => {
  const jobsOf = async (runs: readonly RunOf[], more: Partial<StudyRunsOptions> = {}) => {
    offered.length = 0;
    const study = studyRuns({ queue: "postgres://me@host/runs", ...more });
    await study.play(runs);
    await study.close();
    return offered.map((points) => points.length);
  };

  expect(await jobsOf(runsOf(64))).toEqual(Array(32).fill(2));
  expect(await jobsOf(runsOf(65))).toEqual([...Array(21).fill(3), 2]);
  expect(await jobsOf([...runsOf(33), ...Array(32).fill(runAt(0))])).toEqual(Array(11).fill(3));
  expect(await jobsOf([...runsOf(33), ...Array(1_100).fill(runAt(0))])).toEqual([32, 1]);
  expect(await jobsOf(runsOf(64), { isApart: true })).toEqual(Array(64).fill(1));
});

it("[ST66] a row of the cache that no run leaves is played again", async () => {
  const [cache, run] = [newFolder(), runAt(0)];
  const key = runKey(world, codeHash(), run);
  const played = async (row: string) => {
    const rows = new ReplicateCache(cache, () => {});
    rows.put(key, row);
    rows.close();
    offered.length = 0;
    const study = studyRuns({ queue: "postgres://me@host/runs", cache });
    await study.play([run]);
    await study.close();
    return [offered.length, study.counts.cached];
  };

  expect(await played("{}")).toEqual([1, 0]);
  const facts = { outcome: "ended", virtualMs: 1, finals: {}, series: {}, tooLong: {} };
  expect(await played(JSON.stringify({ ...facts, promises: {} }))).toEqual([0, 1]);
});

it("[ST66] runs with parts of one's own are not kept across studies", async () => {
  const kept = async (partFiles: readonly string[]) => {
    const cache = newFolder();
    await studyRuns({ cache, partFiles }).close();
    return readdirSync(cache).length > 0;
  };

  expect(await kept([])).toBe(true);
  expect(await kept([import.meta.filename])).toBe(false);
});
