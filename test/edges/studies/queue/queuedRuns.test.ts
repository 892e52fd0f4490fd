// How many runs a study has in its queue at a time. What it does with a real database is in the goldens.
import { expect, it, vi } from "vitest";
import { packed } from "../../../../src/edges/studies/keptFacts.ts";
import type { QueueDatabase } from "../../../../src/edges/studies/queue/queueDatabase.ts";
import { gathered } from "../../../../src/edges/studies/queue/queuedRuns.ts";
import type { QueuedRun } from "../../../../src/edges/studies/queue/queueJob.ts";
import { sha256 } from "../../../../src/edges/studies/runKey.ts";

const facts =
  '{"outcome":"ended","virtualMs":1,"finals":{},"series":{},"tooLong":{},"promises":{}}';
const result = { result: packed(facts), sha256: sha256(facts) };

vi.mock("node:timers/promises", () => ({ setTimeout: async () => {} }));

/** What else is in it no one reads. */
const queued = (key: string) => ({ key, run: {} }) as QueuedRun;

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
  const jobs = Array.from({ length: 200 }, (_, at) => [queued(`k${at}`)] as const);
  for await (const _ of gathered(database, { code: "c", jobs, signal: over.signal }));
  return counts;
}

it("[ST117] puts in 32 runs, and more only while fewer than half of them wait", async () => {
  expect(await offers(32)).toEqual([32, 0, 0, 0, 0]);
  expect(await offers(16)).toEqual([32, 0, 0, 0, 0]);
  expect(await offers(15)).toEqual([32, 0, 32, 0, 64]);
});

it("[ST116] says once that nobody has taken a run for five seconds, and nothing while one is taken", async () => {
  const [over, again] = [new AbortController(), new AbortController()];
  let [looks, busy] = [0, -1];
  const said: string[] = [];
  const database = {
    differing: async () => [],
    pending: async (_: string, ids: readonly string[]) => {
      looks += 1;
      if (looks === 60) (busy < 0 ? over : again).abort();
      // One takes it at the tenth look, and gives it back; later one is busy with another.
      return new Map(ids.map((id, at) => [id, at === busy || looks === 10]));
    },
    results: async () => [],
    offer: async () => {},
  } as unknown as QueueDatabase; // No more of it is asked for here.
  const onTrouble = (text: string): void => void said.push(`${text} (look ${looks})`);
  const jobs = [[queued("k")], [queued("l")]] as const;
  for await (const _ of gathered(database, { code: "c", jobs, signal: over.signal, onTrouble }));

  // It looks four times a second.
  expect(said).toEqual([expect.stringMatching(/^nobody plays these runs: .* \(look 30\)$/)]);
  [looks, busy] = [0, 1];
  const { signal } = again;
  for await (const _ of gathered(database, { code: "c", jobs, signal, onTrouble }));
  expect([said.length, looks]).toEqual([1, 60]);
});

it("[ST63, ST274] offers runs of a job that vanished again one by one, and gives up the one that does so twenty times", async () => {
  const offered: string[] = [];
  const results = new Set<string>();
  const database = {
    differing: async () => [],
    pending: async () => new Map(),
    results: async (keys: readonly string[]) =>
      keys.filter((key) => results.has(key)).map((key) => ({ key, ...result })),
    deaths: async () => [],
    offer: async (_: string, jobs: readonly { id: string; text: string }[]) => {
      for (const { id, text } of jobs) {
        const keys = (JSON.parse(text) as QueuedRun[]).map(({ key }) => key);
        offered.push(`${keys} ${id.slice(-2)}`);
        // Whatever holds the one called "bad" vanishes.
        if (!keys.includes("bad")) for (const key of keys) results.add(key);
      }
    },
  } as unknown as QueueDatabase; // No more of it is asked for here.
  const jobs = [[queued("one"), queued("bad"), queued("two")], [queued("three")]] as const;
  const found = new Map<string, unknown>();
  for await (const [key, kept] of gathered(database, { code: "c", jobs })) found.set(key, kept);

  expect(offered).toEqual([
    ...["one,bad,two /1", "three /1"],
    ...["one /2", "bad /2", "two /2", "bad /3", "bad /4"],
  ]);
  expect([...found.keys()].sort()).toEqual(["bad", "one", "three", "two"]);
  expect(found.get("bad")).toEqual({ died: "the process that played it vanished 20 times" });
});
