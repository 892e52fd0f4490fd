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

  it("[ST155] is refused without a goal", async () => {
    const said = await ghostlight(["tune", studyFile(["design: { kind: grid }"])]);

    expect(said).toMatchObject({ code: 2, stdout: "" });
    expect(said.stderr).toContain("a goal to maximise or minimise");
  });
});
