import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedSweep, UNCACHED, whole } from "./killed.ts";
import { studyFile } from "./sweptStudy.ts";

it("[ST74] a study that is killed at any moment loses no run and doubles none", async () => {
  const file = studyFile(12);
  const folder = newFolder();
  await ghostlight(["sweep", file, "--out", folder], UNCACHED);

  const killed = await killedSweep(file, 3, 4_000);

  expect(whole(killed.folder)).toEqual(whole(folder));
  const rows = new Set(whole(folder).kept.map((row) => JSON.stringify(row)));
  expect(rows.size).toBe(48);
  expect(killed.kept.flat().filter((row) => !rows.has(row))).toEqual([]);
});
