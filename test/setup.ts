// Runs before the tests of every file. One seed for every property, so that two runs of the suite try
// the same worlds; fast-check prints seed and path when a property fails, and
// `GHOSTLIGHT_TEST_SEED=7 npm test` tries other worlds.
import "./ownName.ts";
import "./warmThreads.ts";
import "../src/edges/bundle/nodeSha256.ts";
import fc from "fast-check";
import { afterAll, beforeEach, expect } from "vitest";
import { removeFolders } from "./folders.ts";

fc.configureGlobal({ seed: Number(process.env.GHOSTLIGHT_TEST_SEED ?? 20_260_101) });
// A test that expects nothing cannot fail. Those that run at once share one count, so that it says nothing of one of them.
beforeEach(({ task }) => {
  if (task.concurrent !== true) expect.hasAssertions();
});
afterAll(removeFolders);
