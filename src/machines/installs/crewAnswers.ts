/**
 * Reads what the models of those who install answer: taken whole or not at all, and of what is not it is told which field,
 * what was found and what is allowed. Members that nothing was asked of count for nothing. Source: seed 003.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { readObject } from "../readJson.ts";
import type { Gating } from "./addresses.ts";
import { BUILDER_TOOLS, type Wanted } from "./builderRules.ts";
import type { IntentFields } from "./crewMail.ts";
import { PLANS, type Plan } from "./crewViews.ts";
import { type Fault, FieldReader, faultText, shown } from "./fault.ts";
import { CAPABILITY_KINDS, type CapabilityKind } from "./gate/capability.ts";
import { type Finding, SEVERITIES } from "./gate/promotionRecords.ts";

export type Read<T> =
  | { readonly value: T; readonly fault?: undefined }
  | { readonly value?: undefined; readonly fault: Fault };

export interface PlanAnswer {
  readonly next: Plan;
  /** Null: as the matrix has it. */
  readonly gating: Gating | null;
  /** Fields of the intent that are to be otherwise. */
  readonly amend: IntentFields;
  readonly why: string;
}

export interface BuildAnswer {
  readonly files: { readonly [name: string]: string };
  readonly entrypoints: readonly string[];
}

export interface JudgeAnswer {
  readonly pass: boolean;
  /** Whether it makes its promotion record. */
  readonly record: boolean;
  readonly findings: readonly Finding[];
}

export interface AuditAnswer extends JudgeAnswer {
  readonly threats: readonly string[];
  readonly remoteAccess: boolean;
  readonly inferred: readonly CapabilityKind[];
}

/** Ours: no artifact that a model writes in one answer is longer. */
const BUILD_CHARS_MAX = 200_000;
const GATINGS = ["none", "required"] as const;

export const readPlan = (answer: string): Read<PlanAnswer> =>
  whole(answer, "next, why", (read) => ({
    next: required(read, "next", PLANS) ?? "stop",
    gating: read.oneOf("gating", GATINGS, "Leave it out where the matrix holds."),
    amend: mapIn(read, "amend", "fields of the intent"),
    why: reasonIn(read),
  }));

export const readBuild = (answer: string): Read<BuildAnswer> =>
  whole(answer, "files", (read) => {
    const files = mapIn(read, "files", "texts by name");
    const isText = (held: Json): held is string => typeof held === "string";
    const texts = Object.entries(files).flatMap(([name, held]) =>
      isText(held) ? [[name, held] as const] : [],
    );
    const chars = texts.reduce((sum, [name, held]) => sum + name.length + held.length, 0);
    if (texts.length < Object.keys(files).length || texts.length === 0) {
      read.refuse("files", "one text or more, by name", "Write each file whole.");
    } else if (chars > BUILD_CHARS_MAX) {
      read.refuse("files", `${BUILD_CHARS_MAX} characters in all`, "Write less.");
    }
    const entrypoints = read.texts("entrypoints", { todo: "Name files, or leave it out." }) ?? [];
    return { files: Object.fromEntries(texts), entrypoints };
  });

export const readTurn = (answer: string): Read<Exclude<Wanted, { readonly fault: string }>> =>
  whole(answer, "tool, why", (read) => ({
    tool: required(read, "tool", BUILDER_TOOLS) ?? "end_turn",
    changes: Object.keys(mapIn(read, "changes", "fields of the intent")).sort(),
    about: read.texts("about", { todo: "Name a file or revisions, or leave it out." }) ?? [],
    why: reasonIn(read),
  }));

/** The builder's answer, or why it cannot be used. */
export function wantedIn(answer: string): Wanted {
  const { value, fault } = readTurn(answer);
  return fault === undefined ? value : { fault: faultText(fault) };
}

export const readEvaluation = (answer: string): Read<JudgeAnswer> =>
  whole(answer, "pass, record, findings", judgementIn);

export const readAudit = (answer: string): Read<AuditAnswer> => {
  const members =
    "pass, record, findings, threats_detected, remote_access_detected, inferred_capabilities";
  return whole(answer, members, (read) => {
    const inferred = read.texts("inferred_capabilities", MUST) ?? [];
    const kinds = CAPABILITY_KINDS.filter((kind) => inferred.includes(kind));
    if (kinds.length < new Set(inferred).size) {
      read.refuse("inferred_capabilities", CAPABILITY_KINDS.join(", "), "Name kinds alone.");
    }
    return {
      ...judgementIn(read),
      threats: read.texts("threats_detected", MUST) ?? [],
      remoteAccess: read.flag("remote_access_detected", MUST) ?? false,
      inferred: [...kinds].sort(),
    };
  });
};

const MUST = { isRequired: true, todo: "Answer with every member." };

function judgementIn(read: FieldReader): JudgeAnswer {
  return {
    pass: read.flag("pass", MUST) ?? false,
    record: read.flag("record", MUST) ?? false,
    findings: findingsIn(read),
  };
}

function findingsIn(read: FieldReader): readonly Finding[] {
  const given = read.raw("findings");
  if (given === null) return [];
  if (!Array.isArray(given)) {
    read.refuse("findings", "a list", MUST.todo);
    return [];
  }
  return given.flatMap((one: Json, index) => {
    const at = `findings[${index}]`;
    if (!isMap(one)) {
      read.faults.push({ field: at, found: shown(one), allowed: "an object", todo: MUST.todo });
      return [];
    }
    const inner = new FieldReader(one, at);
    const severity = required(inner, "severity", SEVERITIES);
    const description = inner.text("description", MUST);
    read.faults.push(...inner.faults);
    return severity === null || description === null ? [] : [{ severity, description }];
  });
}

const reasonIn = (read: FieldReader): string => read.text("why", { todo: MUST.todo }) ?? "";

function required<const T extends string>(
  read: FieldReader,
  name: string,
  options: readonly T[],
): T | null {
  if (read.raw(name) !== null) return read.oneOf(name, options, MUST.todo);
  read.refuse(name, options.join(", "), MUST.todo);
  return null;
}

function mapIn(read: FieldReader, name: string, what: string): IntentFields {
  const given = read.raw(name);
  if (isMap(given)) return given;
  if (given !== null) read.refuse(name, `an object of ${what}`, MUST.todo);
  return {};
}

/** Out of the words around it, as models put some there now and then. */
function whole<T>(answer: string, members: string, value: (read: FieldReader) => T): Read<T> {
  const fields =
    readObject(answer) ??
    readObject(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  if (fields === undefined) {
    const allowed = `one JSON object with ${members}; no half characters, no __proto__`;
    return { fault: { field: "answer", found: shown(answer), allowed, todo: MUST.todo } };
  }
  const read = new FieldReader(fields);
  const answered = value(read);
  const [fault] = read.faults;
  return fault === undefined ? { value: answered } : { fault };
}
