/**
 * A question to a server before a run: what passes by itself is tried again, and what is left is
 * called what it is, with what to do. Nothing has been written yet.
 */
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { LiveUnavailable } from "../errors.ts";
import { redactor } from "../redaction.ts";
import { Fault, type FaultKind } from "./faults.ts";
import { type Tried, tried } from "./retrying.ts";

/** How a kind of server is spoken of. */
export interface ServerWords {
  readonly host: string;
  /** `an Ollama server` */
  readonly server: string;
  /** `as Ollama does` */
  readonly speaks: string;
  /** What to do where nobody listens. */
  readonly start: string;
  /** How another server is named. */
  readonly another: string;
  /** What it asks of whom it lets in, and what to do where it does not. */
  readonly letsIn: { readonly allowed: string; readonly todo: string };
}

type Tries = Pick<LivePolicy, "retries" | "backoffMs">;

/** What may be over at the next try. Whether a server listens at all is told at once. */
const PASSING: ReadonlySet<FaultKind> = new Set([
  "gone",
  "truncated",
  "midstream",
  "busy",
  "server",
]);

/** With its failed tries: the last of them stands for all when there is no value. */
export const triedAgain = <T>(policy: Tries, work: () => Promise<T>): Promise<Tried<T>> =>
  tried(work, {
    policy,
    redactor: redactor(),
    signal: new AbortController().signal,
    isWorthIt: ({ kind }) => PASSING.has(kind),
  });

/** Throws LiveUnavailable. */
export async function looked<T>(
  words: ServerWords,
  policy: Tries,
  work: () => Promise<T>,
): Promise<T> {
  const { value, attempts } = await triedAgain(policy, work);
  if (attempts.length === 0 || value !== undefined) return value as T;
  throw unavailable(words, attempts);
}

const LOG = "See what the server itself logs, mend that or start it anew, and run again.";

/** `attempts` are failed tries, at least one. */
export function unavailable(
  words: ServerWords,
  attempts: Tried<unknown>["attempts"],
): LiveUnavailable {
  const { kind, error } = attempts.at(-1) ?? { kind: "server", error: "no answer" };
  const tries = attempts.length > 1 ? `, at the last of ${attempts.length} tries` : "";
  const { found, allowed = words.server, todo } = described(kind as FaultKind, words, error);
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

function described(
  kind: FaultKind,
  { host, start, speaks, another, letsIn }: ServerWords,
  error: string,
): Described {
  switch (kind) {
    case "refused":
    case "unreachable":
    case "timeout":
      return { found: `no answer at ${host}: ${error}`, todo: start };
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
        todo: `Wait until it has less to do, or name another with ${another}.`,
      };
    case "denied":
      return {
        found: `a server at ${host} that refuses access: ${error}`,
        ...letsIn,
      };
    default:
      return {
        found: `something at ${host} that does not answer ${speaks} (${error})`,
        todo: start,
      };
  }
}

/** How an answer in another protocol is told. */
export const otherProtocol = (words: ServerWords, error: string): LiveUnavailable =>
  unavailable(words, [{ kind: "garbage", error, wallMs: 0 }]);

/** Throws LiveUnavailable where a model gives no vectors; `wrong` is said of one that is not made for that. */
export async function tryEmbedding(
  words: ServerWords,
  policy: Tries,
  embed: () => Promise<unknown>,
  wrong: (message: string) => Described,
): Promise<void> {
  const embedded = await triedAgain(policy, embed);
  if (embedded.value !== undefined) return;
  const { kind, message } = lastFault(embedded);
  // Ollama answers 500 or 501 for a model that is no embedding model.
  const isOfModel = ["rejected", "missing", "garbage", "server"].includes(kind);
  if (!isOfModel) throw unavailable(words, embedded.attempts);
  const { found, allowed = "an embedding model", todo } = wrong(message);
  throw new LiveUnavailable({ where: { path: "--embed" }, found, allowed, todo });
}

/** The last of some failed tries. */
export const lastFault = ({ attempts }: Tried<unknown>): Fault => {
  const { kind, error } = attempts.at(-1) ?? { kind: "server", error: "no answer" };
  return new Fault(kind as FaultKind, error);
};
