// The tests as `npm test` runs them, with one file as tools/mutants.ts changed it. tools/mutantHook.ts changes it for Node.
import { readFileSync } from "node:fs";
import { mergeConfig } from "vitest/config";
import { longestFirst } from "./test/longestFirst.ts";
import suite from "./vitest.config.ts";

const { MUTANT_FILE, MUTANT_TEXT, MUTANT_TESTS = "" } = process.env;

export default mergeConfig(suite, {
  plugins: [
    {
      // What Vite loads, for tests that replace a module.
      name: "mutant",
      enforce: "pre",
      transform: (_: string, id: string) =>
        id.split("?")[0] === MUTANT_FILE && MUTANT_TEXT !== undefined
          ? readFileSync(MUTANT_TEXT, "utf8")
          : null,
    },
  ],
  test: {
    // Kept by the file as it stands, a changed text would be taken for it ever after.
    fsModuleCache: false,
    // Several of these run beside one another.
    maxWorkers: 1,
    testTimeout: 120_000,
    sequence: { sequencer: longestFirst(MUTANT_TESTS.replaceAll(".ts", "").split(" ")) },
  },
});
