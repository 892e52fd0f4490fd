/**
 * The agents' files: a tree in memory with virtual mtimes. No agent ever touches the host's disk.
 * A service. Source: DESIGN §2.6; the paths under /agentOS are seeds 000 and 004.
 */

import {
  type Changed,
  type Changes,
  type DirectoryEntry,
  type File,
  type FolderSize,
  type Gone,
  lastWriters,
  type Moment,
  type Since,
  type Tree,
  WRITERS_MAX,
  writtenIn,
} from "./fileTree.ts";
import { Files, otherSince, present } from "./fileVersions.ts";
import { type FolderPolicy, isVirtualPath, NO_FOLDERS } from "./folders.ts";
import { answer, type Delivered, type Letter, type Mail, type MailOf } from "./letter.ts";
import type { Outcome, Service } from "./service.ts";

export interface FilesState {
  readonly files: Files;
  readonly watches: readonly Watch[];
}

/** As plain data. */
interface PlainFiles {
  readonly tree: Tree;
  readonly gone: Gone;
  readonly watches: readonly Watch[];
}

interface Watch {
  readonly folder: string;
  readonly watcher: string;
}

interface FilesMail {
  "files.read": { readonly path: string };
  "files.write": { readonly path: string; readonly text: string };
  "files.append": { readonly path: string; readonly text: string };
  "files.edit": { readonly path: string; readonly oldText: string; readonly newText: string };
  /** Several changes at one instant: new texts by path; null removes. */
  "files.apply": {
    readonly changed: Changed;
    /** What the changes were made of: refused when a file is another one since then. */
    readonly since?: Since;
  };
  "files.list": { readonly path: string };
  "files.move": { readonly path: string; readonly to: string };
  "files.delete": { readonly paths: readonly string[] };
  /** Every file below these folders, and those of these paths that are files themselves. */
  "files.snapshot": {
    readonly folders: readonly string[];
    /** Whether it is told when each was written, and when the snapshot was taken. */
    readonly times?: true;
  };
  /** How much lies below each of these folders. */
  "files.measure": { readonly folders: readonly string[] };
  /** Its sender is told of each change below the folder; one folder for each sender. */
  "files.watch": { readonly folder: string };
  "files.unwatch": { readonly [field in never]: never };
}

declare module "./letter.ts" {
  interface Mail extends FilesMail {
    /** The answer to every request. */
    "files.replied": {
      readonly ok: boolean;
      /** A sentence; nothing changed when it is there. */
      readonly error?: string;
      readonly text?: string;
      /** Of a file that was read: when it was last written. */
      readonly mtimeMs?: number;
      readonly entries?: readonly DirectoryEntry[];
      readonly files?: { readonly [path: string]: string };
      /** Of a snapshot: by path, the delivery that wrote the file last. */
      readonly madeBy?: { readonly [path: string]: number };
      /** Of a snapshot with times. */
      readonly mtimesMs?: { readonly [path: string]: number };
      readonly taken?: Moment;
      /** In the order of the question. */
      readonly sizes?: readonly FolderSize[];
    };
    /** To a watcher: the new text of a file, null when it is gone. */
    "folder.changed": { readonly path: string; readonly text: string | null };
  }
}

export type FilesRequest = MailOf<keyof FilesMail>;
export type FilesReply = Mail["files.replied"];

interface Result {
  readonly reply: FilesReply;
  /** Absent when nothing changes. */
  readonly changed?: Changes;
  /** When all that changes is that a text becomes longer: as it is then, and its new end. */
  readonly added?: { readonly text: string; readonly by: string };
  /** The facts a read rests on. */
  readonly because?: readonly number[];
}

type Stamped = Delivered<keyof FilesMail>;

type FilesService = Service<FilesState, { files: { readonly [path: string]: string } }>;

/** The files of a world with these folders beside /agentOS. */
export const filesServiceIn = (folders: FolderPolicy): FilesService => {
  const served = (state: FilesState, request: Served) => answered(state, request, folders);
  return {
    ...common,
    on: { ...onRequests(served), "files.watch": watched, "files.unwatch": watched },
  };
};

