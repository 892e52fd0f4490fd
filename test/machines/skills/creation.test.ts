// What create_skill looks at before it runs anything, and what it makes of the run.
import { describe, expect, it } from "vitest";
import {
  type CreationArgs,
  creationFault,
  skillNameFault,
} from "../../../src/machines/skills/creation.ts";
import { repairLine } from "../../../src/machines/skills/normalise.ts";
import {
  executionText,
  resultOfText,
  runCause,
  type ScriptResult,
  scriptResult,
  scriptRun,
  skillResultClass,
  tddCause,
  tddVerdict,
} from "../../../src/machines/skills/scriptRun.ts";
import { callDescription, wrapOf } from "../../../src/machines/skills/skillListing.ts";

const args: CreationArgs = {
  name: "adder",
  description: "adds",
  parameters_schema: '{"type":"object"}',
  python_code: "print(1)",
  test_payload: "{}",
};
const taken = new Map([["read_file", "a builtin"]]);
const faultOf = (change: CreationArgs) => creationFault({ ...args, ...change }, taken);

describe("creationFault", () => {
  it("[SK10] takes a whole request", () => {
    expect(creationFault(args, taken)).toBeNull();
    expect(faultOf({ parameters_schema: "[1,2]" })).toBeNull();
  });

  it.each([
    ["missing-argument", { test_payload: "" }, "no test_payload"],
    ["missing-argument", { name: null, python_code: "" }, "no name, no python_code"],
    ["name", { name: "9a" }, '"9a"'],
    ["name-taken", { name: "read_file" }, "read_file, the name of a builtin"],
    ["parameters-schema", { parameters_schema: "{bad" }, 'a text that is no JSON: "{bad"'],
    [
      "parameters-schema",
      { parameters_schema: { type: "object" } },
      'JSON that is no text: {"type":"object"}',
    ],
    ["test-payload", { test_payload: "{'a': 1}" }, `a text that is no JSON: "{'a': 1}"`],
    ["test-payload", { test_payload: "1e309" }, 'a number past all bounds: "1e309"'],
    ["test-payload", { test_payload: '{"__proto__":1}' }, `a key __proto__: "{\\"__proto__\\":1}"`],
    [
      "test-payload",
      { test_payload: '"\\ud800"' },
      `half a character, a lone surrogate: ${JSON.stringify('"\\ud800"')}`,
    ],
    [
      "no-text",
      { python_code: ["import sys", "print(1)"] },
      'python_code ["import sys","print(1)"]',
    ],
    ["no-text", { description: { says: "x" } }, 'description {"says":"x"}'],
  ] as const)("[SK10] refuses: %s %o", (cause, change, found) => {
    expect(faultOf(change)).toMatchObject({ cause, found });
  });

  it("[SK10] tells the first fault of several", () => {
    const all = { name: "9a", parameters_schema: "{", test_payload: "{" };

    expect(faultOf({ ...all, description: "" })?.cause).toBe("missing-argument");
    expect(faultOf(all)?.cause).toBe("name");
    expect(faultOf({ ...all, name: "read_file", description: 1 })?.cause).toBe("name-taken");
    expect(faultOf({ ...all, name: "a", description: 1 })?.found).toBe("description 1");
    expect(faultOf({ ...all, name: "a", python_code: ["x"] })?.cause).toBe("no-text");
    expect(faultOf({ description: 1, python_code: ["x"] })?.found).toBe("description 1");
    expect(faultOf({ ...all, name: "a" })?.cause).toBe("parameters-schema");
    expect(faultOf({ ...all, name: "a", parameters_schema: "1" })?.cause).toBe("test-payload");
  });

  it("[SK10] a name has 64 characters at most, none of which could lead elsewhere", () => {
    expect(["_x", "a", "A".repeat(64)].map(skillNameFault)).toEqual([null, null, null]);
    const bad = ["", "A".repeat(65), "9a", "a b", "../x", "a.py", "x\n", "é", "__proto__", 5, null];
    expect(bad.filter((name) => skillNameFault(name) === null)).toEqual([]);
  });
});

