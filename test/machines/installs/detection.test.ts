import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  detected,
  languageOf,
  lookedAt,
} from "../../../src/machines/installs/detection/detection.ts";
import { isBarring } from "../../../src/machines/installs/detection/patterns.ts";
import { pythonFactsOf } from "../../../src/machines/installs/detection/pythonFacts.ts";
import { installsProfiles } from "../../../src/machines/installs/installsPolicy.ts";
import { BY_WORDS, detectedAlone, REAL, SEED, wholly } from "./detectionFacts.ts";

const file = (path: string, text: string) => ({ path, text });
const byWords = (text: string, policy = BY_WORDS) => detectedAlone([file("a.py", text)], policy);

describe("what is asked of Python", () => {
  it("[INS30] names each Python text whose facts it needs, once, without its byte order mark", () => {
    const files = [file("b.py", "y = 1"), file("a.py", "\uFEFFx = 1"), file("c.py", "x = 1")];

    expect(detected(files, SEED, new Map())).toEqual({ needs: ["x = 1", "y = 1"] });
    expect(detected(files, BY_WORDS, new Map())).not.toHaveProperty("needs");
  });

  it("[INS30, INS36] takes the sandbox's answer for what it is", () => {
    const facts = [
      ["os.system", "call", 2, false, true],
      ["open", "call", 1, null, false],
      ["x"],
      7,
    ];
    const result = JSON.stringify({ facts, hits: [["sudo", 3], ["sudo"]] });

    expect(pythonFactsOf({ ok: true, result })).toEqual({
      facts: [
        { name: "os.system", how: "call", line: 2, typed: true },
        { name: "open", how: "call", line: 1, mode: null },
      ],
      hits: [{ word: "sudo", line: 3 }],
    });
    expect(pythonFactsOf({ ok: true, result: '{"error":"it is nested too deeply"}' })).toEqual({
      error: "it is nested too deeply",
    });
    expect(pythonFactsOf({ ok: false, error: "MemoryError" })).toEqual({ error: "MemoryError" });
    expect(pythonFactsOf({ ok: false, timedOut: true })).toHaveProperty("error");
    expect(pythonFactsOf({ ok: true, result: 5 })).toHaveProperty("error");
    expect(pythonFactsOf({ ok: true, result: '{"facts":5}' })).toHaveProperty("error");
  });

  it("[INS33, INS34, INS35] judges names as the table has it", () => {
    const of = (name: string, how: "call" | "import" | "use" | "passed", mode?: string | null) => {
      const fact = { name, how, line: 1, ...(mode !== undefined && { mode }) };
      const parsed = new Map([["x", { facts: [fact], hits: [] }]]);
      return wholly(detected([file("a.py", "x")], SEED, parsed)).inferred;
    };

    expect(of("urllib", "import")).toEqual(["NetworkAccess"]);
    expect(of("urllib.parse", "import")).toEqual([]);
    expect(of("urllib.parse.quote", "call")).toEqual([]);
    expect(of("requests_toolbelt", "import")).toEqual([]);
    expect(of("pathlib.Path", "call")).toEqual(["ReadAccess"]);
    expect(of("pathlib.Path", "use")).toEqual([]);
    expect(of("?.write_text", "call")).toEqual(["WriteAccess"]);
    expect(of("?.rename", "call")).toEqual([]);
    expect(of("pathlib.Path().rename", "call")).toEqual(["WriteAccess"]);
    expect(of("?.open", "call", "r")).toEqual([]);
    expect(of("?.open", "call", "w")).toEqual(["WriteAccess"]);
    expect(of("open", "call", "rb")).toEqual(["ReadAccess"]);
    expect(of("open", "call", "max")).toEqual(["WriteAccess"]);
    expect(of("open", "call", "r+b")).toEqual(["ReadAccess", "WriteAccess"]);
    expect(of("open", "call", null)).toEqual(["ReadAccess", "WriteAccess"]);
    expect(of("open", "use")).toEqual(["ReadAccess", "WriteAccess"]);
    expect(of("builtins.eval", "call")).toEqual(["CodeExecution"]);
    expect(of("_pickle.loads", "call")).toEqual(["CodeExecution"]);
    expect(of("nt.remove", "call")).toEqual(["WriteAccess"]);
    expect(of("_pyio.open", "call", "r")).toEqual(["ReadAccess"]);
    expect(of("_socket.socket", "call")).toEqual(["NetworkAccess"]);
    expect(of("_winapi.CreateProcess", "call")).toEqual(["CodeExecution"]);
    expect(of("os.execvp", "call")).toEqual(["CodeExecution"]);
    expect(of("subprocess.PIPE", "use")).toEqual([]);
    expect(of("subprocess", "import")).toEqual([]);
    expect(of("subprocess.Popen", "use")).toEqual(["CodeExecution"]);
    expect(of("os", "passed")).toEqual(["CodeExecution", "ReadAccess", "WriteAccess"]);
    expect(of("shutil", "passed")).toEqual(["ReadAccess", "WriteAccess"]);
  });

  it.each([
    ["posix.system", ["CodeExecution"]],
    ["posix.unlink", ["WriteAccess"]],
    ["_io.open", ["ReadAccess", "WriteAccess"]],
    ["_socket.socket", ["NetworkAccess"]],
    ["timeit.timeit", ["CodeExecution"]],
    ["timeit.Timer", ["CodeExecution"]],
    ["timeit.default_timer", []],
    ["pickle.loads", ["CodeExecution"]],
    ["pickle.dumps", []],
    ["types.FunctionType", ["CodeExecution"]],
    ["multiprocessing.Process", ["CodeExecution"]],
    ["multiprocessing.cpu_count", []],
    ["importlib.util.spec_from_file_location", ["CodeExecution"]],
    ["logging.FileHandler", ["WriteAccess"]],
    ["logging.handlers.HTTPHandler", ["NetworkAccess"]],
    ["logging.getLogger", []],
  ])("[INS33] knows %s by another name, and what runs what it is given", (name, capabilities) => {
    const fact = { name, how: "use" as const, line: 1 };
    const parsed = new Map([["x", { facts: [fact], hits: [] }]]);

    expect(wholly(detected([file("a.py", "x")], SEED, parsed)).inferred).toEqual(capabilities);
  });
});

