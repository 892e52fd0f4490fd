/** Files, folders and standard input as streams of bytes, in a fixed order. */

import { createHash } from "node:crypto";
import { closeSync, createReadStream, type Dirent, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileFault } from "../../../../edges/boundedBytes.ts";
import type { ImportBegun } from "../../../../edges/bundle/importJournal.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import type { Unread } from "../../record.ts";

export interface Source {
  /** As it is shown. */
  readonly file: string;
  readonly open: () => AsyncIterable<Buffer>;
}

export type SourceOrUnread = Source | { readonly unread: Unread };

/** Ours: more files than this are no folder of logs. */
const FILES_MAX = 200_000;
const PIECE = 1024 * 1024;

/**
 * The sources that names stand for: a folder stands for its files, whose order is that of their paths. Throws BadInput where
 * something that was named cannot be opened.
 */
export function* sourcesOf(
  names: readonly string[],
  input: Readable | undefined,
): Generator<SourceOrUnread, undefined> {
  for (const name of names) {
    if (name === "-") yield { file: "-", open: () => bytesOf(input ?? process.stdin) };
    else if (isFolder(name)) yield* filesIn(name);
    else yield named(name);
  }
}

const TODO = "Give files or folders with logs, or - for standard input.";

const refused = (file: string, found: string): BadInput =>
  badInput({ file: file === "" ? '""' : file }, found, "a file or folder that can be read", TODO);

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "an error";

function isFolder(name: string): boolean {
  try {
    return statSync(name).isDirectory();
  } catch (error) {
    throw refused(name, fileFault(error, "no such file or folder"));
  }
}

/** It is opened once before, so that what cannot be read is known at once; a pipe can be opened only once. */
function named(path: string): Source {
  try {
    const found = statSync(path);
    if (found.isFile() || found.isSocket()) closeSync(openSync(path, "r"));
  } catch (error) {
    throw refused(path, codeOf(error));
  }
  return { file: path, open: () => bytesOf(createReadStream(path, { highWaterMark: PIECE })) };
}

interface Count {
  files: number;
}

function* filesIn(
  folder: string,
  count: Count = { files: 0 },
): Generator<SourceOrUnread, undefined> {
  for (const entry of entriesOf(folder)) {
    if (count.files > FILES_MAX) return;
    if ("unread" in entry) yield entry;
    else if (entry.isDirectory()) yield* filesIn(join(folder, entry.name), count);
    else if (++count.files > FILES_MAX) {
      yield unread(folder, `more than ${FILES_MAX} files; from here on nothing was looked at`);
    } else yield fileIn(join(folder, entry.name), entry);
  }
}

function fileIn(path: string, entry: Dirent): SourceOrUnread {
  if (entry.isFile()) {
    return { file: path, open: () => bytesOf(createReadStream(path, { highWaterMark: PIECE })) };
  }
  const why = "no file: a device, a pipe or a socket";
  return unread(path, entry.isSymbolicLink() ? "a link; not followed" : why);
}

function entriesOf(folder: string): readonly (Dirent | { readonly unread: Unread })[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return [unread(folder, `${codeOf(error)}: the folder cannot be read`)];
  }
}

const unread = (file: string, reason: string) => ({
  unread: { place: { file, line: null }, reason },
});

/** How much there is to read, and a stamp of it that another state of it has not; null of what is read once only. */
export function measured(names: readonly string[]): Omit<ImportBegun, "words"> {
  const hash = createHash("sha256");
  let [files, bytes] = [0, 0];
  let isAgain = true;
  for (const source of sourcesOf(names, undefined)) {
    if ("unread" in source) continue;
    files += 1;
    const stats = statSync(source.file, { throwIfNoEntry: false });
    if (source.file === "-" || stats?.isFile() !== true) isAgain = false;
    else {
      bytes += stats.size;
      hash.update(`${source.file}\0${stats.size}\0${stats.mtimeMs}\0`);
    }
  }
  return { files, bytes, stamp: isAgain ? hash.digest("hex") : null };
}

async function* bytesOf(stream: Readable): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of stream)
    yield typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
}
