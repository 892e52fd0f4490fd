// `npm run goldens`: every scenario to its end elsewhere, with the digest of its golden. In a worker thread
// and under Node 24: `.ci/run`.

import { expect, it } from "vitest";
import { listScenarios } from "../src/edges/scenario/scenarioFolder.ts";
import { readBundle } from "./builtInScenarios.ts";
import { digestsIn, FAR } from "./digestsElsewhere.ts";

it("[VB11] whole runs under XState's development build, far away, end with the digests of the goldens", async () => {
  const recorded = listScenarios().map(({ name }) => ({
    name,
    outcome: "ended",
    digest: readBundle(`recordings/${name}`).manifest.final?.digest,
  }));

  expect(recorded.length).toBeGreaterThan(5);
  expect(await digestsIn(FAR)).toEqual(recorded);
});
