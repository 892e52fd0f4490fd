/**
 * The files a shell command sees: a working copy with folders, and a book of what was read and what
 * was changed. Paths are absolute and normalised. Folders are those that hold files, and those made
 * by this command.
 */
import { isPlainPath } from "../files.ts";
import { ownValue } from "../ownValue.ts";
import { type Meter, within } from "./shellLimits.ts";

/** The words of the operating system for what went wrong. */
export type Errno =
  | "No such file or directory"
  | "Is a directory"
  | "Not a directory"
  | "Directory not empty"
  | "File exists"
  | "Permission denied"
  | "Read-only file system"
  | "Invalid argument";

export interface Disk {
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  /** The text, and a line in the book of reads. Undefined when there is no such file. */
  read(path: string): string | undefined;
  /** Characters of a file, without reading it. */
  peek(path: string): string;
  /** Names directly in a folder, sorted. */
  list(folder: string): readonly string[];
  /** Why a name may not be made, changed or removed. */
  refusal(path: string): Errno | undefined;
  write(path: string, text: string): Errno | undefined;
  removeFile(path: string): Errno | undefined;
  makeFolder(path: string): Errno | undefined;
  /** An empty one. */
  removeFolder(path: string): Errno | undefined;
  /** When the file was last written; changes of this command are now. */
  writtenMs(path: string): number;
  /** New texts by path, null for what is gone; a file made and removed again is not there. */
  changed(): { [path: string]: string | null };
  /** Files that were there from the start and whose text was looked at, sorted. */
  reads(): string[];
}

export interface DiskOptions {
  readonly files: { readonly [path: string]: string };
  readonly cwd: string;
  readonly nowMs: number;
  readonly mtimesMs: { readonly [path: string]: number };
  readonly readOnly: readonly string[];
  readonly steps: Meter;
}

const ROOT_FOLDERS = ["/agentOS", "/dev"];
export const NULL_DEVICE = "/dev/null";

export function openDisk(options: DiskOptions): Disk {
  return new WorkingCopy(options);
}

class WorkingCopy implements Disk {
  private readonly options: DiskOptions;
  private readonly texts: Map<string, string>;
  private readonly folders = new Map<string, Set<string>>([["/", new Set()]]);
  private readonly touched = new Set<string>();
  private readonly looked = new Set<string>();

  constructor(options: DiskOptions) {
    this.options = options;
    this.texts = new Map(Object.entries(options.files).filter(([path]) => isPlainPath(path)));
    for (const folder of [...ROOT_FOLDERS, ...options.readOnly, options.cwd])
      this.addFolder(folder);
    for (const [path, text] of this.texts) this.addFile(path, text);
  }

  isFile(path: string): boolean {
    return this.texts.has(path) || path === NULL_DEVICE;
  }

  isFolder(path: string): boolean {
    return this.folders.has(path);
  }

  read(path: string): string | undefined {
    if (path === NULL_DEVICE) return "";
    const text = this.texts.get(path);
    this.options.steps.spend(1 + (text?.length ?? 0));
    if (text !== undefined && this.wasThere(path)) this.looked.add(path);
    return text;
  }

  peek(path: string): string {
    return this.texts.get(path) ?? "";
  }

  list(folder: string): readonly string[] {
    const names = [...(this.folders.get(folder) ?? [])].sort();
    this.options.steps.spend(1 + names.length);
    return names;
  }

  refusal(path: string): Errno | undefined {
    if (!this.folders.has(parentOf(path))) {
      return this.texts.has(parentOf(path)) ? "Not a directory" : "No such file or directory";
    }
    const isFixed = this.options.readOnly.some((top) => path === top || path.startsWith(`${top}/`));
    if (isFixed) return "Read-only file system";
    if (!path.startsWith("/agentOS/")) return "Permission denied";
    return isPlainPath(path) ? undefined : "Invalid argument";
  }

  write(path: string, text: string): Errno | undefined {
    if (path === NULL_DEVICE) return undefined;
    if (this.folders.has(path)) return "Is a directory";
    const refused = this.refusal(path);
    if (refused !== undefined) return refused;
    within("outputChars", text.length);
    this.options.steps.spend(1 + text.length);
    this.touch(path);
    this.addFile(path, text);
    return undefined;
  }

  removeFile(path: string): Errno | undefined {
    if (path === NULL_DEVICE) return "Permission denied";
    if (!this.texts.has(path)) return "No such file or directory";
    const refused = this.refusal(path);
    if (refused !== undefined) return refused;
    this.touch(path);
    this.texts.delete(path);
    this.folders.get(parentOf(path))?.delete(nameOf(path));
    return undefined;
  }

  makeFolder(path: string): Errno | undefined {
    if (this.folders.has(path) || this.texts.has(path)) return "File exists";
    this.options.steps.spend(1 + path.length);
    const refused = this.refusal(path);
    if (refused === undefined) this.addFolder(path);
    return refused;
  }

  removeFolder(path: string): Errno | undefined {
    const names = this.folders.get(path);
    if (names === undefined) {
      return this.texts.has(path) ? "Not a directory" : "No such file or directory";
    }
    const refused = this.refusal(path);
    if (refused !== undefined) return refused;
    if (names.size > 0) return "Directory not empty";
    this.folders.delete(path);
    this.folders.get(parentOf(path))?.delete(nameOf(path));
    return undefined;
  }

  writtenMs(path: string): number {
    const { mtimesMs, nowMs } = this.options;
    return this.touched.has(path) ? nowMs : (ownValue(mtimesMs, path) ?? nowMs);
  }

  changed(): { [path: string]: string | null } {
    const paths = [...this.touched].sort();
    const seen = paths.filter((path) => this.texts.has(path) || this.wasThere(path));
    return Object.fromEntries(seen.map((path) => [path, this.texts.get(path) ?? null]));
  }

  reads(): string[] {
    return [...this.looked].sort();
  }

  private wasThere(path: string): boolean {
    return Object.hasOwn(this.options.files, path);
  }

  private touch(path: string): void {
    this.touched.add(path);
    within("filesChanged", this.touched.size);
  }

  private addFolder(path: string): void {
    if (this.folders.has(path)) return;
    this.folders.set(path, new Set());
    const above = parentOf(path);
    this.addFolder(above);
    this.folders.get(above)?.add(nameOf(path));
  }

  private addFile(path: string, text: string): void {
    this.addFolder(parentOf(path));
    this.folders.get(parentOf(path))?.add(nameOf(path));
    this.texts.set(path, text);
  }
}

/** Absolute and without `.`, `..` or empty segments. */
export function resolved(cwd: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return `/${segments.join("/")}`;
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
export const childOf = (folder: string, name: string): string =>
  folder === "/" ? `/${name}` : `${folder}/${name}`;
