/**
 * Python's memory right after its start: from it every process starts, in a tenth of the time and with
 * the same addresses everywhere. Kept in the user's cache folder, or in memory where there is none. It
 * holds nothing of a run. A file that is damaged or not ours is made again.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startChild } from "./childProcess.ts";
import type { ChildSetup } from "./childProtocol.ts";
import { harness } from "./harness.ts";
import { PYODIDE_VERSION } from "./imports.ts";

export interface Snapshot {
  readonly bytes: number;
  readonly sha256: string;
  /** Read anew for each process: 32 MB that need not stay. */
  content(): Promise<Uint8Array>;
}

const BYTES_MAX = 128 * 1024 * 1024;
const DIGEST_BYTES_MAX = 128;
/** Ours: a write takes less; what is older was left by a process that was killed. */
const LEFTOVER_MS = 60_000;

export const cacheFolder = (): string =>
  path.join(process.env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "ghostlight");

/** `folder` null, or one that cannot be written: made now, and kept in memory. */
export async function findSnapshot(folder: string | null, setup: ChildSetup): Promise<Snapshot> {
  if (folder === null) return inMemory(await makeSnapshot(setup));
  const file = path.join(folder, fileName(setup));
  await removeLeftovers(folder).catch(() => undefined); // There may be no folder yet.
  const kept = await readKept(file);
  if (kept !== null) return kept;
  const made = inMemory(await makeSnapshot(setup));
  try {
    await makeFolder(folder);
    await replace(file, await made.content());
    await replace(`${file}.sha256`, `${made.sha256}\n`);
    return (await readKept(file)) ?? made;
  } catch {
    return made; // No place for it: the next program makes its own.
  }
}

function inMemory(bytes: Uint8Array): Snapshot {
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes: bytes.length, sha256, content: async () => bytes };
}

/** What the bytes depend on. They differ between Node's majors, and with our Python side. */
function fileName(setup: ChildSetup): string {
  const node = process.versions.node.split(".")[0];
  const code = createHash("sha256").update(harness).digest("hex").slice(0, 12);
  return `python-${PYODIDE_VERSION}-node${node}-${setup.memoryMb}m-${code}.snapshot`;
}

async function readKept(file: string): Promise<Snapshot | null> {
  try {
    const sha256 = (await readOwn(`${file}.sha256`, DIGEST_BYTES_MAX)).toString("utf8").trim();
    const bytes = await readOwn(file, BYTES_MAX);
    if (createHash("sha256").update(bytes).digest("hex") !== sha256) return null;
    return { bytes: bytes.length, sha256, content: () => readOwn(file, BYTES_MAX) };
  } catch {
    return null;
  }
}

/** A pipe or device in its place would be read for ever. */
async function readOwn(file: string, bytesMax: number): Promise<Buffer> {
  const about = await fs.stat(file);
  if (!about.isFile() || about.size > bytesMax || !isOurs(about)) {
    throw new Error(`${file} is not what was written there`);
  }
  return fs.readFile(file);
}

const isOurs = ({ uid, mode }: Stats): boolean =>
  (process.getuid === undefined || uid === process.getuid()) &&
  (process.platform === "win32" || (mode & 0o022) === 0);

/** Step by step: Node's own way never ends below a folder such as /proc, where nothing can be made. */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !(await isFolder(at)); at = path.dirname(at)) {
    if (at === path.dirname(at)) return;
    missing.push(at);
  }
  for (const at of missing.reverse()) await fs.mkdir(at, { mode: 0o700 });
}

const isFolder = (at: string): Promise<boolean> =>
  fs.stat(at).then(
    (about) => about.isDirectory(),
    () => false,
  );

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await fs.readdir(folder)) {
    if (!/\.snapshot(\.sha256)?\.[0-9a-f-]{36}$/.test(name)) continue;
    const file = path.join(folder, name);
    const { mtimeMs } = await fs.stat(file);
    if (Date.now() - mtimeMs > LEFTOVER_MS) await fs.rm(file, { force: true });
  }
}

/** Written beside and renamed, so that a reader never sees half a file. */
async function replace(file: string, content: string | Uint8Array): Promise<void> {
  const beside = `${file}.${randomUUID()}`;
  try {
    await fs.writeFile(beside, content, { mode: 0o600 });
    await fs.rename(beside, file);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}

export async function makeSnapshot(setup: ChildSetup): Promise<Uint8Array> {
  const child = startChild({ ...setup, mode: "snapshot", snapshot: null });
  try {
    const head = await child.line();
    if (typeof head !== "string") throw new Error(`Python did not start: ${head.stderr}`);
    const { bytes } = JSON.parse(head) as { readonly bytes: number };
    if (!Number.isSafeInteger(bytes) || bytes > BYTES_MAX)
      throw new Error("a snapshot of odd size");
    const made = await child.bytes(bytes);
    if (!(made instanceof Uint8Array)) throw new Error(`Python did not start: ${made.stderr}`);
    return new Uint8Array(made);
  } finally {
    child.kill();
  }
}
