// What may be an executor's code, by its syntax tree: imports, invoke, and what hides what it reaches.
import { describe, expect, it } from "vitest";
import type { DraftEvent } from "../../../../src/machines/synt/stages/executorDraft.ts";
import { codeFault } from "../../../../src/machines/synt/stages/executorDraft.ts";
import { profileOf, WHITELISTED } from "../../../../src/machines/synt/stages/executorProfile.ts";
import { pythonReader } from "../../../edges/python/reader.ts";

const read = pythonReader();

const faultOf = async (code: string): Promise<string | null> => {
  const at = { nowMs: 0, seq: 1, from: "port/python.parse" };
  return codeFault({ ...(await read(code)), at } as DraftEvent);
};

describe("invoke", () => {
  it("[SN93] is a plain function: an async one would answer with a coroutine", async () => {
    expect(await faultOf("async def invoke(args):\n    return {}\n")).toContain("invoke is async");
    expect(
      await faultOf("def invoke(args):\n    return {}\n\nasync def invoke(args):\n    return {}\n"),
    ).toContain("invoke is async");
    expect(
      await faultOf("async def more(args):\n    return {}\n\ndef invoke(args):\n    return {}\n"),
    ).toBeNull();
    expect(await faultOf("class A:\n    async def invoke(self):\n        return {}\n")).toBe(
      "there is no function invoke",
    );
  });
});

describe("what reaches by names that are not written out", () => {
  it.each([
    ["getattr(__builtins__, 'ev' + 'al')('1')\n", "__builtins__"],
    ["__builtins__['eval']('1')\n", "__builtins__"],
    ["vars(__builtins__)\n", "__builtins__"],
    ["import os\ngetattr(os, name)('ls')\n", "getattr"],
    ["import os as o\ngetattr(o, name)\n", "getattr"],
    ["import os\ngetattr(*both)\n", "getattr"],
    ["().__class__.__base__.__subclasses__()\n", "__class__.__base__.__subclasses__"],
    ["invoke.__globals__['x']\n", "invoke.__globals__"],
    ["getattr(invoke, '__globals__')\n", "invoke.__globals__"],
    ["import sys\nsys.modules['os']\n", "sys.modules"],
    ["import sys as s\ns.modules['os']\n", "s.modules"],
    ["from sys import modules as known\nknown['os']\n", "known"],
    ["run = eval\nrun('1')\n", "eval"],
  ])("[SN93] %j is no executor's code, least of all pure", async (code, name) => {
    expect(profileOf(await read(code))).toEqual({
      fault: expect.stringContaining(`by names that are not written out: ${name}`),
    });
    expect(await faultOf(`${code}def invoke(args):\n    return {}\n`)).toContain(name);
  });

  it.each([
    ["getattr(item, 'name', None)\n", {}],
    ["getattr(item, field)\n", {}],
    ["import re\nre.compile('a')\n", {}],
    [
      "import pathlib\ngetattr(pathlib.Path('a'), 'unlink')()\n",
      { "fs:read": ["*"], "fs:write": ["*"] },
    ],
    ["import sys\nsys.exit(0)\n", {}],
  ])("[SN93] %j is what it says", async (code, profile) => {
    expect(profileOf(await read(code))).toEqual({ profile });
  });

  it("[SN93] a getattr by a written name is the call that it stands for", async () => {
    expect(profileOf(await read("import os\ngetattr(os, 'system')('ls')\n"))).toEqual({
      fault: "it calls os.system",
    });
  });
});

describe("the whitelist of imports", () => {
  const theirs = (
    "json sys os re io string typing collections datetime math itertools functools pathlib hashlib " +
    "base64 uuid time dataclasses enum unicodedata decimal fractions statistics random csv html urllib " +
    "http email mimetypes zlib gzip bz2 lzma tarfile zipfile shutil tempfile glob fnmatch argparse " +
    "secrets operator copy abc contextlib"
  ).split(" ");

  it("[SN94] holds the real system's 46, and six of ours", () => {
    expect(new Set(theirs).size).toBe(46);
    expect(theirs.filter((name) => !WHITELISTED.includes(name))).toEqual([]);
    expect(WHITELISTED.filter((name) => !theirs.includes(name))).toEqual([
      ...["bisect", "calendar", "difflib", "heapq", "ssl", "textwrap"],
    ]);
  });

  it.each([
    ["abc argparse contextlib email secrets sys time", {}],
    ["bz2 gzip lzma mimetypes", { "fs:read": ["*"] }],
  ])("[SN94] %s reach what they reach", async (names, profile) => {
    for (const name of names.split(" ")) {
      expect([name, profileOf(await read(`import ${name}\n`))]).toEqual([name, { profile }]);
    }
  });
});
