import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseYaml } from "../../src/edges/scenario/yamlText.ts";

/** UTF-16 units of every kind, half pairs and control characters too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

function jsonOf(text: string): unknown {
  const parsed = parseYaml(text, "x.yaml");
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
}

/** `line:column path found` of the first problem. */
function problemOf(text: string): string {
  const parsed = parseYaml(text, "x.yaml");
  if (!("problems" in parsed)) throw new Error("nothing is wrong");
  const { where, found } = parsed.problems[0] ?? { where: {}, found: "no problem" };
  return `${where.line ?? "-"}:${where.column ?? "-"} ${where.path ?? "-"} found ${found}`;
}

test("YAML 1.2 core: yes is a text, 010 is ten, a time is a text", () => {
  expect(
    jsonOf("{a: yes, b: 010, c: 1:30, d: 2026-05-02, e: ~, f: TRUE, g: 0x10, h: 1e3}"),
  ).toEqual({
    a: "yes",
    b: 10,
    c: "1:30",
    d: "2026-05-02",
    e: null,
    f: true,
    g: 16,
    h: 1000,
  });
});

test("keys are texts, a merge key is no merge, and line ends of any kind are one", () => {
  expect(jsonOf("1: a\r\ntrue: b\r\n<<: { c: 1 }\r\n")).toEqual({
    1: "a",
    true: "b",
    "<<": { c: 1 },
  });
});

test("an alias is a copy of its last anchor", () => {
  expect(jsonOf("a: &x 1\nb: *x\nc: &x [2]\nd: *x\ne: [*x, *x]\n")).toEqual({
    a: 1,
    b: 1,
    c: [2],
    d: [2],
    e: [[2], [2]],
  });
});

test("a path leads to its key or value, through aliases", () => {
  const parsed = parseYaml("a: &x\n  - k: 1\nb: *x\n", "x.yaml");
  if ("problems" in parsed) throw new Error("not parsed");

  expect(parsed.whereOf(["b", 0, "k"], "value")).toEqual({
    file: "x.yaml",
    line: 2,
    column: 8,
    path: "b[0].k",
  });
  expect(parsed.whereOf(["b", 0, "k"], "key")).toMatchObject({ line: 2, column: 5 });
  expect(parsed.whereOf(["b", 0, "gone", "far"], "value")).toMatchObject({ line: 2, column: 5 });
});

test.each([
  ["a: 1\na: 2", '2:1 a found the key "a" again'],
  ["a: { b: 1,\n  b: 2 }", '2:3 a.b found the key "b" again'],
  ["a:\n  __proto__: 1", '2:3 a.__proto__ found the key "__proto__"'],
  ["a:\n\t- 1", "2:1 - found a tab at the start of a line"],
  ["a: [1", '1:6 - found "a: [1"'],
  ["a: !!js/function x", '1:4 - found "a: !!js/function x"'],
  ["a: !mine x", '1:4 - found "a: !mine x"'],
  ["a: [.nan]", "1:5 a[0] found NaN"],
  ["a: -.inf", "1:4 a found -Infinity"],
  ["a: 1e999", "1:4 a found Infinity"],
  ['a: "\\ud800"', "1:4 a found half of a surrogate pair"],
  ["a: *b", '1:4 a found "*b"'],
  ["a: &a [*a]", '1:8 a[0][0] found "*a"'],
  ["{[a]: 1}", '1:2 - found "{[a]: 1}"'],
  ["---\na: 1\n---\nb: 1", '3:1 - found "---"'],
  ["%YAML 1.1\n---\na: yes", "1:1 - found a directive for another version of YAML"],
  ["", "-:- - found an empty file"],
  ["\n \n", "-:- - found an empty file"],
  ["a: \u0000", "-:- - found control characters, as in a binary file"],
  ["\u007fELF\u0002", "-:- - found control characters, as in a binary file"],
  ["a: \ud800", "-:- - found half of a surrogate pair"],
])("%j is refused at its place", (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test("billions of laughs are refused quickly", () => {
  const line = (name: string, of: string) =>
    `${name}: &${name} [${new Array(9).fill(of).join(", ")}]`;
  const names = [..."bcdefghi"];
  const bomb = ["a: &a lol", ...names.map((name, i) => line(name, `*${["a", ...names][i]}`))];

  expect(problemOf(bomb.join("\n"))).toContain("too many values");
});

test.each([
  ["lists in lists", "[".repeat(10_000)],
  ["maps in maps", `${"{a: ".repeat(1_000)}1${"}".repeat(1_000)}`],
  ["lines in lines", Array.from({ length: 1_000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
])("%s without end are refused", (_, text) => {
  expect(problemOf(text)).toContain("nested too deeply");
});

test("64 levels are taken, 65 are not", () => {
  const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

  expect(jsonOf(nested(65))).toBeDefined();
  expect(problemOf(nested(66))).toContain("nested too deeply");
});

test.each([
  ["characters", "#".repeat(4_194_305)],
  ["tokens", "[]".repeat(400_000)],
  ["escapes", `"${"\\q".repeat(700_000)}"`],
])("too many %s are refused before they are parsed", (_, text) => {
  expect(problemOf(text)).toMatch(/characters|too much YAML/);
});

test("every JSON value comes back as it was written", () => {
  const json = fc.jsonValue({ maxDepth: 6 });
  fc.assert(
    fc.property(json, (value) => {
      fc.pre(!JSON.stringify(value).includes("__proto__"));

      expect(jsonOf(stringify(value, { aliasDuplicateObjects: false }))).toEqual(
        JSON.parse(JSON.stringify(value)),
      );
    }),
  );
});

test("any text is YAML or refused", () => {
  const sign = fc.constantFrom(..."[]{}:,-?&*!|>'\"%@`#~ \n\t\\abn01.".split(""));
  const text = fc.oneof(
    fc.array(sign, { maxLength: 60 }).map((signs) => signs.join("")),
    anyText,
  );
  fc.assert(
    fc.property(text, (written) => {
      const parsed = parseYaml(written, "x.yaml");

      if ("problems" in parsed) expect(parsed.problems.length).toBeGreaterThan(0);
    }),
    { numRuns: 1_000 },
  );
});
