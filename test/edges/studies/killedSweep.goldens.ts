// `kill -9` at eight drawn moments; `npm run soak` has a hundred.
import { expect, it } from "vitest";
import { killedSweep } from "./killedSweep.ts";

it("[ST74] a study that is killed at any moment loses no run and doubles none", async () => {
  const { whole, killed, lost } = await killedSweep(12, 8);

  for (const one of killed) expect(one).toEqual(whole);
  expect(lost).toEqual([]);
  expect(new Set(whole.kept.map((row) => JSON.stringify(row))).size).toBe(48);
});
