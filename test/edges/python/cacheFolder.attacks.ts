// What is kept in a cache folder may be spoilt at any time; what a killed program left in one goes.
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openSandbox } from "../../../src/edges/python/sandbox.ts";
import { callTool, testCache } from "./opened.ts";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "ghostlight-cache-"));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

it("[SB14] what a killed program left half written is removed, what is being written stays", async () => {
  fs.cpSync(testCache, folder, { recursive: true });
  const leftover = (): string => path.join(folder, `python-0.snapshot.${randomUUID()}`);
  const [old, young] = [leftover(), leftover()];
  for (const [file, ageMs] of [
    [old, 61_000],
    [young, 30_000],
  ] as const) {
    fs.writeFileSync(file, "half");
    const at = (fs.statSync(file).mtimeMs - ageMs) / 1_000;
    fs.utimesSync(file, at, at);
  }

  const sandbox = await openSandbox({ cacheFolder: folder, spare: false });
  await sandbox.close();

  expect([old, young].map((file) => fs.existsSync(file))).toEqual([false, true]);
});

const EXIT = "import os\ndef tool(): os._exit(1)";

it.each([
  ["is removed", (file: string) => fs.rmSync(file)],
  ["is cut short", (file: string) => fs.truncateSync(file, 1000)],
  ["grows", (file: string) => fs.appendFileSync(file, "{}\n{}\n")],
  ["is changed", (file: string) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 1))],
])("[SB14] a run goes on when what is kept %s meanwhile", async (_about, spoil) => {
  fs.cpSync(testCache, folder, { recursive: true });
  const sandbox = await openSandbox({ cacheFolder: folder, spare: false });
  const look = "def tool(): return [id(tool), hash('x')]";
  const before = await callTool(sandbox, look);

  for (const name of fs.readdirSync(folder)) {
    if (name.endsWith(".snapshot")) spoil(path.join(folder, name));
  }
  await callTool(sandbox, EXIT); // The next call needs another process.
  const after = await callTool(sandbox, look);
  await sandbox.close();

  expect(before.ok).toBe(true);
  expect(after).toEqual(before);
});

it("[SB14] without a cache folder ids, sets and hashes are the ones with it", async () => {
  const code = "def tool(): return [id(tool), str({'p', 'q', 'r'}), hash('x'), str(object)]";
  const alone = await openSandbox({ cacheFolder: null, spare: false });
  const without = await callTool(alone, code).finally(() => alone.close());

  const kept = await openSandbox({ cacheFolder: testCache, spare: false });
  const withFolder = await callTool(kept, code).finally(() => kept.close());

  expect(without).toEqual(withFolder);
});

it("[SB14] makes a damaged snapshot again", async () => {
  fs.cpSync(testCache, folder, { recursive: true });
  for (const name of fs.readdirSync(folder).filter((name) => name.endsWith(".snapshot"))) {
    fs.writeFileSync(path.join(folder, name), "damaged");
  }

  const other = await openSandbox({ cacheFolder: folder, spare: false });
  const { result } = await callTool(other, "def tool(): return 1").finally(() => other.close());

  expect(result).toBe(1);
  const files = fs.readdirSync(folder).filter((name) => name.endsWith(".snapshot"));
  const made = files.filter((name) => fs.statSync(path.join(folder, name)).size > 1000);
  expect(made).toHaveLength(1);
  const [one, two] = [folder, testCache].map((at) => fs.readFileSync(path.join(at, made[0] ?? "")));
  expect(one?.equals(two as Buffer), "byte for byte the same again").toBe(true);
});