const onRequests = <T>(served: T) => ({
  "files.read": served,
  "files.write": served,
  "files.append": served,
  "files.edit": served,
  "files.apply": served,
  "files.list": served,
  "files.move": served,
  "files.delete": served,
  "files.snapshot": served,
  "files.measure": served,
});

const common: Omit<FilesService, "on"> = {
  kind: "service",
  id: "files",
  init: ({ files }, at) => ({
    state: { files: Files.of({}).after(Object.entries(files), at), watches: [] },
    letters: [],
  }),
  kept: {
    plain: ({ files, watches }): PlainFiles => {
      return { tree: files.tree(), gone: files.gone(), watches };
    },
    restored: (plain) => {
      const { tree, gone, watches } = plain as PlainFiles; // What `plain` made.
      return { files: Files.of(tree, gone), watches };
    },
    apart: (before, after) => {
      const [old, now] = before.files.untilNext();
      return [
        { ...old, watches: before.watches },
        { ...now, watches: after.watches },
      ];
    },
  },
  ignores: [],
};

/** The files of a world of the sources' own folders. */
export const filesService = filesServiceIn(NO_FOLDERS);

type Served = Exclude<Stamped, { type: "files.watch" | "files.unwatch" }>;

function answered(state: FilesState, request: Served, folders: FolderPolicy): Outcome<FilesState> {
  const { files, watches } = state;
  const { reply, changed, because, added } = perform(files, request, folders);
  const letters = answer(request.at, { type: "files.replied", ...reply }, { because });
  if (changed === undefined) return { state, letters };
  return {
    state: { files: files.after(changed, request.at, added?.by), watches },
    letters: [...letters, ...notices(watches, changed)],
    grown: added,
  };
}

function watched(
  { files, watches }: FilesState,
  request: Delivered<"files.watch" | "files.unwatch">,
): Outcome<FilesState> {
  return { state: { files, watches: watchesAfter(watches, request) }, letters: [] };
}

function watchesAfter(
  watches: readonly Watch[],
  request: Delivered<"files.watch" | "files.unwatch">,
): Watch[] {
  const others = watches.filter(({ watcher }) => watcher !== request.at.from);
  return request.type === "files.watch"
    ? [...others, { folder: request.folder, watcher: request.at.from }]
    : others;
}

