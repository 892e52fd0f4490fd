// What Python texts need, by CPython's own parser in the real sandbox.
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../../src/edges/python/sandbox.ts";
import type { CodeFacts } from "../../src/machines/installs/detection/codeFacts.ts";
import { type Detection, detected } from "../../src/machines/installs/detection/detection.ts";
import { factsOf, SEED, wholly } from "../machines/installs/detectionFacts.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox({ cacheFolder: resolve("node_modules/.cache/ghostlight") });
});
afterAll(async () => sandbox?.close());

async function found(text: string): Promise<Detection> {
  const facts: CodeFacts = await factsOf(text, sandbox);
  return wholly(detected([{ path: "main.py", text }], SEED, new Map([[text, facts]])));
}

const RW: readonly string[] = ["ReadAccess", "WriteAccess"];

const NEEDS: readonly (readonly [string, readonly string[]])[] = [
  ["import requests as r\nr.get(u)", ["NetworkAccess"]],
  ["from urllib.request import urlopen as o\no(u)", ["NetworkAccess"]],
  ["from urllib.parse import quote\nquote(u)", []],
  ["os.makedirs(p)", ["WriteAccess"]],
  ["os = Own()\nos.makedirs(p)", []],
  ["m = __import__('o' + 's')\ngetattr(m, f\"sys{'tem'}\")(c)", ["CodeExecution"]],
  ["import os\ngetattr(os, name)()", ["CodeExecution"]],
  ["import sys\nsys.modules['os'].remove(p)", ["WriteAccess"]],
  ["__builtins__.__dict__['ev' + 'al'](t)", ["CodeExecution"]],
  ["globals()['open'](p)", ["ReadAccess"]],
  ["import importlib\nimportlib.import_module(name)", ["CodeExecution"]],
  ["from os import *\nsystem(c)", ["CodeExecution"]],
  ["def run(go=eval): return go(t)", ["CodeExecution"]],
  ["import os\ndef f(m=os): m.remove(p)", ["WriteAccess"]],
  ["import os\ndef f(*, m=os): m.remove(p)", ["WriteAccess"]],
  ["import os.path as o\no.exists(p)", ["ReadAccess"]],
  ["import os\ngetattr(os, 'remove')(p)", ["WriteAccess"]],
  ["from pathlib import Path\na, b = Path(p), 1\na.unlink()", RW],
  ["httpx.get(u)", ["NetworkAccess"]],
  ["list(map(exec, texts))", ["CodeExecution"]],
  ["().__class__.__base__.__subclasses__()", ["CodeExecution"]],
  ["import os\nhand(os)", ["CodeExecution", "ReadAccess", "WriteAccess"]],
  ["import glob\nglob.os.system(c)", ["CodeExecution", "ReadAccess"]],
  ["self.os.remove(p)", ["WriteAccess"]],
  ["print.__self__.eval(t)", ["CodeExecution"]],
  ["f.__globals__.get(n)", ["CodeExecution"]],
  ["a.b.c.d.e.f.write_text(t)", ["WriteAccess"]],
  ["a.b.c.d.e.f.g.write_text(t)", ["WriteAccess"]],
  ["import re, ast\nre.compile(t)\nast.literal_eval(t)\ncursor.execute(q)", []],
  ["with open(p, 'w') as f: f.write(t)", ["WriteAccess"]],
  ["open(p); open(p, mode='rb')", ["ReadAccess"]],
  ["open(p, mode)", ["ReadAccess", "WriteAccess"]],
  ["from pathlib import Path\ndef f(p: Path): p.write_text(t)", ["WriteAccess"]],
  ["from pathlib import Path\nPath(p).open('a')", ["ReadAccess", "WriteAccess"]],
  ["from pathlib import Path\nd = Path(p) / 'a'\nd.mkdir()", RW],
  ["from pathlib import Path\n(Path(p).parents[1] / 'a').parent.rmdir()", RW],
  ["from pathlib import Path\nfor f in sorted(Path(p).glob('*')): f.unlink()", RW],
  ["from pathlib import Path\n[f.rename(g) for f in Path.cwd().iterdir()]", RW],
  ["from pathlib import Path\ndef f(d: Path | None): d.joinpath('a').touch()", ["WriteAccess"]],
  ["from pathlib import Path\nmap(Path.unlink, files)", ["WriteAccess"]],
  ["from pathlib import Path\nPath(p).read_text().replace(a, b)", ["ReadAccess"]],
  ["from pathlib import Path\nPath(p).stem.replace(a, b)", ["ReadAccess"]],
  ["from pathlib import Path\nPath(p).name.replace(a, b)", ["ReadAccess"]],
  ["from pathlib import Path\n(a / Path(p)).unlink()", RW],
  ["from pathlib import PurePath\n(PurePath(p).parent / q).name.replace(a, b)", []],
  ["import zipfile\nzipfile.ZipFile(p).namelist()", ["ReadAccess"]],
  ["from zipfile import ZipFile as Z\nwith Z(p, 'a') as z: z.writestr(n, t)", ["WriteAccess"]],
  ["import zipfile\nzipfile.ZipFile(p, m)", RW],
  ["import zipfile\nwith zipfile.ZipFile(p) as z: z.extractall()", RW],
  ["import tarfile\nwith tarfile.open(p) as t: t.extract(n)", RW],
  ["import subprocess\nsubprocess.PIPE", []],
  ["import subprocess as s\ns.run(['ls'])", ["CodeExecution"]],
];

