/**
 * The second scanner: whether a text that is to be run at once reaches out. It is the real system's, and coarser than
 * the detection; `real` also counts the line of an import as it does, from the blank lines before it.
 */
import { lineFinder } from "./lines.ts";

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
