/**
 * What the real system looks at before a command line or a script is run at once: what it may not do, whether it reaches
 * out, and by what an approved run is known. By words, and coarser than the detection. No actor asks it: it is held against
 * the recorded cases of that system (INS47), and what a world detects is `detection.ts`.
 */
import { handleOf } from "../content/content.ts";
import { lineFinder } from "./patterns.ts";

export type CommandThreat =
  | "Destructive"
  | "PrivilegeEscalation"
  | "EnvironmentDisclosure"
  | "SandboxEscape"
  | "ShellInjection"
  | "CodeFromInput"
  | "ResourceExhaustion";

export interface CommandVerdict {
  readonly isSafe: boolean;
  /** In the order of the parts, and again for each part. */
  readonly threats: readonly CommandThreat[];
  readonly reason: string | null;
}

interface Rule {
  readonly threat: CommandThreat;
  /** Whole words, in any case. */
  readonly words?: readonly string[];
  /** Anywhere, in any case. */
  readonly within?: readonly string[];
  /** Anywhere, as it stands. */
  readonly exact?: readonly string[];
  readonly also?: (part: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    threat: "Destructive",
    words: ["rm", "rmdir", "unlink"],
    within: [
      ...["dd if=", "dd of=/dev/", "mkfs", "format ", ":(){ :|:& };:", "> /dev/", "shred "],
      "wipefs",
    ],
    also: (part) => /find /i.test(part) && / -delete/i.test(part),
  },
  {
    threat: "PrivilegeEscalation",
    words: ["sudo", "su", "doas"],
    within: ["setuid", "setgid", "chmod +s", "chmod u+s", "chown root", "visudo"],
  },
  {
    threat: "EnvironmentDisclosure",
    words: ["env"],
    within: [
      ...["printenv", "declare -x", "/proc/self/environ", "/proc/1/environ"],
      "/etc/environment",
    ],
  },
  {
    threat: "SandboxEscape",
    within: [
      ...["cat /proc/", "ls /proc/", "cat /sys/", "ls /sys/", "mount", "umount", "chroot"],
      ...["nsenter", "unshare", "docker ", "lxc-", "systemctl", "service "],
    ],
  },
  {
    threat: "ShellInjection",
    exact: ["eval "],
    also: (part) =>
      /\$\(|`/.test(part) &&
      !["$(pwd)", "$(dirname", "$(basename"].some((one) => part.includes(one)),
  },
  {
    threat: "CodeFromInput",
    exact: ["node -e ", "node --eval ", "perl -e ", "ruby -e ", "php -r ", "lua -e "],
  },
  {
    threat: "ResourceExhaustion",
    exact: [":(){ :|:& };:", "while true", "while :", "for (( ;; ))", "ulimit -c unlimited"],
  },
];

/** In each part between `|`, `&` and `;`. An installed agent's commands pass it before its patterns are asked. */
export function commandVerdict(command: string): CommandVerdict {
  const parts = command
    .split(/[|&;]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const threats = parts.flatMap((part) =>
    RULES.filter((rule) => breaks(part, rule)).map(({ threat }) => threat),
  );
  return {
    isSafe: threats.length === 0,
    threats,
    reason:
      threats.length === 0 ? null : `Command contains security threats: [${threats.join(", ")}]`,
  };
}

function breaks(part: string, { words = [], within = [], exact = [], also }: Rule): boolean {
  const low = part.toLowerCase();
  return (
    words.some((word) => new RegExp(`(?<![a-z0-9_])${word}(?![a-z0-9_])`).test(low)) ||
    within.some((text) => low.includes(text)) ||
    exact.some((text) => part.includes(text)) ||
    (also?.(part) ?? false)
  );
}

const SCRIPT_RULES = {
  network: [
    ...["urllib.request", "urllib.urlopen", "requests.get", "requests.post", "http.client"],
    ...["httpx", "aiohttp", "socket.socket", "subprocess", "os.system", "os.popen"],
  ],
  runs: ["eval(", "exec(", "__import__(", "compile(", "getattr(__builtins__"],
  destroys: ["shutil.rmtree", 'os.remove("/")', "os.unlink", "open('/dev/"],
} as const;

/** Why a Python script is not run without an approval; null when it may be. */
export function scriptApprovalReason(script: string, hasNetworkAccess: boolean): string | null {
  const has = (texts: readonly string[]): boolean => texts.some((text) => script.includes(text));
  if (has(SCRIPT_RULES.network) && !hasNetworkAccess) {
    return "Script makes network calls but agent lacks NetworkAccess capability";
  }
  if (has(SCRIPT_RULES.runs)) return "Script uses eval/exec which could be dangerous";
  return has(SCRIPT_RULES.destroys)
    ? "Script performs potentially destructive file operations"
    : null;
}

export interface RemoteSign {
  readonly category: "import" | "function_call" | "url_literal" | "ip_address";
  readonly pattern: string;
  readonly line: number;
}

const LIBRARIES = [
  ...["requests", "urllib", "urllib.request", "urllib3", "httpx", "aiohttp", "socket", "ftplib"],
  ...["smtplib", "paramiko", "fabric", "websockets", "redis", "pymongo", "mysql", "psycopg"],
  ...["sqlalchemy", "boto3", "google.cloud", "azure"],
];
/** The first of a line: the name may go on, so that `requests_toolbelt` is `requests`. */
const IMPORTS = LIBRARIES.map((name) => {
  const library = name.replaceAll(".", "\\.");
  return new RegExp(`(?<![^\\n])\\s*(?:import\\s+${library}|from\\s+${library}\\s+import)`, "g");
});

const VERBS = "(?:get|post|put|delete|patch|head|options)";
const CALLS = [
  ...["connect", "send", "recv", "bind", "listen", "accept"].map((name) => `\\.${name}\\s*\\(`),
  "urlopen\\s*\\(",
  `requests\\.${VERBS}\\s*\\(`,
  `httpx\\.${VERBS}\\s*\\(`,
  ...["\\.get\\s*\\([^\\n]*http", "\\.post\\s*\\([^\\n]*http"],
  ...["fetch\\s*\\(", "WebSocket\\s*\\("],
  ...["connect\\s*\\([^\\n]*ws://", "connect\\s*\\([^\\n]*wss://"],
].map((call) => new RegExp(call, "g"));

const URLS = /(?:https?|ftp):\/\/[^\s"'`,;)}\]]+/g;
/** Wherever they stand in it. */
const OWN_URLS = ["example.com", "localhost"];

const BYTE = "(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)";
/** What a number may not touch: letters of every script, of which `\b` would know English ones alone. */
const LETTER = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";
const ADDRESSES = new RegExp(`(?<!${LETTER})(?:${BYTE}\\.){3}${BYTE}(?!${LETTER})`, "gu");

/** The second scanner. `real` also counts the line of an import as the real system does, from the blank lines before it. */
export function remoteSigns(code: string, table: "seed" | "real"): readonly RemoteSign[] {
  const lineAt = lineFinder(code);
  const signs = (category: RemoteSign["category"], patterns: readonly RegExp[]): RemoteSign[] =>
    patterns.flatMap((find) =>
      [...code.matchAll(find)].map((match): RemoteSign => {
        const [found] = match;
        const blank = table === "real" ? 0 : found.length - found.trimStart().length;
        return { category, pattern: found.trim(), line: lineAt(match.index + blank) };
      }),
    );
  return [
    ...signs("import", IMPORTS),
    ...distinct(signs("function_call", CALLS)),
    ...signs("url_literal", [URLS]).filter(
      ({ pattern }) => !OWN_URLS.some((own) => pattern.includes(own)),
    ),
    ...signs("ip_address", [ADDRESSES]).filter(
      ({ pattern }) => !pattern.startsWith("127.") && pattern !== "0.0.0.0",
    ),
  ];
}

function distinct(signs: readonly RemoteSign[]): readonly RemoteSign[] {
  return [...new Map(signs.map((one) => [`${one.line} ${one.pattern}`, one])).values()];
}

/** So that the same run is not asked about again. Source: dossier autonoetic 1.6. */
export const execFingerprint = (agent: string, targets: readonly string[], code: string): string =>
  handleOf(`${agent}|${targets.join(",")}|${code}`);
