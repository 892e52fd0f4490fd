import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { newFolder } from "../folders.ts";

const tsc = resolve("node_modules/typescript/bin/tsc");
let folder = "";

/** What the compiler says; nothing when it is content. */
function compile(args: readonly string[], cwd: string): string {
  try {
    return execFileSync(process.execPath, [tsc, ...args], { cwd, encoding: "utf8" });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** A folder in which the package is installed, as far as a compiler sees it. */
beforeAll(() => {
  folder = newFolder();
  const installed = join(folder, "node_modules", "ghostlight");
  mkdirSync(installed, { recursive: true });
  cpSync("package.json", join(installed, "package.json"));
  const outDir = join(installed, "dist");
  // Whether the sources are right, `npm run check` asks.
  const declarations = ["--emitDeclarationOnly", "--noCheck", "--outDir", outDir];
  expect(compile(["-p", "tsconfig.build.json", ...declarations], process.cwd())).toBe("");
  symlinkSync(resolve("node_modules"), join(installed, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  cpSync("test/library/consumer.ts.txt", join(folder, "consumer.ts"));
});

/** As tools/packSmoke.sh has them: the declarations themselves are checked too. */
const plain = ["--noEmit", "--strict", "--target", "es2024", "--lib", "es2024,dom", "--types", ""];
/** XState's own declarations do not bear these. */
const strictest = [
  ...[...plain, "--skipLibCheck", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"],
  ...["--verbatimModuleSyntax", "--isolatedModules"],
];

it("[LB12] a program compiles against the declarations alone, as Node resolves them", () => {
  expect(compile([...plain, "--module", "nodenext", "consumer.ts"], folder)).toBe("");
});

it("[LB12] and under the strictest options, as a bundler resolves them", () => {
  const resolution = ["--module", "esnext", "--moduleResolution", "bundler"];

  expect(compile([...strictest, ...resolution, "consumer.ts"], folder)).toBe("");
});

/** The pages that people read, each block of TypeScript with the page it stands on. */
const blocks = [
  "README.md",
  ...globSync(["docs/**/*.md", "examples/**/*.md"], { exclude: ["**/node_modules/**"] }).sort(),
].flatMap((page) => {
  const found = readFileSync(page, "utf8").matchAll(/^```(?:ts|typescript)\n(.*?)^```$/gms);
  return [...found].map(([, code = ""], index) => ({ page, index, code }));
});
/** A block that is part of a file of examples, which `npm run check` compiles whole. */
const isExcerpt = (code: string): boolean =>
  globSync("examples/*/*.ts").some((file) => readFileSync(file, "utf8").includes(code));

it.each([
  ["Node's types", ["--lib", "es2024", "--types", "node"]],
  ["a browser's types", ["--lib", "es2024,dom", "--types", ""]],
])("[LB12] every block of TypeScript in the pages compiles under strict, with %s", (_, types) => {
  const own = join(folder, "pages");
  const installed = join(own, "node_modules");
  mkdirSync(installed, { recursive: true });
  cpSync("examples/queue/queue.ts", join(own, "queue.ts"));
  symlinkSync(join(folder, "node_modules", "ghostlight"), join(installed, "ghostlight"));
  // What the example needs besides, and what `npm install` puts beside it.
  for (const name of ["xstate", "effect", "@types"]) {
    symlinkSync(resolve("node_modules", name), join(installed, name));
  }
  const names = blocks
    .filter(({ code }) => !isExcerpt(code))
    .map(({ page, index, code }) => {
      const name = `${page.replaceAll("/", "-")}-${index}.mts`;
      writeFileSync(join(own, name), code);
      return name;
    });
  const strict = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2024"];
  const module = ["--module", "nodenext", "--allowImportingTsExtensions"];
  const said = compile([...strict, ...module, ...types, ...names], own);
  rmSync(own, { recursive: true });

  expect(names.length).toBeGreaterThanOrEqual(3);
  expect(said).toBe("");
});

it("[LB12] every export has a docstring in the declarations", () => {
  const index = readFileSync("src/index.ts", "utf8");
  const undocumented = [
    ...index.matchAll(/export (?:type )?\{([^}]*)\} from "(\.[^"]*)\.ts"/g),
  ].flatMap(([, names = "", file = ""]) => {
    const declared = readFileSync(
      join(folder, "node_modules/ghostlight/dist", `${file}.d.ts`),
      "utf8",
    );
    return names
      .split(",")
      .map((name) => name.replace("type ", "").trim())
      .filter((name) => name !== "" && !isDocumented(declared, name));
  });

  expect(undocumented).toEqual([]);
});

const isDocumented = (declarations: string, name: string): boolean =>
  new RegExp(`\\*/\\nexport (?:declare )?(?:const|function|class|interface|type) ${name}\\b`).test(
    declarations,
  );
