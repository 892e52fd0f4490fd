/**
 * What is searched for by words: both tables of capabilities, the seed's with its prose (RULINGS I3, I12) and the real
 * system's, and the threats. Neither knows what is a comment, a string or a function of another's: `def fetch():` is a call
 * to the network to both.
 */

/** The four capabilities that can be inferred, in the order in which they are told. */
export const INFERABLE = ["CodeExecution", "NetworkAccess", "ReadAccess", "WriteAccess"] as const;
export type Inferable = (typeof INFERABLE)[number];

export interface Hit {
  readonly capability: Inferable;
  readonly pattern: string;
  readonly line: number;
}

interface SeedPattern {
  readonly pattern: string;
  readonly find: RegExp;
}
type Table = { readonly [K in Inferable]: readonly string[] };

const REAL: Table = {
  NetworkAccess: [
    ...["urllib.request", "urllib.urlopen", "requests.get", "requests.post", "httpx."],
    ...["fetch(", "axios.", "XMLHttpRequest", "http://", "https://"],
    ...["socket.socket", "WebSocket", "curl ", "wget "],
  ],
  ReadAccess: [
    ...["with open(", "open(path", "read_file", "fs.readFile", "fs.readFileSync"],
    ...["os.path.exists", "pathlib.Path(", ".read_text()", ".read_bytes()"],
  ],
  WriteAccess: [
    ...["os.remove", "os.unlink", "shutil.rmtree", "fs.unlink", "fs.rm"],
    ...["os.makedirs", "fs.mkdir", ".write_text()", ".write_bytes()", "open("],
  ],
  CodeExecution: [
    ...["subprocess.call", "subprocess.run", "subprocess.Popen", "subprocess.check_output"],
    ...["os.system", "os.popen", "child_process.exec", "child_process.spawn"],
    ...["exec(", "eval(", "shell=True"],
  ],
};

const escaped = (text: string): string => text.replaceAll(/[.(]/g, "\\$&");
/** As it stands, in whatever case; a name before `(` is a prefix of a call with arguments. */
const plain = (pattern: string): SeedPattern => ({
  pattern,
  find: new RegExp(escaped(pattern), "i"),
});
/** A library is one where it is imported, named or used, and a word of prose elsewhere. */
const library = (pattern: string): SeedPattern => ({
  pattern,
  find: new RegExp(
    `\\b(?:import|from)\\b[^\\n]{0,200}\\b${pattern}\\b|\\b${pattern}\\.\\w|["']${pattern}["'.]`,
    "i",
  ),
});
/** A mode with w, a or x. The bound keeps a line of ten million characters cheap. */
const openToWrite: SeedPattern = {
  pattern: "open(…, write mode)",
  find: /\bopen\([^\n]{0,200}?,\s*(?:mode\s*=\s*)?(["'])[rbt+]*[wax][rbtwax+]*\1/,
};

const SEED: { readonly [K in Inferable]: readonly SeedPattern[] } = {
  NetworkAccess: [
    ...["urllib", "requests", "httpx"].map(library),
    ...["fetch(", "http://", "https://", "WebSocket"].map(plain),
  ],
  ReadAccess: ["with open(", "pathlib.Path(", "fs.readFile", ".read_text("].map(plain),
  WriteAccess: [
    ...["os.remove", "fs.unlink", "os.makedirs", ".write_text("].map(plain),
    openToWrite,
  ],
  CodeExecution: ["subprocess.run", "os.system", "shell=True", "exec("].map(plain),
};

export type Severity = "low" | "medium" | "high" | "critical";

export type ThreatKind =
  | "CommandInjection"
  | "DataExfiltration"
  | "Destructive"
  | "Obfuscation"
  | "PrivilegeEscalation"
  | "ResourceExhaustion"
  | "SandboxEscape";

/** What no agent may bring along. Source: the real system's list, which the seed names in words only (I10). */
export interface ThreatPattern {
  readonly pattern: string;
  readonly kind: ThreatKind;
  readonly severity: Severity;
}

const row = (pattern: string, kind: ThreatKind, severity: Severity): ThreatPattern => ({
  ...{ pattern, kind, severity },
});

/** What a command may say: in code that is parsed, only a string can. */
export const STRING_THREATS: readonly ThreatPattern[] = [
  row("rm -rf", "Destructive", "critical"),
  row("rm -rf /", "SandboxEscape", "critical"),
  row("sudo", "PrivilegeEscalation", "high"),
  row("chmod 777", "PrivilegeEscalation", "medium"),
  row("/etc/passwd", "DataExfiltration", "high"),
  row("/etc/shadow", "DataExfiltration", "critical"),
];

/** What code does: in code that is parsed, it is found as what it is, and not by these words. */
const CODE_THREATS: readonly ThreatPattern[] = [
  row("fork()", "ResourceExhaustion", "medium"),
  row("while true", "ResourceExhaustion", "low"),
  row("eval(input(", "CommandInjection", "critical"),
  row("exec(input(", "CommandInjection", "critical"),
  row("__import__(", "CommandInjection", "high"),
  row("subprocess.call(user_input", "CommandInjection", "critical"),
];

/** All of them, as they are looked for in a text. */
const TEXT_THREATS: readonly ThreatPattern[] = [...STRING_THREATS, ...CODE_THREATS];

export interface Threat extends ThreatPattern {
  readonly file: string;
  readonly line: number;
}

/** High and critical ones reject, whatever the planner says of gates. */
export const isBarring = ({ severity }: { readonly severity: Severity }): boolean =>
  severity === "high" || severity === "critical";

/** The first hit of each pattern. */
export function patternHits(text: string, table: "seed" | "real"): readonly Hit[] {
  const low = table === "real" ? text.toLowerCase() : "";
  return INFERABLE.flatMap((capability): readonly Hit[] =>
    table === "real"
      ? REAL[capability].flatMap((pattern) => {
          const line = realLine(low, pattern.toLowerCase());
          return line === null ? [] : [{ capability, pattern, line }];
        })
      : SEED[capability].flatMap(({ pattern, find }) => {
          const at = text.search(find);
          return at < 0 ? [] : [{ capability, pattern, line: lineFinder(text)(at) }];
        }),
  );
}

/** The first hit of each threat of a text. */
export function threatHits(text: string): readonly (ThreatPattern & { readonly line: number })[] {
  const low = text.toLowerCase();
  return TEXT_THREATS.flatMap((threat) => {
    const line = realLine(low, threat.pattern.toLowerCase());
    return line === null ? [] : [{ ...threat, line }];
  });
}

/** The real system's guard: what ends so before a hit lets the line pass, though for `urlopen(` it never does. */
const PASSES = ["urlopen", "fileopen", "reopen"];

/** Of each line only the first place counts. */
function realLine(low: string, pattern: string): number | null {
  let from = 0;
  for (let at = low.indexOf(pattern); at >= 0; at = low.indexOf(pattern, from)) {
    const start = low.lastIndexOf("\n", at) + 1;
    const before = low.slice(Math.max(start, at - 8), at);
    if (!PASSES.some((word) => before.endsWith(word))) return lineFinder(low)(at);
    const end = low.indexOf("\n", at);
    if (end < 0) return null;
    from = end + 1;
  }
  return null;
}

/** Where in a text something stands, counted from line 1. A text may be one line of ten million characters. */
export function lineFinder(text: string): (at: number) => number {
  let ends: readonly number[] | undefined;
  return (at) => {
    ends ??= lineEnds(text);
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? at) < at) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

function lineEnds(text: string): readonly number[] {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) ends.push(at);
  return ends;
}
