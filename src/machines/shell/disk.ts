/**
 * The files a shell command sees: a working copy with folders, and a book of what was read and what
 * was changed. Paths are absolute and normalised. Folders are those that hold files, and those made
 * by this command.
 */
import { isPlainPath } from "../files.ts";
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

export function openDisk({ files, cwd, nowMs, mtimesMs, readOnly, steps }: DiskOptions): Disk {
  const texts = new Map(Object.entries(files).filter(([path]) => isPlainPath(path)));
  const folders = new Map<string, Set<string>>([["/", new Set()]]);
  const touched = new Set<string>();
  const read = new Set<string>();

  const addFolder = (path: string): void => {
    if (folders.has(path)) return;
    folders.set(path, new Set());
    const above = parentOf(path);
    addFolder(above);
    folders.get(above)?.add(nameOf(path));
  };
  const addFile = (path: string, text: string): void => {
    addFolder(parentOf(path));
    folders.get(parentOf(path))?.add(nameOf(path));
    texts.set(path, text);
  };
  const dropName = (path: string): void => {
    folders.get(parentOf(path))?.delete(nameOf(path));
  };
  const refusal = (path: string): Errno | undefined => {
    if (!folders.has(parentOf(path))) {
      return texts.has(parentOf(path)) ? "Not a directory" : "No such file or directory";
    }
    if (readOnly.some((top) => path === top || path.startsWith(`${top}/`))) {
      return "Read-only file system";
    }
    if (!path.startsWith("/agentOS/")) return "Permission denied";
    return isPlainPath(path) ? undefined : "Invalid argument";
  };
  const change = (path: string): void => {
    touched.add(path);
    within("filesChanged", touched.size);
  };

  for (const folder of [...ROOT_FOLDERS, ...readOnly, cwd]) addFolder(folder);
  for (const [path, text] of texts) addFile(path, text);

  return {
    refusal,
    isFile: (path) => texts.has(path) || path === NULL_DEVICE,
    isFolder: (path) => folders.has(path),
    peek: (path) => texts.get(path) ?? "",
    read(path) {
      if (path === NULL_DEVICE) return "";
      const text = texts.get(path);
      steps.spend(1 + (text?.length ?? 0));
      if (text !== undefined && Object.hasOwn(files, path)) read.add(path);
      return text;
    },
    list(folder) {
      const names = [...(folders.get(folder) ?? [])].sort();
      steps.spend(1 + names.length);
      return names;
    },
    write(path, text) {
      if (path === NULL_DEVICE) return undefined;
      if (folders.has(path)) return "Is a directory";
      const refused = refusal(path);
      if (refused !== undefined) return refused;
      within("outputChars", text.length);
      steps.spend(1 + text.length);
      change(path);
      addFile(path, text);
      return undefined;
    },
    removeFile(path) {
      if (!texts.has(path))
        return path === NULL_DEVICE ? "Permission denied" : "No such file or directory";
      const refused = refusal(path);
      if (refused !== undefined) return refused;
      change(path);
      texts.delete(path);
      dropName(path);
      return undefined;
    },
    makeFolder(path) {
      if (folders.has(path) || texts.has(path)) return "File exists";
      steps.spend(1 + path.length);
      const refused = refusal(path);
      if (refused === undefined) addFolder(path);
      return refused;
    },
    removeFolder(path) {
      const names = folders.get(path);
      if (names === undefined)
        return texts.has(path) ? "Not a directory" : "No such file or directory";
      const refused = refusal(path);
      if (refused !== undefined) return refused;
      if (names.size > 0) return "Directory not empty";
      folders.delete(path);
      dropName(path);
      return undefined;
    },
    writtenMs: (path) =>
      touched.has(path) || !Object.hasOwn(mtimesMs, path) ? nowMs : (mtimesMs[path] ?? nowMs),
    changed: () =>
      Object.fromEntries(
        [...touched]
          .sort()
          .filter((path) => texts.has(path) || Object.hasOwn(files, path))
          .map((path) => [path, texts.get(path) ?? null]),
      ),
    reads: () => [...read].sort(),
  };
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
