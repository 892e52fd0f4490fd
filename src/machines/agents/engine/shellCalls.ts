/**
 * `shell_exec`: a view of all virtual files goes to the shell outside, and what it changed comes back
 * to the files, which refuse it whole where somebody else was faster. Source: seed 004; rulings U11.
 */
import { ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import type { EnginePolicy } from "./engine.ts";
import { type CallOutcome, finish } from "./finishing.ts";
import { permitted } from "./permissions.ts";
import { type Call, callOf, type Done, type EngineState } from "./state.ts";

export const shellView = (key: string): Letter =>
  ask({ to: "files", key, event: { type: "files.snapshot", folders: ["/agentOS"], times: true } });

/** The view for the shell; or, at the end, whether what it changed was accepted. */
export function shellFilesReplied(
  state: EngineState,
  seq: number,
  call: Call,
  reply: Delivered<"files.replied">,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  if (call.ran !== undefined) {
    const outcome = reply.ok ? call.ran : failed(reply.error ?? "error");
    return finish(state, seq, call, outcome, policy, [at.seq]);
  }
  if (!reply.ok) {
    return finish(state, seq, call, failed(reply.error ?? "error"), policy, [at.seq]);
  }
  const { files = {}, mtimesMs = {}, taken = { ms: at.nowMs, seq: at.seq } } = reply;
  const event: MailOf<"shell.run"> = {
    type: "shell.run",
    purpose: "command",
    agent: call.agent,
    command: String(call.params["command"]),
    cwd: `/agentOS/workspace/${call.agent}`,
    files,
    mtimesMs,
    limitMs: policy.shell.limitMs,
  };
  return {
    state: withCall(state, seq, { ...call, viewed: taken }),
    letters: [ask({ to: "port/shell.run", key: `call:${seq}`, event })],
  };
}

export function shellReplied(
  state: EngineState,
  reply: Delivered<"shell.replied">,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  const seq = callOf(at);
  const call = state.calls[seq];
  if (call === undefined) return { state, letters: [] };
  const { changed = {}, created = [], exitCode, stdout, stderr } = reply;
  const fault = reply.fault ?? permitted(Object.keys(changed), policy.tools);
  if (fault !== undefined) return finish(state, seq, call, failed(fault), policy, [at.seq]);
  const made = created.filter((path) => typeof changed[path] === "string").sort();
  const ran: CallOutcome = {
    ok: exitCode === 0,
    result: { exit_code: exitCode, stdout, stderr },
    ...(exitCode !== 0 && { error: stderr.trim() || `exit code ${exitCode}` }),
    ...(made.length > 0 && { wrote: made }),
    read: reply.reads ?? [],
  };
  if (Object.keys(changed).length === 0) return finish(state, seq, call, ran, policy, [at.seq]);
  const since = { ...(call.viewed ?? { ms: at.nowMs, seq: at.seq }), created };
  const event: MailOf<"files.apply"> = { type: "files.apply", changed, since };
  return {
    state: withCall(state, seq, { ...call, ran }),
    letters: [ask({ to: "files", key: `call:${seq}`, event })],
  };
}

const withCall = (state: EngineState, seq: number, call: Call): EngineState => ({
  ...state,
  calls: { ...state.calls, [seq]: call },
});

const failed = (error: string): CallOutcome => ({ ok: false, result: null, error });
