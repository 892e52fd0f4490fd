/**
 * What the shell outside did for `shell_exec`, and what it changed, comes back to the files,
 * which refuse it whole where another writer was faster. Source: seed 004; rulings U11.
 */
import { ask, type Delivered, type MailOf } from "../../letter.ts";
import { failed } from "./builtin.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { finish } from "./finishing.ts";
import { withCall } from "./openCalls.ts";
import { permitted } from "./permissions.ts";
import type { CallOutcome, Done, EngineState, OpenCall } from "./state.ts";

export function shellReplied(
  state: EngineState,
  reply: Delivered<"shell.replied">,
  { seq, call }: OpenCall,
  policy: EnginePolicy,
): Done {
  const { at } = reply;
  const { changed = {}, created = [], exitCode, stdout, stderr } = reply;
  const fault = reply.fault ?? permitted(Object.keys(changed), policy);
  if (fault !== undefined) return finish(state, seq, call, failed(fault), policy, [at.seq]);
  const made = created.filter((path) => typeof changed[path] === "string").sort();
  const ran: CallOutcome = {
    ok: exitCode === 0,
    result: { exit_code: exitCode, stdout, stderr },
    error: exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`,
    wrote: made.length > 0 ? made : undefined,
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
