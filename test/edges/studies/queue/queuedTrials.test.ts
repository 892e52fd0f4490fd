// How many trials of a search for causes a job has.
import { expect, it, vi } from "vitest";
import type { QueuedOptions } from "../../../../src/edges/studies/queue/queuedRuns.ts";
import { QueuedTrials } from "../../../../src/edges/studies/queue/queuedTrials.ts";
import type { Trial } from "../../../../src/run/causes/trial.ts";

const { offered } = vi.hoisted(() => ({ offered: [] as number[] }));

vi.mock("../../../../src/edges/studies/queue/queueDatabase.ts", () => ({
  QueueDatabase: { open: async () => ({ close: async () => {} }) },
}));

vi.mock("../../../../src/edges/studies/queue/queuedRuns.ts", async (original) => ({
  ...(await original<object>()),
  gathered: async function* (_: unknown, { jobs }: QueuedOptions) {
    offered.push(...jobs.map((job) => job.length));
    yield* [];
  },
}));

it("[ST274] a job has as many trials as make 32 jobs of all that are asked for", async () => {
  const trials = Array.from({ length: 65 }, (_, value): Trial => {
    return { seed: 7, changes: [{ kind: "set", path: "locks.dominant", value }], isWhole: true };
  });
  const search = {
    ...{ scenario: { name: "s", text: "" }, variant: null, set: {}, untilMs: null, seed: 1 },
    effect: { kind: "asked", question: "goal:cedar/7", says: "it failed" },
  } as const;
  const queued = await QueuedTrials.open(search, { queue: "postgres://me@host/runs", code: "c" });
  await queued.play(trials, () => {});
  await queued.close();

  expect(offered).toEqual([...Array(21).fill(3), 2]);
});
