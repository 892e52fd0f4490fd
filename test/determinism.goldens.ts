// `npm run goldens`: every scenario to its end, in two other places, with the digest of its golden.

import { expect, it } from "vitest";
import { listScenarios } from "../src/edges/scenarioFolder.ts";
import { readBundle } from "./builtInScenarios.ts";
import { digestsIn, ELSEWHERE, FAR } from "./digestsElsewhere.ts";

it.each([
  ["XState's development build, far away", FAR],
  ["a worker thread, elsewhere again", ELSEWHERE],
])("[VB11] whole runs: %s, with the digests of the goldens", async (_, place) => {
  const recorded = listScenarios().map(({ name }) => ({
    name,
    outcome: "ended",
    digest: readBundle(`recordings/${name}`).manifest.final?.digest,
  }));

  expect(recorded.length).toBeGreaterThan(5);
  expect(await digestsIn(place)).toEqual(recorded);
});
