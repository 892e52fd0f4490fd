/** What a parser found that a text reaches for, and what one such name lets the text do, in whatever language. */
import { ownValue } from "../../ownValue.ts";
import type { Inferable, ThreatPattern } from "./patterns.ts";

/** By the name of its origin: `r.get` after `import requests as r` is `requests.get`. */
export interface CodeFact {
  readonly name: string;
  /**
   * `passed`: a module handed on whole, so that all of it is in reach. `computed`: a name that only the running
   * program knows. `loop`: one without an end. `unfamiliar`: a module that the language does not bring.
   */
  readonly how: "import" | "call" | "use" | "passed" | "computed" | "loop" | "unfamiliar";
  readonly line: number;
  /** Of a call that opens a file: how; null when only the running program knows. */
  readonly mode?: string | null;
  /** Of a call: it is given what a person types. */
  readonly typed?: true;
}

/** A word of a threat, in a string that is no docstring. */
export interface StringHit {
  readonly word: string;
  readonly line: number;
}

export type CodeFacts =
  | { readonly facts: readonly CodeFact[]; readonly hits: readonly StringHit[] }
  | { readonly error: string };

/** How a language's names are judged. */
export interface Reach {
  capabilities(fact: CodeFact): readonly Inferable[];
  threats(fact: CodeFact): readonly ThreatPattern[];
  /** Whether a module that the language does not bring is in the table. */
  knows(module: string): boolean;
}

/** Whether a name is one of these, or a member of one. */
export function isBelow(name: string, roots: ReadonlySet<string>): boolean {
  for (let end = name.length; end > 0; end = name.lastIndexOf(".", end - 1)) {
    if (roots.has(name.slice(0, end))) return true;
  }
  return false;
}

export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** A mode with w, a or x means Write, one with + means both, and one that only the running program knows too (I12). */
export function openedFor(mode: string | null): readonly Inferable[] {
  if (mode === null || mode.includes("+")) return ["ReadAccess", "WriteAccess"];
  return /[wax]/.test(mode) ? ["WriteAccess"] : ["ReadAccess"];
}

/** Code that runs what a person types. */
export const typedThreat = (pattern: string): ThreatPattern => ({
  ...{ pattern, kind: "CommandInjection", severity: "critical" },
});

/** A loop that nothing ends. */
export const LOOP: ThreatPattern = {
  ...{ pattern: "while true", kind: "ResourceExhaustion", severity: "low" },
};

/** Ours: the words of a command line that are looked at. */
const WORDS_MAX = 400;
const PROGRAM = "program ";

/** Programs that reach the network: by argv[0], also within the text for a shell. Source: ruling I16. */
const DOWNLOADERS: ReadonlySet<string> = new Set(
  `curl wget wget2 aria2c axel httpie http https xh nc ncat netcat socat telnet ftp lftp sftp tftp scp rsync ssh sshpass
  mosh dig nslookup host ping traceroute whois openssl lynx links w3m elinks youtube-dl yt-dlp gsutil aws az gcloud s3cmd
  rclone kubectl docker podman npx pnpx bunx uvx pipx smbclient mail sendmail msmtp Invoke-WebRequest iwr bitsadmin certutil`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
/** Programs that reach it when this is what they are asked for. */
const ASKED: { readonly [program: string]: readonly string[] } = {
  git: ["clone", "fetch", "pull", "push", "ls-remote", "submodule", "remote"],
  pip: ["install", "download"],
  pip3: ["install", "download"],
  uv: ["pip", "add", "sync"],
  npm: ["install", "i", "ci", "publish"],
  pnpm: ["install", "add"],
  yarn: ["add", "install"],
  "apt-get": ["install", "update"],
  apt: ["install", "update"],
  apk: ["add"],
  yum: ["install"],
  brew: ["install"],
  cargo: ["install"],
  gem: ["install"],
  go: ["get", "install"],
};

/** The words of a command line that may be programs, as names of facts: each word with the one behind it. */
export function programsIn(command: string): readonly string[] {
  const parts = command.split(/[^\w./:@+-]+/).filter((word) => word !== "");
  const names = parts.slice(0, WORDS_MAX).map((word) => word.slice(word.lastIndexOf("/") + 1));
  return names.map((name, index) => `${PROGRAM}${name} ${names[index + 1] ?? ""}`.trim());
}

/** Whether the name of a fact is that of a program that reaches the network. */
export function isDownloader(name: string): boolean {
  if (!name.startsWith(PROGRAM)) return false;
  const [program = "", asked = ""] = name.slice(PROGRAM.length).split(" ");
  if (DOWNLOADERS.has(program)) return true;
  return ownValue(ASKED, program)?.includes(asked) === true;
}
