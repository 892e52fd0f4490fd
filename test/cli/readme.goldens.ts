// The table of variants in the README, counted again: ten runs of the incident.
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";
import { quotedTable, tableIn } from "./readmeTexts.ts";

const HEAD = "Variant | Goals failed | Minutes until free | Calls lost";

it("[RM1] the README's table of variants is the report's", async () => {
  const out = `${newFolder()}/incident`;

  const { stdout } = await ghostlight(["run", "safe-file-executor", "--compare", "--out", out]);

  const quoted = quotedTable(HEAD);
  expect(quoted.length).toBeGreaterThan(9);
  expect(quoted).toEqual(tableIn(stdout, HEAD).map((cells) => cells.slice(0, 4)));
});
