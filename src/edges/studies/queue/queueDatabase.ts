/** The PostgreSQL database of a queue: jobs in Effect's PersistedQueue, results and deaths beside them. */
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as PersistedQueue from "effect/persistence/PersistedQueue";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import * as SqlError from "effect/sql/SqlError";
import { BadInput } from "../../errors.ts";
import { type QueueAddress, withoutPassword } from "./queueAddress.ts";
import { jobSchema, queueName } from "./queueJob.ts";

/** Ours: how long a machine may be silent before others take its runs, and how often it speaks. */
const LEASE_MS = 15_000;
const RENEW_MS = 3_000;
/** Ours: how often one looks for a job where there was none. */
const POLL_MS = 250;
/** Ours: how often one job is begun. A study offers a lost one again: see queuedRuns.ts. */
export const ATTEMPTS_MAX = 5;
/** Ours: connections of one process. */
const CONNECTIONS_MAX = 4;
/** Ours: a server that starts with its workers is there soon; one that is restarted, within minutes. */
const OPEN_TRIES = 5;
const TRIES = 300;
const TRY_AFTER_MS = 1_000;

const JOBS = "ghostlight_queue";

type Services = SqlClient.SqlClient | PersistedQueue.PersistedQueueFactory;
type Sql = SqlClient.SqlClient;

export interface ResultRow {
  readonly key: string;
  readonly result: Uint8Array;
  readonly sha256: string;
  /** What another machine has for the same run, where it is not the same. */
  readonly differing: string | null;
}

export interface Taken {
  readonly text: string;
  readonly attempt: number;
}

export class QueueDatabase {
  readonly #address: QueueAddress;
  readonly #onTrouble: (text: string) => void;
  #runtime: ManagedRuntime.ManagedRuntime<Services, SqlError.SqlError>;

  private constructor(address: QueueAddress, onTrouble: (text: string) => void) {
    this.#address = address;
    this.#onTrouble = onTrouble;
    this.#runtime = ManagedRuntime.make(services(address));
  }

  /** Throws BadInput where no database answers there. */
  static async open(
    address: QueueAddress,
    onTrouble: (text: string) => void,
  ): Promise<QueueDatabase> {
    const database = new QueueDatabase(address, onTrouble);
    for (let tries = 1; ; tries++) {
      const exit = await database.#runtime.runPromiseExit(makeTables);
      if (Exit.isSuccess(exit)) return database;
      await database.close();
      // Two that start at once may be in each other's way as they make the tables.
      const isHopeless = isRefusal(exit.cause);
      if (tries === OPEN_TRIES || isHopeless) throw database.#unreachable(exit.cause);
      await sleep(TRY_AFTER_MS);
      database.#runtime = ManagedRuntime.make(services(address));
    }
  }

