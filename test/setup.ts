// Runs before the tests of every file. One seed for every property, so that two runs of the suite try
// the same worlds; fast-check prints seed and path when a property fails, and
// `GHOSTLIGHT_TEST_SEED=7 npm test` tries other worlds.
import "../src/edges/bundle/nodeSha256.ts";
import fc from "fast-check";
import { afterAll } from "vitest";
import { removeFolders } from "./folders.ts";

fc.configureGlobal({ seed: Number(process.env.GHOSTLIGHT_TEST_SEED ?? 20_260_101) });
afterAll(removeFolders);
