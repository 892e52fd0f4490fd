import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    pool: "threads",
    maxWorkers: 2,
    // A machine may be busy; a test that hangs is still found.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
