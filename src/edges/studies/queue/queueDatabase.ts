/** The PostgreSQL database of a queue: jobs in Effect's PersistedQueue, results and deaths beside them. */
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as ManagedRuntime from "effect/ManagedRuntime";
import * as SqlClient from "effect/sql/SqlClient";
import type * as SqlError from "effect/sql/SqlError";
import type { QueueAddress } from "./queueAddress.ts";
import { isHopeless, queueRefused, saidOf, willPass } from "./queueError.ts";
import { QUEUE_PREFIX, queueName } from "./queueJob.ts";
import {
  CONNECTIONS_MAX,
  JOBS,
  makeTables,
  queueOf,
  type Services,
  services,
} from "./queueServices.ts";

/** Ours: a server that starts with its workers is there soon; one that is restarted, within minutes. */
const OPEN_TRIES = 30;
const TRIES = 300;
const TRY_AFTER_MS = 1_000;
/** Ours: how long the end of a process waits for a server that may be gone. */
const CLOSE_MS = 3_000;

type Sql = SqlClient.SqlClient;

/** How this process is named beside what it made. */
const HERE = `${hostname()}, process ${process.pid}, Node ${process.version}, ${process.platform} ${process.arch}`;

/** Two results of one run, by hash, and who made each. */
export interface Differing {
  readonly key: string;
  readonly sha256: string;
  readonly made_by: string;
  readonly differing: string;
  readonly differing_by: string;
}

export interface ResultRow {
  readonly key: string;
  readonly result: Uint8Array;
  readonly sha256: string;
}

/** Runs that wait for workers of another version of the code. */
export interface Elsewhere {
  readonly code: string;
  readonly runs: number;
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
    if (address.warning !== undefined) onTrouble(address.warning);
    const database = new QueueDatabase(address, onTrouble);
    for (let tries = 1; ; tries++) {
      const exit = await database.#runtime.runPromiseExit(makeTables);
      if (Exit.isSuccess(exit)) return database;
      await database.close();
      // Two that start at once may be in each other's way as they make the tables.
      const most = willPass(exit.cause) ? TRIES : OPEN_TRIES;
      if (tries >= most || isHopeless(exit.cause)) throw queueRefused(exit.cause, address);
      if (tries === 1) onTrouble(`trying again: ${saidOf(exit.cause, address)}`);
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
      throw new Error(saidOf(exit.cause, this.#address));
    }
  }

  /** Those of the jobs that still are to be done, and whether somebody has taken them. */
  async pending(code: string, ids: readonly string[]): Promise<ReadonlyMap<string, boolean>> {
    const rows = await this.#query<{ id: string; isTaken: boolean }>(
      (sql) =>
        sql`SELECT id, acquired_by IS NOT NULL AS "isTaken" FROM ${sql(JOBS)}
          WHERE queue_name = ${queueName(code)} AND state = 'pending'
          AND id IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb))`,
    );
    return new Map(rows.map(({ id, isTaken }) => [id, isTaken]));
  }

  /** At most so many. */
  results(keys: readonly string[], most: number): Promise<readonly ResultRow[]> {
    return this.#query(
      (sql) =>
        sql`SELECT key, result, sha256 FROM ghostlight_results
          WHERE key IN (SELECT jsonb_array_elements_text(${JSON.stringify(keys)}::text::jsonb))
          LIMIT ${sql.literal(String(most))}`,
    );
  }

  /** Of whatever run two machines have two results. */
  differing(): Promise<readonly Differing[]> {
    return this.#query(
      (sql) =>
        sql`SELECT key, sha256, made_by, differing, differing_by FROM ghostlight_results
          WHERE differing IS NOT NULL ORDER BY key`,
    );
  }

  /** An equal one is dropped. What differs where another machine has kept another one. */
  async keep(key: string, result: Uint8Array, sha256: string): Promise<Differing | undefined> {
    const rows = await this.#query<Differing>(
      (sql) => sql`INSERT INTO ghostlight_results (key, result, sha256, made_by)
        VALUES (${key}, ${result}, ${sha256}, ${HERE})
        ON CONFLICT (key) DO UPDATE SET differing = EXCLUDED.sha256, differing_by = EXCLUDED.made_by
          WHERE ghostlight_results.sha256 <> EXCLUDED.sha256
        RETURNING key, sha256, made_by, differing, differing_by`,
    );
    return rows.find(({ differing }) => differing !== null);
  }

  /** By code, most runs first. */
  async elsewhere(code: string): Promise<readonly Elsewhere[]> {
    const rows = await this.#query<{ name: string; runs: number }>(
      (sql) =>
        sql`SELECT queue_name AS name, count(*)::int AS runs FROM ${sql(JOBS)}
          WHERE state = 'pending' AND queue_name <> ${queueName(code)}
            AND starts_with(queue_name, ${QUEUE_PREFIX})
          GROUP BY queue_name ORDER BY runs DESC, name`,
    );
    return rows.map(({ name, runs }) => ({ code: name.slice(QUEUE_PREFIX.length), runs }));
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
    await Promise.race([this.#runtime.dispose().catch(() => undefined), sleep(CLOSE_MS)]);
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
      if (tries === TRIES || isHopeless(exit.cause)) throw queueRefused(exit.cause, this.#address);
      if (tries === 1) this.#onTrouble(`trying again: ${saidOf(exit.cause, this.#address)}`);
      await sleep(TRY_AFTER_MS);
    }
  }
}
