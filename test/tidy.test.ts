// What a linter cannot say about this repository.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const LINES_MAX = 600;
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|common|misc|managers?|types|index)\.(ts|js)$/;
const RULE = /^- \*\*([A-Z]{1,3}\d+)\*\* (.+(?:\n {2}.+)*)/gm;
/** What stands between backquotes has points that end nothing, and may begin a sentence. */
const SENTENCE_ENDS = /[.!?][)”"]?\s+(?=[(“"*−]?[A-Z0-9])/;
const RULES_CITED = /(?<![\w)])\[([A-Z]{1,3}\d+(?:, ?[A-Z]{1,3}\d+)*)\]/g;
/** A machine may be busy: what takes long is no fault, and nobody knows how long is long. */
const WALL_CLOCK = /\b(performance|Date)\.now\(|\bhrtime\b|\b(test|hook)?[tT]imeout: ?\d/;
const TEST_LEFT_OUT = /\b(describe|it|test)(\.\w+)*\.(only|skip|todo)\b/;
const UNFINISHED = /(\/\/|^\s*\/?\*).*\b(TODO|FIXME)\b/m;

const read = (path: string) => readFileSync(path, "utf8");
const list = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
        .filter((path) => /\.(tsx?|js)$/.test(path))
        .sort()
    : [];

const sources = list("src");
const tests = list("test");
const product = [...sources, ...list("bin"), ...list("tools"), ...list("bench")];

it("every file but a test fits in one reading", () => {
  const long = product.filter((path) => read(path).trimEnd().split("\n").length > LINES_MAX);

  expect(long).toEqual([]);
});

it("every file is named after what it holds", () => {
  const vague = [...product, ...tests].filter(
    (path) => path !== "src/index.ts" && VAGUE_NAMES.test(path),
  );

  expect(vague).toEqual([]);
});

/** Of a text that nothing is put into, and to which nothing is added: an example in a sentence. */
const FIXED_COMMAND =
  /"(?:[^"$]*`npx ghostlight [^`"$]*`[^"$]*|[^"`$]*: npx ghostlight [^"`$]*)"[,;)]*$/;

it("[CL24] a command in which something is named is made in one place alone", () => {
  const elsewhere = sources
    .filter((path) => path !== "src/edges/command.ts")
    .flatMap((path) =>
      read(path)
        .split("\n")
        .filter((line) => line.includes("npx ghostlight") && !/^\s*(?:\*|\/\*|\/\/)/.test(line))
        .filter((line) => !FIXED_COMMAND.test(line))
        .map((line) => `${path}: ${line.trim()}`),
    );

  expect(elsewhere).toEqual([]);
});

it("every machine has a test of the same name", () => {
  const untested = sources
    .filter((path) => path.startsWith("src/machines/") && read(path).includes("createMachine("))
    .filter((path) => {
      const name = path.slice(path.lastIndexOf("/")).replace(".ts", ".test.ts");
      return !tests.some((test) => test.startsWith("test/machines/") && test.endsWith(name));
    });

  expect(untested).toEqual([]);
});

it.skipIf(!existsSync("SPEC.md"))("every rule has a test, and every cited rule exists", () => {
  const defined = [...read("SPEC.md").matchAll(RULE)].map(([, id]) => id ?? "");
  const cited = tests
    .flatMap((path) => [...read(path).matchAll(RULES_CITED)])
    .flatMap(([, ids]) => (ids ?? "").split(/, ?/));

  expect({
    definedTwice: defined.filter((id, index) => defined.indexOf(id) !== index),
    withoutTest: defined.filter((id) => !cited.includes(id)),
    citedButUndefined: cited.filter((id) => !defined.includes(id)),
  }).toEqual({ definedTwice: [], withoutTest: [], citedButUndefined: [] });
});

it.skipIf(!existsSync("SPEC.md"))("every sentence of a rule has a test that cites it", () => {
  const cited = new Map<string, number>();
  for (const [, ids = ""] of tests.flatMap((path) => [...read(path).matchAll(RULES_CITED)])) {
    for (const id of ids.split(/, ?/)) cited.set(id, (cited.get(id) ?? 0) + 1);
  }
  const found = [...read("SPEC.md").matchAll(RULE)].flatMap(([, id = "", text = ""]) => {
    const sentences = text.replaceAll(/`[^`]+`/g, "X").split(SENTENCE_ENDS).length;
    const count = cited.get(id) ?? 0;
    return sentences > count ? [`${id}: ${sentences} sentences, ${count} tests`] : [];
  });

  expect(found, "Test each sentence under the rule's id, split the rule, or shorten it.").toEqual(
    [],
  );
});

it("what cases from outside the repository show, cases of ours show too", () => {
  const shown = { outside: new Set<string>(), here: new Set<string>() };
  for (const path of tests) {
    // Such a suite names what it needs: it ends at the first line that closes it.
    const parts = read(path).split(/^(describe\.skipIf\((?:isA|a|!e)[\s\S]*?^\}?\);)$/m);
    parts.forEach((part, index) => {
      const into = index % 2 === 1 ? shown.outside : shown.here;
      for (const [, ids = ""] of part.matchAll(RULES_CITED)) {
        for (const id of ids.split(/, ?/)) into.add(id);
      }
    });
  }

  expect(shown.outside.size).toBeGreaterThan(10);
  expect([...shown.outside].filter((id) => !shown.here.has(id))).toEqual([]);
});

it("no test looks at the wall clock, or gives up sooner than the suite does", () => {
  const clocked = tests.filter(
    (path) => path !== "test/tidy.test.ts" && WALL_CLOCK.test(read(path)),
  );

  expect(clocked).toEqual([]);
});

it("no test is left out or runs alone", () => {
  expect(tests.filter((path) => TEST_LEFT_OUT.test(read(path)))).toEqual([]);
});

it("nothing is marked as unfinished", () => {
  expect(sources.filter((path) => UNFINISHED.test(read(path)))).toEqual([]);
});
