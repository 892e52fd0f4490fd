/**
 * Takes secrets out of what comes in, before it is hashed, stored or shown to an agent. Equal secrets
 * of a run get equal marks. What is looked for stands in SECURITY.md.
 */
import { homedir, hostname, userInfo } from "node:os";

const secrets: readonly (readonly [string, RegExp])[] = [
  [
    "private key",
    /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  ],
  ["token", /(?<=\b(?:Bearer|Basic|token)\s+)[A-Za-z0-9+/=._~-]{16,}/gi],
  ["token", /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g],
  ["key", /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}/g],
  [
    "key",
    /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,})/g,
  ],
  ["key", /\b(?:hf_|npm_)[A-Za-z0-9]{20,}|\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ["key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}/g],
  ["password", /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,80}:)[^\s/@]{1,200}(?=@)/gi],
];

/** Values of the environment whose names say that they are secret. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;
const SECRET_CHARS_MIN = 8;

export interface Redactor {
  /** What a model said. */
  text(text: string): string;
  /** An error from outside, which may also name this machine and its user. */
  error(text: string): string;
  /** How many different secrets were taken out. */
  readonly count: number;
}

export function redactor(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Redactor {
  const known = Object.entries(env)
    .filter(([name, value]) => SECRET_NAME.test(name) && (value ?? "").length >= SECRET_CHARS_MIN)
    .map(([, value]) => value as string)
    .sort((a, b) => b.length - a.length);
  const marks = new Map<string, string>();
  const mark = (kind: string, secret: string): string => {
    const given = marks.get(secret) ?? `[${kind} ${marks.size + 1} removed]`;
    marks.set(secret, given);
    return given;
  };
  const text = (raw: string): string => {
    let clean = raw.toWellFormed();
    for (const value of known) clean = clean.replaceAll(value, () => mark("secret", value));
    for (const [kind, pattern] of secrets) {
      clean = clean.replace(pattern, (secret) => mark(kind, secret));
    }
    return clean;
  };
  return {
    text,
    error: (raw) => withoutHost(text(raw)),
    get count() {
      return marks.size;
    },
  };
}

const ERROR_CHARS_MAX = 500;

/** Without addresses, folders of a user, and the names of machine and user. */
function withoutHost(text: string): string {
  const names = [homedir(), hostname(), userInfo().username].filter(({ length }) => length > 4);
  let clean = text
    .replace(/\b[a-z]+:\/\/[^\s"')]+/gi, "<address>")
    .replace(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, "<address>")
    .replace(/\b(localhost|\[::1\]):\d+/g, "<address>")
    .replace(/(\/(?:home|Users)\/|[A-Z]:\\Users\\)[^\s/\\"']+/g, "~");
  for (const name of names) clean = clean.replaceAll(name, "~");
  return clean.slice(0, ERROR_CHARS_MAX).toWellFormed();
}
