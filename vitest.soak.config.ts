// Long runs, kept out of `npm test`.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.soak.ts"],
    setupFiles: ["test/setup.ts"],
    passWithNoTests: true,
    pool: "threads",
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
