// What `npm test` does thrice.
import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedSweep, UNCACHED, whole } from "./killed.ts";
import { studyFile } from "./sweptStudy.ts";

it("[ST74] a study that is killed a hundred times loses no run and doubles none", async () => {
  const file = studyFile(400);
  const folder = newFolder();
  await ghostlight(["sweep", file, "--out", folder], UNCACHED);

  const killed = await killedSweep(file, 100, 2_500);

  expect(whole(killed.folder)).toEqual(whole(folder));
  // What was kept stays kept: each table holds that of the one before.
  for (const [at, rows] of killed.kept.entries()) {
    expect(killed.kept[at + 1] ?? rows).toEqual(expect.arrayContaining(rows));
  }
});
