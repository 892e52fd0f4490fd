import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { scenarioParts } from "../../src/builtIn/scenarioParts.ts";
import { openingOf } from "../../src/cli/study/studyRun.ts";
import { parseOverride } from "../../src/edges/scenario/policyOverrides.ts";
import { sweepPlan } from "../../src/edges/studies/playStudy.ts";
import { loadStudy } from "../../src/edges/studies/studyFile.ts";
import { promisedBy } from "../../src/run/check/promises.ts";
import { runAt } from "../../src/studies/sweep.ts";
import type { SweptPoint } from "../../src/studies/sweepSummary.ts";
import { newFolder } from "../folders.ts";

it("[ST98, ST101] the printed command sets a point's very values, written as people write them, and all else of its run", async () => {
  const file = join(newFolder(), "mine.yaml");
  const lines = [
    "why: Does the command say the point?",
    "scenario: lock-feedback",
    "factors:",
    "  locks.constrained: { low: .300001, high: .6 }",
    "  planner.heartbeatMs: [90s, 1h30m]",
    "  stressors.lockFeedback: [true, false]",
    "set: { locks.dominant: 1.0, engine.builtins: [fs_read, fs_write] }",
    "variants: [no-feedback]",
    "limits: { envelopes: 9000, queueLength: 700 }",
    "design: { kind: lhs, points: 7 }",
    "replicates: 1",
    "until: 1h30m",
    "outcomes: { peak: { metric: load, reduce: max } }",
  ];
  writeFileSync(file, lines.join("\n"));
  const lists = { parts, scenarioParts, promised: await promisedBy(parts) };
  const { study, text } = loadStudy(lists, file);
  const { points } = sweepPlan(study, file);
  const swept = points.map((point) => ({ ...point, seed: 7 }) as unknown as SweptPoint); // Only these are read.
  const opening = openingOf({ text, file, part: ["own.ts", "other.ts"] }, { study, points: swept });

  expect(opening).toHaveLength(7);
  for (const one of opening) {
    expect(one).toMatch(/^npx ghostlight run lock-feedback --seed 7 --variant no-feedback --set /);
    expect(one).toMatch(
      / --until 1h30m --limit envelopes=9000 --limit queueLength=700 --part own\.ts --part other\.ts$/,
    );
  }
  const beside = { study: { ...study, scenario: { name: "own", text: "" } }, points: swept };
  const [led] = openingOf({ text: "scenario: deeper/own.yaml", file: "some/mine.yaml" }, beside);
  expect(led).toMatch(/^npx ghostlight run some\/deeper\/own\.yaml --seed 7 /);
  expect(opening[0]).toMatch(/ --set planner\.heartbeatMs=(1m30s|1h30m) /);
  expect(opening[0]).toContain(" --set 'engine.builtins=fs_read,fs_write' ");
  for (const [place, point] of points.entries()) {
    const set = [...(opening[place] ?? "").matchAll(/--set ('?)(\S+?)=(\S+)\1(?= |$)/g)].map(
      ([, , path, value]) => parseOverride(parts, `${path}=${value}`),
    );
    expect(Object.fromEntries(set)).toEqual(runAt(study, point, 0).set);
  }
});
