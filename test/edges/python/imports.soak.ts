// Every function that Python's WebAssembly can call, called at wrong times with wrong arguments.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const program = fileURLToPath(new URL("./importFuzz.ts", import.meta.url));
const seed = process.env["GHOSTLIGHT_FUZZ_SEED"] ?? "1";
const HANGS_AFTER_MS = 300_000;
const node = ["--no-warnings", "--stack-size=4000"];

function lines(names: readonly string[], cwd: string): readonly object[] {
  const text = execFileSync(process.execPath, [...node, program, JSON.stringify(names), seed], {
    ...{ cwd, encoding: "utf8", timeout: HANGS_AFTER_MS },
  });
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("[SB1] no import of WebAssembly, called wrongly, changes what a later call answers", () => {
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), "ghostlight-fuzz-"));
  const [{ all }] = lines([], cwd) as [{ readonly all: string[] }];
  const found: { readonly name: string; readonly isChanged: boolean }[] = [];
  let rest = all;
  while (rest.length > 0) {
    const said = lines(rest, cwd);
    const end = said.at(-1) as { readonly rest: string[] };
    found.push(...(said.slice(0, -1) as typeof found));
    expect(end.rest.length).toBeLessThan(rest.length);
    rest = end.rest;
  }

  expect(found.map(({ name }) => name)).toEqual(all);
  expect(all.length).toBeGreaterThanOrEqual(268);
  expect(found.filter(({ isChanged }) => isChanged)).toEqual([]);
  expect(fs.readdirSync(cwd), "nothing was written on the host").toEqual([]);
  fs.rmdirSync(cwd);
}, 3_600_000);
