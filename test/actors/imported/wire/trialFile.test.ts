// The file of a trial: what makes it another trial, where it is wrong, and what its tasks stand for.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseTrial } from "../../../../src/actors/imported/edge/trial/trialFile.ts";
import { taskEstimates } from "../../../../src/studies/taskEstimates.ts";
import { newFolder } from "../../../folders.ts";

const trial = (folder: string, task = "b", faults = "[]") =>
  parseTrial(
    `why: x\ncommand: [agent.py]\ntasks: { a: ${task} }\nfaults: ${faults}\noutcomes: { a: { exit: 0 } }\n`,
    join(folder, "t.yaml"),
  );

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

it("[WR28] a fault that there is not is told with its place in the file", () => {
  expect(() => trial(newFolder(), "b", "[nothing, nothng]")).toThrow(/faults\[1\]/);
});

it("[WR26] ten tasks are what an interval is over, nine are not", () => {
  const methodOf = (tasks: number) =>
    taskEstimates(tasks, false).mean(
      Array.from({ length: tasks }, (_, replicate) => ({
        replicate,
        value: replicate % 2,
      })) as never,
      "within",
    ).method;

  expect(methodOf(10)).toMatch(/^over tasks: /);
  expect(methodOf(9)).not.toContain("over tasks");
});
