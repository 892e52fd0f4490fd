/** The real system's scan by substrings, as little of it as cases of installs need. Source: dossier 1.3 and 1.4. */
import type { InstallFacts } from "../../../src/machines/installs/gate/verdict.ts";
import type { SeenThreat } from "../../../src/machines/installs/mail.ts";

const KINDS: { readonly [kind: string]: readonly string[] } = {
  NetworkAccess: [
    ...["urllib.request", "urllib.urlopen", "requests.get", "requests.post", "httpx.", "fetch("],
    ...["axios.", "XMLHttpRequest", "http://", "https://", "socket.socket", "WebSocket"],
    ...["curl ", "wget "],
  ],
  ReadAccess: [
    ...["with open(", "open(path", "read_file", "fs.readFile", "fs.readFileSync", "os.path.exists"],
    ...["pathlib.Path(", ".read_text()", ".read_bytes()"],
  ],
  WriteAccess: [
    ...["os.remove", "os.unlink", "shutil.rmtree", "fs.unlink", "fs.rm", "os.makedirs", "fs.mkdir"],
    ...[".write_text()", ".write_bytes()", "open("],
  ],
  CodeExecution: [
    ...["subprocess.call", "subprocess.run", "subprocess.Popen", "subprocess.check_output"],
    ...["os.system", "os.popen", "child_process.exec", "child_process.spawn", "exec(", "eval("],
    "shell=True",
  ],
};

const THREATS: readonly (readonly [string, SeenThreat["severity"]])[] = [
  ["rm -rf", "critical"],
  ["sudo", "high"],
  ["/etc/passwd", "high"],
  ["/etc/shadow", "critical"],
  ["eval(input(", "critical"],
  ["exec(input(", "critical"],
  ["__import__(", "high"],
];

export function patternScan(files: { readonly [path: string]: string }): InstallFacts["analysis"] {
  const lines = Object.entries(files).flatMap(([file, text]) =>
    text.split("\n").map((line, index) => ({ file, text: line.toLowerCase(), line: index + 1 })),
  );
  const holds = (words: readonly string[]) =>
    lines.some(({ text }) => words.some((word) => text.includes(word.toLowerCase())));
  const threats = THREATS.flatMap(([pattern, severity]) => {
    const { file, line } = lines.find(({ text }) => text.includes(pattern)) ?? {};
    return file === undefined || line === undefined ? [] : [{ pattern, severity, file, line }];
  });
  return {
    analyzer: "pattern",
    evidence: [],
    unfamiliar: [],
    inferred: Object.keys(KINDS).filter((kind) => holds(KINDS[kind] ?? [])),
    remoteAccess: holds(KINDS["NetworkAccess"] ?? []),
    ...{ threats, passed: threats.length === 0 },
  };
}
