// A trial whose process is killed while it plays: what was kept stays, what was spent is known, and the same command goes on.
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { taskModel } from "../actors/imported/wire/taskModel.ts";
import { saidBy, started } from "../cli/ghostlight.ts";
import { newFolder } from "../folders.ts";

const RUNS = 8;

it("[WR24, WR27] goes on where it was killed, and counts what the killed runs took", async () => {
  const cwd = newFolder();
  const model = await taskModel();
  copyFileSync("test/actors/imported/wire/taskAgent.mjs", join(cwd, "agent.mjs"));
  const lines = [
    "why: What stays of a trial that is killed?",
    `command: [${process.execPath}, agent.mjs, "{task}"]`,
    "tasks: { a: Write a. }",
    "faults: []",
    `seeds: ${RUNS}`,
    "outcomes: { fine: { exit: 0 } }",
  ];
  writeFileSync(join(cwd, "t.yaml"), lines.join("\n"));
  const words = ["trial", "t.yaml", "--openai", model.base, "--json"];
  const child = started(words, { cwd });
  const ended = new Promise((done) => child.once("exit", done));
  const begun = join(cwd, "runs/trial-t/runs");
  // The third run has begun, so two are over.
  while (child.exitCode === null && (!existsSync(begun) || readdirSync(begun).length < 3))
    await setTimeout(10);
  child.kill("SIGKILL");
  await ended;
  const after = await saidBy(words, { cwd });
  const { runs, spent } = JSON.parse(after.stdout) as {
    runs: { played: number; kept: number };
    spent: { input: number };
  };
  const counted = readFileSync(join(cwd, "runs/trial-t/spent.jsonl"), "utf8")
    .trim()
    .split("\n").length;
  model.close();

  expect(after.code).toBe(0);
  expect(runs.kept).toBeGreaterThanOrEqual(2);
  expect(runs.played + runs.kept).toBe(RUNS);
  expect(spent.input).toBe(100 * counted);
  // At most the one call that was under way is not counted.
  expect(model.asked() - counted).toBeLessThanOrEqual(1);
  expect(counted).toBeGreaterThanOrEqual(2 * RUNS);
});
