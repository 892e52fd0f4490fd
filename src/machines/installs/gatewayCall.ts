/** What one tool of the gateway is given, and what it makes of the books. */
import type { Json, Letter, Mail } from "../letter.ts";
import type { CodeFacts } from "./detection/codeFacts.ts";
import { type Fault, FieldReader, faultText, type ToolFault } from "./fault.ts";
import type { Books, Fields } from "./gatewayBooks.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";
import type { Doing } from "./revisions/revisionBook.ts";
import { toolError } from "./toolError.ts";

export interface Call {
  readonly tool: string;
  readonly params: Fields;
  /** The address that it came from, or `agent:` and the name of one of the agents' world. */
  readonly from: string;
  /** The wish that it is made for. */
  readonly workflow?: string;
}

/** Agents that live without being installed. */
export interface Living {
  /** From the start. */
  readonly natives: readonly string[];
  /** By the installed agent that spawned them. */
  readonly spawned: { readonly [root: string]: readonly string[] };
}

/** What the gateway knows besides its books. */
export interface Env {
  readonly living: Living;
  readonly policy: InstallsPolicy;
  /** As ISO 8601. */
  readonly timestamp: string;
  readonly nowMs: number;
  /** What Python said of each text so far. */
  readonly parsed: ReadonlyMap<string, CodeFacts>;
}

export type Answer = Mail["gateway.answered"];

export type Served =
  | {
      readonly books: Books;
      readonly answer: Answer;
      /** Told once the books are written, beside what they say themselves. */
      readonly letters?: readonly Letter[];
    }
  /** A Python text whose facts come first. */
  | { readonly needs: string };

export type Tool = (books: Books, call: Call, env: Env) => Served;

export const going = (books: Books, result: Json): Served => ({
  books,
  answer: { ok: true, result },
});

/** What went wrong, told to who called; nothing changes. */
export function failing(
  books: Books,
  reasons: readonly [string, ...string[]],
  todo?: string,
): Served {
  const [first] = reasons;
  const error = toolError(first);
  return {
    books,
    answer: {
      ok: false,
      error: todo === undefined ? error : { ...error, repair_hint: todo },
      ...(reasons.length > 1 ? { reasons } : {}),
    },
  };
}

/** An install would take the name of one that lives without being installed; null where none does. */
export function nameTaken(
  books: Books,
  agent: string,
  { living: { natives, spawned } }: Env,
): Served | null {
  const [root] = Object.entries(spawned).find(([, names]) => names.includes(agent)) ?? [];
  if (root === undefined && !natives.includes(agent)) return null;
  const found = root === undefined ? "from the start" : `spawned by ${root}`;
  return failing(
    books,
    [`agent_id '${agent}' is the name of an agent that lives without being installed (${found})`],
    "Give another agent_id: an install never takes the place of an agent that nobody installed.",
  );
}

export const faulty = (books: Books, { said, found, allowed, todo }: ToolFault): Served =>
  failing(books, [`${said} (found ${found}; allowed: ${allowed})`], todo);

export const misshapen = (books: Books, [first, ...rest]: readonly [Fault, ...Fault[]]): Served =>
  failing(books, [`Invalid parameters: ${faultText(first)}`, ...rest.map(faultText)], first.todo);

/** The parameters as a tool reads them; every field that it knows it must have asked for. */
export function readParams<T>(
  { tool, params }: Call,
  fields: readonly string[],
  read: (reader: FieldReader) => T,
): { readonly value: T } | { readonly faults: readonly [Fault, ...Fault[]] } {
  const reader = new FieldReader(params);
  const value = read(reader);
  reader.refuseOthers(fields, `${tool} takes ${fields.join(", ")}.`);
  const [first, ...rest] = reader.faults;
  return first === undefined ? { value } : { faults: [first, ...rest] };
}

const HOUSE = "house";
const WORLD = "agents";
const AGENT = "agent:";

/** Of an agent of the agents' world: no address begins so. */
export const asAgent = (name: string): string => `${AGENT}${name}`;

/** Who installs shares one root session, and the agents of their world another. */
export const sessionOf = (from: string): string =>
  from.startsWith(AGENT) ? `${WORLD}/${from.slice(AGENT.length)}` : `${HOUSE}/${from}`;

export const doing = (
  { from }: Call,
  { timestamp }: Env,
  reason: string | null,
  rests: Json = null,
): Doing => ({
  by: from,
  session: sessionOf(from),
  timestamp,
  reason,
  rests,
});
