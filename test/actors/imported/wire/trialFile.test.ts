// The file of a trial: what makes it another trial, where it is wrong, and what its tasks stand for.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTrial } from "../../../../src/actors/imported/edge/trial/trialFile.ts";
import {
  trialNotes,
  trialSentences,
} from "../../../../src/actors/imported/edge/trial/trialText.ts";
import type { Result } from "../../../../src/studies/statistics/fold.ts";
import { sweepPoints } from "../../../../src/studies/sweep.ts";
import { summarise } from "../../../../src/studies/sweepSummary.ts";
import { taskEstimates } from "../../../../src/studies/taskEstimates.ts";
import { newFolder } from "../../../folders.ts";

function parsedAt(file: string, ...lines: readonly string[]) {
  const fields = [
    "why: x",
    "command: [a]",
    "tasks: { a: b }",
    "faults: []",
    "outcomes: { a: { exit: 0 } }",
    ...lines,
  ];
  const last = new Map(fields.filter((one) => one !== "").map((one) => [one.split(":")[0], one]));
  return parseTrial([...last.values()].join("\n"), file);
}
const parsed = (line: string) => parsedAt("t.yaml", line);
const trial = (folder: string, task = "b") =>
  parsedAt(join(folder, "t.yaml"), "command: [agent.py]", `tasks: { a: ${task} }`);

it("[WR24] a changed agent is another trial, and so is a changed task", () => {
  const folder = newFolder();
  const stamps = ["1", "1", "2"].map((code) => {
    writeFileSync(join(folder, "agent.py"), code);
    return trial(folder).stamp;
  });

  expect(stamps[0]).toBe(stamps[1]);
  expect(stamps[0]).not.toBe(stamps[2]);
  expect(trial(folder, "c").stamp).not.toBe(stamps[2]);
  expect(trial(folder).study.replicates.tasks).toEqual(["a"]);
});

it.each([
  ["faults: [nothing, nothng]", "4:19 faults[1]", 'Did you mean "nothing"?'],
  ["outcomes: { a: {} }", "5:16 outcomes.a", "none of them"],
  ["outcomes: { a: { exit: 0, says: x } }", "5:16 outcomes.a", "exit and says"],
  ["outcomes: { a: { says: '(' } }", "5:24 outcomes.a.says", "a regular expression"],
  ["outcomes: { a: { finding: no-such } }", "5:27 outcomes.a.finding", "the name of a finding"],
  ["outcomes: { a: { exit: 0, holds: x } }", "5:34 outcomes.a.holds", "holds beside file"],
  ["budget: { money: 3 }", "6:9 budget.price", "what a million tokens cost"],
  ["stop: { outcome: nope, halfWidth: 0.1 }", "6:18 stop.outcome", "the name of an outcome"],
  ["agents: { b: [x] }", "2:10 command", "one of them"],
  ["timeout: '0s'", "6:10 timeout", "no time at all"],
  ["sees: 3", "6:1 sees", 'Did you mean "seeds"?'],
])("[WR28] %s is refused with its place", (line, place, says) => {
  expect(() => parsed(line)).toThrow(`t.yaml:${place}: found `);
  expect(() => parsed(line)).toThrow(says);
});

it("[WR28] reads the trial that docs/trials.md shows", () => {
  const page = readFileSync("docs/trials.md", "utf8");
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

  expect(parseTrial(yaml, "agent.yaml").study.replicates).toMatchObject({ count: 50, batch: 2 });
});

it("[WR26] runs are pairs where a seed fixes what the model says", () => {
  expect([parsed("model: scripted").isPaired, parsed("").isPaired]).toEqual([true, false]);
});

describe("intervals of a trial", () => {
  const runs = (values: readonly number[], seed = 0): readonly Result[] =>
    values.map((value, replicate) => ({ point: 0, replicate, seed: seed + replicate, value }));
  /** Half of the tasks always do, the others never: so often each. */
  const clustered = (tasks: number, each: number) =>
    runs(Array.from({ length: tasks * each }, (_, replicate) => (replicate % tasks) % 2));

  it("[WR26] are over the tasks from ten on, however often each was run", () => {
    const width = (tasks: number, each: number): number => {
      const { low, high } = taskEstimates(tasks, false).mean(clustered(tasks, each), "share");
      return (high ?? 0) - (low ?? 0);
    };

    const methodOf = (tasks: number): string =>
      taskEstimates(tasks, false).mean(clustered(tasks, 1), "within").method;

    expect(methodOf(10)).toMatch(/^over tasks: /);
    expect(methodOf(9)).not.toContain("over tasks");
    expect(width(10, 100)).toBeCloseTo(width(10, 2), 10);
    expect(width(9, 100)).toBeLessThan(width(9, 2) / 5);
  });

  it("[WR26] stand beside the share that they are of", () => {
    const tasks = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`t${at}`, "do"]));
    const given = parsed(`tasks: ${JSON.stringify(tasks)}`);
    const { study } = given;
    const [values = {}] = study.design?.kind === "points" ? study.design.points : [];
    const points = sweepPoints(study, [{ index: 0, values }]);
    // The first task was run twice: two of eleven runs, one of ten tasks.
    const tried = Array.from({ length: 11 }, (_, replicate) => ({
      ...{ point: 0, replicate, seed: replicate, variant: null, outcome: "ended" },
      ...{ values: { a: replicate % 10 === 0 ? 1 : 0 }, faults: [], censored: [] },
    }));
    const told = summarise(study, points, ["most"], tried, taskEstimates(10, false));

    expect(trialSentences(given, told, tried).join()).toContain("in 2 (10 % over tasks, ");
  });

  it("[WR26] with ten tasks are said to be over tasks, with nine to speak of these alone", () => {
    const noted = (count: number): string => {
      const tasks = Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, "do"]));
      const given = parsed(`tasks: ${JSON.stringify(tasks)}`);
      return trialNotes(given, [], { spared: {}, unknown: 0 }).join(" ");
    };

    expect(noted(9)).toContain("With 9 tasks the intervals speak of these tasks alone.");
    expect(noted(10)).toContain("The intervals are over 10 tasks");
    // A live model: nobody says that its runs are pairs.
    expect(noted(10)).toContain("are not compared in pairs");
  });

  it("[WR26] of differences over tasks take both sides of each task", () => {
    const { difference } = taskEstimates(10, false);
    const worse = runs(
      clustered(10, 4).map(() => 0),
      100,
    );
    const found = difference(clustered(10, 4), worse, "share");

    expect(found).toMatchObject({ n: 10, estimate: -0.5 });
    expect(found?.method).toContain("over tasks");
  });

  it("[WR26] are in pairs of one seed with few tasks, where that is told", () => {
    const [base, point] = [clustered(4, 5), clustered(4, 5)];

    expect(taskEstimates(4, true).difference(base, point, "share")?.method).toContain("paired");
    expect(taskEstimates(4, false).difference(base, point, "share")?.method).toContain("plain");
  });
});