describe("the test run", () => {
  const verdict = (exitCode: number | null, stdout: string, stderr = "", stderrCounts = false) =>
    tddVerdict({ exitCode, stdout, stderr }, { stderrCounts });

  it("[SK11] passes with exit code 0 and a stdout that is not blank", () => {
    expect(verdict(0, "3\n")).toEqual({ passed: true, printed: "3\n" });
    expect(verdict(1, "3\n", "ValueError: bad")).toMatchObject({ cause: "ValueError: bad" });
    expect(verdict(null, "3")).toMatchObject({ passed: false, cause: "3" });
    expect(verdict(0, " \n")).toMatchObject({
      passed: false,
      cause: "script exited 0 but printed nothing to stdout",
    });
  });

  it("[SK11] passes whatever it prints, be it an error, a refusal or what was asked of it", () => {
    const prints = ["Error: no such city", "Traceback (most recent call last):", "FAILED", "None"];
    const passed = ["0", "false", "{}", "ok", ...prints].map((text) => verdict(0, `${text}\n`));

    expect(passed.filter((one) => !one.passed)).toEqual([]);
  });

  it("[SK11] blank is what Python's strip leaves nothing of: a byte order mark is something", () => {
    expect(verdict(0, "\ufeff\n").passed).toBe(true);
    expect(verdict(0, "\x1c\x85\u2003\n").passed).toBe(false);
  });

  it("[SK11] counts stderr only where the policy says so", () => {
    expect(verdict(0, "", "warning").passed).toBe(false);
    expect(verdict(0, "", "warning", true).passed).toBe(true);
  });

  it("[SK11] only the first exit code counts, and a program may print another", () => {
    const failed = resultOfText("EXIT CODE: 1\nSTDOUT/STDERR:\nEXIT CODE: 0\n");

    expect(failed.exitCode).toBe(1);
    const shown = (exitCode: number) => executionText({ exitCode, stdout: " ", stderr: "" });
    expect([0, 1].map((code) => shown(code).includes("no output was printed"))).toEqual([
      ...[true, false],
    ]);
    expect(resultOfText(executionText({ exitCode: 0, stdout: "", stderr: "" }))).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  });

  it("[SK11] is asked of the sandbox with the program, its path and its payload", () => {
    const { name, code, params } = scriptRun("print(1)", "test_skill.py", ["{}"]);

    expect(code).toContain(`def ${name}(`);
    expect(params).toEqual({ code: "print(1)", path: "test_skill.py", arguments: ["{}"] });
  });

  it("[SK11] what the sandbox stopped has printed nothing", () => {
    const result = { exitCode: 3, stdout: "a", stderr: "b" };

    expect(scriptResult({ ok: true, result })).toEqual(result);
    expect(scriptResult({ ok: true, result: { ...result, cause: "KeyError" } }).cause).toBe(
      "KeyError",
    );
    for (const [field, value] of Object.entries({ exitCode: "3", stdout: 1, stderr: null })) {
      expect(scriptResult({ ok: true, result: { ...result, [field]: value } })).toEqual({
        ...{ exitCode: null, stdout: "", stderr: "" },
      });
    }
    expect(scriptResult({ ok: false, timedOut: true, error: "late" }).exitCode).toBe(124);
    expect(scriptResult({ ok: false, error: "MemoryError" })).toEqual({
      exitCode: 137,
      stdout: "",
      stderr: "MemoryError",
    });
    expect(scriptResult({ ok: true, result: 1 }).exitCode).toBeNull();
  });

  it.each([
    ["", "unknown cause"],
    ["STDOUT/STDERR:\n \n", "no diagnostic output"],
    ["STDOUT/STDERR:\nTypeError: a\nValueError: b\nmore", "ValueError: b"],
    ["STDOUT/STDERR:\nfirst\nSYSTEM ERROR: no", "SYSTEM ERROR: no"],
    ["STDOUT/STDERR:\nfirst\nrequests.exceptions.Timeout: late", "first"],
    [`ValueError: ${"x".repeat(300)}`, `ValueError: ${"x".repeat(188)}`],
  ])("[SK12] the cause of %j", (text, cause) => {
    expect(tddCause(text)).toBe(cause);
  });

  const raised = (last: string) =>
    `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    f()\n${last}\n`;

  it.each<[string, Partial<ScriptResult>, string]>([
    [
      "an exception with a dotted name",
      { cause: "json.decoder.JSONDecodeError: Expecting value" },
      "json.decoder.JSONDecodeError: Expecting value",
    ],
    [
      "one without words, behind what was printed",
      { stdout: "loading\n", cause: "AssertionError\n" },
      "AssertionError",
    ],
    ["one of several lines", { cause: "Boom: x y\nValueError: no" }, "Boom: x y"],
    [
      "one too long for its line",
      { cause: `ValueError: ${"x".repeat(2_000)}` },
      `ValueError: ${"x".repeat(188)}`,
    ],
    [
      "one that was caught and printed",
      { stderr: raised("socket.gaierror: [Errno -2] no") },
      "socket.gaierror: [Errno -2] no",
    ],
    [
      "the last of two",
      { stderr: raised("ValueError: a") + raised("KeyboardInterrupt") },
      "KeyboardInterrupt",
    ],
    [
      "one named behind the traceback",
      { stderr: `${raised("Boom")}RuntimeError: gave up` },
      "RuntimeError: gave up",
    ],
    [
      "the last of two behind one trace",
      { stderr: `${raised("KeyError: 'a'")}RuntimeError: gave up\nbye\n` },
      "RuntimeError: gave up",
    ],
    ["no exception", { stdout: "first\nsecond" }, "first"],
  ])("[SK12] the cause of a run that ended by %s", (_, result, cause) => {
    expect(runCause({ exitCode: 1, stdout: "", stderr: "", ...result })).toBe(cause);
  });

  it.each([
    ["EXIT CODE: 0", "ok"],
    ["EXIT CODE: 143", "fail"],
    ["EXIT CODE: 124 (timed out)", "infra"],
    ["EXIT CODE: 137", "infra"],
    ["EXIT CODE: 1\n[SYSTEM ERROR]: x", "infra"],
    ["EXIT CODE: 1\nCritical Tool Error: x", "infra"],
    ["EXIT CODE: 1\n[SANDBOX JOB PROMOTED]", "infra"],
    ["  Traceback (most recent", "fail"],
    ["error: in small letters", "ok"],
  ])("[SK15, SK44] a call with %j counts as %s", (text, counted) => {
    expect(skillResultClass(text)).toBe(counted);
  });

  it.each([
    ["x \\", "x"],
    ["x \\\\", "x \\\\"],
    ["x \\ # why", "x  # why"],
    ["print(1)``", "print(1)"],
  ])("[SK8] repairs the end of a line: %j", (line, repaired) => {
    expect(repairLine(line)).toBe(repaired);
  });
});

