// `npm run goldens`: whoever gets a field of an event wrong is refused by the compiler, file by file.
import { execFile } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { type Edit, readers, renamed, senders } from "./misspellings.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");

/** The sources as they are; only this copy is ever edited. */
const tree = newFolder();
for (const path of ["src", "package.json", "tsconfig.json"]) {
  cpSync(path, join(tree, path), { recursive: true });
}
symlinkSync(resolve("node_modules"), join(tree, "node_modules"), "junction");
const project = join(tree, "tsconfig.sources.json");
writeFileSync(project, JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));

interface Fault {
  readonly file: string;
  readonly line: number;
  /** All that the compiler says of it. */
  readonly says: string;
}

/** What the compiler finds wrong. */
async function faults(): Promise<readonly Fault[]> {
  // By one thread: several each learn what the others know.
  const args = [compiler, "--project", project, "--pretty", "false", "--singleThreaded"];
  const options = { cwd: tree, maxBuffer: 100_000_000 };
  const output = await run(process.execPath, args, options).then(
    ({ stdout }) => stdout,
    ({ stdout = "" }: { readonly stdout?: string }) => stdout,
  );
  const each = output.split(/^(?=[^\s(][^(]*\(\d+,\d+\): error TS)/m);
  return each.flatMap((says) => {
    const [, file, line] = /^([^\s(][^(]*)\((\d+),\d+\): error TS/.exec(says) ?? [];
    return file === undefined ? [] : { file: file.replaceAll("\\", "/"), line: Number(line), says };
  });
}

/** The same with these edits. */
async function faultsWith(edits: readonly Edit[]): Promise<readonly Fault[]> {
  try {
    for (const { file, find, replace } of edits) {
      const [before = "", after = ""] = readFileSync(join(tree, file), "utf8").split(find);
      writeFileSync(join(tree, file), `${before}${replace}${after}`);
    }
    return await faults();
  } finally {
    for (const { file } of edits) cpSync(file, join(tree, file));
  }
}

const filesOf = (all: readonly Fault[]): string[] =>
  [...new Set(all.map(({ file }) => file))].sort();

/** So many lines before an edit or behind it the compiler may say what is wrong. */
const NEAR = 4;

const lineOf = ({ file, find }: Edit): number =>
  readFileSync(file, "utf8").split(find, 1)[0]?.split("\n").length ?? 0;

it("[PT1] each edit finds its place exactly once", () => {
  const all = [...senders, ...readers, ...renamed];
  const lost = all.filter(({ file, find }) => readFileSync(file, "utf8").split(find).length !== 2);

  expect(lost.map(({ file, is }) => `${file}: ${is}`)).toEqual([]);
  expect(all.length).toBeGreaterThanOrEqual(30);
});

it("[PT1] senders and readers that are wrong about a field are refused, and nobody else", async () => {
  const edits = [...senders, ...readers];
  const named = (all: readonly Edit[]) => all.map(({ file, is }) => `${file}: ${is}`);
  const close = edits.filter((edit) =>
    edits.some((one) => {
      const lines = lineOf(edit) - lineOf(one);
      return one !== edit && one.file === edit.file && lines >= 0 && lines <= 2 * NEAR;
    }),
  );
  // All are compiled together, so that each must answer for itself.
  expect(named(close)).toEqual([]);
  const all = await faultsWith(edits);

  expect(filesOf(all)).toEqual([...new Set(edits.map(({ file }) => file))].sort());
  const passed = edits.filter(
    (edit) =>
      !all.some(({ file, line }) => file === edit.file && Math.abs(line - lineOf(edit)) <= NEAR),
  );
  expect(named(passed)).toEqual([]);
});

it("[PT1] a field with another name is missed by those who send it and those who read it", async () => {
  // All that use the protocol are looked at again: each fault names its field, so all are renamed together.
  const all = await faultsWith(renamed);

  for (const { is, replace, sender, reader } of renamed) {
    const [before = ""] = is.split(" of ");
    const [, after = ""] = /readonly (\w+)/.exec(replace) ?? [];
    const files = filesOf(
      all.filter(({ says }) => new RegExp(`'(${before}|${after})'`).test(says)),
    );
    expect(files, is).toEqual(expect.arrayContaining([sender, reader]));
  }
});
