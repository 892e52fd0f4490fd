// What attacks the sandboxes of Python and of the shell, most of it in processes of its own. `.ci/run` plays it.
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longestFirst.ts";

const LONGEST = [
  "cacheFolder",
  "alone",
  "sandbox",
  "escape",
  "parentGone",
  "bwrap",
  "leavesNothing",
];

export default defineConfig({
  test: {
    include: ["test/**/*.attacks.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts"],
    pool: "threads",
    // As in `npm test`: Node loads the modules, once for each thread.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than the cores of a small machine: most of it waits for a process or a time limit.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(LONGEST) },
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});