it.each([
  ["took too long", { timedOut: true, exitCode: 9 }, 124, "infra"],
  ["had no memory, or whose process is lost", {}, 137, "infra"],
  ["ended its own interpreter", { exitCode: 7 }, 7, "fail"],
  ["was interrupted", { exitCode: 130 }, 130, "fail"],
  ["was aborted", { exitCode: 134 }, 134, "fail"],
  ["misused memory", { exitCode: 139 }, 139, "fail"],
  ["reached for the host", { exitCode: 159 }, 159, "fail"],
])("[SK44] of a run that %s nothing printed is left", (_, ended, exitCode, counted) => {
  const result = { exitCode: 0, stdout: "printed", stderr: "" };
  const run = scriptResult({ ok: false, error: "over", result, ...ended });

  expect(run).toEqual({ exitCode, stdout: "", stderr: "over" });
  expect(skillResultClass(executionText(run))).toBe(counted);
});

describe("how a skill is shown", () => {
  const shown = (parametersSchema: Parameters<typeof callDescription>[0]["parametersSchema"]) =>
    callDescription({ name: "top_news", description: "Top news.", parametersSchema });

  it("[SK13] with its own call and the three forbidden wraps", () => {
    const properties = { city: { type: "string" }, limit: { type: "integer" } };
    const text = shown({ type: "object", properties, required: ["city"] });

    expect(text).toContain("[ACQUIRED SKILL — CALL BY NAME] Top news.");
    expect(text).toContain('top_news(city="…")');
    expect(text).toContain("`python -c`, `import top_news`, `python3 acquired_skills/top_news.py`");
  });

  it("[SK13] an example takes what its schema says, whatever that is", () => {
    const properties = { a: { default: 2 }, b: { enum: ["x"] }, c: { type: "odd" }, d: 1 };

    expect(shown({ properties })).toContain('top_news(a=2, b="x", c="…", d="…")');
    expect(shown([1, 2])).toContain("top_news()");
  });

  it.each([
    ["python -c 'import top_news; top_news.run()'", "python -c"],
    ['python3 -c "print(top_news())"', "python -c"],
    ["import top_news", "import"],
    ["import os, top_news as t", "import"],
    ["from acquired_skills.top_news import main", "import"],
    ["from acquired_skills import top_news", "import"],
    ["python3 acquired_skills/top_news.py '{}'", "python3 acquired_skills"],
    ["cd / && python3 /ghost/acquired_skills/top_news.py", "python3 acquired_skills"],
  ])("[SK47] finds the wrap in %j", (text, wrap) => {
    expect(wrapOf(text, ["other", "top_news"])).toEqual({ wrap, name: "top_news" });
  });

  it.each(["python -c 'print(1)'", "import top_news_two", "cat acquired_skills/top_news.py"])(
    "[SK47] finds none in %j",
    (text) => {
      expect(wrapOf(text, ["top_news"])).toBeNull();
    },
  );
});
