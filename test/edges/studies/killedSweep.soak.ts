// `kill -9` at a hundred drawn moments; the goldens have twenty.
import { expect, it } from "vitest";
import { killedSweep } from "./killedSweep.ts";

it("[ST74] a study that is killed a hundred times loses no run and doubles none", async () => {
  const { whole, killed, lost } = await killedSweep(50, 100);

  for (const one of killed) expect(one).toEqual(whole);
  expect(lost).toEqual([]);
});
