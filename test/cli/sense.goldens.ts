import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writtenStudy } from "../edges/studies/sweptStudy.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

function studyFile(more: readonly string[]): string {
  return writtenStudy([
    "why: Which of them matters?",
    "scenario: lock-feedback",
    "factors:",
    "  locks.constrained: { low: .3, high: .6, step: .05 }",
    "  locks.crisis: { low: .7, high: .9, step: .05 }",
    "  stressors.lockFeedback: [true, false]",
    "replicates: 2",
    "until: 1h",
    "outcomes: { mean: { metric: load, reduce: mean } }",
    ...more,
  ]);
}

const filesIn = (folder: string) =>
  ["study.json", "runs.csv", "points.csv"].map((name) => readFileSync(join(folder, name), "utf8"));

describe("ghostlight sense", () => {
  it("[ST142, ST143, ST273] leaves the same bytes with one worker and with three, says it in a table, and how a list was taken", async () => {
    const file = studyFile(["design: { kind: saltelli, rows: 4 }"]);
    const [one, three] = [newFolder(), newFolder()];
    const played = (out: string, workers: string) => {
      return ["sense", file, "--out", out, "--workers", workers, "--cache", "none"];
    };
    const said = await ghostlight(played(one, "1"));
    const told = await json(played(three, "3"));

    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toMatch(/\|\s+S1 \|\s+ST \|\s+PAWN \|/);
    expect(said.stdout).toContain("Of the mean over 2 replicates. ± is half of a 95 % interval");
    expect(said.stderr).toContain("stressors.lockFeedback has no order");
    expect(told.factors).toEqual(["locks.constrained", "locks.crisis", "stressors.lockFeedback"]);
    expect(told.sensitivity.mean).toMatchObject({ kind: "sobol", rows: 4 });
    expect(told.sensitivity.mean.ST_conf).toHaveLength(3);
    expect(said.stdout).toMatch(/deliveries [1-9]\d* \(\d+ %\) were common to several runs/);
    expect(told.runs.deliveries.spared).toBeGreaterThan(0);
    expect(filesIn(three)).toEqual(filesIn(one));
    expect(JSON.parse(filesIn(one)[0] ?? "").sensitivity.mean).toEqual(told.sensitivity.mean);
  });

  it("[ST143] screens by Morris's trajectories, and says where indices rest on bounds", async () => {
    const file = studyFile(["design: { kind: morris, trajectories: 3 }"]);
    const text = readFileSync(file, "utf8").replace(
      "outcomes: {",
      "outcomes: { recovery: { metric: load, reduce: timeToRecover, above: .1 },",
    );
    writeFileSync(file, text);
    const said = await ghostlight(["sense", file, "--out", newFolder()]);

    expect(said.stdout).toMatch(/\|\s+mu \|\s+mu_star \|\s+sigma \|/);
    expect(said.stdout).toMatch(/recovery: in \d+ runs only a bound of the value is known/);
    expect(said.stdout).not.toContain("mean: in ");
    const told = await json(["sense", file, "--out", newFolder()]);
    expect(said.stdout).toContain(`recovery: in ${told.censored.recovery} runs`);
    expect(told.censored).toEqual({ recovery: expect.toSatisfy((runs) => runs > 0 && runs <= 24) });
  });

  it("[ST261] screens groups by their names, without a sign of several factors", async () => {
    const groups = "groups: { locks: [locks.constrained, locks.crisis] }";
    const file = studyFile([`design: { kind: morris, trajectories: 3, ${groups} }`]);
    const folder = newFolder();
    const said = await ghostlight(["sense", file, "--out", folder]);
    const left = JSON.parse(readFileSync(join(folder, "study.json"), "utf8"));

    expect(said.stdout).toMatch(/\| locks +\| +– \|/);
    expect(left.sensitivity.factors).toEqual(["locks", "stressors.lockFeedback"]);
    expect(left.sensitivity.mean).toMatchObject({ mu: [null, expect.any(Number)] });
  });

  it.each([
    ["another design", ["design: { kind: lhs, points: 4 }"], /saltelli for Sobol indices/],
    [
      "tied factors",
      [
        "where: [{ sum: [locks.constrained, locks.crisis], most: 1.2 }]",
        "design: { kind: saltelli, rows: 4 }",
      ],
      /ties its factors to one another/,
    ],
  ])("[ST142] refuses %s, and says what is allowed", async (_, more, words) => {
    const said = await ghostlight(["sense", studyFile(more), "--out", newFolder()]);

    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toMatch(words);
  });
});
