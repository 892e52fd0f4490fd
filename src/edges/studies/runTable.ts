/**
 * The runs of one study in its folder: which are to be played, who plays them, and what came of them. A process
 * that is killed at any moment loses no run that it kept, and doubles none: who lost its lease can keep nothing.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import path from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { RunOf } from "../../studies/study.ts";
import { BadInput, badInput, Divergence } from "../errors.ts";
import { packed, unpacked } from "./keptFacts.ts";
import { sha256 } from "./runKey.ts";
import { type FileKind, openSqlite, sqliteError } from "./sqliteFile.ts";

export const TABLE_FILE = "study.sqlite";

/** Ours: how long a process may be silent before others take its runs. */
const LEASE_MS = 60_000;
/** Ours: a thread that dies twice by chance is bad luck, thrice by one run is that run. */
const DEATHS_MAX = 3;
/** Ours: many more, as a process is also killed for reasons that no run has. */
const VANISHED_MAX = 20;

const KIND: FileKind = {
  applicationId: 0x67687374,
  format: 1,
  called: "a run table of a study",
  todo: "Name another folder with --out, or remove this file to play all runs again.",
  schema: `
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE jobs (
      key TEXT PRIMARY KEY, point INTEGER NOT NULL, replicate INTEGER NOT NULL, seed INTEGER NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'dead')),
      owner TEXT, lease INTEGER, token INTEGER NOT NULL DEFAULT 0,
      deaths INTEGER NOT NULL DEFAULT 0, vanished INTEGER NOT NULL DEFAULT 0,
      result BLOB, sha256 TEXT, said TEXT
    );
    CREATE INDEX running_jobs ON jobs (owner) WHERE state = 'running'`,
};

/** What a table belongs to; it is no other study's. */
export interface TableOf {
  /** SHA-256 of the study as it was decoded. */
  readonly study: string;
  /** Of the code that plays it: see codeHash.ts. */
  readonly code: string;
}

export interface Offered {
  readonly key: string;
  readonly run: RunOf;
  /** Where it is known from elsewhere; JSON. */
  readonly result?: string | undefined;
}

/** A run that this process may play, until its lease ends. */
export interface Claim {
  readonly key: string;
  /** Counts the claims of this run: only the last one may keep a result. */
  readonly token: number;
}

/** What came of a run; `result` is JSON. */
export type Kept =
  | { readonly result: string }
  /** It ended its worker again and again: why, in words. */
  | { readonly died: string };

export class RunTable {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #owner = `${hostname()} ${process.pid} ${randomUUID()}`;
  readonly #nowMs: () => number;
  readonly #statements = new Map<string, StatementSync>();