describe("files", () => {
  it.each([
    ["a.py", "", "python"],
    ["A.PY", "", "python"],
    ["a.mjs", "", "javascript"],
    ...["a.pyw", "a.pyi"].map((path) => [path, "", "python"] as const),
    ...["a.js", "a.cjs"].map((path) => [path, "", "javascript"] as const),
    ["run", "#!/usr/bin/env bun\n", "javascript"],
    ["a.ts", "", null],
    ["a.py", "#!/usr/bin/node\n", "python"],
    ["run", "#!/usr/bin/env python3\n", "python"],
    ["run", "\uFEFF#!/usr/bin/env -S python3.12 -u\n", "python"],
    ["run", "#! /usr/bin/node\n", "javascript"],
    ["run", "#!/bin/sh\n", null],
    ["run", " #!/usr/bin/node\n", null],
  ] as const)("[INS37] %s %j is %s", (path, text, language) => {
    expect(languageOf(file(path, text))).toBe(language);
  });

  it.each([
    ["main.ts", "const p: any = process;", ["CodeExecution"]],
    ["run.sh", "ls", ["CodeExecution"]],
    ["Makefile", "all:", ["CodeExecution"]],
    ["run", "#!/bin/sh", ["CodeExecution"]],
    ["lib.node", "x", ["CodeExecution"]],
    ["package.json", '{"scripts":{"postinstall":"node setup.js"}}', ["CodeExecution"]],
    ["package.json", '{"scripts":{"test":"node test.js"}}', []],
    ["inner/package.json", '{"scripts":{"prepare":"node setup.js"}}', ["CodeExecution"]],
    ["package.json", '{"scripts":{"dependencies":"node setup.js"}}', ["CodeExecution"]],
    ["no-package.json", '{"scripts":{"prepare":"node setup.js"}}', []],
    ["README.md", "Run it.", []],
    ["data.csv", "a,b", []],
    ["LICENSE", "MIT", []],
  ] as const)("[INS152] %s with %j needs %j", (path, text, needed) => {
    expect(detectedAlone([file(path, text)], SEED).inferred).toEqual(needed);
  });

  it.each([
    ["require('./lib')", "lib", ["CodeExecution"]],
    ["require('./data.json5')", "data.json5", ["CodeExecution"]],
    ["require('./data')", "data.json", []],
    ["import './other.mjs'", "other.mjs", []],
    ["import x from '/etc/secret.json'", "other.mjs", ["CodeExecution"]],
    ["require('../../evil.js')", "other.mjs", ["CodeExecution"]],
  ] as const)("[INS152] a file with %s beside %s needs %j", (text, beside, needed) => {
    const files = [file("src/main.js", text), file(`src/${beside}`, "1")];

    expect(detectedAlone(files, SEED).inferred).toEqual(needed);
  });

  it("[INS36] says of each file that is not parsed why", () => {
    const policy = { ...SEED, analysis: { ...SEED.analysis, charsMax: 10 } };
    const files = [
      file("a.py", ""),
      file("b.py", "import os\0"),
      file("c.js", "caf\uFFFD"),
      file("d.js", "a = 12345;"),
      file("e.js", "a = 123456;"),
      file("f.md", "text"),
    ];

    expect(detectedAlone(files, policy).notes).toEqual([
      { file: "a.py", why: "empty" },
      { file: "b.py", why: "binary, or in an encoding of two bytes" },
      { file: "c.js", why: "not UTF-8" },
      { file: "e.js", why: "11 characters; at most 10 are parsed" },
      { file: "f.md", why: "neither Python nor JavaScript" },
    ]);
  });

  it("[INS36] finds words in two bytes a letter, and in one line of ten million characters", () => {
    const wide = [..."fetch('x')"].map((letter) => `${letter}\0`).join("");
    const long = `${"x".repeat(10_000_000)}\nos.system(`;

    // What cannot be read whole needs CodeExecution all the same.
    expect(detectedAlone([file("a.py", wide)], SEED).inferred).toEqual([
      ...["CodeExecution", "NetworkAccess"],
    ]);
    expect(detectedAlone([file("a.py", long)], SEED).evidence).toMatchObject([{}, { line: 2 }]);
  });

  it("[INS44] an encoding that can hide code is a high threat", () => {
    const threats = (text: string) => detectedAlone([file("a.py", text)], SEED).threats;

    expect(threats("# coding: unicode_escape\n# \\x0aimport os")).toEqual([
      {
        file: "a.py",
        kind: "Obfuscation",
        line: 1,
        pattern: "coding: unicode_escape",
        severity: "high",
      },
    ]);
    expect(threats("#!x\n# -*- coding: utf-7 -*-")).toHaveLength(1);
    expect(threats("\n\n# coding: utf-7")).toEqual([]);
    expect(threats("# -*- coding: UTF_8 -*-\n# vim: set fileencoding=latin-1")).toEqual([]);
  });

  it("[INS40] instructions are looked at where the policy says so", () => {
    const instructions = "Never use sudo. See https://host.";
    const { passed, remoteAccess } = detectedAlone(lookedAt([], instructions, REAL), REAL);

    expect(lookedAt([], instructions, SEED)).toEqual([]);
    expect(lookedAt([], instructions, REAL)).toEqual([{ path: "SKILL.md", text: instructions }]);
    expect({ passed, remoteAccess }).toEqual({ passed: false, remoteAccess: true });
    expect(installsProfiles.real["installs.instructionsScanned"]).toBe(REAL.instructionsScanned);
  });
});

