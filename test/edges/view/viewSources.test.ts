// SPEC VW13: what `view` reads of others, and what of it stays.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { opened } from "../../../src/edges/view/viewSources.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";

const talk = "examples/import/talk.json";
const { signal } = new AbortController();

it("[VW13] a log of others is read into a temporary folder, of which nothing stays", async () => {
  const { folders, dispose } = await opened(lists, talk, { signal });
  const [folder = ""] = folders;

  expect(existsSync(join(folder, "manifest.json"))).toBe(true);
  dispose();
  expect(existsSync(folder)).toBe(false);
});

it("[VW13] with `--out` it is read into that folder, and stays", async () => {
  const out = join(newFolder(), "log");
  const { folders, dispose } = await opened(lists, talk, { signal, out });
  dispose();

  expect(folders).toEqual([out]);
  expect(existsSync(join(out, "manifest.json"))).toBe(true);
});
