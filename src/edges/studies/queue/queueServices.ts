/** What Effect offers to a queue on PostgreSQL, and the tables beside it. */
import * as PgClient from "@effect/sql-pg/PgClient";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import * as Logger from "effect/Logger";
import * as PersistedQueue from "effect/persistence/PersistedQueue";
import * as Redacted from "effect/Redacted";
import * as SqlClient from "effect/sql/SqlClient";
import type * as SqlError from "effect/sql/SqlError";
import type { QueueAddress } from "./queueAddress.ts";
import { jobSchema, queueName } from "./queueJob.ts";

/** Ours: how long a machine may be silent before others take its runs, and how often it speaks. */
const LEASE_MS = 15_000;
const RENEW_MS = 3_000;
/** Ours: how often one looks for a job where there was none. */
const POLL_MS = 250;
/** Ours: how often one job is begun. A study offers a lost one again: see queuedRuns.ts. */
export const ATTEMPTS_MAX = 5;
/** Ours: connections of one process. A server takes a hundred unless told otherwise. */
export const CONNECTIONS_MAX = 2;
/** Ours: jobs that are done are forgotten after so many days; their results stay. */
const FORGOTTEN_AFTER = "1 day";

export const JOBS = "ghostlight_queue";

export type Services = SqlClient.SqlClient | PersistedQueue.PersistedQueueFactory;

export const queueOf = (code: string) =>
  PersistedQueue.make({
    name: queueName(code),
    schema: jobSchema,
    maxAttempts: ATTEMPTS_MAX,
  });

/** Times of all machines are those of the server, in UTC whatever the time zone of a session would be. */
export function services({
  url,
  password,
}: QueueAddress): Layer.Layer<Services, SqlError.SqlError> {
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
  const forgetting = PersistedQueue.layerCleanup({
    timeToLive: FORGOTTEN_AFTER,
    failedTimeToLive: FORGOTTEN_AFTER,
  });
  return Layer.merge(PersistedQueue.layer, forgetting).pipe(
    Layer.provide(store),
    Layer.provideMerge(client),
    // It would print what it was given; what matters is said by our own errors.
    Layer.provideMerge(Logger.layer([])),
  );
}

/** Any number that no other program locks by chance. */
const LOCK = 1_734_816_372;

/** `made_by` and `differing_by` name the machines whose results they are. */
export const makeTables = Effect.gen(function* () {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms();
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(${sql.literal(String(LOCK))})`;
      yield* sql`CREATE TABLE IF NOT EXISTS ghostlight_results (
        key TEXT PRIMARY KEY, result BYTEA NOT NULL, sha256 TEXT NOT NULL, made_by TEXT NOT NULL,
        differing TEXT, differing_by TEXT, at TIMESTAMPTZ NOT NULL DEFAULT now())`;
      yield* sql`CREATE INDEX IF NOT EXISTS ghostlight_results_differing
        ON ghostlight_results (key) WHERE differing IS NOT NULL`;
      yield* sql`CREATE TABLE IF NOT EXISTS ghostlight_deaths (
        place BIGSERIAL PRIMARY KEY, key TEXT NOT NULL, said TEXT NOT NULL,
        at TIMESTAMPTZ NOT NULL DEFAULT now())`;
      yield* sql`CREATE INDEX IF NOT EXISTS ghostlight_deaths_of ON ghostlight_deaths (key)`;
    }),
  );
});
