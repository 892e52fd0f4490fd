/**
 * The agents' files: a tree in memory with virtual mtimes. No agent ever touches the host's disk.
 * A service. Source: DESIGN §2.6; the paths under /agentOS are seeds 000 and 004.
 */
import { type FolderSize, sizeOf } from "./folderSize.ts";
import { type At, answer, type Letter, type MailEvent } from "./letter.ts";
import { ownValue } from "./ownValue.ts";
import type { Grown, Outcome, Service } from "./service.ts";
import { utf8Length } from "./utf8Length.ts";

export interface File {
  readonly text: string;
  readonly mtimeMs: number;
  /** The delivery that last changed it. */
  readonly madeBy: number;
}

/** Files by folder, then by name: a write copies one folder, not the whole tree. */
interface Tree {
  readonly [folder: string]: { readonly [name: string]: File };
}

export interface FilesState {
  readonly tree: Tree;
  readonly watches: readonly Watch[];
}

/** New texts by path; null removes. */
export interface Changed {
  readonly [path: string]: string | null;
}

/** A moment of a run: deliveries are in this order. */
export interface Moment {
  readonly ms: number;
  readonly seq: number;
}

/** A view of the files, and which of the paths that a change names were not in it. */
export interface Since extends Moment {
  readonly created: readonly string[];
}

interface Watch {
  readonly folder: string;
  readonly watcher: string;
}

export type FilesRequest =
  | { readonly type: "files.read"; readonly path: string }
  | { readonly type: "files.write"; readonly path: string; readonly text: string }
  | { readonly type: "files.append"; readonly path: string; readonly text: string }
  | {
      readonly type: "files.edit";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
    }
  /** Several changes at one instant: new texts by path; null removes. */
  | {
      readonly type: "files.apply";
      readonly changed: Changed;
      /** What the changes were made of: refused when a file is another one since then. */
      readonly since?: Since;
    }
  | { readonly type: "files.list"; readonly path: string }
  | { readonly type: "files.move"; readonly path: string; readonly to: string }
  | { readonly type: "files.delete"; readonly paths: readonly string[] }
  /** Every file below these folders, and those of these paths that are files themselves. */
  | {
      readonly type: "files.snapshot";
      readonly folders: readonly string[];
      /** Whether it is told when each was written, and when the snapshot was taken. */
      readonly times?: true;
    }
  /** How much lies below each of these folders. */
  | { readonly type: "files.measure"; readonly folders: readonly string[] }
  | { readonly type: "files.watch"; readonly folder: string }
  | { readonly type: "files.unwatch" };

/** The answer to every request. `error` is a sentence; nothing changed when it is there. */
export interface FilesReply {
  readonly type: "files.replied";
  readonly ok: boolean;
  readonly error?: string;
  readonly text?: string;
  /** Of a file that was read: when it was last written. */
  readonly mtimeMs?: number;
  readonly entries?: readonly DirectoryEntry[];
  readonly files?: { readonly [path: string]: string };
  /** Of a snapshot with times. */
  readonly mtimesMs?: { readonly [path: string]: number };
  readonly taken?: Moment;
  /** In the order of the question. */
  readonly sizes?: readonly FolderSize[];
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: "file" | "directory";
  /** Bytes in UTF-8; 0 for a directory. */
  readonly size: number;
}

interface Result {
  readonly reply: Omit<FilesReply, "type">;
  /** Absent when nothing changes. */
  readonly changed?: Changed;
  readonly grown?: Grown;
  /** The facts a read rests on. */
  readonly because?: readonly number[];
}

type Stamped = FilesRequest & { readonly at: At };

