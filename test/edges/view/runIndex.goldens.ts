// SPEC VW: a long run opens from an index of it.
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readManifest } from "../../../src/edges/bundle/bundleReader.ts";
import { manifestText } from "../../../src/edges/bundle/bundleWriter.ts";
import { nodeSha256Hex } from "../../../src/edges/bundle/nodeSha256.ts";
import { openRun } from "../../../src/edges/view/openRun.ts";
import { openIndexed, stampsOf } from "../../../src/edges/view/runIndex.ts";
import { servedRun } from "../../../src/edges/view/servedRun.ts";
import { sealed } from "../../../src/run/bundle.ts";
import { lists } from "../../builtInRuns.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";

let folder: string;
beforeAll(async () => {
  folder = join(newFolder(), "run");
  const { code } = await ghostlight(["run", "lock-feedback", "--out", folder]);
  expect(code).toBe(0);
});

/** Opens it as if its log were long; `made` says whether an index was made for it. */
function opening(of: string, cache: string) {
  const told: string[] = [];
  const run = openIndexed(lists, of, { cache, bytesMost: 0, tell: (text) => told.push(text) });
  return { run, made: told.some((text) => text.startsWith("indexing")) };
}

const fileIn = (cache: string, name: string): string => {
  const [index = ""] = readdirSync(join(cache, "view"));
  return join(cache, "view", index, name);
};

/** As somebody would write it who knows how: with something else in a field, under a hash that fits. */
const saying = (field: string) => (text: string) => {
  const changed = JSON.stringify({ ...JSON.parse(text.slice(65)), [field]: ["other"] });
  return `${nodeSha256Hex(changed)}\n${changed}`;
};

describe("a run with an index", () => {
  it("[VW28] says the very same as the run itself, and opens from it the next time", () => {
    const cache = newFolder();
    const whole = servedRun(openRun(lists, folder));
    const [first, second] = [opening(folder, cache), opening(folder, cache)];

    expect([first.made, second.made]).toEqual([true, false]);
    expect(second.run.head).toEqual(JSON.parse(JSON.stringify(whole.head)));
    expect(second.run.columns).toEqual(whole.columns);
    expect(second.run.charts()).toBe(whole.charts());
    const last = Math.floor((whole.head.count - 1) / whole.head.pieceSize);
    for (const number of [0, last, last + 1]) {
      for (const fullness of ["whole", "bare"] as const) {
        expect(second.run.piece(number, fullness)).toBe(whole.piece(number, fullness));
      }
    }
    expect(second.run.piece(last + 1, "whole")).toBeUndefined();
  });

  it("[VW40] shows what was kept beside the run as it is now, with one curve", () => {
    const cache = newFolder();
    const bare = opening(folder, cache).run.head;
    const digest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")).final.digest;
    const texts = { outcome: "it went wrong", head: "", closing: "", ranking: [], notes: [] };
    const kept = { of: digest, ...texts, curve: [{ atMs: 0, hits: 1, n: 2 }] };
    writeFileSync(join(folder, "blame.json"), JSON.stringify(kept));
    const [first, second] = [opening(folder, newFolder()), opening(folder, cache)];
    rmSync(join(folder, "blame.json"));

    expect(second.made).toBe(false);
    expect(second.run.head).toEqual(first.run.head);
    expect(second.run.head.blame?.outcome).toBe("it went wrong");
    expect(second.run.head.pictures).toHaveLength(bare.pictures.length + 1);
    expect(opening(folder, cache).run.head).toEqual(bare);
  });

  it("[VW28] has none where its log is short, where there is no place for it, and where no seal vouches for it", () => {
    const cache = newFolder();
    openIndexed(lists, folder, { cache });
    openIndexed(lists, folder, { cache: null, bytesMost: 0 });
    const other = join(newFolder(), "run");
    cpSync(folder, other, { recursive: true });
    const { final: _, seal: __, ...opening } = readManifest(lists.parts, folder);
    writeFileSync(join(other, "manifest.json"), manifestText(sealed(opening)));
    openIndexed(lists, other, { cache, bytesMost: 0 });

    expect(readdirSync(cache)).toEqual([]);
  });

  it("[VW28] a file with another time, size or place on the disk is not the one that was verified", () => {
    const other = join(newFolder(), "run");
    cpSync(folder, other, { recursive: true });
    for (const name of ["manifest.json", "inputs.jsonl", "events.jsonl"]) {
      const file = join(other, name);
      const told = [0, 1, 2, 3].map((change) => {
        if (change === 2) appendFileSync(file, " ");
        if (change === 3) {
          copyFileSync(file, `${file}.new`);
          renameSync(`${file}.new`, file);
        }
        utimesSync(file, 1, change === 0 ? 1 : 2);
        return stampsOf(other).join();
      });

      expect(new Set(told).size).toBe(4);
    }
  });

  it("[VW28] a log of more than 40 MB is read with progress into an index, and one of 40 MB is not", () => {
    const [other, cache] = [join(newFolder(), "run"), newFolder()];
    cpSync(folder, other, { recursive: true });
    const toldOf = (bytes: number): readonly string[] => {
      const told: string[] = [];
      truncateSync(join(other, "events.jsonl"), bytes);
      expect(() => openIndexed(lists, other, { cache, tell: (one) => told.push(one) })).toThrow();
      return told;
    };

    expect(toldOf(40_000_000)).toEqual([]);
    expect(toldOf(40_000_001)).toEqual(["reading and checking a log of 40 MB"]);
  });

  it.each([
    [
      "of another content",
      "head.json",
      (text: string) => text.replace("lock-feedback", "lock-feedbacc"),
    ],
    ["that was cut off", "head.json", (text: string) => text.slice(0, -9)],
    ["with other columns", "columns.bin", (text: string) => text.slice(8)],
    ["of another seal", "head.json", saying("seal")],
    ["of other files", "head.json", saying("stamps")],
    ["of other code", "head.json", saying("code")],
  ])("[VW28] an index %s is made again", (_, name, change) => {
    const cache = newFolder();
    opening(folder, cache);
    const file = fileIn(cache, name);
    const encoding = name === "head.json" ? "utf8" : "latin1";
    writeFileSync(file, change(readFileSync(file, encoding)), encoding);

    expect(opening(folder, cache).made).toBe(true);
    expect(opening(folder, cache).made).toBe(false);
  });

  it.each([
    ["whole", "pieces.bin"],
    ["bare", "words.bin"],
  ] as const)("[VW28] rows that were changed in an index are not shown: %s", (fullness, name) => {
    const cache = newFolder();
    opening(folder, cache);
    const { run } = opening(folder, cache);
    const file = fileIn(cache, name);
    const bytes = readFileSync(file);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(file, bytes);

    expect(() => run.piece(0, fullness)).toThrow("was changed");
  });

  it("[VW28] [VW3] a bundle that changed since is verified anew: its index does not stand for it", () => {
    const cache = newFolder();
    const other = join(newFolder(), "run");
    cpSync(folder, other, { recursive: true });
    opening(other, cache);
    const log = join(other, "events.jsonl");
    utimesSync(log, 1, 1);
    expect(opening(other, cache).made).toBe(true);

    writeFileSync(log, readFileSync(log, "utf8").replace('"dueMs":', '"dueMs":1'));
    expect(() => opening(other, cache)).toThrow();
  });
});
