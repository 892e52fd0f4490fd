/** `port/sandbox.run` served by a real sandbox: code that an agent wrote, run as SECURITY.md says. */

import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SandboxPolicy } from "../../machines/sandboxPolicy.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import { namedRandom } from "../../substrate/random.ts";
import { isEdgeError } from "../errors.ts";
import type { Inbox } from "../inbox.ts";
import { notStarted } from "../processes/notStarted.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import type { CallResult, SandboxError } from "./answer.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

/** A sandbox that is opened by the first call that needs one. */
export interface LazySandbox {
  get(): Promise<Sandbox>;
  close(): Promise<void>;
}

export function lazySandbox(kind: SandboxKind): LazySandbox {
  let opened: Promise<Sandbox> | undefined;
  return {
    get: () => {
      opened ??= openSandbox({ kind }).catch((error: unknown) => {
        throw isEdgeError(error) ? error : notStarted(kind, error);
      });
      return opened;
    },
    // Whether it opened at all was said where it was used.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

export interface SandboxPortOptions {
  readonly sandbox: LazySandbox;
  readonly inbox: Inbox;
  readonly policy: SandboxPolicy;
  readonly seed: number;
  /** What virtual time 0 is to Python's clock, in ms since 1970. */
  readonly startsAtMs: number;
}

export function sandboxPort(options: SandboxPortOptions): Provider<"sandbox.run"> {
  const random = namedRandom(options.seed);
  return {
    answer(request) {
      const seed = random
        .at(request.from, `python ${request.purpose}`, request.nth)
        .integer(0, 0xffffffff);
      replyTo(request, seed, options).then(
        (reply) => options.inbox.push(request.seq, reply),
        (error: unknown) => options.inbox.fail(error),
      );
      return null;
    },
  };
}

async function replyTo(
  { event, nowMs, purpose }: PortRequest<"sandbox.run">,
  seed: number,
  { sandbox, policy, startsAtMs }: SandboxPortOptions,
): Promise<PortReply> {
  const python = await sandbox.get();
  const { code, limitMs: wallMs, files = {}, params: kwargs = {}, name: functionName } = event;
  const limits = { wallMs, events: wallMs * policy.eventsPerMs };
  const setting = { seed, nowMs: startsAtMs + nowMs, files };
  if (purpose === "exec") {
    const result = await python.exec(code, limits, setting);
    return { event: execVerdict(result), latencyMs: latencyOf(result, wallMs, policy) };
  }
  const result = await python.call({ code, functionName, kwargs }, limits, setting);
  return { event: callVerdict(result), latencyMs: latencyOf(result, wallMs, policy) };
}

/** What it slept and what it burnt; a time-out is one at exactly the limit. */
function latencyOf(
  { timedOut, elapsedMs, events }: Pick<CallResult, "timedOut" | "elapsedMs" | "events">,
  limitMs: number,
  { eventsPerMs }: SandboxPolicy,
): number {
  if (timedOut) return limitMs;
  const burntMs = Math.ceil((events ?? 0) / eventsPerMs);
  return Math.min(limitMs, elapsedMs + Math.max(1, burntMs));
}

/** Of the exec check: what the module wrote is of no account. */
export const execVerdict = ({
  ok,
  timedOut,
  error,
}: Pick<CallResult, "ok" | "timedOut" | "error">): MailOf<"sandbox.replied"> =>
  defined({
    type: "sandbox.replied",
    ok,
    timedOut,
    error: error === null ? undefined : errorText(error),
  });

/** Of a call also the function that was found, and what it gave back. */
export function callVerdict(result: CallResult): MailOf<"sandbox.replied"> {
  const { stage, called, requires, isNone, functionName } = result;
  const changed = result.files.flatMap(({ path, text, change }) =>
    change !== "deleted" && text === null ? [] : [[path, text]],
  );
  const created = result.files.filter(({ change }) => change === "created").map(({ path }) => path);
  return defined({
    ...execVerdict(result),
    changed: changed.length > 0 ? Object.fromEntries(changed) : undefined,
    created: created.length > 0 ? created : undefined,
    isNone,
    result: result.result,
    needsArguments: stage === "arguments" && !called && requires.length > 0,
    // Before that stage the sandbox has not looked for a function.
    functionName: stage === "module" ? undefined : functionName,
  });
}

const errorText = ({ type, message }: SandboxError): string =>
  message === "" ? type : `${type}: ${message}`;
