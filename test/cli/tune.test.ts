import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

function studyFile(more: readonly string[]): string {
  const file = join(newFolder(), "small.yaml");
  const lines = [
    "why: Which threshold keeps the load low?",
    "scenario: lock-feedback",
    "factors: { stressors.lockFeedback: [true, false] }",
    "replicates: 3",
    "until: 1h",
    "outcomes: { mean: { metric: load, reduce: mean } }",
    ...more,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

describe("ghostlight tune", () => {
  it("[ST155] leaves the same bytes with one worker and with three", async () => {
    const file = studyFile(["goal: { minimise: mean, constraints: promised, heldOut: 4 }"]);
    const [one, three] = [newFolder(), newFolder()];
    const said = await ghostlight(["tune", file, "--out", one, "--workers", "1"]);
    const told = await json(["tune", file, "--out", three, "--workers", "3"]);

    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toContain("on 4 held-out seeds");
    expect(told).toMatchObject({ method: "elimination", finalists: [{ run: expect.anything() }] });
    expect(readFileSync(join(three, "study.json"), "utf8")).toBe(
      readFileSync(join(one, "study.json"), "utf8"),
    );
  });

  it("[ST159] where no trial keeps its promises it claims nothing, and exits with 1", async () => {
    // Of a time to recover that never comes only a bound is known.
    const file = studyFile(["goal: { minimise: back, heldOut: 4 }"]);
    const text = readFileSync(file, "utf8").replace(
      "outcomes: {",
      "outcomes: { back: { metric: load, reduce: timeToRecover, above: .01 },",
    );
    writeFileSync(file, text);
    const folder = newFolder();
    const said = await ghostlight(["tune", file, "--out", folder]);
    const trials = readFileSync(join(folder, "trials.csv"), "utf8").split("\n");

    expect(said.code).toBe(1);
    expect(said.stdout).toContain(
      "so there is no best: of 2, 0 broke a constraint, 2 gave no value",
    );
    expect(said.stdout).not.toContain("held-out seeds");
    expect(trials[0]).toBe(
      "number,value,params_stressors.lockFeedback,state,enqueued,replicates,infeasible,violated,violation_bound,censored,why",
    );
    expect(trials[1]).toMatch(
      /^0,,true,FAIL,0,3,0,0,,3,"?of back only a bound is known in 3 of 3 runs/,
    );
  });

  it("[ST155] is refused without a goal", async () => {
    const said = await ghostlight(["tune", studyFile(["design: { kind: grid }"])]);

    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain("a goal to maximise or minimise");
  });
});