it("[INS30, INS32, INS33, INS34, INS35] follows names to where they come from", async () => {
  for (const [text, inferred] of NEEDS) {
    const { inferred: is, notes } = await found(text);
    expect({ text, is, notes }).toEqual({ text, is: inferred, notes: [] });
  }
});

it("[INS31] infers nothing from comments, strings and what a text defines", async () => {
  const text = [
    '"""Uses requests.get("https://host") and os.system."""',
    "# import socket; eval(x); open(p, 'w')",
    "def fetch(url): return 'subprocess.run https://host'",
    "class Api:\n    def exec(self): return self.fetch('fetch(u)')",
    "fetch(1)\nApi().exec()",
    "def requests(): pass\nrequests()",
  ].join("\n");

  expect(await found(text)).toMatchObject({ inferred: [], threats: [], notes: [] });
});

it("[INS31] what Python has without an import stays Python's, whatever a text defines", async () => {
  const own = "def open(p, mode): return p\n";
  const inferred = async (text: string) => (await found(own + text)).inferred;

  expect(await inferred("open(p, 'w')")).toEqual(["WriteAccess"]);
  expect(await inferred("del open\nopen(p, 'w')")).toEqual(["WriteAccess"]);
});

it("[INS43] finds threats in what code does and in its strings, and none in its comments", async () => {
  const threats = async (text: string) => {
    const { threats: all, passed } = await found(text);
    return [...all.map(({ pattern, line }) => `${line} ${pattern}`), passed];
  };

  expect(await threats("# no sudo\n'''sudo'''\nx = 1")).toEqual([true]);
  expect(await threats("x = 1\ny = '''\nsudo'''")).toEqual(["3 sudo", false]);
  expect(await threats("import subprocess\nsubprocess.run(['rm', '-rf', d])")).toEqual([
    ...["2 rm -rf", false],
  ]);
  expect(await threats("eval(input())")).toEqual(["1 eval(input(", false]);
  expect(await threats("import subprocess\nsubprocess.call([input('?')])")).toEqual([
    ...["2 subprocess.call(input(", false],
  ]);
  expect(await threats("import subprocess\nsubprocess.run(args=input('?'))")).toEqual([
    ...["2 subprocess.run(input(", false],
  ]);
  expect(await threats("import subprocess\nsubprocess.run(c, shell=True)")).toEqual([true]);
  expect(await threats("__import__('json')")).toEqual(["1 __import__(", false]);
  expect(await threats("f.__globals__")).toEqual(["1 __globals__", false]);
  expect(await threats("import os\nos.fork()")).toEqual(["2 fork()", true]);
  expect(await threats("while True:\n    pass")).toEqual(["1 while true", true]);
  for (const end of ["break", "return", "raise Over"]) {
    expect(await threats(`def f():\n  while True:\n    ${end}`)).toEqual([true]);
  }
});

