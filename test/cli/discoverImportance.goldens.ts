// Importance of many points, of which a Gaussian process takes some.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";

it("[ST263] of more than 300 points a process takes 300 that are drawn, and the text says so", async () => {
  const folder = newFolder();
  const study = {
    ...{ name: "s", seed: 1, factors: [{ name: "a" }], units: { leaves: {}, outcomes: {} } },
    outcomes: [{ name: "y", kind: "reduced" }],
  };
  const points = Array.from({ length: 310 }, (_, index) => ({ index, values: { a: index } }));
  writeFileSync(join(folder, "study.json"), JSON.stringify({ format: 1, study, points }));
  const rows = points.map(({ index }) => `${index},y,${index % 100 > 50 ? 1 : 0},0`);
  writeFileSync(join(folder, "runs.csv"), `point,outcome,value,censored\n${rows.join("\n")}\n`);
  const said = await ghostlight(["discover", folder, "--outcome", "y>=1", "--importance"]);

  expect(said.stdout).toContain("a Gaussian process of 300 drawn points ");
});
