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
import { makeFolder } from "../bundle/makeFolder.ts";
import { notBegun } from "../processes/bareNode.ts";
import { startChild } from "./childProcess.ts";
import type { ChildSetup } from "./childProtocol.ts";
import { harness } from "./harness.ts";
import { PYODIDE_VERSION } from "./imports.ts";

export interface Snapshot {
  readonly bytes: number;
  readonly sha256: string;
  /** Read anew for each process: 32 MB that need not stay. */
  content(isRetry: boolean): Promise<Uint8Array>;
}

const BYTES_MAX = 128 * 1024 * 1024;
const DIGEST_BYTES_MAX = 128;
/** Ours: a write takes less; what is older was left by a process that was killed. */
const LEFTOVER_MS = 60_000;

/** Null without one: a relative path means nothing by its standard, and a user may have no home. */
export function cacheFolder(): string | null {
  const named = process.env["XDG_CACHE_HOME"];
  if (named !== undefined && path.isAbsolute(named)) return path.join(named, "ghostlight");
  const home = homeFolder();
  return path.isAbsolute(home) ? path.join(home, ".cache", "ghostlight") : null;
}

function homeFolder(): string {
  try {
    return os.homedir();
  } catch {
    return ""; // Node throws for a user whom the system does not know, as in a container.
  }
}

/** `folder` null, or one that cannot be written: made now, and kept in memory. */
export async function findSnapshot(folder: string | null, setup: ChildSetup): Promise<Snapshot> {
  if (folder === null) return inMemory(await makeSnapshot(setup));
  const file = path.join(folder, fileName(setup));
  await removeLeftovers(folder).catch(() => undefined); // There may be no folder yet.
  const kept = await readKept(file, setup);
  if (kept !== null) return kept;
  const made = inMemory(await makeSnapshot(setup));
  try {
    makeFolder(folder, 0o700);
    await replace(file, await made.content(false));
    await replace(`${file}.sha256`, `${made.sha256}\n`);
    return (await readKept(file, setup)) ?? made;
  } catch {
    return made; // No place for it: the next program makes its own.
  }
}

function inMemory(bytes: Uint8Array): Snapshot {
  return { bytes: bytes.length, sha256: digestOf(bytes), content: async () => bytes };
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What the bytes depend on. They differ between Node's majors, and with our Python side. */
function fileName(setup: ChildSetup): string {
  const node = process.versions.node.split(".")[0];
  const code = createHash("sha256").update(harness).digest("hex").slice(0, 12);
  return `python-${PYODIDE_VERSION}-node${node}-${setup.memoryMb}m-${code}.snapshot`;
}

async function readKept(file: string, setup: ChildSetup): Promise<Snapshot | null> {
  try {
    const sha256 = (await readOwn(`${file}.sha256`, DIGEST_BYTES_MAX)).toString("utf8").trim();
    const bytes = await readOwn(file, BYTES_MAX);
    if (digestOf(bytes) !== sha256) return null;
    return {
      bytes: bytes.length,
      sha256,
      content: contentOf(file, { bytes: bytes.length, sha256 }, setup),
    };
  } catch {
    return null;
  }
}

/**
 * The file may go, or change, while a run lasts: then the same bytes are made and kept in memory. A
 * process checks the digest of what it gets, so that here it is asked only after one has failed.
 */
function contentOf(
  file: string,
  { bytes: length, sha256 }: Omit<Snapshot, "content">,
  setup: ChildSetup,
): Snapshot["content"] {
  let made: Promise<Uint8Array> | undefined;
  return async (isRetry) => {
    if (made !== undefined) return made;
    const bytes = await readOwn(file, BYTES_MAX).catch(() => null);
    const isWhole = bytes?.length === length && (!isRetry || digestOf(bytes) === sha256);
    if (isWhole) return bytes;
    made = makeSnapshot(setup);
    made.catch(() => {
      made = undefined;
    });
    return made;
  };
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
    if (typeof head !== "string") throw notBegun("Python", head);
    const { bytes } = JSON.parse(head) as { readonly bytes: number };
    if (!Number.isSafeInteger(bytes) || bytes > BYTES_MAX)
      throw new Error("a snapshot of odd size");
    const made = await child.bytes(bytes);
    if (!(made instanceof Uint8Array)) throw notBegun("Python", made);
    return new Uint8Array(made);
  } finally {
    child.kill();
  }
}
