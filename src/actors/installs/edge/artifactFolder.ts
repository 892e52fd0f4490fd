/**
 * A folder on disk, as the files of an artifact. Links are never followed, so that nothing beyond the folder is opened; what
 * cannot be read whole is a fault, since nobody could vouch for it.
 */

import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { boundedBytes, fileFault } from "../../../edges/boundedBytes.ts";
import { BadInput, badInput } from "../../../edges/errors.ts";
import { handleOf } from "../../../machines/installs/content/content.ts";
import type { CodeFile } from "../../../machines/installs/detection/detection.ts";

/** Ours: far above any artifact that a person could review, and what a machine holds at once. */
export const BOUNDS = {
  files: 20_000,
  fileBytes: 16 * 1024 * 1024,
  allBytes: 128 * 1024 * 1024,
  folders: 20_000,
} as const;

/** As the machines read it, with what an artifact is built of. */
export interface FolderFile extends CodeFile {
  readonly handle: string;
  readonly size: number;
}

/** Something about one entry of the folder. */
export interface FolderNote {
  readonly file: string;
  readonly why: string;
}

export interface FolderFault {
  readonly file: string;
  readonly found: string;
  readonly allowed: string;
  readonly todo: string;
}

export interface Folder {
  readonly files: readonly FolderFile[];
  readonly bytes: number;
  /** Why it is no artifact. */
  readonly faults: readonly FolderFault[];
  /** What is left out of it, which is no fault. */
  readonly notes: readonly FolderNote[];
}

type Bounds = { readonly [bound in keyof typeof BOUNDS]: number };

/** Throws BadInput when there is no such folder. */
export function artifactFolder(
  path: string,
  onFile: (count: number) => void = () => undefined,
  bounds: Bounds = BOUNDS,
): Folder {
  return new Reading(rootOf(path), onFile, bounds).folder();
}