  /** A job that was ever offered under this id is not offered again. */
  async offer(code: string, jobs: readonly { id: string; text: string }[]): Promise<void> {
    await this.#do(
      Effect.gen(function* () {
        const queue = yield* queueOf(code);
        const each = ({ id, text }: { id: string; text: string }) => queue.offer(text, { id });
        yield* Effect.forEach(jobs, each, { concurrency: CONNECTIONS_MAX, discard: true });
      }),
    );
  }

  /** Waits for a job and lets `work` do it; what `work` throws uses up an attempt. The signal ends the waiting. */
  async take(
    code: string,
    work: (taken: Taken) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const taking = Effect.gen(function* () {
      const queue = yield* queueOf(code);
      yield* queue.take((text, { attempts }) =>
        Effect.tryPromise(() => work({ text, attempt: attempts })),
      );
    });
    const exit = await this.#runtime.runPromiseExit(taking, { signal });
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
      throw new Error(this.#said(exit.cause));
    }
  }

  /** Those of the jobs that still are to be done, or are being done. */
  async pending(code: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#query<{ id: string }>(
      (sql) =>
        sql`SELECT id FROM ${sql(JOBS)} WHERE queue_name = ${queueName(code)} AND state = 'pending'
          AND id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** At most so many. */
  results(keys: readonly string[], most: number): Promise<readonly ResultRow[]> {
    return this.#query(
      (sql) =>
        sql`SELECT key, result, sha256, differing FROM ghostlight_results
          WHERE key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb))
          LIMIT ${sql.literal(String(most))}`,
    );
  }

  /** The first of those of which two machines have two results. */
  async differing(keys: readonly string[]): Promise<string | undefined> {
    const rows = await this.#query<{ key: string }>(
      (sql) =>
        sql`SELECT key FROM ghostlight_results WHERE differing IS NOT NULL
          AND key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb)) LIMIT 1`,
    );
    return rows[0]?.key;
  }

  /** An equal one is dropped. False where another machine has kept a differing one. */
  async keep(key: string, result: Uint8Array, sha256: string): Promise<boolean> {
    await this.#query(
      (sql) => sql`INSERT INTO ghostlight_results (key, result, sha256)
        VALUES (${key}, ${result}, ${sha256}) ON CONFLICT (key) DO NOTHING`,
    );
    const rows = await this.#query(
      (sql) => sql`UPDATE ghostlight_results SET differing = ${sha256}
        WHERE key = ${key} AND sha256 <> ${sha256} RETURNING key`,
    );
    return rows.length === 0;
  }

  async died(key: string, said: string): Promise<void> {
    await this.#query(
      (sql) => sql`INSERT INTO ghostlight_deaths (key, said) VALUES (${key}, ${said})`,
    );
  }

  /** What was said each time that the run ended its thread, oldest first. */
  async deaths(key: string): Promise<readonly string[]> {
    const rows = await this.#query<{ said: string }>(
      (sql) => sql`SELECT said FROM ghostlight_deaths WHERE key = ${key} ORDER BY place`,
    );
    return rows.map(({ said }) => said);
  }

  /** Jobs that were taken and not done are free at once. */
  async close(): Promise<void> {
    await Promise.race([this.#runtime.dispose().catch(() => undefined), sleep(RENEW_MS)]);
  }

  #query<Row extends object>(
    statement: (sql: Sql) => Effect.Effect<readonly Row[], SqlError.SqlError>,
  ): Promise<readonly Row[]> {
    return this.#do(
      Effect.flatMap(SqlClient.SqlClient, (sql) => statement(sql.withoutTransforms())),
    );
  }

  /** Again and again while the connection is lost. Each statement may be done twice. */
  async #do<A>(effect: Effect.Effect<A, unknown, Services>): Promise<A> {
    for (let tries = 1; ; tries++) {
      const exit = await this.#runtime.runPromiseExit(effect);
      if (Exit.isSuccess(exit)) return exit.value;
      if (tries === TRIES || isRefusal(exit.cause)) throw this.#unreachable(exit.cause);
      if (tries === 1) this.#onTrouble(`trying again: ${this.#said(exit.cause)}`);
      await sleep(TRY_AFTER_MS);
    }
  }

  #unreachable(cause: Cause.Cause<unknown>): BadInput {
    return new BadInput({
      where: { path: "--queue" },
      found: `a database that does not do it: ${this.#said(cause)}`,
      allowed: "a PostgreSQL database that answers and in which tables can be made",
      todo: "Look at the address, at PGPASSWORD, and whether the server runs.",
    });
  }

  #said(cause: Cause.Cause<unknown>): string {
    return withoutPassword(rootOf(Cause.squash(cause)), this.#address);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const queueOf = (code: string) =>
  PersistedQueue.make({
    name: queueName(code),
    schema: jobSchema,
    maxAttempts: ATTEMPTS_MAX,
  });

/** Times of all machines are those of the server, in UTC whatever the time zone of a session would be. */
function services({ url, password }: QueueAddress): Layer.Layer<Services, SqlError.SqlError> {
  const client = PgClient.layer({
    url: Redacted.make(url),
    ...(password !== undefined && { password: Redacted.make(password) }),
    applicationName: "ghostlight",
    startupParameters: { timezone: "UTC" },
    maxConnections: CONNECTIONS_MAX,
  });
  const store = PersistedQueue.layerStoreSql({
    tableName: JOBS,
    pollInterval: POLL_MS,
    lockRefreshInterval: RENEW_MS,
    lockExpiration: LEASE_MS,
  });
  return PersistedQueue.layer.pipe(
    Layer.provide(store),
    Layer.provideMerge(client),
    // It would print what it was given; what matters is said by our own errors.
    Layer.provideMerge(Logger.layer([])),
  );
}

/** Any number that no other program locks by chance. */
const LOCK = 1_734_816_372;

const makeTables = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms();
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${sql.literal(String(LOCK))})`;
      yield* sql`CREATE TABLE IF NOT EXISTS ghostlight_results (
        key TEXT PRIMARY KEY, result BYTEA NOT NULL, sha256 TEXT NOT NULL, differing TEXT,
        at TIMESTAMPTZ NOT NULL DEFAULT now())`;
      yield* sql`CREATE TABLE IF NOT EXISTS ghostlight_deaths (
        place BIGSERIAL PRIMARY KEY, key TEXT NOT NULL, said TEXT NOT NULL,
        at TIMESTAMPTZ NOT NULL DEFAULT now())`;
      yield* sql`CREATE INDEX IF NOT EXISTS ghostlight_deaths_of ON ghostlight_deaths (key)`;
    }),
  );
});

/** Whether it makes no sense to try again. */
function isRefusal(cause: Cause.Cause<unknown>): boolean {
  const error = sqlErrorOf(Cause.squash(cause));
  return error !== undefined && HOPELESS.has(error.reason._tag);
}

const HOPELESS: ReadonlySet<string> = new Set([
  "AuthenticationError",
  "AuthorizationError",
  "SqlSyntaxError",
]);

function sqlErrorOf(error: unknown): SqlError.SqlError | undefined {
  if (error instanceof SqlError.SqlError) return error;
  if (Cause.isCause(error)) return sqlErrorOf(Cause.squash(error));
  return error instanceof Error && error.cause !== undefined ? sqlErrorOf(error.cause) : undefined;
}

/** What it comes from: the outer ones only say that something failed. */
function rootOf(error: unknown): string {
  if (Cause.isCause(error)) return rootOf(Cause.squash(error));
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message || error.name : rootOf(error.cause);
}
