import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leftIn, writtenStudy } from "../edges/studies/sweptStudy.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

function studyFile(more: readonly string[]): string {
  return writtenStudy([
    "why: Which threshold keeps the load low?",
    "scenario: lock-feedback",
    "factors: { stressors.lockFeedback: [true, false] }",
    "replicates: 3",
    "until: 1h",
    "outcomes: { mean: { metric: load, reduce: mean } }",
    ...more,
  ]);
}

describe("ghostlight tune", () => {
  it("[ST155, ST273] leaves the same bytes and says the same with one worker and with three", async () => {
    const file = studyFile(["goal: { minimise: mean, constraints: promised, heldOut: 4 }"]);
    const [one, three] = [newFolder(), newFolder()];
    const said = await ghostlight(["tune", file, "--out", one, "--workers", "1"]);
    const told = await json(["tune", file, "--out", three, "--workers", "3"]);

    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toContain("on 4 held-out seeds");
    expect(told).toMatchObject({ method: "elimination", finalists: [{ run: expect.anything() }] });
    expect(said.stdout).toMatch(/ Of their \d+ deliveries \d+ \(\d+ %\) were common to several/);
    expect(told.runs.deliveries).toEqual({
      played: expect.any(Number),
      spared: expect.any(Number),
    });
    // Trials, too.
    expect(leftIn(one)).toHaveLength(6);
    expect(leftIn(three)).toEqual(leftIn(one));
  });

  it("[ST156, ST159] where no trial keeps its promises it claims nothing, and exits with 1", async () => {
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

  it("[ST155] says where each run came from, those that are the same as another too", async () => {
    // The best is the baseline here, so their held-out runs are the same.
    const file = studyFile(["goal: { maximise: mean, constraints: none, heldOut: 4 }"]);
    const folder = newFolder();
    const args = ["tune", file, "--out", folder, "--cache", newFolder()];
    const told = await json(args);
    const again = await ghostlight(args);

    expect(told.runs).toMatchObject({ kept: 0, cached: 0, played: 10, again: 4 });
    expect(again.stdout).toContain(
      "14 runs: 0 played, 0 from the cache, 10 kept from before, 4 the same as another.",
    );
  });

  it("[ST83] trials that tie are told as ties, and the one that was tried first is no winner", async () => {
    const file = studyFile(["goal: { minimise: none, constraints: none, heldOut: 4 }"]);
    const text = readFileSync(file, "utf8").replace(
      "outcomes: {",
      "outcomes: { none: { metric: ghost.calls, reduce: last },",
    );
    writeFileSync(file, text);
    const said = await ghostlight(["tune", file, "--out", newFolder()]);

    expect(said.stdout).toContain(
      "2 trials tie for the best value: 0 was tried first and is told below; 1 did as well.",
    );
    const other = await ghostlight([
      ...["tune", studyFile(["goal: { minimise: mean, constraints: none, heldOut: 4 }"])],
      ...["--out", newFolder()],
    ]);
    expect(other.stdout).not.toContain("tie for");
  });

  it("[ST155] is refused without a goal", async () => {
    const said = await ghostlight(["tune", studyFile(["design: { kind: grid }"])]);

    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain("a goal to maximise or minimise");
  });

  it("[ST267][ST155] is refused at the line of what it cannot do", async () => {
    const listed = ["tune", studyFile(["goal: { minimise: mean, search: tpe }"])];
    const once = studyFile(["goal: { minimise: mean }"]);
    writeFileSync(once, readFileSync(once, "utf8").replace("replicates: 3", "replicates: 1"));

    expect((await ghostlight(listed)).stderr).toMatch(
      /:7:\d+ goal\.search: found tpe; allowed: nothing, unless beside ranges and one goal, without a design\./,
    );
    expect((await ghostlight(["tune", once])).stderr).toMatch(/:4:\d+ replicates: found 1;/);
    const apart = studyFile(["goal: { minimise: mean }"]);
    const seeds = "replicates: { n: 3, seeds: independent }";
    writeFileSync(apart, readFileSync(apart, "utf8").replace("replicates: 3", seeds));
    expect((await ghostlight(["tune", apart])).stderr).toMatch(
      /:4:\d+ replicates\.seeds: found independent; allowed: common$/m,
    );
  });

  it("[ST158] is refused where not all points may be tried, and a sweep where there are none", async () => {
    const tuned = await ghostlight(["tune", studyFile(["goal: { minimise: mean, trials: 1 }"])]);
    const swept = await ghostlight(["sweep", studyFile(["goal: { minimise: mean }"])]);

    expect(tuned.stderr).toContain(
      "factors: found a search that cannot be begun; allowed: points that can be searched. There are 2 points, and goal.trials allows 1.",
    );
    expect(swept.stderr).toContain(
      "design: found no design; allowed: a design that has points. Without one the points are left to the search",
    );
  });
});
