import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const files = globSync("test/**/*.test.ts");
/** Whoever replaces a module needs modules of its own. */
const mocking = files.filter((file) => /^vi\.mock\(/m.test(readFileSync(file, "utf8")));
const sharing = { name: "shared", include: ["test/**/*.test.ts"], exclude: mocking };

/** What takes longest begins first, so that no worker waits for another at the end. */
const LONGEST = ["determinism", "recordings", "scenarios", "sandbox", "bundles", "check", "replay"];
class LongestFirst extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return found < 0 ? LONGEST.length : found;
    };
    return (await super.sort(specifications)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  // The examples import the package.
  resolve: { alias: { ghostlight: path.resolve("src/index.ts") } },
  test: {
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/sharedCache.ts"],
    pool: "threads",
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // A machine may be busy, so nobody gives up sooner; a test that hangs is still found.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects: [
      // Each file loading every module anew would take more time than the tests.
      { extends: true, test: { ...sharing, isolate: false } },
      { extends: true, test: { name: "mocking", include: mocking } },
    ],
  },
});
