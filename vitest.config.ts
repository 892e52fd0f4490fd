import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

const files = globSync("test/**/*.test.ts");
/** Whoever replaces a module needs modules of its own. */
const mocking = files.filter((file) => /^vi\.mock\(/m.test(readFileSync(file, "utf8")));
const sharing = { name: "shared", include: ["test/**/*.test.ts"], exclude: mocking };

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    pool: "threads",
    maxWorkers: 2,
    // A machine may be busy; a test that hangs is still found.
    testTimeout: 120_000,
    hookTimeout: 60_000,
    projects: [
      // Each file loading every module anew would take more time than the tests.
      { extends: true, test: { ...sharing, isolate: false } },
      { extends: true, test: { name: "mocking", include: mocking } },
    ],
  },
});
