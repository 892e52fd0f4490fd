// What `npm test` has no time for: every golden recording, and whole runs elsewhere. `.ci/run` plays it all.
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longestFirst.ts";

const LONGEST = [
  // On a new machine it waits for npm and PyPI.
  "exampleAgents",
  "levels",
  "queueCommands",
  "kindsOfStudy",
  "processes",
  "blamePage",
  "trial",
  "agreement",
  "queueRuns",
  "coverage",
  "installsLive",
  "terminal",
  "sweep",
  "snippets",
  "shippedStudies",
  "viewPicture",
  "viewAsks",
  "kills",
  "commonWorlds",
  "streams",
];

export default defineConfig({
  test: {
    include: ["test/**/*.goldens.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts", "test/sharedHosts.ts"],
    pool: "threads",
    // As in `npm test`: Node loads the modules, once for each thread.
    isolate: false,
    experimental: { viteModuleRunner: false, nodeLoader: false },
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(LONGEST) },
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
});
