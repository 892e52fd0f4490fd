/**
 * A question to an Ollama server before a run: what passes by itself is tried again, and what is left is
 * called what it is, with what to do. Nothing has been written yet.
 */
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { LiveUnavailable } from "../errors.ts";
import { redactor } from "../redaction.ts";
import { Fault, type FaultKind } from "./faults.ts";
import { type Tried, tried } from "./retrying.ts";
import { type Server, withClient } from "./wire.ts";

export interface Look {
  readonly server: Server;
  readonly policy: Pick<LivePolicy, "retries" | "backoffMs">;
  /** How long one try may take, in real milliseconds. */
  readonly timeoutMs: number;
}

/** What may be over at the next try. Whether a server listens at all is told at once. */
const PASSING: ReadonlySet<FaultKind> = new Set([
  "gone",
  "truncated",
  "midstream",
  "busy",
  "server",
]);

/** A question through a client of the server. */
export const tryLook = <T>(
  asked: Look,
  work: Parameters<typeof withClient<T>>[2],
): Promise<Tried<T>> =>
  triedAgain(asked, () => withClient(asked.server, { timeoutMs: asked.timeoutMs }, work));

/** With its failed tries: the last of them stands for all when there is no value. */
export const triedAgain = <T>(
  { policy }: Pick<Look, "policy">,
  work: () => Promise<T>,
): Promise<Tried<T>> =>
  tried(work, {
    policy,
    redactor: redactor(),
    signal: new AbortController().signal,
    isWorthIt: ({ kind }) => PASSING.has(kind),
  });

/** Throws LiveUnavailable. */
export async function look<T>(asked: Look, work: Parameters<typeof withClient<T>>[2]): Promise<T> {
  const { value, attempts } = await tryLook(asked, work);
  if (attempts.length === 0 || value !== undefined) return value as T;
  throw unavailable(asked.server, attempts);
}

const START = "Start it with `ollama serve`, or name another with --host URL or OLLAMA_HOST.";
const LOG = "See what the server itself logs, mend that or start it anew, and run again.";

/** `attempts` are failed tries, at least one. */
export function unavailable(
  { host }: Server,
  attempts: Tried<unknown>["attempts"],
): LiveUnavailable {
  const { kind, error } = attempts.at(-1) ?? { kind: "server", error: "no answer" };
  const tries = attempts.length > 1 ? `, at the last of ${attempts.length} tries` : "";
  const { found, allowed = "an Ollama server", todo } = described(kind as FaultKind, host, error);
  return new LiveUnavailable({
    where: { path: "--host" },
    found: `${found}${tries}`,
    allowed,
    todo,
  });
}

interface Described {
  readonly found: string;
  readonly allowed?: string;
  readonly todo: string;
}

function described(kind: FaultKind, host: string, error: string): Described {
  switch (kind) {
    case "refused":
    case "unreachable":
    case "timeout":
      return { found: `no answer at ${host}: ${error}`, todo: START };
    case "gone":
    case "truncated":
      return {
        found: `a connection to ${host} that broke: ${error}`,
        allowed: "a server that answers to the end",
        todo: LOG,
      };
    case "server":
    case "midstream":
    case "memory":
      return {
        found: `an error of the server at ${host}: ${error}`,
        allowed: "a server that works",
        todo: LOG,
      };
    case "busy":
      return {
        found: `a server at ${host} that is too busy: ${error}`,
        allowed: "a server with time for another",
        todo: "Wait until it has less to do, or name another with --host URL or OLLAMA_HOST.",
      };
    case "denied":
      return {
        found: `a server at ${host} that refuses access: ${error}`,
        allowed: "a server that asks for no key",
        todo: "Name one that lets you in with --host URL or OLLAMA_HOST.",
      };
    default:
      return {
        found: `something at ${host} that does not answer as Ollama does (${error})`,
        todo: START,
      };
  }
}

/** How an answer in another protocol is told. */
export const notOllama = (server: Server, error: string): LiveUnavailable =>
  unavailable(server, [{ kind: "garbage", error, wallMs: 0 }]);

/** The last of some failed tries. */
export const lastFault = ({ attempts }: Tried<unknown>): Fault => {
  const { kind, error } = attempts.at(-1) ?? { kind: "server", error: "no answer" };
  return new Fault(kind as FaultKind, error);
};
