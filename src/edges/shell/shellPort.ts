/** `port/shell.run` served by a real shell: a command line of an agent, run as SECURITY.md says. */

import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { ShellPolicy } from "../../machines/shellPolicy.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import { namedRandom } from "../../substrate/random.ts";
import type { Inbox } from "../play/inbox.ts";
import type { LazyShell } from "./shellProcess.ts";
import type { ShellRan, ShellRun, ShellStop } from "./shellProtocol.ts";

/** How a manifest names it. */
export const SHELL_NAME = "just-bash 3.4.2";

export interface ShellPortOptions {
  readonly shell: LazyShell;
  readonly inbox: Inbox;
  readonly policy: ShellPolicy;
  readonly seed: number;
  /** What virtual time 0 is to the shell's clock, in ms since 1970. */
  readonly startsAtMs: number;
}

/** Answers later, through the inbox; the inbox fails with SandboxFailed when no shell starts. */
export function shellPort({
  shell,
  inbox,
  policy,
  seed,
  startsAtMs,
}: ShellPortOptions): Provider<"shell.run"> {
  const random = namedRandom(seed);
  return {
    answer(request) {
      const draw = random.at(request.from, `shell ${request.purpose}`, request.nth);
      const run = runOf(request, draw.integer(0, 0xffffffff), startsAtMs, policy);
      shell.run(run).then(
        (ran) => inbox.push(request.seq, replyOf(run, ran)),
        (error: unknown) => inbox.fail(error),
      );
      return null;
    },
  };
}

function runOf(
  { event, nowMs }: PortRequest<"shell.run">,
  seed: number,
  startsAtMs: number,
  policy: ShellPolicy,
): ShellRun {
  const { command, agent, cwd, files, limitMs } = event;
  const mtimes = Object.entries(event.mtimesMs);
  return {
    ...{ command, agent, cwd, files },
    mtimesMs: Object.fromEntries(mtimes.map(([path, ms]) => [path, startsAtMs + ms])),
    seed,
    nowMs: startsAtMs + nowMs,
    bounds: { ...policy, limitMs },
  };
}

/** A bound that ended the run is a fault that names it; a time-out is one at exactly the limit. */
export function replyOf({ files, bounds }: ShellRun, ran: ShellRan): PortReply {
  const { exitCode, stdout, stderr, changed, reads, stopped } = ran;
  const fault = stopped === undefined ? ran.fault : stopText(stopped, bounds);
  const isKept = fault === undefined;
  const event: MailOf<"shell.replied"> = defined({
    type: "shell.replied",
    ...{ exitCode, stdout, stderr },
    changed: isKept && Object.keys(changed).length > 0 ? changed : undefined,
    created: isKept ? createdIn(changed, files) : undefined,
    reads,
    fault,
  });
  const isLate = stopped === "time" || stopped === "process";
  return { event, latencyMs: isLate ? bounds.limitMs : Math.min(bounds.limitMs, ran.elapsedMs) };
}

/** Of what a run left, the paths that were not there before. */
export const createdIn = (changed: object, files: object): string[] =>
  Object.keys(changed)
    .filter((path) => !Object.hasOwn(files, path))
    .sort();

function stopText(stopped: ShellStop, bounds: ShellRun["bounds"]): string {
  const stop = (why: string): string =>
    `ShellStopped: ${why}; nothing that the command line changed is kept`;
  switch (stopped) {
    case "time":
      return stop(`it took ${bounds.limitMs} ms, the bound shell.limitMs`);
    case "steps":
      return stop(`it took more than ${bounds.steps} steps, the bound shell.steps`);
    case "output":
      return stop(
        `it printed more than ${bounds.outputChars} characters, the bound shell.outputChars`,
      );
    case "files":
      return stop(
        `it left more than ${bounds.changedFiles} changed files (shell.changedFiles) or ` +
          `${bounds.changedChars} characters (shell.changedChars)`,
      );
    case "memory":
      return stop(`it took more than ${bounds.memoryMb} MB, the bound shell.memoryMb`);
    default:
      return stop("its process ended");
  }
}
