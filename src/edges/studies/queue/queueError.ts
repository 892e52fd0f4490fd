/** What a database of a queue would not do, in words. */
import * as Cause from "effect/Cause";
import * as SqlError from "effect/sql/SqlError";
import { ownValue } from "../../../machines/ownValue.ts";
import { type BadInput, badInput } from "../../errors.ts";
import { type QueueAddress, withoutPassword } from "./queueAddress.ts";

interface Refusal {
  readonly todo: string;
  /** Whether the server will do it soon, so that it is worth waiting for. */
  readonly passes?: true;
}

/** By what PostgreSQL calls an error: its manual, appendix A; and TLS as Node calls it. */
const REFUSALS: { readonly [code: string]: Refusal } = {
  "28P01": { todo: "Look at the name in the address and at PGPASSWORD." },
  "28000": { todo: "Look at the name in the address, and at who may connect (pg_hba.conf)." },
  "3D000": { todo: "Make the database first (`createdb NAME`), or name another in the address." },
  "42501": {
    todo: "Let this role make tables: GRANT CREATE ON SCHEMA public TO the role, or give it a database of its own.",
  },
  "53300": {
    todo: "Start fewer workers, each of which takes two connections, or raise max_connections.",
    passes: true,
  },
  "57P03": { todo: "Wait until the server has started.", passes: true },
};
const TLS: Refusal = {
  todo: "Name the authority of the server's certificate in NODE_EXTRA_CA_CERTS, or leave out sslmode in a network that you trust.",
};
const NO_TLS: Refusal = {
  todo: "Turn TLS on at the server, or leave out sslmode in a network that you trust.",
};
const OTHER: Refusal = {
  todo: "Look at the address, at PGPASSWORD, and whether the server runs.",
};

const HOPELESS: ReadonlySet<string> = new Set([
  "AuthenticationError",
  "AuthorizationError",
  "SqlSyntaxError",
]);

/** Whether it makes no sense to try again. */
export function isHopeless(cause: Cause.Cause<unknown>): boolean {
  const error = sqlErrorOf(Cause.squash(cause));
  const own = refusalOf(cause);
  if (error !== undefined && HOPELESS.has(error.reason._tag)) return true;
  return own !== OTHER && own.passes !== true;
}

/** Whether the server itself says that it will do it later. */
export const willPass = (cause: Cause.Cause<unknown>): boolean => refusalOf(cause).passes === true;

/** What it comes from, without the password: the outer ones only say that something failed. */
export const saidOf = (cause: Cause.Cause<unknown>, address: QueueAddress): string => {
  const root = rootOf(Cause.squash(cause));
  return withoutPassword(root instanceof Error ? root.message || root.name : String(root), address);
};

export const queueRefused = (cause: Cause.Cause<unknown>, address: QueueAddress): BadInput =>
  badInput(
    "--queue",
    `a database that does not do it: ${saidOf(cause, address)}`,
    "a PostgreSQL database that answers and in which tables can be made",
    refusalOf(cause).todo,
  );

function refusalOf(cause: Cause.Cause<unknown>): Refusal {
  const root = rootOf(Cause.squash(cause));
  if (!(root instanceof Error)) return OTHER;
  const code = "code" in root ? String(root.code) : "";
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return TLS;
  if (root.message.includes("not support TLS")) return NO_TLS;
  return ownValue(REFUSALS, code) ?? OTHER;
}

function sqlErrorOf(error: unknown): SqlError.SqlError | undefined {
  if (error instanceof SqlError.SqlError) return error;
  if (Cause.isCause(error)) return sqlErrorOf(Cause.squash(error));
  return error instanceof Error && error.cause !== undefined ? sqlErrorOf(error.cause) : undefined;
}

function rootOf(error: unknown): unknown {
  if (Cause.isCause(error)) return rootOf(Cause.squash(error));
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}
