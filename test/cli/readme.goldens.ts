// The README quotes what the program prints; here it prints it again.
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { misquoted, quotedOutput, quotedTable, tableIn } from "./readmeTexts.ts";

const HEAD = "Variant | Goals failed | Minutes a ghost got calls | Calls that returned nothing";

it("[RM1] the README's table of variants is the report's", async () => {
  const out = `${newFolder()}/incident`;

  const { stdout } = await ghostlight(["run", "safe-file-executor", "--compare", "--out", out]);

  const quoted = quotedTable(HEAD);
  expect(quoted.length).toBeGreaterThan(9);
  expect(quoted).toEqual(tableIn(stdout, HEAD).map((cells) => cells.slice(0, 4)));
});

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
