// What single names of Python and JavaScript let a text do, and which of them are threats.
import { expect, it } from "vitest";
import {
  type CodeFact,
  isBelow,
  isDownloader,
  programsIn,
} from "../../../src/machines/installs/detection/codeFacts.ts";
import { javascriptReach } from "../../../src/machines/installs/detection/javascriptReach.ts";
import {
  isBarring,
  lineFinder,
  patternHits,
  threatHits,
} from "../../../src/machines/installs/detection/patterns.ts";
import { pythonReach } from "../../../src/machines/installs/detection/pythonReach.ts";

type Row = readonly [name: string, how: CodeFact["how"], needs: string, mode?: string | null];
const SHORT = {
  CodeExecution: "X",
  NetworkAccess: "N",
  ReadAccess: "R",
  WriteAccess: "W",
} as const;
const needs = (reach: typeof pythonReach, [name, how, , mode]: Row): string =>
  reach
    .capabilities({ name, how, line: 1, ...(mode !== undefined && { mode }) })
    .map((one) => SHORT[one])
    .join("");
const told = (reach: typeof pythonReach, rows: readonly Row[]) =>
  rows.map((row) => `${row[1]} ${row[0]}: ${needs(reach, row)}`);
const wanted = (rows: readonly Row[]) => rows.map(([name, how, all]) => `${how} ${name}: ${all}`);

it("[INS33, INS34, INS35] a name of JavaScript needs what its module does", () => {
  const rows: readonly Row[] = [
    ["anything", "unfamiliar", ""],
    ["fetch", "computed", "X"],
    ["a.(computed).b", "call", "X"],
    ["program curl x", "call", "N"],
    ["https://host/x.js", "import", "N"],
    ["fetch", "use", "N"],
    ["fetcher", "use", ""],
    ["eval", "use", "X"],
    ["child_process.exec", "call", "X"],
    ...(["require", "globalThis", "process"] as const).map(
      (name) => [name, "passed", "X"] as const,
    ),
    ["process", "use", ""],
    ["module", "import", "X"],
    ["module", "use", ""],
    ["Deno.readFile", "call", "R"],
    ["Deno.open", "call", "RW"],
    ["Bun.file", "call", "R"],
    ["Bun.write", "call", "W"],
    ["Deno.makeTempDir", "call", "W"],
    ["Other.writeFile", "call", ""],
    ["sqlite", "import", ""],
    ["sqlite.DatabaseSync", "use", "RW"],
    ["v8.writeHeapSnapshot", "call", "W"],
    ["v8.writeHeapSnapshot", "import", ""],
    ["fs", "import", ""],
    ["fs", "use", ""],
    ["fs", "passed", "RW"],
    ["fs.open", "call", "R", "r"],
    ...["w", "a", "x"].map((mode): Row => ["fs.openSync", "call", "W", mode]),
    ["fs.open", "call", "RW", null],
    ["fs.open", "use", "RW"],
    ["fs.open", "import", ""],
    ["fs.readFileSync", "call", "R"],
    ["fs.unlink", "call", "W"],
    ["fs.copyFile", "call", "RW"],
    ["fs.constants", "use", ""],
  ];

  expect(told(javascriptReach, rows)).toEqual(wanted(rows));
});

it("[INS33, INS34, INS35] a name of Python needs what its module does, by whatever name that is had", () => {
  const rows: readonly Row[] = [
    ["anything", "unfamiliar", ""],
    ["x", "computed", "X"],
    ["os.(computed)", "call", "X"],
    ["os", "passed", "RWX"],
    ["pathlib", "passed", "RW"],
    ["io", "passed", "RW"],
    ["subprocess", "passed", "X"],
    ["posix", "passed", "RWX"],
    ["requests.get", "call", "N"],
    ["urllib.parse.quote", "call", ""],
    ["_socket.socket", "call", "N"],
    ["?.sendto", "call", "N"],
    ["sendto", "call", ""],
    ["program wget", "call", "N"],
    ["os.listdir", "call", "R"],
    ["posixpath.exists", "call", "R"],
    ["os.remove", "call", "W"],
    ["os.open", "call", "RW"],
    ["glob.os.system", "call", "X"],
    ["json.os", "use", ""],
    ["pathlib.Path", "call", "R"],
    ["pathlib.PosixPath", "call", "R"],
    ["pathlib.PurePath", "call", ""],
    ["pathlib.Path", "import", ""],
    ["pathlib.Path().unlink", "call", "W"],
    ["pathlib.Path().exists", "call", "R"],
    ["pathlib.Path().name", "use", ""],
    ["pathlib.Path().open", "call", "W", "w"],
    ["pathlib.Path.open", "use", "RW", "w"],
    ["open", "call", "R", "r"],
    ["open", "call", "RW", "r+"],
    ["open", "call", "RW"],
    ["open", "use", "RW", "r"],
    ["io.open", "import", ""],
    ["?.open", "call", "W", "wb"],
    ["?.open", "call", "", "rb"],
    ["?.open", "call", "", "max"],
    ["?.open", "call", "", null],
    ["?.read_text", "use", "R"],
    ["?.read_bytes", "use", "R"],
    ["?.write_text", "use", "W"],
    ["?.write_bytes", "use", "W"],
    ["read_text", "use", ""],
    ["zipfile.ZipFile().extractall", "call", "W"],
    ["tarfile.open().extract", "call", "W"],
    ["tarfile.open().getnames", "call", ""],
    ["builtins.eval", "call", "X"],
    ["?.popen", "call", "X"],
    ["?.popen", "use", ""],
    ["x.popen", "call", ""],
    ["?.exec_command", "use", "X"],
    ["os.execvp", "call", "X"],
    ["os.spawnl", "call", "X"],
    ["subprocess", "import", ""],
    ["subprocess.run", "use", "X"],
    ["subprocess.PIPE", "use", ""],
    ["_winapi.CreateProcess", "call", "X"],
    ["x.__globals__", "use", "X"],
    ["x.__subclasses__", "call", "X"],
    ["__builtins__", "use", ""],
    ["__builtins__.x", "use", ""],
    ["math.sqrt", "call", ""],
  ];

  expect(told(pythonReach, rows)).toEqual(wanted(rows));
});