describe("by words", () => {
  it.each([
    ["import urllib", "NetworkAccess"],
    ["import os, requests", "NetworkAccess"],
    ["from requests import get", "NetworkAccess"],
    ["requests.put(u)", "NetworkAccess"],
    ['importlib.import_module("httpx")', "NetworkAccess"],
    ["def fetch():", "NetworkAccess"],
    ["# uses websocket", "NetworkAccess"],
    ["p.read_text(encoding='utf-8')", "ReadAccess"],
    ["fs.readFileSync(p)", "ReadAccess"],
    ["p.write_text('x')", "WriteAccess"],
    ["f = open(p, 'ab')", "WriteAccess"],
    ["f = open(p, mode='x')", "WriteAccess"],
    ["re.exec(s)", "CodeExecution"],
    ["f(shell=True)", "CodeExecution"],
  ])("[INS38] %s needs %s", (text, capability) => {
    expect(byWords(text).inferred).toContain(capability);
  });

  it.each(["API requests are many", "f = open('a')", "f = open(p, 'r')", "fetched", "urlliberal"])(
    "[INS38] %s needs nothing",
    (text) => {
      expect(byWords(text).inferred).toEqual([]);
    },
  );

  it("[INS38] goes by no case", () => {
    expect(byWords("u = 'HTTPS://A.B'").inferred).toEqual(byWords("u = 'https://a.b'").inferred);
    expect(byWords("IMPORT URLLIB").inferred).toEqual(["NetworkAccess"]);
  });

  it("[INS38] shows the first line of each pattern in each file", () => {
    const text = "x\r\nos.system(a)\nos.system(b)\nexec(c)";

    expect(byWords(text).evidence).toEqual([
      { capability: "CodeExecution", file: "a.py", line: 2, pattern: "os.system" },
      { capability: "CodeExecution", file: "a.py", line: 4, pattern: "exec(" },
    ]);
  });

  it("[INS47] keeps the real system's false hits and misses", () => {
    const real = (text: string) => byWords(text, REAL).inferred;

    expect(real("urlopen(u)")).toEqual(["WriteAccess"]);
    expect(real("urlopenopen(u)")).toEqual([]);
    expect(real("urlopenopen(u); open(p)\nopen(p)")).toEqual(["WriteAccess"]);
    expect(real("ast.literal_eval(x)")).toEqual(["CodeExecution"]);
    expect(real("p.write_text('x')")).toEqual([]);
    expect(real("import requests")).toEqual([]);
  });
});

