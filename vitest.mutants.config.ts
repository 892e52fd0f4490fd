// The tests with one file as tools/mutants.ts changed it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

const { MUTANT_FILE, MUTANT_TEXT } = process.env;

export default defineConfig({
  resolve: { alias: { ghostlight: path.resolve("src/index.ts") } },
  plugins: [
    {
      name: "mutant",
      enforce: "pre",
      transform: (_: string, id: string) =>
        id.split("?")[0] === MUTANT_FILE && MUTANT_TEXT !== undefined
          ? readFileSync(MUTANT_TEXT, "utf8")
          : null,
    },
  ],
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts", "test/sharedHosts.ts"],
    pool: "threads",
    // Kept by the file as it stands, a changed text would be taken for it ever after.
    fsModuleCache: false,
    // Several of these run beside one another.
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
