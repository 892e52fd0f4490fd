/** `port/sandbox.run` served by a real sandbox: code that an agent wrote, run as SECURITY.md says. */

import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { SandboxPolicy } from "../../machines/sandboxPolicy.ts";
import type { PortReply, PortRequest, Provider } from "../../substrate/port.ts";
import { namedRandom } from "../../substrate/random.ts";
import { isEdgeError } from "../errors.ts";
import type { Inbox } from "../play/inbox.ts";
import type { KeptAnswers } from "../play/keptAnswers.ts";
import { engineIn } from "../processes/engine.ts";
import { notStarted } from "../processes/notStarted.ts";
import type { SandboxKind } from "../processes/sandboxKind.ts";
import { type CallResult, readAnswer, type SandboxError, type SandboxRequest } from "./answer.ts";
import { AT_REST, openSandbox, type Python, pythonBy, type Sandbox } from "./sandbox.ts";

/** Python that is started by the first request whose answer is not kept. */
export interface LazySandbox extends Python {
  close(): Promise<void>;
}

export interface SandboxOptions {
  readonly kind?: SandboxKind;
  /** Where answers are kept; each is asked anew when absent. */
  readonly answers?: KeptAnswers | undefined;
  /** See PyodideOptions. */
  readonly spare?: boolean;
}

/**
 * Ours: code that names one of these mostly looks at clock, chance or files, or may look at them by what nobody sees, such as
 * the frames of what called it. It is asked but once.
 */
const LOOKS =
  /\b(?:datetime|eval|exec|gc|_getframe|getstate|importlib|inspect|open|os|pathlib|random|secrets|setstate|tempfile|time|uuid)\b/;

/**
 * Code is asked without clock and seed first, and again with both when it looked at either: what never
 * had them cannot depend on them, and one answer serves every run. Asking rejects with SandboxFailed
 * when no Python starts.
 */
export function lazySandbox({
  kind = "auto",
  answers,
  spare = true,
}: SandboxOptions = {}): LazySandbox {
  let opened: Promise<Sandbox> | undefined;
  const open = (): Promise<Sandbox> =>
    openSandbox({ kind, spare }).catch((error: unknown) => {
      throw isEdgeError(error) ? error : notStarted(kind, error);
    });
  const ask = async (request: SandboxRequest): Promise<CallResult> => {
    opened ??= open();
    return (await opened).run(request);
  };
  const kept = async (asked: SandboxRequest): Promise<CallResult> =>
    answers?.answer({
      ...{ engine: engineIn(here), asked, isSure, read: readAnswer },
      ask: () => ask(asked),
    }) ?? ask(asked);
  const run = async (asked: SandboxRequest): Promise<CallResult> => {
    const { seed, nowMs } = asked.setting;
    const isAtRest = seed === AT_REST.seed && nowMs === AT_REST.nowMs;
    if (isAtRest || LOOKS.test(asked.code)) return kept(asked);
    const atRest = await kept({ ...asked, setting: { ...asked.setting, ...AT_REST } });
    return atRest.looked ? kept(asked) : atRest;
  };
  return {
    ...pythonBy(run),
    // Whether it opened at all was said where it was used.
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

const here = new URL("./", import.meta.url);

/** What ended before its own end did so for reasons in which the machine may have a part. */
export const isSure = ({ timedOut, killed, outOfMemory }: CallResult): boolean =>
  !timedOut && !killed && !outOfMemory;

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
  { event, nowMs, purpose, addedMs = 0 }: PortRequest<"sandbox.run">,
  seed: number,
  { sandbox, policy, startsAtMs }: SandboxPortOptions,
): Promise<PortReply> {
  const { code, limitMs: wallMs, files = {}, params: kwargs = {}, name: functionName } = event;
  const limits = { wallMs, events: wallMs * policy.eventsPerMs };
  const setting = { seed, nowMs: startsAtMs + nowMs, files };
  if (purpose === "exec") {
    const result = await sandbox.exec(code, limits, setting);
    return { event: execVerdict(result), latencyMs: latencyOf(result, wallMs, policy) };
  }
  const result = await sandbox.call({ code, functionName, kwargs }, limits, setting);
  return { event: callVerdict(result), latencyMs: addedMs + latencyOf(result, wallMs, policy) };
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
  exitCode,
}: Pick<CallResult, "ok" | "timedOut" | "error" | "exitCode">): MailOf<"sandbox.replied"> =>
  defined({
    type: "sandbox.replied",
    ok,
    timedOut,
    exitCode: exitCode ?? undefined,
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
