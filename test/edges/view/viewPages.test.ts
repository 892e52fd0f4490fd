// SPEC VW: the list of several bundles.
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { listed, worstFirst } from "../../../src/edges/view/viewPages.ts";
import { newFolder } from "../../folders.ts";

it("[VW14] the worst comes first: by failures, then by what went wrong in itself, then by name", () => {
  const of = (folder: string, failures: number, wrong: number) => ({
    ...{ folder, title: folder, says: "", fault: null, failures, wrong },
  });
  const all = [of("d", 0, 9), of("c", 1, 0), of("b", 1, 3), of("a", 1, 0)];

  expect(worstFirst(all).map(({ folder }) => folder)).toEqual(["b", "a", "c", "d"]);
});

it("[VW14] a log of more than 8 MB is looked into when it is opened", () => {
  const folder = newFolder();
  const log = join(folder, "events.jsonl");
  writeFileSync(log, "");
  truncateSync(log, 8_000_000);
  expect(listed(builtIn, folder).fault).not.toBeNull();

  truncateSync(log, 8_000_001);
  expect(listed(builtIn, folder)).toMatchObject({
    ...{ says: "a log of 8 MB, looked into when it is opened", fault: null },
  });
});