export const filesService: Service<FilesState> = {
  kind: "service",
  id: "files",
  handles: [
    "files.read",
    "files.write",
    "files.append",
    "files.edit",
    "files.apply",
    "files.list",
    "files.move",
    "files.delete",
    "files.snapshot",
    "files.measure",
    "files.watch",
    "files.unwatch",
  ],
  ignores: [],
  init(input: { files: { readonly [path: string]: string } }, at: At): Outcome<FilesState> {
    return { state: { tree: treeAfter({}, input.files, at), watches: [] }, letters: [] };
  },
  receive(state: FilesState, event: MailEvent & { readonly at: At }): Outcome<FilesState> {
    const request = event as unknown as Stamped;
    if (request.type === "files.watch" || request.type === "files.unwatch") {
      return { state: { ...state, watches: watchesAfter(state.watches, request) }, letters: [] };
    }
    const { reply, changed, because, grown } = perform(state, request);
    const letters = answer(request.at, { type: "files.replied", ...reply }, because && { because });
    if (changed === undefined) return { state, letters };
    return {
      state: { ...state, tree: treeAfter(state.tree, changed, request.at) },
      letters: [...letters, ...notices(state.watches, changed)],
      ...(grown && { grown }),
    };
  },
};

function watchesAfter(watches: readonly Watch[], request: Stamped): Watch[] {
  const others = watches.filter(({ watcher }) => watcher !== request.at.from);
  return request.type === "files.watch"
    ? [...others, { folder: request.folder, watcher: request.at.from }]
    : others;
}

function perform({ tree }: FilesState, request: Stamped): Result {
  const bad = pathsOf(request).find((path) => !isPlainPath(path));
  if (bad !== undefined) return failed(`ValueError: not a plain absolute path: ${bad}`);
  switch (request.type) {
    case "files.read": {
      const file = fileAt(tree, request.path);
      if (file === undefined) return missing(request.path);
      const { text, mtimeMs, madeBy } = file;
      return { reply: { ok: true, text, mtimeMs }, because: [madeBy] };
    }
    case "files.write":
      return { reply: { ok: true }, changed: { [request.path]: request.text } };
    case "files.append": {
      const text = (fileAt(tree, request.path)?.text ?? "") + request.text;
      const grown = { text, by: request.text };
      return { reply: { ok: true }, changed: { [request.path]: text }, grown };
    }
    case "files.edit": {
      const file = fileAt(tree, request.path);
      if (file === undefined) return missing(request.path);
      const index = file.text.indexOf(request.oldText);
      if (index < 0) return failed(`ValueError: the text to replace is not in ${request.path}`);
      const after = file.text.slice(index + request.oldText.length);
      const text = file.text.slice(0, index) + request.newText + after;
      return { reply: { ok: true }, changed: { [request.path]: text } };
    }
    case "files.apply": {
      const other = request.since && otherSince(tree, request.changed, request.since);
      if (other !== undefined) {
        return failed(`ConflictError: ${other} was changed by another agent or tool meanwhile`);
      }
      return { reply: { ok: true }, changed: present(tree, request.changed) };
    }
    case "files.list": {
      const entries = entriesOf(tree, request.path);
      if (entries.length === 0) return missing(request.path);
      return { reply: { ok: true, entries } };
    }
    case "files.move": {
      const file = fileAt(tree, request.path);
      if (file === undefined) return missing(request.path);
      return { reply: { ok: true }, changed: { [request.path]: null, [request.to]: file.text } };
    }
    case "files.delete": {
      const gone = request.paths.map((path) => [path, null] as const);
      return { reply: { ok: true }, changed: present(tree, Object.fromEntries(gone)) };
    }
    case "files.snapshot": {
      const named = request.folders.filter((path) => fileAt(tree, path) !== undefined);
      const paths = [...new Set([...named, ...under(tree, request.folders)])].sort();
      const texts = paths.map((path) => [path, fileAt(tree, path)?.text ?? ""]);
      const files = Object.fromEntries(texts);
      if (request.times !== true) return { reply: { ok: true, files } };
      const times = paths.map((path) => [path, fileAt(tree, path)?.mtimeMs ?? 0]);
      const { nowMs, seq } = request.at;
      const taken = { ms: nowMs, seq };
      return { reply: { ok: true, files, mtimesMs: Object.fromEntries(times), taken } };
    }
    case "files.measure":
      return {
        reply: {
          ok: true,
          sizes: request.folders.map((top) => sizeOf(top, filesUnder(tree, top))),
        },
      };
    default:
      return { reply: { ok: true } };
  }
}