function rootOf(path: string): string {
  const refused = (found: string): BadInput =>
    badInput(
      { file: path, path: "--artifact" },
      found,
      "a folder that can be read",
      "Give the folder that holds the files of the artifact.",
    );
  try {
    // The folder itself may be a link: it is the one that was named.
    const root = realpathSync(path);
    if (!statSync(root).isDirectory()) throw refused("no folder");
    readdirSync(root);
    return root;
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw refused(fileFault(error, "no such folder"));
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "an error";

/** An entry: its name, and its path as the bytes that the disk has. */
interface Place {
  readonly name: string;
  readonly path: Buffer;
}

const SLASH = Buffer.from("/");
const OPENING = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const CODER = "Tell the planner, so that coder.default builds the artifact otherwise.";

class Reading {
  readonly #root: string;
  readonly #onFile: (count: number) => void;
  readonly #bounds: Bounds;
  readonly #files: FolderFile[] = [];
  readonly #faults: FolderFault[] = [];
  readonly #notes: FolderNote[] = [];
  #bytes = 0;
  #isFull = false;

  constructor(root: string, onFile: (count: number) => void, bounds: Bounds) {
    this.#root = root;
    this.#onFile = onFile;
    this.#bounds = bounds;
  }

  folder(): Folder {
    const open: Place[] = [{ name: "", path: Buffer.from(this.#root) }];
    let count = 0;
    for (let at = open.pop(); at !== undefined && !this.#isFull; at = open.pop()) {
      if (++count > this.#bounds.folders) {
        this.#full(at.name, `more than ${this.#bounds.folders} folders`);
        break;
      }
      open.push(...this.#within(at));
    }
    return {
      files: this.#files,
      bytes: this.#bytes,
      faults: this.#faults,
      notes: this.#notes,
    };
  }

  /** Takes what is in a folder, and gives the folders within it, the first last. */
  #within(at: Place): readonly Place[] {
    const entries = this.#entries(at);
    if (entries.length === 0) this.#note(at.name === "" ? "." : at.name, "an empty folder");
    const inner: Place[] = [];
    for (const entry of entries) {
      const name = this.#nameOf(entry.name, at.name);
      if (name === null) continue;
      const place = { name, path: Buffer.concat([at.path, SLASH, entry.name]) };
      if (entry.isDirectory()) inner.push(place);
      else if (entry.isSymbolicLink()) this.#link(place);
      else if (entry.isFile()) this.#file(place);
      else this.#note(name, "no file: a device, a pipe or a socket; it was not opened");
      if (this.#isFull) break;
    }
    return inner.reverse();
  }

  #entries({ name, path }: Place): readonly Dirent<Buffer>[] {
    try {
      return readdirSync(path, { encoding: "buffer", withFileTypes: true }).sort((a, b) =>
        Buffer.compare(a.name, b.name),
      );
    } catch (error) {
      this.#unreadable(name, error);
      return [];
    }
  }

  /** Null where the bytes of the name are no text. */
  #nameOf(bytes: Buffer, folder: string): string | null {
    const within = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
    try {
      return within(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      const shown = bytes
        .toString("latin1")
        .replace(/[^\x20-\x7e]/g, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
      this.#fault(within(shown), "a name that is not UTF-8", "a name in UTF-8");
      return null;
    }
  }

  #link({ name, path }: Place): void {
    let target: string;
    try {
      target = readlinkSync(path);
    } catch (error) {
      this.#unreadable(name, error);
      return;
    }
    const from = name.includes("/") ? name.slice(0, name.lastIndexOf("/")) : ".";
    const leadsTo = normalize(join(from, target));
    const isOut = isAbsolute(target) || leadsTo === ".." || leadsTo.startsWith("../");
    const found = `a link ${isOut ? "out of the folder, " : ""}to ${target}; not followed`;
    this.#fault(name, found, "files and folders: what a link leads to nobody could vouch for");
  }

  #file({ name, path }: Place): void {
    const { files, fileBytes, allBytes } = this.#bounds;
    if (this.#files.length >= files) {
      this.#full(name, `more than ${files} files`);
      return;
    }
    const bytes = this.#bytesOf(name, path);
    if (bytes === null) return;
    if (bytes.length > fileBytes) {
      this.#fault(name, `more than ${fileBytes} bytes`, `at most ${fileBytes} bytes a file`);
      return;
    }
    this.#bytes += bytes.length;
    if (this.#bytes > allBytes) {
      this.#full(name, `more than ${allBytes} bytes in all`);
      return;
    }
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    this.#files.push({ path: name, text, handle: handleOf(bytes), size: bytes.length });
    this.#onFile(this.#files.length);
  }

  /** Up to one byte more than may be; null, and a fault, where it cannot be read. */
  #bytesOf(name: string, path: Buffer): Uint8Array | null {
    let descriptor: number | undefined;
    try {
      descriptor = openSync(path, OPENING);
      const { size } = fstatSync(descriptor);
      const bytes = boundedBytes(descriptor, Math.min(size, this.#bounds.fileBytes) + 1);
      if (bytes.length === size || size > this.#bounds.fileBytes) return bytes;
      this.#fault(name, "a file that changes while it is read", "a file that stays as it is");
    } catch (error) {
      this.#unreadable(name, error);
    } finally {
      if (descriptor !== undefined) closeSync(descriptor);
    }
    return null;
  }

  #unreadable(file: string, error: unknown): void {
    this.#fault(file, `${codeOf(error)}: it cannot be read`, "a file or folder that can be read");
  }

  #full(file: string, found: string): void {
    this.#isFull = true;
    this.#fault(file, `${found}; from here on nothing was looked at`, "an artifact within bounds");
  }

  #fault(file: string, found: string, allowed: string): void {
    this.#faults.push({ file: file === "" ? "." : file, found, allowed, todo: CODER });
  }

  #note(file: string, why: string): void {
    this.#notes.push({ file, why });
  }
}
