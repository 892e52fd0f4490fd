/**
 * `shell_exec`: a view of all virtual files goes to the shell outside; what it answers is read in
 * shellCalls.ts. Source: seed 004; rulings U11.
 */
import { foldersOf } from "../../../folders.ts";
import { ask, type MailOf } from "../../../letter.ts";
import { ownValue } from "../../../ownValue.ts";
import { type Builtin, failed, isWords, needs } from "../builtin.ts";
import { toFiles } from "./files.ts";

export const shellExec: Builtin = {
  name: "shell_exec",
  description:
    "Executes a shell command line, sh -c, with pipes; returns exit_code, stdout and stderr.",
  takes: "command: string",
  isLockable: true,
  begin({ key, params: { command }, policy }) {
    const folders = ["/agentOS", ...foldersOf(policy.folders)];
    return isWords(command)
      ? toFiles(key, { type: "files.snapshot", folders, times: true })
      : needs("command");
  },
  // The view for the shell; or, at the end, whether what it changed was accepted.
  replied(call, seq, reply, { shell }) {
    const { at, ok, error = "error", files = {}, madeBy = {}, mtimesMs = {}, taken } = reply;
    if (!ok) return { outcome: failed(error) };
    if (call.ran !== undefined) return { outcome: call.ran };
    const writers = Object.fromEntries(
      Object.entries(madeBy).map(([path, writer]) => {
        return [path, { ms: ownValue(mtimesMs, path) ?? 0, seq: writer }];
      }),
    );
    const event: MailOf<"shell.run"> = {
      type: "shell.run",
      purpose: "command",
      agent: call.agent,
      command: String(call.params["command"]),
      cwd: `/agentOS/workspace/${call.agent}`,
      files,
      mtimesMs,
      limitMs: shell.limitMs,
    };
    return {
      letter: ask({ to: "port/shell.run", key: `call:${seq}`, event }),
      call: { ...call, viewed: taken ?? { ms: at.nowMs, seq: at.seq }, writers },
    };
  },
};
