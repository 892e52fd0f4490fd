// Where the snapshot is kept, or that it is kept nowhere.
import os from "node:os";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { cacheFolder } from "../../../src/edges/python/snapshot.ts";

const before = process.env["XDG_CACHE_HOME"];
afterEach(() => {
  vi.restoreAllMocks();
  if (before === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = before;
});

const home = path.resolve("/home/ada");
const inHome = path.join(home, ".cache", "ghostlight");
const named = path.resolve("/var/named");

it.each([
  ["XDG_CACHE_HOME names a folder", named, home, path.join(named, "ghostlight")],
  ["nothing is named", undefined, home, inHome],
  ["XDG_CACHE_HOME is empty", "", home, inHome],
  ["XDG_CACHE_HOME is relative, which its standard calls invalid", "here", home, inHome],
  ["the user has no home", undefined, null, null],
  ["HOME is empty", undefined, "", null],
  ["a folder is named and there is no home", named, null, path.join(named, "ghostlight")],
])("[SB14] the cache folder when %s", (_about, given, at, expected) => {
  if (given === undefined) delete process.env["XDG_CACHE_HOME"];
  else process.env["XDG_CACHE_HOME"] = given;
  vi.spyOn(os, "homedir").mockImplementation(() => {
    if (at === null) throw new Error("uv_os_homedir returned ENOENT");
    return at;
  });

  expect(cacheFolder()).toBe(expected);
});
