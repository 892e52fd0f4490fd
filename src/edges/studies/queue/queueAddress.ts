/** Where the queue of a study is. Its password is read from the environment or the address, and shown nowhere. */
import { BadInput, badInput } from "../../errors.ts";

export interface QueueAddress {
  /** Without a password. */
  readonly url: string;
  readonly password: string | undefined;
  /** What whoever gave it should know. */
  readonly warning: string | undefined;
}

/** As PostgreSQL's own programs have them; but each that speaks TLS verifies the server's certificate. */
const SSL_MODES = ["allow", "prefer", "require", "verify-ca", "verify-full", "disable"];

/** Throws BadInput, which says nothing of what was given: a password may stand anywhere in it. */
export function queueAddress(text: string, env: NodeJS.ProcessEnv = process.env): QueueAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isKnown = url?.protocol === "postgres:" || url?.protocol === "postgresql:";
  if (url === undefined || !isKnown) {
    throw new BadInput({
      where: { path: "--queue" },
      found: "an address of something else",
      allowed: "postgres://USER@HOST:PORT/DATABASE",
      todo: "Give the address of a PostgreSQL database, and its password in PGPASSWORD.",
    });
  }
  const mode = url.searchParams.get("sslmode");
  if (mode !== null && !SSL_MODES.includes(mode)) {
    throw badInput(
      "--queue: sslmode",
      JSON.stringify(mode),
      SSL_MODES.join(", "),
      "Give one of these, or leave sslmode out for a connection without TLS.",
    );
  }
  const given = decoded(url.password) || url.searchParams.get("password") || undefined;
  url.password = "";
  url.searchParams.delete("password");
  return {
    url: url.href,
    password: given ?? (env["PGPASSWORD"] || undefined),
    warning:
      given &&
      "--queue: a password in an address is seen by whoever lists processes: give it in PGPASSWORD.",
  };
}

/** A text as it may be shown: errors of a database repeat what they were given. */
export function withoutPassword(text: string, { password }: QueueAddress): string {
  if (password === undefined) return text;
  return [password, encodeURIComponent(password)].reduce(
    (shown, secret) => shown.replaceAll(secret, "***"),
    text,
  );
}

function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}
