/**
 * All that the gateway keeps, as one immutable value, and what one of its tools is given and makes of it. Source: seed 003.
 */
import { defined } from "../../defined.ts";
import type { Json, Letter, Mail } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Gating, Role } from "../addresses.ts";
import { type Artifact, type ArtifactBook, artifactInspected } from "../content/artifact.ts";
import { type ContentBook, NO_CONTENT } from "../content/content.ts";
import type { CodeFacts } from "../detection/codeFacts.ts";
import {
  decoded,
  type Faults,
  type FieldReader,
  faultText,
  type Refused,
  type ToolFault,
} from "../fault.ts";
import type { Approvals } from "../gate/approval.ts";
import { type Promotable, promotable } from "../gate/promotionGate.ts";
import type { PromotionRecords } from "../gate/promotionRecords.ts";
import type { InstallsPolicy } from "../installsPolicy.ts";
import type { InstallDossier, ToolError, WorkflowTask } from "../mail.ts";
import type { Revision } from "../revisions/revision.ts";
import { type Doing, NO_REVISIONS, type RevisionBook } from "../revisions/revisionBook.ts";

export interface Books {
  readonly content: ContentBook;
  readonly artifacts: ArtifactBook;
  readonly records: PromotionRecords;
  readonly approvals: Approvals;
  /** By approval: what a person is shown. */
  readonly dossiers: { readonly [approval: string]: InstallDossier };
  readonly revisions: RevisionBook;
  /** By revision: whose judgement it needs. */
  readonly gates: { readonly [revision: string]: readonly Role[] };
  readonly workflows: { readonly [workflow: string]: Workflow };
}

/** JSON, so no interface. */
export type Workflow = {
  readonly agent: string;
  readonly tasks: readonly WorkflowTask[];
  /** What the planner said of this wish; null for nothing. */
  readonly gating: Gating | null;
};

export const NO_BOOKS: Books = {
  content: NO_CONTENT,
  artifacts: {},
  records: {},
  approvals: {},
  dossiers: {},
  revisions: NO_REVISIONS,
  gates: {},
  workflows: {},
};

export const artifactOf = (
  { artifacts, content }: Books,
  id: string,
): { readonly artifact: Artifact } | Refused =>
  artifactInspected(artifacts, id, (handle) => ownValue(content.texts, handle));

/** What its gate says now. */
export function gateOf(
  { gates, records }: Pick<Books, "gates" | "records">,
  { id, content: { artifact } }: Revision,
  policy: InstallsPolicy,
): Promotable {
  const own = { gates: ownValue(gates, id) ?? [] };
  const judged =
    artifact === null ? own : { ...own, artifactId: artifact.id, artifactDigest: artifact.digest };
  return promotable(judged, records, policy);
}

/** What is made of texts alone. */
type Fields = { readonly [name: string]: Json };

/* What one tool is given, and what it makes of the books. */

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

export interface Done {
  readonly books: Books;
  readonly answer: Answer;
  /** Told once the books are written, beside what they say themselves. */
  readonly letters?: readonly Letter[];
}

/** Or a Python text whose facts come first. */
export type Served = Done | { readonly needs: string };

export type Tool = (books: Books, call: Call, env: Env) => Served;

/** A tool whose parameters are read first: every field that it knows `read` must have asked for. */
export const tool =
  <T>(
    shape: string,
    read: (reader: FieldReader) => T,
    serve: (books: Books, given: T, call: Call, env: Env) => Served | Refused,
  ): Tool =>
  (books, call, env) => {
    const given = decoded(call.params, shape, (reader) => {
      const value = read(reader);
      reader.refuseOthers(`${call.tool} takes ${reader.asked.join(", ")}.`);
      return value;
    });
    if ("faults" in given) return misshapen(books, given.faults);
    const served = serve(books, given.value, call, env);
    return "fault" in served ? faulty(books, served.fault) : served;
  };

export const going = (books: Books, result: Json, letters?: readonly Letter[]): Done =>
  defined<Done>({ books, answer: { ok: true, result }, letters });

/** What went wrong, told to who called; nothing changes. */
export function failing(
  books: Books,
  reasons: readonly [string, ...string[]],
  todo?: string,
): Done {
  const error = toolError(reasons[0]);
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

export const misshapen = (books: Books, [first, ...rest]: Faults): Served =>
  failing(books, [`Invalid parameters: ${faultText(first)}`, ...rest.map(faultText)], first.todo);

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

/* What a tool's failure is to the agent that called it. Source: dossier 1.9. */

const TYPES: readonly (readonly [ToolError["error_type"], readonly string[]])[] = [
  ["permission", ["policy", "Permission Denied", "denied"]],
  ["validation", ["must not be empty", "Invalid", "must", "required"]],
  ["resource", ["not found", "connection", "timeout"]],
  ["fatal", ["corrupted", "invariant", "unsafe", "Unknown tool"]],
];

/** By its words, in this order, unless it says its type itself. */
export function toolError(text: string): ToolError {
  const [tagged, type] = /^(validation|permission|resource|execution|fatal):/.exec(text) ?? [];
  if (tagged !== undefined)
    return toolErrorOf(type as ToolError["error_type"], text.slice(tagged.length).trim()); // As the pattern has them.
  const found = TYPES.find(([, words]) => words.some((word) => text.includes(word)));
  return toolErrorOf(found?.[0] ?? "execution", text);
}

export const isRecoverable = ({ error_type: type }: ToolError): boolean => type !== "fatal";

function toolErrorOf(type: ToolError["error_type"], message: string): ToolError {
  const hint = type === "validation" ? validationHint(message.toLowerCase()) : TYPE_HINTS[type];
  return defined<ToolError>({ ok: false, error_type: type, message, repair_hint: hint });
}

const TYPE_HINTS: { readonly [type in ToolError["error_type"]]?: string } = {
  permission: "Request additional authorization or adjust the scope of your request.",
  resource: "Verify the resource exists or try again later.",
};

const INSTALL = "invalid json arguments for 'agent.install'";

const HINTS: readonly (readonly [words: readonly string[], hint: string])[] = [
  [
    [INSTALL, "missing field `type`"],
    "agent.install.capabilities items must include a valid `type` field (for example `NetworkAccess`, `ReadAccess`, `WriteAccess`, `CodeExecution`, `AgentSpawn`).",
  ],
  [
    [INSTALL, "unknown variant", "expected one of"],
    "agent.install.capabilities[].type must match one allowed enum exactly. Use one of the values listed in the error and retry.",
  ],
  [
    [INSTALL, "missing field"],
    "agent.install payload is missing required fields. Re-check required keys and ensure nested capability objects are complete.",
  ],
  [["must not be empty"], "Ensure all required fields are provided and not empty."],
  [["invalid json"], "Check the tool schema and ensure JSON is valid."],
];

const validationHint = (message: string): string =>
  HINTS.find(([words]) => words.every((word) => message.includes(word)))?.[1] ??
  "Check the tool schema and ensure all required fields are provided with valid values.";
