/**
 * Results of runs across studies, by their key: see runKey.ts. A file in the folder of kept answers, trusted as little
 * as they are: a row that its hash does not vouch for is played again, and a file that cannot be used is done without.
 */
import path from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { packed, unpacked } from "./keptFacts.ts";
import { sha256 } from "./runKey.ts";
import { type FileKind, openSqlite } from "./sqliteFile.ts";

const CACHE_FILE = "replicates.sqlite";

const KIND: FileKind = {
  applicationId: 0x67687263,
  format: 1,
  called: "a cache of runs",
  todo: "Remove it, or name another folder with --cache.",
  schema:
    "CREATE TABLE runs (key TEXT PRIMARY KEY, result BLOB NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID",
};

export class ReplicateCache {
  #open:
    | { readonly db: DatabaseSync; readonly get: StatementSync; readonly put: StatementSync }
    | undefined;
  readonly #onTrouble: (why: string) => void;

  /** Of a folder that `cacheFolder` gave. `onTrouble` hears once that it cannot be used, and why. */
  constructor(folder: string, onTrouble: (why: string) => void) {
    this.#onTrouble = onTrouble;
    this.#guarded(() => {
      const db = openSqlite(path.join(folder, CACHE_FILE), KIND);
      this.#open = {
        db,
        get: db.prepare("SELECT result, sha256 FROM runs WHERE key = ?"),
        put: db.prepare("INSERT OR REPLACE INTO runs VALUES (?, ?, ?)"),
      };
    });
  }

  /** JSON; undefined where there is none. */
  get(key: string): string | undefined {
    return this.#guarded(() => {
      const { result: bytes, sha256: hash } = this.#open?.get.get(key) ?? {};
      if (!(bytes instanceof Uint8Array)) return undefined;
      const result = unpacked(bytes);
      return result !== undefined && vouchedFor(key, result) === hash ? result : undefined;
    });
  }

  put(key: string, result: string): void {
    this.#guarded(() => this.#open?.put.run(key, packed(result), vouchedFor(key, result)));
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }

  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.close();
      this.#onTrouble(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }
}

/** With the key: a row is no answer to another question. */
const vouchedFor = (key: string, result: string): string => sha256(`${key}\n${result}`);