it("[INS36] says why a text is no Python, and reads what merely looks odd", async () => {
  const why = async (text: string) => (await found(text)).notes.map((note) => note.why);

  expect(await why("def (")).toEqual(["no Python: invalid syntax (line 1)"]);
  expect(await why("(".repeat(300) + ")".repeat(300))).toEqual([
    "no Python: too many nested parentheses (line 1)",
  ]);
  const names = Array.from({ length: 2_001 }, (_, index) => `os.a${index}`).join("\n");
  expect(await why(names)).toEqual(["no Python: it reaches for more than 2000 names"]);
  expect(await why("import os\r\nos.remove(p)\r\n")).toEqual([]);
  expect((await found("raise SystemExit\nimport os")).notes).toEqual([]);
});

it.each([
  "import random\nrandom._os.system('id')",
  "import typing\ntyping.sys.modules",
  "import json\njson.codecs.open(p)",
  "from enum import sys as s\ns.modules",
  "import collections\ncollections._sys.modules",
  "import dataclasses as d\nd.inspect.importlib",
  "import marshal\nmarshal.loads(b)",
  "import pip\npip.main([])",
  "import yaml\nyaml.load(t, Loader=yaml.UnsafeLoader)",
  "import logging.config\nlogging.config.dictConfig(d)",
  "import pkgutil\npkgutil.resolve_name('os:system')(c)",
  "import operator\noperator.attrgetter(name)(o)",
  "from functools import reduce\nreduce(getattr, names, ())",
  "getattr(o, name)()",
  "globals().get('__builtins__').__import__('os')",
  "print('{0.__init__.__globals__}'.format(f))",
  "e.__traceback__.tb_frame.f_globals",
  "loop.subprocess_shell(f, c)",
  "import inspect\ninspect.getmodule(print).eval(t)",
  "import typing\ntyping.get_type_hints(f)",
  "import inspect\ninspect.signature(f, eval_str=True)",
  "import pydoc\npydoc.locate('os.system')(c)",
  "import importlib.metadata as m\nm.EntryPoint('x', 'os:system', 'g').load()(c)",
  "import os\nos.environ['PYTHONBREAKPOINT'] = 'os.system'\nbreakpoint(c)",
  "import tkinter\ntkinter.Tcl().eval(c)",
  "import sys\nsys.meta_path.insert(0, own)",
  "getattr(o, '__cl' + x)",
  "import os\ngetattr(os, 'sys' + x)(c)",
])("[INS152] %j hides what it reaches for, and needs CodeExecution", async (text) => {
  expect((await found(text)).inferred).toContain("CodeExecution");
});

it.each([
  "import time, datetime as d\ntime.time(); d.datetime.now(); d.time(9); d.datetime.timetz",
  "import sys, os.path\nsys.platform; os.path.join(a, b); os.getpid()",
  "from collections.abc import Mapping\nimport concurrent.futures as f\nf.ThreadPoolExecutor(2)",
  "p._asdict(); self._items; self.__class__.__name__; super().__init__()",
  "import logging\nlogging.getLogger(__name__).info('x')",
  "getattr(o, 'name', None)\nkey = 'other'\ngetattr(o, key)",
  "'{name} {0[key]} {1.real} {:>5}'.format(a, b)",
  "import operator\noperator.attrgetter('name')\nmodel.eval()",
  "class Shop:\n    def popen(self): return 1\nShop().popen()",
  "class V:\n    def visit(self, n): return getattr(self, 'visit_' + n)(n)",
  "for name in ('debug', 'level'):\n    getattr(c, name, None)",
  "class Shape: pass\nprint(Shape.__subclasses__())",
])("[INS152] %j is plain", async (text) => {
  expect((await found(text)).inferred).toEqual([]);
});

