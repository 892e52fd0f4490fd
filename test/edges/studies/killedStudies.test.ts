import { expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedStudies, UNCACHED, whole } from "./killed.ts";
import { fileOf, KINDS } from "./kindsOfStudy.ts";

// The others, and more kills, in killedStudies.goldens.ts.
it("[ST97] a search that is killed goes on where it was, and leaves the same bytes", async () => {
  const kind = KINDS.find((one) => one.kind === "tune by CMA-ES");
  if (kind === undefined) throw new Error("no such kind");
  const file = fileOf(kind, 3);
  const folder = newFolder();
  await ghostlight([kind.command, file, "--out", folder], UNCACHED);

  const { folders, lost } = await killedStudies(kind.command, file, 1);

  expect(folders.map(whole)).toEqual(folders.map(() => whole(folder)));
  expect(lost).toEqual([]);
});
