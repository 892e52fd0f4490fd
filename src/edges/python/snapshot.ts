/**
 * Python's memory right after its start, kept in the user's cache folder: a start then takes a
 * tenth of the time. It holds nothing of a run. A file that is damaged or not ours is made again.
 */
import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startChild } from "./childProcess.ts";
import type { ChildSetup } from "./childProtocol.ts";
import { harness } from "./harness.ts";
import { PYODIDE_VERSION } from "./imports.ts";

export type SnapshotFile = NonNullable<ChildSetup["snapshot"]>;

const BYTES_MAX = 128 * 1024 * 1024;

export const cacheFolder = (): string =>
  path.join(process.env["XDG_CACHE_HOME"] || path.join(os.homedir(), ".cache"), "ghostlight");

/** Null when none can be kept: then every start takes its time. */
export async function findSnapshot(
  folder: string,
  setup: ChildSetup,
): Promise<SnapshotFile | null> {
  const file = path.join(folder, fileName(setup));
  const kept = await readKept(file);
  if (kept !== null) return kept;
  try {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await fs.access(folder, fs.constants.W_OK);
  } catch {
    return null;
  }
  const made = await makeSnapshot(setup);
  try {
    const sha256 = createHash("sha256").update(made).digest("hex");
    await replace(file, made);
    await replace(`${file}.sha256`, `${sha256}\n`);
    return { file, sha256 };
  } catch {
    return null;
  }
}

/** What the bytes depend on. They differ between Node's majors, and with our Python side. */
function fileName(setup: ChildSetup): string {
  const node = process.versions.node.split(".")[0];
  const code = createHash("sha256").update(harness).digest("hex").slice(0, 12);
  return `python-${PYODIDE_VERSION}-node${node}-${setup.memoryMb}m-${code}.snapshot`;
}

async function readKept(file: string): Promise<SnapshotFile | null> {
  try {
    const sha256 = (await fs.readFile(`${file}.sha256`, "utf8")).trim();
    const about = await fs.stat(file);
    if (process.getuid !== undefined && about.uid !== process.getuid()) return null;
    if (process.platform !== "win32" && (about.mode & 0o022) !== 0) return null;
    const found = createHash("sha256").update(await fs.readFile(file));
    return found.digest("hex") === sha256 ? { file: await fs.realpath(file), sha256 } : null;
  } catch {
    return null;
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

async function makeSnapshot(setup: ChildSetup): Promise<Uint8Array> {
  const child = startChild({ ...setup, mode: "snapshot", snapshot: null });
  try {
    const head = await child.line();
    if (typeof head !== "string") throw new Error(`Python did not start: ${head.stderr}`);
    const { bytes } = JSON.parse(head) as { readonly bytes: number };
    if (!Number.isSafeInteger(bytes) || bytes > BYTES_MAX)
      throw new Error("a snapshot of odd size");
    const made = await child.bytes(bytes);
    if (!(made instanceof Uint8Array)) throw new Error(`Python did not start: ${made.stderr}`);
    return made;
  } finally {
    child.kill();
  }
}