it("[INS43] of names these are threats, with how bad each is", () => {
  const threats = (reach: typeof pythonReach, given: Partial<CodeFact>) =>
    reach
      .threats({ name: "x", how: "call", line: 1, ...given })
      .map(({ pattern, kind, severity }) => `${pattern} ${kind} ${severity}`);
  const loop = ["while true ResourceExhaustion low"];

  expect(threats(javascriptReach, { how: "loop" })).toEqual(loop);
  expect(threats(javascriptReach, { name: "eval" })).toEqual([]);
  expect(threats(pythonReach, { how: "loop" })).toEqual(loop);
  expect(threats(pythonReach, { name: "__import__" })).toEqual([
    "__import__( CommandInjection high",
  ]);
  expect(threats(pythonReach, { name: "os.fork" })).toEqual(["fork() ResourceExhaustion medium"]);
  expect(threats(pythonReach, { name: "a.__globals__.b" })).toEqual([
    "__globals__ SandboxEscape high",
  ]);
  expect(threats(pythonReach, { name: "eval", typed: true })).toEqual([
    "eval(input( CommandInjection critical",
  ]);
  expect(threats(pythonReach, { name: "eval" })).toEqual([]);
  expect(threats(pythonReach, { name: "print", typed: true })).toEqual([]);
  expect([javascriptReach, pythonReach].map(({ knows }) => knows("left-pad"))).toEqual([
    false,
    false,
  ]);
  expect([javascriptReach.knows("axios"), javascriptReach.knows("zx")]).toEqual([true, true]);
  expect([pythonReach.knows("requests"), pythonReach.knows("dill")]).toEqual([true, true]);
});

it("[INS30] a command line reaches the network by its program, or by what that is asked for", () => {
  const reaches = (command: string) => programsIn(command).some(isDownloader);

  expect(programsIn("/usr/bin/git  clone x; ls")).toEqual([
    ...["program git clone", "program clone x", "program x ls", "program ls"],
  ]);
  expect(["curl x", "sh -c 'wget x'", "git clone x", "pip install x"].map(reaches)).toEqual([
    ...[true, true, true, true],
  ]);
  expect(["git log", "pip list", "curler", "constructor install"].map(reaches)).toEqual([
    ...[false, false, false, false],
  ]);
  expect(reaches(`${"a ".repeat(399)}curl`)).toBe(true);
  expect(reaches(`${"a ".repeat(400)}curl`)).toBe(false);
  expect(isDownloader("curl")).toBe(false);
  expect([isBelow("a.b.c", new Set(["a.b"])), isBelow("a.bc", new Set(["a.b"]))]).toEqual([
    true,
    false,
  ]);
});

it("[INS38] by words each pattern is found at its first line, where the real guard lets it pass at none", () => {
  const lines = (text: string, table: "seed" | "real") =>
    patternHits(text, table).map(({ pattern, line }) => `${line} ${pattern}`);

  expect(lines("\nimport requests\nrequests.get(u)\n", "seed")).toEqual(["2 requests"]);
  expect(lines("open(p, mode='wb')", "seed")).toEqual(["1 open(…, write mode)"]);
  expect(lines("open(p, 'rb')", "seed")).toEqual([]);
  // The real guard looks at what stands before a hit, in its line alone.
  expect(lines("fileopenopen(x)\nreopenopen(y)", "real")).toEqual([]);
  expect(lines("reopenopen(x); open(y)\nopen(z)", "real")).toEqual(["2 open("]);
  expect(lines("reopen\nopen(x)", "real")).toEqual(["2 open("]);
  expect(threatHits("a\nSUDO b\nsudo c").map(({ pattern, line }) => [pattern, line])).toEqual([
    ["sudo", 2],
  ]);
  expect(
    (["low", "medium", "high", "critical"] as const).map((severity) => isBarring({ severity })),
  ).toEqual([false, false, true, true]);
  const line = lineFinder("a\nb\n\nc");
  expect([0, 1, 2, 3, 4, 5].map(line)).toEqual([1, 1, 2, 2, 3, 4]);
});
