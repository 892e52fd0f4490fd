import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/longestFirst.ts";

const files = globSync("test/**/*.test.ts");
/** Whoever replaces a module needs modules of its own. */
const mocking = files.filter((file) => /^vi\.mock\(/m.test(readFileSync(file, "utf8")));
const sharing = { name: "shared", include: ["test/**/*.test.ts"], exclude: mocking };
/** Node loads what replaces no module: nothing is wrapped, and each thread finds it compiled in Node's cache. */
const byNode = { experimental: { viteModuleRunner: false, nodeLoader: false } };

const LONGEST = [
  "record",
  "shell",
  "skillPython",
  "callPast",
  "forgedRecordings",
  "determinism",
  "syntWorld",
  "hostileManifest",
  "run",
  "recordings",
  "installsWorld",
];

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts", "test/sharedHosts.ts"],
    pool: "threads",
    // More than the cores of a small machine: many a test waits for a process or a time limit.
    maxWorkers: 4,
    sequence: { sequencer: longestFirst(LONGEST) },
    // A machine may be busy, so nobody gives up sooner; a test that hangs is still found.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // Each file loading every module anew would take more time than the tests.
      { extends: true, test: { ...sharing, ...byNode, isolate: false } },
      { extends: true, test: { name: "mocking", include: mocking } },
    ],
  },
});
