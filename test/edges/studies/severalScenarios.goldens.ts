// A study of several scenarios: which one is played is a factor like any other.
import { copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { BadInput } from "../../../src/edges/errors.ts";
import { parseStudy } from "../../../src/edges/studies/studyFile.ts";
import { pointOf } from "../../../src/edges/studies/studyPoints.ts";
import { promisedBy } from "../../../src/run/check/promises.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { swept } from "./sweptRuns.ts";
import { writtenStudy } from "./sweptStudy.ts";

const lists = { ...builtIn, promised: await promisedBy(builtIn.parts) };

const lines = (scenario: string, ...more: readonly string[]): readonly string[] => [
  "why: In which world does the load rise?",
  `scenario: ${scenario}`,
  "factors: { locks.constrained: [.05, .55] }",
  "design: { kind: grid }",
  "replicates: 2",
  "until: 20m",
  "outcomes:",
  "  peak: { metric: load, reduce: max }",
  ...more,
];
const BOTH = "[lock-feedback, null-stub]";

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

it("[ST246] its variants are those of all, and it is regretted over its scenarios", () => {
  const study = (more: string) => parseStudy(lists, lines(BOTH, more).join("\n"), "mine.yaml");

  expect(() => study("variants: [no-feedback]")).toThrow(BadInput);
  expect(study("baseline: { scenario: null-stub }").baseline["scenario"]).toBe("null-stub");
  expect(() => study("baseline: { scenario: lessons }")).toThrow(
    "the name of a scenario of the study",
  );
});

it.each([
  ["[lock-feedback, lock-feedback]", "files of different names"],
  ["[lock-feedback, lok-feedback]", "mine.yaml:2"],
  ["[lock-feedback]", "a list of 2 … "],
])("[ST246] scenario: %s is refused", (scenario, says) => {
  expect(() => parseStudy(lists, lines(scenario).join("\n"), "mine.yaml")).toThrow(says);
});

it("[ST246] an actor that is measured is one of every scenario", () => {
  const outcomes = "  own: { metric: load, actor: cedar, reduce: max }";

  expect(() => parseStudy(lists, lines("lock-feedback", outcomes).join("\n"), "a.yaml")).toThrow();
  expect(() => parseStudy(lists, lines(BOTH, outcomes).join("\n"), "a.yaml")).toThrow("cedar");
});