it.each([
  ["import logging\nlogging.basicConfig(filename='x')", ["WriteAccess"]],
  ["import logging\nlogging.basicConfig(level=10)", []],
  ["import io\nio.open_code(p)", ["ReadAccess"]],
  ["table.sort_values('a', inplace=True)", []],
  ["import fileinput as f\nf.input(p, inplace=True)", ["ReadAccess", "WriteAccess"]],
  ["from fileinput import *\ninput(p, inplace=1)", ["ReadAccess", "WriteAccess"]],
  ["import fileinput as f\nf.input(p, inplace=False)", ["ReadAccess"]],
  ["import fileinput as f\nf.input(p, False, '.bak')", ["ReadAccess"]],
  ["import fileinput as f\nf.input(p, True)", ["ReadAccess", "WriteAccess"]],
  ["import fileinput as f\nf.FileInput(*p)", ["ReadAccess", "WriteAccess"]],
  ["import fileinput as f\ndef go(p, **opts): f.input(p, **opts)", ["ReadAccess", "WriteAccess"]],
  ["f.run(shell=True, inplace=True)", ["CodeExecution"]],
  ...[
    "functools.partial(fileinput.input, inplace=True)('x')",
    "def edit(reader, p): reader(p, inplace=True)\nedit(fileinput.input, 'x')",
    "class R(fileinput.FileInput): pass\nR('x', inplace=True)",
    "way = {'a': fileinput.input}['a']\nway('x', inplace=True)",
    "class K: r = fileinput.input\nK.r('x', inplace=True)",
    "(lambda *a, **k: fileinput.input(*a, **k))('x', inplace=True)",
    "kw = dict(inplace=True)\nfileinput.FileInput('x', **kw)",
    "def read(*a, **k): return fileinput.input(*a, **k)\nread('x', inplace=True)",
    "class S:\n    def __init__(self): self.fi = fileinput\n    def go(self): self.fi.input('x', inplace=True)",
  ].map((text): [string, string[]] => [
    `import fileinput, functools\n${text}`,
    ["ReadAccess", "WriteAccess"],
  ]),
  ["import cProfile\ncProfile.Profile().dump_stats(p)", ["WriteAccess"]],
])("[INS34] %j needs %j", async (text, needed) => {
  expect((await found(text)).inferred).toEqual(needed);
});

it("[INS33] a connection that a loop opens is network access", async () => {
  expect((await found("loop.create_connection(f, h, 80)")).inferred).toEqual(["NetworkAccess"]);
});

it.each([
  ["import subprocess\nsubprocess.run(['/usr/bin/curl', '-s', u])", true],
  ["import os\nos.system('A=1 sh -c \"wget -q x | sh\"')", true],
  ["import subprocess\nsubprocess.run('pip install x', shell=True)", true],
  ["import subprocess\nsubprocess.run(['pip', 'list'])", false],
  ["import subprocess\nsubprocess.run(['ls', 'curling'])", false],
])("[INS154] whether %j starts a downloader: %s", async (text, isNetwork) => {
  const { inferred, remoteAccess } = await found(text);

  expect([inferred.includes("CodeExecution"), remoteAccess]).toEqual([true, isNetwork]);
});

it("[INS153] tells of a plain import that no table knows, or requires CodeExecution for it", async () => {
  const text = "import json\nimport mcp.client as m\nimport requests\nfrom own import x\n";
  const files = [
    { path: "main.py", text },
    { path: "own.py", text: "" },
  ];
  const facts = new Map([[text, await factsOf(text, sandbox)]]);

  const told = wholly(detected(files, SEED, facts));
  const required = wholly(detected(files, { ...SEED, unfamiliar: "require" }, facts));

  expect(told.unfamiliar).toEqual([{ module: "mcp.client", file: "main.py", line: 2 }]);
  expect(told.inferred).toEqual(["NetworkAccess"]);
  expect(required.inferred).toEqual(["CodeExecution", "NetworkAccess"]);
});

it("[INS152] a comment of 131,072 characters before a call does not hide it", async () => {
  const text = `# ${"x".repeat(131_072)}\nprint(1)\n`;

  expect(wholly(detected([{ path: "main.py", text }], SEED, new Map())).inferred).toEqual([
    "CodeExecution",
  ]);
});
