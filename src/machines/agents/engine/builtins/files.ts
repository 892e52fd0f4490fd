/** Reading, writing, editing and listing virtual files. Source: seed 000. */
import type { FilesRequest } from "../../../files.ts";
import { ask, type Letter } from "../../../letter.ts";
import { utf8Length } from "../../../utf8Length.ts";
import { type Beginning, type Builtin, isText, needs } from "../builtin.ts";
import { writeFault } from "../permissions.ts";

export const toFiles = (key: string, event: FilesRequest): { readonly letter: Letter } => ({
  letter: ask({ to: "files", key, event }),
});

/** A change that the path's permissions allow. */
const changing = (refusal: string | undefined, letter: Beginning): Beginning =>
  refusal === undefined ? letter : { refusal };

export const fsRead: Builtin = {
  name: "fs_read",
  description:
    "POSIX read(2) on a regular file: opens path O_RDONLY, returns contents as UTF-8 and size.",
  takes: "path: string",
  isLockable: true,
  output: "possible",
  begin: ({ key, params: { path } }) =>
    isText(path) ? toFiles(key, { type: "files.read", path }) : needs("path"),
  result: (_, { ok, text = "" }) => (ok ? { content: text, size: utf8Length(text) } : undefined),
};

export const fsWrite: Builtin = {
  name: "fs_write",
  description:
    "POSIX write(2) to a regular file at path, O_TRUNC: content as UTF-8, creates parent " +
    "directories, returns bytes_written.",
  takes: "path: string, content: string",
  isLockable: true,
  output: "usual",
  isPublic: true,
  begin({ key, params: { path, content: text }, policy }) {
    if (!isText(path) || !isText(text)) return needs("path and content");
    const letter = toFiles(key, { type: "files.write", path, text });
    return changing(writeFault(path, policy), letter);
  },
  result: ({ path = null, content }, { ok }) =>
    ok ? { ok: true, path, bytes_written: utf8Length(String(content ?? "")) } : undefined,
  wrote: ({ path }) => (isText(path) ? path : undefined),
};

export const fsEdit: Builtin = {
  name: "fs_edit",
  description:
    "In-place edit of a regular file at path: replaces the first exact match of a text by another " +
    "text, returns the number of replacements.",
  takes: "path: string, old_text: string, new_text: string",
  isLockable: true,
  output: "usual",
  isPublic: true,
  begin({ key, params, policy }) {
    const { path, old_text: oldText, new_text: newText } = params;
    if (!isText(path) || !isText(oldText) || !isText(newText)) {
      return needs("path, old_text and new_text");
    }
    const letter = toFiles(key, { type: "files.edit", path, oldText, newText });
    return changing(writeFault(path, policy), letter);
  },
  result: ({ path = null }, { ok }) => (ok ? { ok: true, path, replacements: 1 } : undefined),
};

export const fsList: Builtin = {
  name: "fs_list",
  description: "POSIX readdir(3): lists directory entries at path with name, type and size.",
  takes: "path: string",
  isLockable: true,
  output: "possible",
  begin: ({ key, params: { path } }) =>
    isText(path) ? toFiles(key, { type: "files.list", path }) : needs("path"),
  result: (_, { ok, entries = [] }) =>
    ok ? { entries: entries.map((entry) => ({ ...entry })) } : undefined,
};