/** The first path that is not as it was at that moment: written since, or removed. */
function otherSince(tree: Tree, changed: Changed, since: Since): string | undefined {
  return Object.keys(changed)
    .sort()
    .find((path) => {
      const file = fileAt(tree, path);
      // What both removed is gone, as both wanted.
      if (file === undefined) return changed[path] !== null && !since.created.includes(path);
      const { mtimeMs, madeBy } = file;
      return mtimeMs > since.ms || (mtimeMs === since.ms && madeBy > since.seq);
    });
}

/** Without the removal of what is not there. */
const present = (tree: Tree, changed: Changed): Changed =>
  Object.fromEntries(
    Object.entries(changed).filter(
      ([path, text]) => text !== null || fileAt(tree, path) !== undefined,
    ),
  );

function pathsOf(request: Stamped): readonly string[] {
  switch (request.type) {
    case "files.move":
      return [request.path, request.to];
    case "files.delete":
      return request.paths;
    case "files.apply":
      return Object.keys(request.changed);
    case "files.snapshot":
    case "files.measure":
      return request.folders.filter((folder) => folder !== ROOT);
    case "files.watch":
      return [request.folder];
    case "files.unwatch":
      return [];
    default:
      return [request.path];
  }
}

/** All there is; it may be looked at whole. */
const ROOT = "/agentOS";

/** Absolute, below /agentOS, without empty, `.`, `..` or `__proto__` segments. */
export const isPlainPath = (path: string): boolean =>
  typeof path === "string" &&
  path.startsWith("/agentOS/") &&
  path.length <= 1_000 &&
  path
    .slice(1)
    .split("/")
    .every((segment) => !["", ".", "..", "__proto__"].includes(segment));

const failed = (error: string): Result => ({ reply: { ok: false, error } });
const missing = (path: string): Result => failed(`FileNotFoundError: ${path}`);

const fileAt = (tree: Tree, path: string): File | undefined => {
  const slash = path.lastIndexOf("/");
  return ownValue(tree[path.slice(0, slash)] ?? {}, path.slice(slash + 1));
};

/** Paths of all files below these folders, sorted. */
const under = (tree: Tree, folders: readonly string[]): string[] =>
  Object.keys(tree)
    .filter((folder) => folders.some((top) => folder === top || folder.startsWith(`${top}/`)))
    .flatMap((folder) => Object.keys(tree[folder] ?? {}).map((name) => `${folder}/${name}`))
    .sort();

const filesUnder = (tree: Tree, folder: string): File[] =>
  under(tree, [folder]).flatMap((path) => fileAt(tree, path) ?? []);

/** What lies directly in a folder, by name. A folder is there as long as a file lies below it. */
function entriesOf(tree: Tree, folder: string): DirectoryEntry[] {
  const entries = new Map<string, DirectoryEntry>();
  for (const path of under(tree, [folder])) {
    const [name = "", ...below] = path.slice(folder.length + 1).split("/");
    const entry: DirectoryEntry =
      below.length > 0
        ? { name, type: "directory", size: 0 }
        : { name, type: "file", size: utf8Length(fileAt(tree, path)?.text ?? "") };
    entries.set(`${entry.type} ${name}`, entry);
  }
  return [...entries.values()];
}

function treeAfter(tree: Tree, changed: Changed, at: At): Tree {
  const after: { [folder: string]: Tree[string] } = { ...tree };
  for (const [path, text] of Object.entries(changed)) {
    const slash = path.lastIndexOf("/");
    const folder = path.slice(0, slash);
    const name = path.slice(slash + 1);
    if (text === null) {
      const { [name]: _, ...others } = after[folder] ?? {};
      after[folder] = others;
    } else {
      after[folder] = {
        ...after[folder],
        [name]: { text, mtimeMs: at.nowMs, madeBy: at.seq },
      };
    }
  }
  return after;
}

const notices = (watches: readonly Watch[], changed: Changed): Letter[] =>
  Object.entries(changed).flatMap(([path, text]) =>
    watches
      .filter(({ folder }) => path.startsWith(`${folder}/`))
      .map(({ watcher }) => ({ to: watcher, event: { type: "folder.changed", path, text } })),
  );
