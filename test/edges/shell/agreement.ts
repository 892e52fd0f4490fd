// Command lines as agents write them, in our shell and in the machine's own bash: the judge.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { agentFiles } from "./agentFiles.ts";
import { CWD, inFolder, type Runs, runIn } from "./shellRuns.ts";

export const agentCommands = JSON.parse(
  readFileSync(new URL("./agentCommands.json", import.meta.url), "utf8"),
) as { readonly "as in bash": readonly string[]; readonly different: readonly string[] };

/** A bash 5 with GNU tools and jq; what others print is no judge. */
export const hasJudge =
  /^5\./.test(judged("printf %s $BASH_VERSION").stdout) &&
  judged("ls --version | grep -q GNU && jq --version && mawk -W version").exitCode === 0;

export interface Seen {
  readonly stdout: string;
  readonly exitCode: number;
  readonly files: { readonly [name: string]: string };
}

export function judged(command: string): Seen {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-shell-"));
  try {
    for (const [name, text] of Object.entries(agentFiles)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { stdout, status } = spawnSync("bash", ["-c", command], {
      ...{ cwd: folder, encoding: "utf8", input: "" },
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: folder, TZ: "UTC" },
    });
    const names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort();
    const after = names.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]);
    return { stdout: stdout ?? "", exitCode: status ?? -1, files: Object.fromEntries(after) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function ours(shell: Runs, command: string): Promise<Seen> {
  const files = inFolder(agentFiles);
  const { stdout, exitCode, changed } = await runIn(shell, command, { files });
  const after = Object.entries({ ...files, ...changed })
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .map(([path, text]) => [path.slice(CWD.length + 1), text]);
  return { stdout, exitCode, files: Object.fromEntries(after) };
}
