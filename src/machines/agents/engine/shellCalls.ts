/**
 * What the shell outside did for `shell_exec`, and what it changed, comes back to the files,
 * which refuse it whole where another writer was faster. Source: seed 004; rulings U11.
 */
import { lastWriters } from "../../fileTree.ts";
import { ask, type Delivered, type MailOf } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
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
  const { at, reads = [] } = reply;
  const { changed = {}, created = [], exitCode, stdout, stderr } = reply;
  // It sees all files; what it says rests on who wrote those that it opened.
  const writers = reads.flatMap((path) => ownValue(call.writers ?? {}, path) ?? []);
  const facts = [...lastWriters(writers), at.seq];
  const fault = reply.fault ?? permitted(Object.keys(changed), policy);
  if (fault !== undefined) return finish(state, seq, call, failed(fault), policy, facts);
  const made = created.filter((path) => typeof changed[path] === "string").sort();
  const ran: CallOutcome = {
    ok: exitCode === 0,
    result: { exit_code: exitCode, stdout, stderr },
    error: exitCode === 0 ? undefined : stderr.trim() || `exit code ${exitCode}`,
    wrote: made.length > 0 ? made : undefined,
    read: reads,
  };
  if (Object.keys(changed).length === 0) return finish(state, seq, call, ran, policy, facts);
  const since = { ...(call.viewed ?? { ms: at.nowMs, seq: at.seq }), created };
  const event: MailOf<"files.apply"> = { type: "files.apply", changed, since };
  return {
    state: withCall(state, seq, { ...call, ran, ranOn: facts }),
    letters: [ask({ to: "files", key: `call:${seq}`, event, because: facts })],
  };
}
