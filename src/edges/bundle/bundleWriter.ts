/**
 * Writes a bundle while its run goes on. Inputs and log are appended and flushed piece by piece, so
 * a kill costs at most the last piece; the manifest is replaced by rename at the end.
 */

import { createHash } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { countOf } from "../../contract/countOf.ts";
import { type Final, type ImportedLog, type Manifest, sealed } from "../../run/bundle.ts";
import { writeRest } from "../../substrate/deliveryLine.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Input } from "../../substrate/port.ts";
import { RecordingWriter } from "../../substrate/recording.ts";
import { Utf8 } from "../../substrate/utf8.ts";
import { OutputRefused } from "../errors.ts";
import { makeFolder } from "./makeFolder.ts";

export const FILES = {
  manifest: "manifest.json",
  inputs: "inputs.jsonl",
  events: "events.jsonl",
  metrics: "metrics.csv",
  report: "report.md",
  page: "report.html",
  variants: "variants.json",
  blame: "blame.json",
} as const;

export interface BundleWriter {
  readonly folder: string;
  input(input: Input): void;
  /** `start` is what the kernel wrote of its line. */
  delivery(delivery: Delivery, start: Uint8Array): void;
  /** Puts everything so far on disk. */
  flush(): void;
  /** Writes the texts that people read, then seals the manifest. */
  finish(
    final: Omit<Final, "inputs" | "log">,
    texts: { readonly [name: string]: string },
    imported?: ImportedLog,
  ): Manifest;
  /** Gives its files back until something more is written: whoever writes many bundles at once has too few. */
  park(): void;
  /** Keeps what was written so far, as a kill would: the manifest stays without an end. */
  abandon(): void;
}

/**
 * Makes sure that a new bundle can lie in `folder`: an existing one must be empty. Throws
 * OutputRefused before anything is written.
 */
export function claimFolder(folder: string, option: Named = "--out"): void {
  const isThere = isThereEmpty(folder, option);
  orRefused(folder, option, () => {
    makeFolder(folder);
    if (!isThere) notLeftEmpty(folder);
    accessSync(folder, constants.W_OK);
  });
}

/** How the user names the folder of a bundle. */
type Named = "--out" | "folder";

/** Whether it is there; makes nothing. Throws OutputRefused for a file, and for a folder that holds any. */
export const isThereEmpty = (folder: string, option: Named = "--out"): boolean =>
  orRefused(folder, option, () => {
    const present = statSync(folder, { throwIfNoEntry: false });
    if (present?.isDirectory() === false) throw folderError(folder, "a file, not a folder", option);
    const count = present === undefined ? 0 : readdirSync(folder).length;
    if (count > 0)
      throw folderError(folder, `a folder that holds ${countOf(count, "file")}`, option);
    return present !== undefined;
  });

function orRefused<T>(folder: string, option: Named, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutputRefused) throw error;
    throw folderError(folder, (error as NodeJS.ErrnoException).message, option);
  }
}

/** Folders made here, into which nothing may have been written when the process ends. */
const ownFolders = new Set<string>();

/** Whatever ends the process early leaves no half folder behind. */
function notLeftEmpty(folder: string): void {
  if (ownFolders.size === 0) process.on("exit", removeEmpty);
  ownFolders.add(folder);
}

function removeEmpty(): void {
  for (const folder of ownFolders) {
    try {
      rmdirSync(folder);
    } catch {
      // Something lies in it, as it should.
    }
  }
}

const folderError = (folder: string, found: string, option: Named): OutputRefused =>
  new OutputRefused({
    where: { path: option, file: folder },
    found,
    allowed: "a new or empty folder that can be written",
    todo:
      option === "--out"
        ? "Name another folder, or omit --out to get a new one under runs/."
        : "Name another folder, or `play` it without a bundle.",
  });

/** `runs/<name>-<n>` with the first free n, made at once so that two runs never share one. */
export function claimNumbered(parent: string, name: string): string {
  try {
    makeFolder(parent);
    for (let n = 1; ; n++) {
      const folder = join(parent, `${name}-${n}`);
      try {
        mkdirSync(folder);
        notLeftEmpty(folder);
        return folder;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
  } catch (error) {
    throw new OutputRefused({
      where: { file: parent },
      found: (error as Error).message,
      allowed: "a folder that can be written",
      todo: "Name a folder for the bundle with --out.",
    });
  }
}

/** `folder` exists and is empty. `withLog` also keeps the event log, which can be derived again. */
export function bundleWriter(
  folder: string,
  opening: Omit<Manifest, "seal" | "final">,
  withLog: boolean,
): BundleWriter {
  const recording = new RecordingWriter();
  const inputs = appender(join(folder, FILES.inputs));
  const events = withLog ? appender(join(folder, FILES.events)) : undefined;
  writeManifest(folder, sealed(opening));
  const flush = (): void => {
    inputs.flush();
    events?.flush();
  };
  /** A full disk is told by the next flush: thrown in the midst of a delivery, it would count as the run's own fault. */
  const tryFlush = (): void => {
    try {
      flush();
    } catch {}
  };
  return {
    folder,
    input: (input) => inputs.waiting.text(recording.line(input)),
    delivery(delivery, start) {
      if (events === undefined) return;
      events.waiting.bytes(start);
      writeRest(events.waiting, delivery);
      if (events.waiting.length >= WAITING_BYTES) tryFlush();
    },
    flush,
    finish(final, texts, imported) {
      inputs.flush();
      // Not the log, which is long and can be derived again from the inputs.
      inputs.sync();
      inputs.close();
      events?.close();
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);
      const { lines, head } = recording;
      const log = events && { log: events.sha256() };
      const ended = { ...final, inputs: { lines, head }, ...log };
      const manifest = sealed({ ...opening, ...(imported && { imported }), final: ended });
      writeManifest(folder, manifest);
      return manifest;
    },
    park() {
      flush();
      for (const file of [inputs, events]) file?.park();
    },
    abandon() {
      tryFlush();
      for (const file of [inputs, events]) file?.release();
    },
  };
}

/** The whole file, so that a reader can tell whether a byte was changed. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;

function writeManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, FILES.manifest);
  writeFileSync(`${path}.new`, manifestText(manifest));
  renameSync(`${path}.new`, path);
}

/** What the processor's cache holds: in pieces of half a megabyte, hashing and writing take a third longer. */
const WAITING_BYTES = 64 * 1024;

function appender(path: string) {
  let file: number | undefined = openSync(path, "ax");
  const hash = createHash("sha256");
  let waiting = new Utf8(WAITING_BYTES);
  let failure: unknown;
  const opened = (): number => {
    file ??= openSync(path, "a");
    return file;
  };
  const release = (): void => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  const flush = (): void => {
    // Nothing may follow a gap, should there be room again.
    if (failure !== undefined) throw failure;
    if (waiting.length === 0) return;
    const bytes = waiting.written();
    waiting.clear();
    hash.update(bytes);
    try {
      writeAll(opened(), bytes);
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  return {
    /** What the next flush writes. */
    get waiting() {
      return waiting;
    },
    /** Over everything that was flushed; asked for only once. */
    sha256: (): string => hash.digest("hex"),
    flush,
    /** What was flushed outlives the host's own end, too. */
    sync: (): void => fsyncSync(opened()),
    close: (): void => {
      flush();
      release();
    },
    /** Of what was flushed. */
    park: (): void => {
      release();
      waiting = new Utf8(0);
    },
    release,
  };
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}