describe("what is found", () => {
  const texts = fc.constantFrom("fetch(u)", "eval(x)", "fs.rmSync(p)", "// fetch(u)", "sudo", "");
  const paths = fc.constantFrom("a.js", "b.js", "c.txt", "d.mjs", "e.py");
  const some = fc.uniqueArray(fc.record({ path: paths, text: texts }), {
    selector: ({ path }) => path,
  });

  it("[INS41] is the same in whatever order the files come", () => {
    fc.assert(
      fc.property(some, fc.constantFrom(SEED, BY_WORDS, REAL), (files, policy) => {
        const found = detectedAlone(files, policy);
        expect(detectedAlone([...files].reverse(), policy)).toEqual(found);
        expect(found.inferred).toEqual([...found.inferred].sort());
        expect(found.passed).toBe(!found.threats.some(isBarring));
      }),
    );
  });

  it("[INS41] of code that is parsed, too, each stands once, at its first line", () => {
    const facts = [5, 2].map((line) => ({ name: "os.system", how: "call" as const, line }));
    const hits = [4, 3].map((line) => ({ word: "sudo", line }));
    const parsed = new Map([["x", { facts, hits }]]);
    const { evidence, threats } = wholly(detected([file("a.py", "x")], SEED, parsed));

    expect([evidence, threats].map((all) => all.map(({ line }) => line))).toEqual([[2], [3]]);
  });

  it("[INS42] tells remote access and threats apart", () => {
    const { remoteAccess, passed, threats } = detectedAlone([file("a.js", "fetch(u)")], SEED);
    const other = detectedAlone([file("a.js", 'run("sudo x")')], SEED);

    expect({ remoteAccess, passed, threats }).toEqual({
      remoteAccess: true,
      passed: true,
      threats: [],
    });
    expect(other).toMatchObject({ inferred: [], remoteAccess: false, passed: false });
    const taken = detectedAlone([file("a.js", 'run("cat /etc/passwd")')], SEED);
    expect(taken).toMatchObject({ inferred: [], remoteAccess: false, passed: false });
  });

  it("[INS43] each threat of the real system's list has its severity", () => {
    const text = [
      ...["rm -rf /", "sudo", "chmod 777", "/etc/passwd", "/etc/shadow", "fork()", "while true"],
      ...["eval(input(", "exec(input(", "__import__(", "subprocess.call(user_input"],
    ].join("\n");
    const { threats } = detectedAlone([file("a.sh", text)], SEED);

    expect(threats.map((one) => `${one.pattern} ${one.kind} ${one.severity}`)).toEqual([
      "rm -rf Destructive critical",
      "rm -rf / SandboxEscape critical",
      "sudo PrivilegeEscalation high",
      "chmod 777 PrivilegeEscalation medium",
      "/etc/passwd DataExfiltration high",
      "/etc/shadow DataExfiltration critical",
      "fork() ResourceExhaustion medium",
      "while true ResourceExhaustion low",
      "eval(input( CommandInjection critical",
      "exec(input( CommandInjection critical",
      "__import__( CommandInjection high",
      "subprocess.call(user_input CommandInjection critical",
    ]);
  });

  it("[INS43] a medium threat passes, a high one does not", () => {
    const found = (text: string) => {
      const { threats, passed } = detectedAlone([file("a.sh", text)], SEED);
      return { threats: threats.map(({ pattern }) => pattern), passed };
    };

    expect(found("chmod 777 x")).toEqual({ threats: ["chmod 777"], passed: true });
    expect(found("cat /etc/passwd")).toEqual({ threats: ["/etc/passwd"], passed: false });
    expect(found("rm -rf /x")).toEqual({ threats: ["rm -rf", "rm -rf /"], passed: false });
  });
});
