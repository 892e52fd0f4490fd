/**
 * The sandbox profile of generated code, derived from its syntax tree and a whitelist of imports:
 * `pure`, with no permission at all, when it reaches for nothing outside. Source: seed 002, 4.2.1.
 */
import type { SandboxProfile } from "../contract.ts";

export interface Reach {
  /** Whether it is Python at all. */
  readonly ok: boolean;
  readonly imports: readonly string[];
  readonly calls: readonly string[];
  /** Whether an `open` may write; assumed when it was not looked at. */
  readonly opensToWrite?: boolean;
  /** What it takes hold of to reach things by names that stand nowhere in it. */
  readonly hidden?: readonly string[];
}

/** Modules that reach for nothing outside: the real system's, and a few more of ours. */
const PURE =
  "abc argparse base64 bisect calendar collections contextlib copy csv dataclasses datetime decimal " +
  "difflib email enum fractions functools hashlib heapq html itertools json math operator random re " +
  "secrets statistics string sys textwrap time typing unicodedata uuid zlib";
/** Modules that reach files, but only by what they are called for. */
const FILES = "bz2 fnmatch glob gzip io lzma mimetypes os pathlib shutil tarfile tempfile zipfile";
/** Not `socket`: what speaks over one is on no list. */
const NET = "http ssl urllib";
const WHITELIST: { readonly [module: string]: "pure" | "files" | "net" } = Object.fromEntries([
  ...PURE.split(" ").map((name) => [name, "pure"]),
  ...FILES.split(" ").map((name) => [name, "files"]),
  ...NET.split(" ").map((name) => [name, "net"]),
]);

export const WHITELISTED = Object.keys(WHITELIST).sort();

const WRITING = ["write_text", "write_bytes", "unlink", "rename", "remove", "rmtree", "mkdir"];
const FORBIDDEN = ["eval", "exec", "compile", "__import__"];
/** Whatever they are called on, so that an import by name hides nothing. */
const FORBIDDEN_ON_ANY = ["system", "popen", "fork", "execv", "execve", "spawnv"];
const lastOf = (name: string): string => name.split(".").at(-1) ?? "";

/** What code may reach, or why it may not be an executor at all. */
export function profileOf({
  ok = true,
  imports,
  calls,
  opensToWrite = true,
  hidden = [],
}: Partial<Reach>): { readonly profile: SandboxProfile } | { readonly fault: string } {
  if (!ok) return { fault: "it is no Python, so that nobody can say what it reaches" };
  if (imports === undefined || calls === undefined)
    return { fault: "the parser did not say what it reaches" };
  const unknown = imports.find((name) => !Object.hasOwn(WHITELIST, name));
  if (unknown !== undefined) return { fault: `import ${unknown} is not on the whitelist` };
  const forbidden = calls.find(
    (name) => FORBIDDEN.includes(name) || FORBIDDEN_ON_ANY.includes(lastOf(name)),
  );
  if (forbidden !== undefined) return { fault: `it calls ${forbidden}` };
  // No check can say what it may reach; least of all that it is pure.
  if (hidden.length > 0) {
    return { fault: `it reaches by names that are not written out: ${hidden.join(", ")}` };
  }
  const kinds = new Set(imports.map((name) => WHITELIST[name]));
  const isWriting = calls.some((name) => WRITING.includes(lastOf(name)));
  const opens = calls.some((name) => name === "open" || name.endsWith(".open"));
  return {
    profile: {
      ...((kinds.has("files") || opens) && { "fs:read": ["*"] }),
      ...((isWriting || (opens && opensToWrite)) && { "fs:write": ["*"] }),
      ...(kinds.has("net") && { "net:read": ["*"] }),
    },
  };
}
