import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shownCode } from "../../src/actors/skills/edge/commands/skillText.ts";
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

describe("skill normalize", () => {
  it("[SK18] of several files says a line each, and exits 1 when one is refused", async () => {
    const said = await ghostlight(["skill", "normalize", clean, wrapped, cut], { cwd });

    expect(said.code).toBe(1);
    expect(said.stdout).toMatch(
      /clean\.py +\| clean +\|.*\n.*wrapped\.py +\| changed .*\n.*cut\.py +\| refused/,
    );
  });

  it.each([
    [["skill", "normalize"], "neither a file nor --batch"],
    [["skill", "normalize", "a.py", "--batch"], "a file and --batch"],
    [["skill", "normalize", "gone.py"], "gone.py: found no such file; allowed: a file"],
    [["skill", "check", "clean.py"], "--payload: found none; allowed: JSON"],
    [
      ["skill", "check", "a.py", "b.py", "--payload", "{}", "--name", "n"],
      "--name: found one name for 2 files",
    ],
  ])(
    "[SK18, SK19] bad usage exits 2 and names place, finding and what is allowed: %j",
    async (args, found) => {
      const { code, stdout, stderr } = await ghostlight(args, { cwd });

      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(found);
    },
  );
});

it("[SK10, SK19] skill check refuses the names that a world refuses, and takes a file's name for a missing one", async () => {
  const line = (more: object) =>
    JSON.stringify({
      ...{ description: "d", parameters_schema: "{}", python_code: "print(1)", test_payload: "{}" },
      ...more,
    });
  const lines = [
    ...["fs_write", "create_skill", "__proto__"].map((name) => line({ name })),
    ...["fs_write.py", "a/b.py"].map((filename) => line({ filename })),
    line({ name: "", filename: 7 }),
  ];
  const said = linesOf(await skillBatch("check", lines, cwd));

  expect(said.map(({ refusal }) => refusal.cause)).toEqual([
    ...["name-taken", "name-taken", "name", "name-taken", "name", "missing-argument"],
  ]);
});

it("[SK18] code goes out as it is, but on a terminal nothing of it steers that, and it is said", () => {
  const code = "\ufeffprint(1)\r\n\f";

  expect(shownCode(code, false)).toEqual({ text: code, note: null });
  expect(shownCode("", true)).toEqual({ text: "", note: null });
  expect(shownCode("print(1)", true)).toEqual({ text: "print(1)\n", note: null });
  expect(shownCode(code, true)).toEqual({
    text: "\ufeffprint(1)\\u{d}\n\\u{c}\n",
    note: expect.stringContaining("written out here"),
  });
});

describe("skill check", () => {
  const check = (args: readonly string[]) => ghostlight(["skill", "check", ...args], { cwd });

  it("[SK19] says what would be registered, and how a model is shown it", async () => {
    const schema = '{"properties": {"city": {"type": "string"}}}';
    const said = await check([
      clean,
      "--payload",
      '{"a": 1}',
      "--name",
      "echo",
      "--schema",
      schema,
    ]);

    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain('test     exit code 0, printed {"a": 1}\n');
    expect(said.stdout).toContain("verdict  would be registered\n");
    expect(said.stdout).toContain("/acquired_skills/echo.py\n");
    expect(said.stdout).toContain('Call it directly: echo(city="…")\n');
  });

  it("[SK19] a refusal of the arguments says what is allowed", async () => {
    const args = ["skill", "check", clean, "--payload", "{", "--name", "9a"];
    const said = await json(args, { cwd });

    expect((await ghostlight(args, { cwd })).code).toBe(1);
    expect(said).toMatchObject({
      verdict: "refused",
      state: "arguments",
      refusal: { cause: "name" },
    });
  });

  it.each([
    ["[]", "--schema: found []: no object; allowed: a JSON Schema"],
    ['{"type": "nonsense"}', '--schema: found {"type":"nonsense"}: type: Instance does not match'],
    ['{"properties": {"a": "string"}}', "properties.a: Instance type"],
    ['{"a": 1, "a": 2}', '1:10 --schema: found the key "a" again'],
    ['{"maximum": 12345678901234567890}', "1:13 --schema: found the number 12345678901234567890"],
    ["{", "1:2 --schema: found no JSON"],
  ])("[SK19] the schema %s is bad usage", async (schema, found) => {
    const { code, stdout, stderr } = await check([clean, "--payload", "{}", "--schema", schema]);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(found);
  });

  it("[SK19] a payload that does not fit the schema is told, and refused by nobody", async () => {
    const schema = '{"properties": {"city": {"type": "string"}}}';
    const { code, stderr } = await check([clean, "--payload", '{"city": 7}', "--schema", schema]);

    expect(code).toBe(0);
    expect(stderr).toContain("--payload does not fit --schema: city: Instance type");
  });

  it("[SK19] answers each line of a batch in its place, and exits 2 for one that cannot be read", async () => {
    const fields = { description: "d", parameters_schema: "{}", test_payload: "{}" };
    // What is refused for its arguments needs no Python.
    const refused = JSON.stringify({ id: 1, name: "9a", ...fields, python_code: "print(1)" });
    const strange = '{"id": 4, "python_code": "print(1)", "nme": "a"}';
    const said = await skillBatch("check", [refused, '{"id": 3}', refused, strange], cwd);

    expect(said.code).toBe(2);
    expect(linesOf(said)).toMatchObject([
      { id: 1, verdict: "refused", state: "arguments" },
      { id: 3, error: "python_code: found undefined; allowed: a text" },
      { id: 1, state: "arguments" },
      {
        id: 4,
        error: expect.stringContaining("nme: found a field that no line has; allowed: id |"),
      },
    ]);
  });
});
