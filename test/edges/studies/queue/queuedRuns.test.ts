// How many runs a study has in its queue at a time. What it does with a real database is in the goldens.
import { expect, it, vi } from "vitest";
import type { QueueDatabase } from "../../../../src/edges/studies/queue/queueDatabase.ts";
import { gathered } from "../../../../src/edges/studies/queue/queuedRuns.ts";
import type { QueueJob } from "../../../../src/edges/studies/queue/queueJob.ts";

vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

/** How many it puts in at each look, of 200, where so many of the first wait for a worker. */
async function offers(waiting: number): Promise<readonly number[]> {
  const over = new AbortController();
  const counts: number[] = [];
  const database = {
    differing: async () => [],
    pending: async (_: string, ids: readonly string[]) =>
      new Map(ids.map((id, at) => [id, at >= waiting])),
    results: async () => [],
    offer: async (_: string, jobs: readonly unknown[]) => {
      counts.push(jobs.length);
      if (counts.length === 5) over.abort();
    },
  } as unknown as QueueDatabase; // No more of it is asked for here.
  const job = { key: "" } as QueueJob; // What is in it no one reads.
  const jobs = new Map(Array.from({ length: 200 }, (_, at) => [`k${at}`, job]));
  for await (const _ of gathered(database, { code: "c", jobs, signal: over.signal }));
  return counts;
}

it("[ST117] puts in 32 runs, and more only while fewer than half of them wait", async () => {
  expect(await offers(32)).toEqual([32, 0, 0, 0, 0]);
  expect(await offers(16)).toEqual([32, 0, 0, 0, 0]);
  expect(await offers(15)).toEqual([32, 0, 32, 0, 64]);
});
