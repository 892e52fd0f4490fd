// The README quotes what the program prints; here it prints it again.
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { misquoted, quotedOutput } from "./readmeTexts.ts";

it("[RM1] the chain that the README quotes is the one that `why` prints of the golden recording", async () => {
  const quoted = quotedOutput("npx ghostlight why runs/safe-file-executor-s7-1 goal:cedar/60");

  const { stdout } = await ghostlight(["why", "recordings/safe-file-executor", "goal:cedar/60"]);

  expect(quoted.length).toBeGreaterThan(5);
  expect(misquoted(quoted, stdout)).toEqual([]);
});

it("[RM1] the check that the README quotes finds what it says, and prints it so", async () => {
  const command = "check --property T7-window --property T16-swallowed-write";
  const quoted = quotedOutput(`npx ghostlight ${command}`);

  const { stdout, code } = await ghostlight(command.split(" "));

  expect(code).toBe(0);
  expect(quoted.length).toBeGreaterThan(5);
  expect(misquoted(quoted, stdout)).toEqual([]);
});

it("[RM1] the chain of a part of one's own that the README quotes is the one that `why` prints", async () => {
  const quoted = quotedOutput("npx ghostlight why runs/morning --part ./queue.ts");
  const folder = join(newFolder(), "morning");
  const part = ["--part", "examples/queue/queue.ts"];
  await ghostlight(["run", "examples/queue/queue.yaml", ...part, "--out", folder]);

  const { stdout } = await ghostlight(["why", folder, ...part]);

  expect(quoted.length).toBeGreaterThan(5);
  expect(misquoted(quoted, stdout)).toEqual([]);
});

it("[RM1] a line that is not printed, or not there, is found misquoted", () => {
  const printed = "a 1\nb 2\nc 3\n";

  expect(misquoted(["a …", "…", "c 3"], printed)).toEqual([]);
  expect(misquoted(["a 1", "c 3"], printed)).toEqual(["c 3"]);
  expect(misquoted(["b 2", "a 1"], printed)).toEqual(["b 2", "a 1"]);
  expect(misquoted(["a 2"], printed)).toEqual(["a 2"]);
});
