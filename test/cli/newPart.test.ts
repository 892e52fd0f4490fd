// `new part`: what it writes works as it stands, and it writes nothing else.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

/** Gives a program this checkout in place of the package. */
const HOOK = `import { registerHooks } from "node:module";
const url = ${JSON.stringify(pathToFileURL("src/index.ts").href)};
registerHooks({ resolve: (name, context, next) => name === "ghostlight" ? { url, shortCircuit: true } : next(name, context) });
`;

it("[PT12, PT13] what it writes passes its own test, plays and is checked", async () => {
  const cwd = newFolder();
  symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));
  writeFileSync(join(cwd, "hook.mjs"), HOOK);

  const made = await json(["new", "part", "tea-room", "--out", "mine"], { cwd });

  expect(made).toMatchObject({
    part: "tea-room",
    folder: "mine",
    next: ["cd mine", "npm install", "npm test", "npm start"],
  });
  const folder = join(cwd, "mine");
  expect(readdirSync(folder).sort()).toEqual(made["files"].toSorted());
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  expect(texts.join()).not.toMatch(/part-?name/i);
  const test = ["--import", pathToFileURL(join(cwd, "hook.mjs")).href, "--test"];
  const { stdout } = await promisify(execFile)(process.execPath, test, { cwd: folder });
  expect(stdout).toMatch(/pass 3\n/);
  const played = await ghostlight(["run", "./tea-room.yaml", "--part", "./tea-room.ts"], {
    cwd: folder,
  });
  expect(played).toMatchObject({ code: 0 });
  expect(played.stdout).toMatch(/teaRoom\.done \d, teaRoom\.givenUp \d/);
});

it("[PT13] its templates ask for this version, and for what it is built with", () => {
  const { version, dependencies, devDependencies } = JSON.parse(
    readFileSync("package.json", "utf8"),
  );
  const own = { ...dependencies, ...devDependencies, ghostlight: version };

  for (const file of ["templates/part/package.json", "examples/queue/package.json"]) {
    const asked = JSON.parse(readFileSync(file, "utf8"));
    for (const [name, range] of Object.entries({
      ...asked.dependencies,
      ...asked.devDependencies,
    })) {
      expect({ [name]: range }).toEqual({ [name]: own[name] });
    }
  }
});

it.each([
  ["Tea", 'new part NAME: found "Tea"; allowed: one word: 1 … 31'],
  ["../tea", 'found "../tea"'],
  ["synt", 'found "synt", which is a name of the part synt'],
  ["model", 'found "model", which is a branch of the policy of the part world'],
  ["gateway", 'found "gateway", which is a machine of the part installs'],
  ["goal-ledger", 'found "goal-ledger", which is a machine of the part agents'],
  ["events", 'found "events", which is a field of a scenario of the core'],
  ["full", "full --out: found a folder that holds 1 file"],
])("[PT13] %s is refused, and nothing is written", async (name, says) => {
  const cwd = newFolder();
  mkdirSync(join(cwd, "full"));
  writeFileSync(join(cwd, "full", "mine.txt"), "mine");

  const { code, stdout, stderr } = await ghostlight(["new", "part", name], { cwd });

  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
  expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(["full", "full/mine.txt"]);
});
