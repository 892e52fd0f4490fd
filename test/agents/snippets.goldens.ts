// The tests that docs/record-your-agent.md shows, as their readers run them: they pass on what was recorded, and fail where the agent changed.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { taskModel } from "../actors/imported/wire/taskModel.ts";
import { saidBy } from "../cli/ghostlight.ts";
import { newFolder } from "../folders.ts";

const page = readFileSync("docs/record-your-agent.md", "utf8");
const block = (language: string): string =>
  new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? "";
let cwd = "";

const env = {
  ...process.env,
  GHOSTLIGHT_RUN: ".",
  PATH: `${resolve("node_modules/.bin")}:${process.env["PATH"]}`,
};

beforeAll(async () => {
  cwd = newFolder();
  copyFileSync("test/actors/imported/wire/taskAgent.mjs", join(cwd, "agent.mjs"));
  symlinkSync(resolve("node_modules"), join(cwd, "node_modules"));
  const model = await taskModel();
  const words = [
    "record",
    "--out",
    "recordings/clerk",
    "--openai",
    model.base,
    "--",
    process.execPath,
    "agent.mjs",
  ];
  const { code } = await saidBy(words, { cwd, env: { GHOSTLIGHT_RUN: "." } });
  model.close();
  expect(code).toBe(0);
});

const changedAgent = (use: () => void): void => {
  const agent = readFileSync(join(cwd, "agent.mjs"), "utf8");
  writeFileSync(join(cwd, "agent.mjs"), agent.replace("You write files.", "You write good files."));
  use();
  writeFileSync(join(cwd, "agent.mjs"), agent);
};

it("[WR17] the test with Vitest passes, and shows where a changed agent parts", () => {
  const test = block("js").replace('"ghostlight"', JSON.stringify(resolve("src/index.ts")));
  writeFileSync(join(cwd, "clerk.test.ts"), test);
  const run = () =>
    spawnSync(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run"], {
      cwd,
      env,
      encoding: "utf8",
    });

  expect(run()).toMatchObject({ status: 0 });
  changedAgent(() => {
    const { status, stdout, stderr } = run();
    expect(status).toBe(1);
    expect(stdout + stderr).toContain("You write {+good +}files.");
  });
});

it("[WR17] the test with pytest does so as well", () => {
  const venv = join(cwd, "venv");
  try {
    execFileSync("python3", ["-m", "venv", venv]);
    execFileSync(join(venv, "bin/pip"), [
      "install",
      "-q",
      "--disable-pip-version-check",
      "pytest==9.2.0",
    ]);
  } catch {
    console.warn("pytest cannot be had here: its snippet was not run");
  }
  if (!existsSync(join(venv, "bin/pytest"))) return;
  writeFileSync(join(cwd, "test_clerk.py"), block("python"));
  // As `npx ghostlight` starts it where the package is installed.
  writeFileSync(
    join(cwd, "npx"),
    `#!/bin/sh\nshift\nexec ${process.execPath} ${resolve("src/cli/main.ts")} "$@"\n`,
    { mode: 0o755 },
  );
  const own = { ...env, PATH: `${cwd}:${env.PATH}` };
  const run = () =>
    spawnSync(join(venv, "bin/pytest"), ["-q"], { cwd, env: own, encoding: "utf8" });

  expect(run()).toMatchObject({ status: 0 });
  changedAgent(() => {
    const { status, stdout } = run();
    expect(status).toBe(1);
    expect(stdout).toContain("You write {+good +}files.");
  });
});
