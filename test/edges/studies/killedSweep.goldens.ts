// `kill -9` at a hundred drawn moments.
import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedStudies, UNCACHED, whole } from "./killed.ts";
import { studyFile } from "./sweptStudy.ts";

it("[ST74] a study that is killed a hundred times loses no run and doubles none", async () => {
  const file = studyFile(50);
  const folder = newFolder();
  await ghostlight(["sweep", file, "--out", folder], UNCACHED);

  const { folders, lost } = await killedStudies("sweep", file, 100);

  for (const one of folders) expect(whole(one)).toEqual(whole(folder));
  expect(lost).toEqual([]);
});
