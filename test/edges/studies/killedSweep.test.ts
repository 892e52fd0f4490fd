import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedStudies, UNCACHED, whole } from "./killed.ts";
import { studyFile } from "./sweptStudy.ts";

it("[ST74] a study that is killed at any moment loses no run and doubles none", async () => {
  const file = studyFile(8);
  const folder = newFolder();
  await ghostlight(["sweep", file, "--out", folder], UNCACHED);

  const { folders, lost } = await killedStudies("sweep", file, 3);

  expect(folders.map(whole)).toEqual(folders.map(() => whole(folder)));
  expect(lost).toEqual([]);
  expect(new Set(whole(folder).kept.map((row) => JSON.stringify(row))).size).toBe(32);
});