function perform(files: Files, request: Served, folders: FolderPolicy): Result {
  const bad = pathsOf(request).find((path) => !isVirtualPath(path, folders));
  if (bad !== undefined) return failed(`ValueError: not a plain absolute path: ${bad}`);
  switch (request.type) {
    case "files.read": {
      const file = files.at(request.path);
      if (file === undefined) return missing(request.path, files);
      const { text, mtimeMs } = file;
      return { reply: { ok: true, text, mtimeMs }, because: files.writers([request.path]) };
    }
    case "files.write":
      return { reply: { ok: true }, changed: [[request.path, request.text]] };
    case "files.append": {
      const file = files.at(request.path);
      const text = (file?.text ?? "") + request.text;
      const added = { text, by: request.text };
      return { reply: { ok: true }, changed: [[request.path, text, stillIn(file)]], added };
    }
    case "files.edit": {
      const file = files.at(request.path);
      if (file === undefined) return missing(request.path, files);
      const index = file.text.indexOf(request.oldText);
      if (index < 0) {
        const reason = `ValueError: the text to replace is not in ${request.path}`;
        return { ...failed(reason), because: files.writers([request.path]) };
      }
      const after = file.text.slice(index + request.oldText.length);
      const text = file.text.slice(0, index) + request.newText + after;
      return { reply: { ok: true }, changed: [[request.path, text, stillIn(file)]] };
    }
    case "files.apply": {
      const other = request.since && otherSince(files, request.changed, request.since);
      if (other !== undefined) {
        const reason = `ConflictError: ${other} was changed by another agent or tool meanwhile`;
        return { ...failed(reason), because: files.writers([other]) };
      }
      return { reply: { ok: true }, changed: present(files, Object.entries(request.changed)) };
    }
    case "files.list": {
      const entries = files.list(request.path);
      const because = files.changersIn(request.path);
      if (entries.length === 0) return { ...missing(request.path, files), because };
      return { reply: { ok: true, entries }, because };
    }
    case "files.move": {
      const file = files.at(request.path);
      if (file === undefined) return missing(request.path, files);
      return { reply: { ok: true }, changed: moved(request.path, request.to, file) };
    }
    case "files.delete": {
      const gone = [...new Set(request.paths)].map((path) => [path, null] as const);
      return { reply: { ok: true }, changed: present(files, gone) };
    }
    case "files.snapshot": {
      const named = request.folders.filter((path) => files.at(path) !== undefined);
      const paths = [...new Set([...named, ...files.below(request.folders)])].sort();
      const found = paths.flatMap((path) => {
        const file = files.at(path);
        return file === undefined ? [] : [[path, file] as const];
      });
      const view = Object.fromEntries(found.map(([path, { text }]) => [path, text]));
      const madeBy = Object.fromEntries(found.map(([path, file]) => [path, file.madeBy]));
      // What was asked for and is not there rests on who removed it.
      const because = files.writers([...paths, ...request.folders]);
      if (request.times !== true) return { reply: { ok: true, files: view, madeBy }, because };
      if (isBeyondView(view)) {
        return failed(
          `MemoryError: the files hold more than the ${VIEW_CHARS_MAX} characters of a view`,
        );
      }
      const mtimesMs = Object.fromEntries(found.map(([path, file]) => [path, file.mtimeMs]));
      const { nowMs, seq } = request.at;
      const taken = { ms: nowMs, seq };
      return { reply: { ok: true, files: view, madeBy, mtimesMs, taken }, because };
    }
    case "files.measure":
      return {
        reply: {
          ok: true,
          sizes: request.folders.map((folder) => files.size(folder)),
        },
      };
  }
}

/** Ours: a view goes on in a letter, with the times beside it; one that were too long would end the run. */
const VIEW_CHARS_MAX = 3_000_000;

/** In a letter, a control code takes six characters; a time and a writer about as many as their path and twenty. */
const isBeyondView = (files: { readonly [path: string]: string }): boolean => {
  const all = Object.entries(files);
  const least = all.reduce((sum, [path, text]) => sum + 3 * path.length + 40 + text.length, 0);
  if (6 * least <= VIEW_CHARS_MAX) return false;
  const escaped = (text: string): number => JSON.stringify(text).length;
  const chars = all.map(([path, text]) => 3 * escaped(path) + 40 + escaped(text));
  return chars.reduce((sum, one) => sum + one, 0) > VIEW_CHARS_MAX;
};

/** A file that is moved to where it lies stays there. */
const moved = (path: string, to: string, file: File): Changes =>
  path === to
    ? [[to, file.text, stillIn(file)]]
    : [
        [path, null],
        [to, file.text, stillIn(file)],
      ];

/** Those whose text stays in a file that is not written anew. */
const stillIn = (file: File | undefined): readonly number[] =>
  file === undefined ? [] : lastWriters([writtenIn(file)]).slice(1 - WRITERS_MAX);

function pathsOf(request: Served): readonly string[] {
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
    default:
      return [request.path];
  }
}

/** All there is; it may be looked at whole. */
const ROOT = "/agentOS";

const failed = (error: string): Result => ({ reply: { ok: false, error } });

/** What is not there rests on who removed it. */
const missing = (path: string, files: Files): Result => ({
  ...failed(`FileNotFoundError: ${path}`),
  because: files.writers([path]),
});

const notices = (watches: readonly Watch[], changed: Changes): readonly Letter[] =>
  watches.length === 0
    ? NO_LETTERS
    : changed.flatMap(([path, text]) =>
        watches
          .filter(({ folder }) => path.startsWith(`${folder}/`))
          .map(
            ({ watcher }): Letter => ({
              to: watcher,
              event: { type: "folder.changed", path, text },
            }),
          ),
      );

const NO_LETTERS: readonly Letter[] = [];
