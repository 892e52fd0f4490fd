// A study of several scenarios that is played: which one is a factor like any other.
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { pointOf } from "../../../src/edges/studies/studyPoints.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { BOTH, severalLines as lines } from "./severalScenarios.ts";
import { lists, swept } from "./sweptRuns.ts";
import { writtenStudy } from "./sweptStudy.ts";

it("[ST246] each run is the one that a study of its scenario alone plays", async () => {
  const both = await swept(writtenStudy(lines(BOTH, "baseline: {}")));
  const alone = await Promise.all(
    ["lock-feedback", "null-stub"].map((one) => swept(writtenStudy(lines(one)))),
  );
  const values = (found: typeof both.found) =>
    found?.runs.map((run) => [run.seed, run.values["peak"]]);

  expect(both.found?.points.map(({ values: own }) => own)).toEqual([
    { scenario: "lock-feedback", "locks.constrained": 50_000 },
    { scenario: "lock-feedback", "locks.constrained": 550_000 },
    { scenario: "null-stub", "locks.constrained": 50_000 },
    { scenario: "null-stub", "locks.constrained": 550_000 },
  ]);
  expect(values(both.found)).toEqual(alone.flatMap(({ found }) => values(found) ?? []));
  expect(new Set(values(both.found)?.map(([, peak]) => peak)).size).toBeGreaterThan(1);
  // Points are compared with the first scenario.
  expect(both.found?.plan.study.baseline["scenario"]).toBe("lock-feedback");
  expect(readFileSync(join(both.folder, "runs.csv"), "utf8").split("\n")[0]).toContain(
    ",scenario,",
  );
});

it("[ST246] a point's command, and the page, play the scenario of that point", async () => {
  const file = writtenStudy(lines("[lock-feedback, ./own.yaml]"));
  copyFileSync("scenarios/null-stub.yaml", join(dirname(file), "own.yaml"));
  const [out, cache] = [newFolder(), newFolder()];
  const said = await ghostlight(["sweep", file, "--out", out, "--cache", cache, "--json"]);
  const { points } = JSON.parse(said.stdout) as { points: { index: number; run: string }[] };

  expect(points.map(({ run }) => run.split(" ")[3])).toEqual([
    ...["lock-feedback", "lock-feedback"],
    ...[join(dirname(file), "own.yaml"), join(dirname(file), "own.yaml")],
  ]);
  expect(pointOf(lists, out, 1).scenario.name).toBe("lock-feedback");
  expect(pointOf(lists, out, 2).scenario.name).toBe("own");
});
