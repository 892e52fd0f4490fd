/** Where the queue of a study is. Its password is read from the environment or the address, and shown nowhere. */
import { BadInput } from "../../errors.ts";

export interface QueueAddress {
  /** Without a password. */
  readonly url: string;
  readonly password: string | undefined;
}

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
  const own = decoded(url.password) || url.searchParams.get("password") || env["PGPASSWORD"];
  url.password = "";
  url.searchParams.delete("password");
  return { url: url.href, password: own || undefined };
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
