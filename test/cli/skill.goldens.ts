// `skill` on real Python, each command with a sandbox of its own: what its table and its batch do not show.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { linesOf, skillBatch } from "./skillBatch.ts";

const cwd = newFolder();
const write = (name: string, text: string): string => {
  writeFileSync(join(cwd, name), text);
  return name;
};

const clean = write("clean.py", "import sys\nprint(sys.argv[1])\n");
const wrapped = write("wrapped.py", "<![CDATA[\nprint(&quot;x&quot;)\n]]>");
const cut = write("cut.py", "print((1");
const raising = write("raising.py", "print(1)\nraise ValueError('no\\n\\x1b[2Jverdict')");

describe("skill normalize", () => {
  it("[SK18] prints what is left, and says on stderr what was taken off", async () => {
    expect(await ghostlight(["skill", "normalize", wrapped], { cwd })).toEqual({
      code: 0,
      stdout: 'print("x")',
      stderr: "the CDATA envelope taken off; HTML entities decoded\n",
    });
    // A byte order mark is of the file, and stays in front of what is left.
    const marked = write("marked.py", "\ufeff<![CDATA[print(1)]]>");
    expect((await ghostlight(["skill", "normalize", marked], { cwd })).stdout).toBe(
      "\ufeffprint(1)",
    );
  });

  it.each([
    ["of other lines", "x = 1\r\nprint(x)\r"],
    ["with a form feed and without a last newline", "x = 1\n\f\nprint('\x1b')"],
    ["with a byte order mark", "\ufeffprint(1)\n"],
    ["that is empty", ""],
  ])("[SK18] leaves a file %s byte for byte, in a pipe", async (_, text) => {
    const said = await ghostlight(["skill", "normalize", write("kept.py", text)], { cwd });

    expect(said).toMatchObject({ code: 0, stdout: text });
  });

  it("[SK18] says why it refuses, and what to send, and exits 1", async () => {
    const { code, stdout } = await ghostlight(["skill", "normalize", cut], { cwd });

    expect(code).toBe(1);
    expect(stdout).toMatch(/^verdict {2}refused: truncated-stream\nfound {4}.*\ntodo {5}Send /);
  });

  it("[SK18] a policy's switch holds, and of several files there is one JSON object", async () => {
    const said = await json(["skill", "normalize", clean, cut, "--set", "skills.heal=on"], { cwd });

    expect(said).toMatchObject({
      files: [
        { file: "clean.py", verdict: "clean" },
        { file: "cut.py", code: "print((1\n))" },
      ],
    });
  });
});

it("[SK19] gives the cause on one line, and forges no verdict", async () => {
  const { code, stdout } = await ghostlight(["skill", "check", raising, "--payload", "{}"], {
    cwd,
  });

  expect(code).toBe(1);
  expect(stdout.match(/^verdict .*$/gm)).toEqual(["verdict  refused: test-run"]);
  expect(stdout).toContain("found    ValueError: no\n");
});

it("[SK19] a batch registers and refuses line by line", async () => {
  const fields = { name: "a", description: "d", parameters_schema: "{}", test_payload: "{}" };
  const good = JSON.stringify({ id: 1, ...fields, python_code: "print(1)" });
  const refused = JSON.stringify({ id: 2, ...fields, python_code: "x = 1" });
  const said = await skillBatch("check", [good, '{"id": 3}', refused], cwd);

  expect(said.code).toBe(2);
  expect(linesOf(said)).toMatchObject([
    { id: 1, verdict: "registered" },
    { id: 3, error: "python_code: found undefined; allowed: a text" },
    { id: 2, state: "testing" },
  ]);
});
