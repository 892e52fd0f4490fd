// docs/findings-statistics.md is what the logs of others give today.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const traces = "../shared/traces";

describe.skipIf(!existsSync(traces))("the logs of others", () => {
  it("[FI32, FI33] give the figures of the page", () => {
    const args = ["tools/findingsStatistics.ts", "--of", traces];

    const page = execFileSync(process.execPath, args, { encoding: "utf8" });

    expect(page).toBe(readFileSync("docs/findings-statistics.md", "utf8"));
  });
});
