/** `port/python.parse` served by CPython's own parser, in the sandbox and under its limits. */

import { defined } from "../../machines/defined.ts";
import { isMap } from "../../machines/isMap.ts";
import type { Json, Mail, MailOf } from "../../machines/letter.ts";
import type { BodyKind, FunctionSyntax, SyntaxSummary } from "../../machines/pythonSyntax.ts";
import type { SandboxPolicy } from "../../machines/sandboxPolicy.ts";
import type { Provider } from "../../substrate/port.ts";
import type { Inbox } from "../play/inbox.ts";
import type { CallResult } from "./answer.ts";
import type { Python } from "./sandbox.ts";
import type { LazySandbox } from "./sandboxPort.ts";

/** Ours: ten times the longest tool that we know. */
export const PYTHON_CHARS_MAX = 262_144;
const ERROR_CHARS_MAX = 500;

/** Reading takes no virtual time: a world's clock does not wait for a parser. */
const LATENCY_MS = 0;

export interface ParsePortOptions {
  readonly sandbox: LazySandbox;
  readonly inbox: Inbox;
  readonly policy: SandboxPolicy;
}

export function parsePort({ sandbox, inbox, policy }: ParsePortOptions): Provider<"python.parse"> {
  return {
    answer({ seq, event, purpose }) {
      const read = async (): Promise<void> => {
        const found = await readPython(sandbox, event.text, purpose, policy);
        inbox.push(seq, { event: found, latencyMs: LATENCY_MS });
      };
      read().catch((error: unknown) => inbox.fail(error));
      return null;
    },
  };
}

/**
 * What stands in a text, with the purpose `profile` also what it reaches for. A text that cannot be
 * read, or not within `parseLimitMs`, is a fault of its syntax that says so.
 */
export async function readPython(
  python: Pick<Python, "syntax">,
  text: string,
  purpose: string,
  { parseLimitMs, eventsPerMs }: Pick<SandboxPolicy, "parseLimitMs" | "eventsPerMs">,
): Promise<MailOf<"python.parsed">> {
  if (text.length > PYTHON_CHARS_MAX) {
    return unread(purpose, `${text.length} characters; at most ${PYTHON_CHARS_MAX} are read`);
  }
  const limits = { wallMs: parseLimitMs, events: parseLimitMs * eventsPerMs };
  const result = await python.syntax(text, limits);
  if (result.timedOut) return unread(purpose, `not read within ${parseLimitMs} ms`);
  if (!result.ok) return unread(purpose, unreadBecause(result));
  const found = summaryOf(result.result);
  if (found === undefined) return unread(purpose, "Python gave no summary of it");
  if (!found.syntax.ok) return unread(purpose, found.syntax.error ?? "invalid syntax");
  return { type: "python.parsed", ...found.syntax, ...(purpose === "profile" && found.reach) };
}

/** Nothing is known of it, so it may do anything. */
const UNKNOWN_REACH: Reach = { imports: [], calls: [], opensToWrite: true };

const unread = (purpose: string, error: string): MailOf<"python.parsed"> => ({
  type: "python.parsed",
  ok: false,
  error: error.slice(0, ERROR_CHARS_MAX).toWellFormed(),
  functions: [],
  module: "code",
  ...(purpose === "profile" && UNKNOWN_REACH),
});

const unreadBecause = ({ error }: CallResult): string =>
  `Python could not read it (${error === null ? "no reason given" : `${error.type}: ${error.message}`})`;

interface Summary {
  readonly syntax: SyntaxSummary;
  readonly reach: Reach;
}

type Reach = Pick<Mail["python.parsed"], "imports" | "calls" | "opensToWrite" | "hidden">;

/** Rebuilt field by field, like every answer of the process that ran Python. */
function summaryOf(given: Json): Summary | undefined {
  if (!isMap(given)) return undefined;
  const { ok, error, functions, module, imports, calls, hidden, opensToWrite } = given;
  const listed = Array.isArray(functions) ? functions.map(functionOf) : [undefined];
  const isWhole = listed.every((one) => one !== undefined);
  if (!isWhole || !isBody(module) || !isNames(imports) || !isNames(calls)) return undefined;
  return {
    syntax: defined({
      ok: ok === true,
      error: typeof error === "string" ? error : undefined,
      functions: listed,
      module,
    }),
    reach: defined({
      imports,
      calls,
      opensToWrite: opensToWrite !== false,
      hidden: isNames(hidden) ? hidden : undefined,
    }),
  };
}

function functionOf(given: Json): FunctionSyntax | undefined {
  if (!isMap(given)) return undefined;
  const { name, firstArgument = null, inClass, isAsync, body } = given;
  if (typeof name !== "string" || !isBody(body)) return undefined;
  if (typeof firstArgument !== "string" && firstArgument !== null) return undefined;
  const isMethod = inClass === true;
  return defined({
    ...{ name, firstArgument, inClass: isMethod, body },
    isAsync: isAsync === true ? isAsync : undefined,
  });
}

const isBody = (given: Json | undefined): given is BodyKind =>
  given === "pass" || given === "docstring" || given === "code";
const isNames = (given: Json | undefined): given is string[] =>
  Array.isArray(given) && given.every((name) => typeof name === "string");
