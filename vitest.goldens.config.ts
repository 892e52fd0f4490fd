// What `npm test` has no time for: every golden recording, and whole runs elsewhere. `.ci/run` plays both.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.goldens.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts"],
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
