// SPEC VW13: what `view` reads of others, and what of it stays.
import { cpSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Player } from "../../../src/edges/view/player.ts";
import { viewPages } from "../../../src/edges/view/viewPages.ts";
import { opened, openedBoth } from "../../../src/edges/view/viewSources.ts";
import { lists } from "../../builtInRuns.ts";
import { newFolder } from "../../folders.ts";
import { forge } from "../../recordedRun.ts";

const talk = "examples/import/talk.json";
const { signal } = new AbortController();

it("[VW13] a log of others is read into a temporary folder, of which nothing stays", async () => {
  const { folders, dispose } = await opened(lists, talk, { signal });
  const [folder = ""] = folders;

  expect(existsSync(join(folder, "manifest.json"))).toBe(true);
  dispose();
  expect(existsSync(folder)).toBe(false);
});

it("[VW13] what of a log could not be read is noted, and of a whole one nothing is", async () => {
  const cut = join(newFolder(), "cut.jsonl");
  const line = JSON.stringify({ messages: JSON.parse(readFileSync(talk, "utf8")) });
  writeFileSync(cut, `${line}\n{"messages": [\n`);
  const notes: string[][] = [];
  for (const log of [talk, cut]) {
    const one = await opened(lists, log, { signal });
    notes.push([...one.notes]);
    one.dispose();
  }

  expect(notes).toEqual([[], [expect.stringContaining("cut.jsonl:2")]]);
});

it("[VW13] with `--out` it is read into that folder, and stays", async () => {
  const out = join(newFolder(), "log");
  const { folders, dispose } = await opened(lists, talk, { signal, out });
  dispose();

  expect(folders).toEqual([out]);
  expect(existsSync(join(out, "manifest.json"))).toBe(true);

  // Of two each has a folder of its own there.
  const two = join(newFolder(), "both");
  const both = await openedBoth(lists, [talk, talk], { signal, out: two });
  expect(both.folders).toEqual([join(two, "1"), join(two, "2")]);
});

it("[VW18] of a folder of runs the newest that has no end is followed, and is not told to have ended otherwise", async () => {
  const all = newFolder();
  const names = ["old", "new", "ended"].map((name, at) => {
    const folder = join(all, name);
    cpSync("recordings/weather-fetcher", folder, { recursive: true });
    if (name !== "ended") forge(folder, () => ({ final: undefined }));
    utimesSync(join(folder, "manifest.json"), 1_000 + at, 1_000 + at);
    return folder;
  });
  const { folders } = await opened(lists, all, { signal, isFollowed: true });
  const player = new Player(lists);
  const pages = viewPages({ lists, folders, notes: [], isFollowed: true }, [], player);
  const [run] = JSON.parse(String((await pages.answering("0/head", ""))?.body)).runs;
  player.dispose();

  expect(folders).toEqual([names[1]]);
  expect(run).toMatchObject({ isFollowed: true, notes: [] });
});

it("[VW16] a path that leads to several runs is none of two", async () => {
  await expect(openedBoth(lists, ["recordings", talk], { signal })).rejects.toThrow(
    /\d runs or logs.*one of them/s,
  );
});
