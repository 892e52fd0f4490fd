import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { studyFile } from "../edges/studies/sweptStudy.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

describe("ghostlight discover", () => {
  it("[ST200][ST204] reads what a sweep left, in units of the leaves, and says a rule", async () => {
    const folder = newFolder();
    await ghostlight(["sweep", studyFile(2), "--out", folder]);
    const said = await ghostlight(["discover", folder, "--outcome", "mean"]);
    const told = await json(["discover", folder, "--outcome", "mean"]);

    expect(said).toMatchObject({ code: 0 });
    expect(said.stderr).toContain("No bound was given");
    expect(said.stdout).toContain(`${told.rule.sentence}\n`);
    expect(told).toMatchObject({ leftOut: 0 });
    expect(told.asked).toMatch(/^mean >= [\d.]+$/);
    expect(told.rule.runs).toBeGreaterThan(0);
    expect(told.rule.limit).toBeOneOf([0.05, 0.55, "true", "false"]);
  });

  it("[ST200] refuses what it cannot ask, with what it can", async () => {
    const folder = newFolder();
    const none = await ghostlight(["discover", folder, "--outcome", "peak>=.5"]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain("study.json");
    await ghostlight(["sweep", studyFile(1), "--out", folder]);
    for (const [outcome, says] of [
      ["peek>=1", "one of peak, mean"],
      ["peak>=5", "nothing to tell apart"],
      ["peak>=much", "a number, or a duration"],
    ] as const) {
      const refused = await ghostlight(["discover", folder, "--outcome", outcome]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain(says);
    }
    writeFileSync(join(folder, "study.json"), "{}");
    const torn = await ghostlight(["discover", folder, "--outcome", "peak>=.5"]);
    expect(torn).toMatchObject({ code: 2 });
  });
});
