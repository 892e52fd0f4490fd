// What one call held in memory is gone when it ends: the whole memory is looked through.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("[SB1] of what a call held in memory nothing is left in the process", () => {
  const program = fileURLToPath(new URL("./clearedMemory.ts", import.meta.url));
  const node = ["--no-warnings", "--stack-size=4000", program];

  expect(JSON.parse(execFileSync(process.execPath, node, { encoding: "utf8" }))).toEqual({
    ...{ before: false, result: 2_000, retire: false, after: false },
  });
});