  /** Of a folder that is there. Throws BadInput, NewerFormat or OutputRefused. */
  constructor(folder: string, of: TableOf, nowMs: () => number = Date.now) {
    this.#file = path.join(folder, TABLE_FILE);
    this.#nowMs = nowMs;
    this.#db = openSqlite(this.#file, KIND);
    this.#in(() => {
      for (const [name, value] of Object.entries(of)) {
        this.#run("INSERT OR IGNORE INTO facts VALUES (?, ?)", name, value);
        const kept = this.#get("SELECT value FROM facts WHERE name = ?", name)?.["value"];
        if (kept !== value) throw this.#belongsElsewhere(name);
      }
    });
    openHere.add(this.#owner);
    this.takeOver();
  }

  /** Runs that are to be played, or are known from elsewhere; what is over already stays as it is. */
  offer(jobs: readonly Offered[]): void {
    const waiting =
      "INSERT OR IGNORE INTO jobs (key, point, replicate, seed, state) VALUES (?, ?, ?, ?, 'waiting')";
    const known =
      "UPDATE jobs SET state = 'done', result = ?, sha256 = ? WHERE key = ? AND state = 'waiting'";
    this.#in(() => {
      for (const { key, run, result } of jobs) {
        this.#run(waiting, key, run.point, run.replicate, run.seed);
        if (result !== undefined) this.#run(known, packed(result), sha256(result), key);
      }
    });
  }

  /** Undefined where the run is over, or another has it. */
  claim(key: string): Claim | undefined {
    const now = this.#nowMs();
    const found = this.#get(
      `UPDATE jobs SET state = 'running', owner = ?, lease = ?, token = token + 1
       WHERE key = ? AND (state = 'waiting' OR (state = 'running' AND lease < ?)) RETURNING token`,
      this.#owner,
      now + LEASE_MS,
      key,
      now,
    );
    return found && { key, token: Number(found["token"]) };
  }

  /** Of all runs that this process plays. To be called several times in each lease. */
  renew(): void {
    this.#run(
      "UPDATE jobs SET lease = ? WHERE state = 'running' AND owner = ?",
      this.#nowMs() + LEASE_MS,
      this.#owner,
    );
  }

  /** Keeps what came of it. One that another process kept meanwhile is compared: throws Divergence. */
  complete(claim: Claim, result: string): void {
    const hash = sha256(result);
    const kept = "state = 'done', result = ?, sha256 = ?";
    if (!this.#end(claim, kept, packed(result), hash)) this.#compare(claim.key, hash);
  }

  /** What another machine made of it. Throws Divergence. */
  keep(key: string, kept: Kept): void {
    const hash = "result" in kept ? sha256(kept.result) : null;
    const { changes } = this.#run(
      `UPDATE jobs SET state = ?, owner = NULL, lease = NULL, result = ?, sha256 = ?, said = ?
       WHERE key = ? AND state <> 'done'`,
      "result" in kept ? "done" : "dead",
      "result" in kept ? packed(kept.result) : null,
      hash,
      "died" in kept ? kept.died : null,
      key,
    );
    if (changes === 0 && hash !== null) this.#compare(key, hash);
  }

  #compare(key: string, hash: string): void {
    const kept = this.#get("SELECT sha256, seed FROM jobs WHERE key = ?", key);
    if (kept?.["sha256"] === null || kept?.["sha256"] === hash) return;
    throw new Divergence({
      where: { file: this.#file, path: `key ${key}` },
      found: `two results of one run, of seed ${kept?.["seed"]}`,
      allowed: "the same bytes whoever plays it",
      todo: "Report it with the study: a run that is not determined by its key is a bug of ghostlight.",
    });
  }

  /** Its worker died of it. Once too often, and it is given up. */
  died(claim: Claim, why: string): void {
    const state = `state = iif(deaths + 1 >= ${DEATHS_MAX}, 'dead', 'waiting')`;
    this.#end(claim, `${state}, deaths = deaths + 1, said = ?`, why);
  }

  /** Gives it back, as its process ends cleanly. */
  release(claim: Claim): void {
    this.#end(claim, "state = 'waiting'");
  }

  /** Whether the claim was still the run's. */
  #end({ key, token }: Claim, set: string, ...values: Value[]): boolean {
    const ended = `UPDATE jobs SET ${set}, owner = NULL, lease = NULL
      WHERE key = ? AND token = ? AND state = 'running'`;
    return this.#run(ended, ...values, key, token).changes !== 0;
  }

  /** Gives back what processes of this machine had begun that are no more. */
  takeOver(): void {
    const running = "SELECT DISTINCT owner FROM jobs WHERE state = 'running'";
    for (const { owner } of this.#guarded(() => this.#prepared(running).all())) {
      if (owner === this.#owner || (typeof owner === "string" && isAlive(owner))) continue;
      this.#run(
        `UPDATE jobs SET vanished = vanished + 1, owner = NULL, lease = NULL,
           said = 'the process that played it vanished each time',
           state = iif(vanished + 1 >= ${VANISHED_MAX}, 'dead', 'waiting')
         WHERE state = 'running' AND owner IS ?`,
        typeof owner === "string" ? owner : null,
      );
    }
  }

  /** Undefined while it is to be played. Throws BadInput where what was kept is damaged. */
  kept(key: string): Kept | undefined {
    const row = this.#get("SELECT state, result, sha256, said FROM jobs WHERE key = ?", key);
    if (row?.["state"] === "dead") return { died: String(row["said"]) };
    if (row?.["state"] !== "done") return undefined;
    const bytes = row["result"];
    const result = bytes instanceof Uint8Array ? unpacked(bytes) : undefined;
    if (result !== undefined && sha256(result) === row["sha256"]) return { result };
    throw this.isNoResult(key);
  }

  isNoResult(key: string): BadInput {
    const found = "a result that is not the one that was kept";
    const where = { file: this.#file, path: `key ${key}` };
    return badInput(where, found, "what its hash vouches for", KIND.todo);
  }

  /** Whether nothing is left to be played of it. */
  isOver(key: string): boolean {
    const state = this.#get("SELECT state FROM jobs WHERE key = ?", key)?.["state"];
    return state === "done" || state === "dead";
  }

  close(): void {
    openHere.delete(this.#owner);
    this.#statements.clear();
    this.#db.close();
  }

  #belongsElsewhere(name: string): BadInput {
    const isStudy = name === "study";
    return new BadInput({
      where: { file: this.#file },
      found: isStudy ? "the runs of another study" : "runs of another version of the code",
      allowed: isStudy
        ? "the runs of this study, which must not have changed"
        : "runs of this version: others need not come out the same",
      hint: "With --cache, runs that both have in common are not played twice.",
      todo: KIND.todo,
    });
  }

  #in(work: () => void): void {
    this.#guarded(() => this.#db.exec("BEGIN IMMEDIATE"));
    try {
      work();
      this.#guarded(() => this.#db.exec("COMMIT"));
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  #run(sql: string, ...values: Value[]): { readonly changes: number | bigint } {
    return this.#guarded(() => this.#prepared(sql).run(...values));
  }

  #get(sql: string, ...values: Value[]): { readonly [column: string]: unknown } | undefined {
    return this.#guarded(() => this.#prepared(sql).get(...values));
  }

  #prepared(sql: string): StatementSync {
    const found = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, found);
    return found;
  }

  #guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw sqliteError(error, this.#file, KIND);
    }
  }
}

/** Owners of the tables that this process has open. */
const openHere = new Set<string>();

type Value = string | number | Uint8Array | null;

/** Of another machine's processes nothing is known but their lease; what is no owner's name was not written here. */
function isAlive(owner: string): boolean {
  const [host, pid, ...rest] = owner.split(" ");
  if (rest.length !== 1 || !/^[1-9]\d{0,9}$/.test(pid ?? "")) return false;
  if (host !== hostname()) return true;
  // Else it is of a process that had this number before us.
  if (Number(pid) === process.pid) return openHere.has(owner);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
