/** One command in just-bash: what it is given, what it may take, and what is made of its end. */

import { defined } from "../../machines/defined.ts";
import { withEpoch } from "./epoch.ts";
import { furtherCommands } from "./furtherCommands.ts";
import { Bash, type CommandName, getCommandNames } from "./justBash.ts";
import { ShellDisk } from "./shellDisk.ts";
import type { ShellRan, ShellRun, ShellStop } from "./shellProtocol.ts";
import type { VirtualHost } from "./virtualHost.ts";

/** Worlds or threads of their own: left out here, and so `not found`. */
const LEFT_OUT = new Set(["sqlite3", "python3", "python", "js-exec", "node", "curl", "tar"]);

/** Ours: what the shell itself counts besides steps; each ends the command with 126 and its name. */
const WITHIN_STEPS = {
  maxCallDepth: 100,
  maxSubstitutionDepth: 50,
  maxSourceBytes: 1_000_000,
  maxBraceExpansionResults: 100_000,
  maxAwkIterations: 1_000_000,
  maxSedIterations: 1_000_000,
  maxJqIterations: 1_000_000,
  maxExecutionTimeMs: 3_600_000,
};

/** Ours: what `$$` may be. */
const FIRST_PID = 300;
const PIDS = 30_000;

export async function ranIn(
  run: ShellRun,
  host: VirtualHost,
  stop: (stopped: ShellStop) => never,
): Promise<ShellRan> {
  const { bounds, cwd, agent, command } = run;
  const disk = new ShellDisk(run, host.spend);
  const memory = bounds.memoryMb * 1024 * 1024;
  const bash = new Bash({
    fs: disk,
    cwd,
    commands: getCommandNames().filter((name): name is CommandName => !LEFT_OUT.has(name)),
    customCommands: furtherCommands(agent),
    env: {
      ...{ HOME: cwd, USER: agent, LOGNAME: agent, SHELL: "/bin/bash", TMPDIR: "/tmp" },
      ...{ LANG: "C.UTF-8", TZ: "UTC" },
    },
    executionLimits: {
      ...WITHIN_STEPS,
      maxCommandCount: bounds.steps,
      maxLoopIterations: bounds.steps,
      maxOutputSize: memory,
      maxStringLength: memory,
      maxLiveBytes: memory,
      maxInputBytes: memory,
      maxFileSystemBytes: memory,
    },
    processInfo: { pid: FIRST_PID + (run.seed % PIDS), ppid: 1, uid: 1000, gid: 1000 },
    coverage: { hit: () => host.spend(1) },
    defenseInDepth: false, // It guards a host program's globals; this thread has none to guard.
  });
  bash.registerTransformPlugin(withEpoch(bash));
  await disk.begin();
  const { stdout, stderr, exitCode } = await bash
    .exec(command, { rawScript: true })
    .catch(endedByDisk);
  const elapsedMs = Math.max(1, host.elapsedMs());
  const { changed, lost, fault } = await disk.outcome();
  const notes = lost.map((what) => `sh: not kept: ${what}\n`).join("");
  const told = stderr + notes;
  if (isOver([stdout, told], bounds.outputChars)) stop("output");
  const texts = Object.entries(changed);
  if (texts.length > bounds.changedFiles) stop("files");
  const all = texts.map(([path, text]) => path + (text ?? "")).join("");
  if (isOver([all], bounds.changedChars)) stop("files");
  return defined({
    exitCode,
    stdout: stdout.toWellFormed(),
    stderr: told.toWellFormed(),
    changed,
    reads: disk.reads(),
    elapsedMs,
    fault,
  });
}

/** After a redirection to nowhere the shell goes on only where it foresaw that; else it ends here. */
function endedByDisk(error: unknown): Pick<ShellRan, "stdout" | "stderr" | "exitCode"> {
  const told = error instanceof Error && /^E[A-Z]+: (.*), \w+ '(.*)'$/s.exec(error.message);
  if (!told) throw error;
  return { stdout: "", stderr: `bash: ${told[2]}: ${told[1]}\n`, exitCode: 1 };
}

/** As a letter holds them: a control code takes six characters there. */
const isOver = (texts: readonly string[], chars: number): boolean =>
  texts.some((text) => text.length > chars || charsInLetter(text) > chars);

const charsInLetter = (text: string): number => JSON.stringify(text).length - 2;
