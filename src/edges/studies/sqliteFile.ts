/** A SQLite file of ours: opened, known by its mark, and refused in words where it is not what it must be. */
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { BadInput, badInput, NewerFormat, OutputRefused } from "../errors.ts";

export interface FileKind {
  /** Stands in the header of the file, so that no other program's file is taken for ours. */
  readonly applicationId: number;
  /** Counts up with each change of the tables. */
  readonly format: number;
  readonly schema: string;
  /** `a run table of a study`. */
  readonly called: string;
  /** What to do with a file that cannot be used. */
  readonly todo: string;
}

/** Ours: how long a writer waits for another process that writes. */
const BUSY_MS = 10_000;

/** Makes the file where there is none. Throws BadInput, NewerFormat or OutputRefused. */
export function openSqlite(file: string, kind: FileKind): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { timeout: BUSY_MS });
    if (mark(db, "application_id") !== kind.applicationId) make(db, file, kind);
    const format = mark(db, "user_version");
    if (format !== kind.format) throw otherFormat(file, kind, format);
    for (const { quick_check: found } of db.prepare("PRAGMA quick_check(1)").all()) {
      if (found !== "ok") throw damaged(file, kind, String(found));
    }
    // A process that is killed loses nothing that was committed; only a machine may, its last moments.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    return db;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw sqliteError(error, file, kind);
  }
}

const mark = (db: DatabaseSync, pragma: "application_id" | "user_version"): unknown =>
  db.prepare(`PRAGMA ${pragma}`).get()?.[pragma];

/** In one transaction: whoever is killed within it leaves an empty file, which is made anew. */
function make(db: DatabaseSync, file: string, kind: FileKind): void {
  db.exec("BEGIN IMMEDIATE");
  // Another process may have made it meanwhile.
  if (mark(db, "application_id") === kind.applicationId) {
    db.exec("COMMIT");
    return;
  }
  const { tables } = db.prepare("SELECT count(*) AS tables FROM sqlite_schema").get() ?? {};
  if (tables !== 0) {
    throw fileError(file, kind, "a SQLite database of another program", kind.called);
  }
  db.exec(
    `${kind.schema}; PRAGMA application_id = ${kind.applicationId}; PRAGMA user_version = ${kind.format}; COMMIT`,
  );
}

const otherFormat = (file: string, { called, format, todo }: FileKind, found: unknown): Error =>
  new (Number(found) > format ? NewerFormat : BadInput)({
    where: { file },
    found: `${called} of format ${found}`,
    allowed: `format ${format}, which this version writes`,
    todo,
  });

const fileError = (file: string, { todo }: FileKind, found: string, allowed: string): BadInput =>
  badInput({ file }, found, allowed, todo);

const damaged = (file: string, kind: FileKind, found: string): BadInput =>
  fileError(file, kind, `damage: ${found}`, `${kind.called}, whole`);

/** Of SQLite: the low byte of `errcode`. */
const CODES = { readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notOurs: 26 };

/** What SQLite could not do, in words; any other error as it is. */
export function sqliteError(error: unknown, file: string, kind: FileKind): unknown {
  if (!(error instanceof Error) || !("errcode" in error)) return error;
  const code = Number(error.errcode) & 255;
  const { message } = error;
  if (code === CODES.notOurs) return damaged(file, kind, "no SQLite database");
  if (code === CODES.corrupt || /^no such (table|column)/.test(message))
    return damaged(file, kind, message);
  if (code === CODES.full || code === CODES.inputOutput) {
    return new OutputRefused({
      where: { file },
      found: `${message}: the disk takes no more`,
      allowed: "room for what is kept of each run",
      todo: "Make room and give the same command again: it goes on from the last run that was kept.",
    });
  }
  if (code === CODES.readOnly || code === CODES.cannotOpen) {
    return new OutputRefused({
      where: { file },
      found: existsSync(file) ? `${message}: it cannot be written` : message,
      allowed: "a folder that can be made, read and written",
      todo: "Name another folder with --out, or let yourself write this one.",
    });
  }
  return error;
}
