/**
 * What the models of those who install are shown, as a view and as a prompt, and how their answers are read: taken whole or not
 * at all, and of what is not it is told which field, what was found and what is allowed. Source: seed 003; the words are ours.
 */
import { cutText } from "../../cutText.ts";
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { integer, type ValuesOf } from "../../policyLeaf.ts";
import { readObject } from "../../readJson.ts";
import { minutes, seconds } from "../../units.ts";
import { GATINGS, type Gating, type Role } from "../addresses.ts";
import {
  decoded,
  type Fault,
  type FieldReader,
  FLAG,
  faultText,
  oneOf,
  TEXT,
  TEXTS,
  valueText,
} from "../fault.ts";
import { CAPABILITY_KINDS, type CapabilityKind } from "../gate/capability.ts";
import { type Finding, SEVERITIES } from "../gate/promotionRecords.ts";
import { BUILDER_TOOLS, type InstallPhase, type Wanted } from "./builderRules.ts";
import type { IntentFields } from "./crewMail.ts";

/** What the planner decides next. */
export const PLANS = ["build", "evaluate", "audit", "install", "stop"] as const;
export type Plan = (typeof PLANS)[number];

/** How a judge stands in the planner's eyes. */
export type Standing = "open" | "passed" | "failed" | "unrecorded";

export interface PlanView {
  readonly purpose: "install.plan";
  readonly wish: string;
  readonly goal: string;
  readonly intent: IntentFields;
  readonly needsCode: boolean;
  readonly artifact: string | null;
  readonly loose: readonly string[];
  /** Whose judgement the matrix asks for. */
  readonly matrix: readonly Role[];
  readonly gating: Gating | null;
  readonly judges: { readonly [role in Role]: Standing };
  /** What the coder and the judges reported that is wrong, newest last. */
  readonly flaws: readonly string[];
  /** The builder's last report; null before the first. */
  readonly report: { readonly outcome: string; readonly reason: string | null } | null;
  /** Whether anything is new since then. */
  readonly isChanged: boolean;
  readonly decisionsLeft: number;
}

export interface BuildView {
  readonly purpose: "install.build";
  readonly wish: string;
  readonly goal: string;
  readonly intent: IntentFields;
  readonly flaws: readonly string[];
}

/** What a call of the builder's came to. */
export type Did = {
  readonly tool: string;
  readonly ok: boolean;
  readonly said: string;
};

export interface TurnView {
  readonly purpose: "install.turn";
  readonly wish: string;
  readonly intent: IntentFields;
  readonly loose: readonly string[];
  readonly phase: InstallPhase;
  /** What workflow.state said last of how to go on. */
  readonly hint: string | null;
  readonly did: readonly Did[];
}

/** A file of an artifact as a judge reads it; null where it could not. */
export type ReadFile = { readonly name: string; readonly text: string | null };

export interface JudgeView {
  readonly purpose: "install.evaluate" | "install.audit";
  readonly wish: string;
  readonly goal: string;
  readonly artifact: string;
  readonly declared: readonly string[];
  readonly files: readonly ReadFile[];
  /** How many files it has besides those. */
  readonly unread: number;
}

export type CrewView = PlanView | BuildView | TurnView | JudgeView;

declare module "../../portMail.ts" {
  interface Views {
    readonly installs: CrewView;
  }
}

const text = { type: "string", minLength: 1 };
const texts = { type: "array", items: text, maxItems: 20 };

const object = (
  properties: { readonly [name: string]: object },
  required: readonly string[] = Object.keys(properties),
) => ({ type: "object", properties, required });

const findings = {
  type: "array",
  items: object({ severity: { type: "string", enum: SEVERITIES }, description: text }),
  maxItems: 20,
};

const judged = { pass: { type: "boolean" }, record: { type: "boolean" }, findings };

/** By purpose: what a live model's answer must look like. */
export const crewSchemas: {
  readonly [purpose in CrewView["purpose"]]: { readonly [keyword: string]: unknown };
} = {
  "install.plan": object(
    {
      next: { type: "string", enum: PLANS },
      gating: { type: "string", enum: ["none", "required"] },
      amend: { type: "object" },
      why: text,
    },
    ["next", "why"],
  ),
  "install.build": object(
    {
      files: { type: "object", additionalProperties: { type: "string" } },
      entrypoints: texts,
    },
    ["files"],
  ),
  "install.turn": object(
    {
      tool: { type: "string", enum: BUILDER_TOOLS },
      changes: { type: "object" },
      about: texts,
      why: text,
    },
    ["tool", "why"],
  ),
  "install.evaluate": object(judged),
  "install.audit": object({
    ...judged,
    threats_detected: texts,
    remote_access_detected: { type: "boolean" },
    inferred_capabilities: texts,
  }),
};

/** A value of an intent as it is shown. */
const fieldText = (value: Json): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/* The prompts: every text in one is cut to its share. */

/** Ours: so that a prompt stays within a live model's context whatever an intent or an artifact holds. */
const SHOWN = { goal: 2_000, intent: 6_000, files: 12_000, flaws: 3_000, did: 3_000 };

export function renderCrew(view: CrewView): string {
  switch (view.purpose) {
    case "install.plan":
      return joined(planParts(view));
    case "install.build":
      return joined(buildParts(view));
    case "install.turn":
      return joined(turnParts(view));
    default:
      return joined(judgeParts(view));
  }
}

const planParts = (view: PlanView): readonly string[] => [
  "You are planner.default. You plan the install of an agent and do nothing of it yourself: coder.default builds, " +
    "evaluator.default and auditor.default judge, specialized_builder.default installs.",
  `It is for: ${cut(view.goal, SHOWN.goal)}`,
  intentText(view.intent),
  view.needsCode
    ? `It needs code. Artifact: ${view.artifact ?? "none yet"}.`
    : `It needs no code. Artifact: ${view.artifact ?? "none"}.`,
  listed("Loose files and handles, which cannot be installed", view.loose, SHOWN.flaws),
  `Your matrix asks for ${view.matrix.join(" and ") || "no judge"}. Said of gates: ${view.gating ?? "nothing"}.`,
  `Evaluator: ${view.judges.evaluator}. Auditor: ${view.judges.auditor}.`,
  listed("Reported", view.flaws, SHOWN.flaws),
  view.report === null
    ? ""
    : `The builder reported: ${view.report.outcome}${flawText(view.report.reason)}. Since then ${view.isChanged ? "something" : "nothing"} has changed.`,
  `Decisions left: ${view.decisionsLeft}.`,
  `next: one of ${PLANS.join(", ")}. gating: none or required, where you overrule the matrix. amend: fields of the intent that are to be otherwise.`,
  `${JSON_ONLY} {"next", "why"}, and where you want it "gating", "amend"`,
];

const buildParts = (view: BuildView): readonly string[] => [
  "You are coder.default. Write the files of this agent.",
  `It is for: ${cut(view.goal, SHOWN.goal)}`,
  intentText(view.intent),
  listed("What was wrong with the one before", view.flaws, SHOWN.flaws),
  "files: texts by name, without SKILL.md and runtime.lock, which the gateway writes. entrypoints: names of files.",
  `${JSON_ONLY} {"files", "entrypoints"}`,
];

const turnParts = (view: TurnView): readonly string[] => [
  "You are specialized_builder.default, and install agents: create a revision from the intent, then promote it. You write " +
    "no code, mend nothing and invent nothing. A failure is reported to the planner, and nothing is tried again. While an " +
    "approval is open you stop; once it is given you complete the install, and only then end your turn.",
  intentText(view.intent),
  listed("Handed over in place of an artifact", view.loose, SHOWN.flaws),
  `How far it is: ${view.phase}.${view.hint === null ? "" : ` workflow.state: ${view.hint}`}`,
  listed("Called so far", view.did.map(didText), SHOWN.did),
  `tool: the next one of ${BUILDER_TOOLS.join(", ")}. Its parameters are filled in.`,
  "about: for content.read the name of a file, for agent.revision.inspect a revision, for agent.revision.diff two.",
  `${JSON_ONLY} {"tool", "why"}, and for those "about"`,
];

const didText = ({ tool, ok, said: text }: Did): string =>
  `${tool}: ${ok ? "done" : "failed"}${flawText(text)}`;

function judgeParts(view: JudgeView): readonly string[] {
  const isAudit = view.purpose === "install.audit";
  const share = Math.floor(SHOWN.files / Math.max(1, view.files.length));
  return [
    isAudit
      ? "You are auditor.default. Judge whether this artifact is safe and says truly what it does."
      : "You are evaluator.default. Judge whether this artifact does what it is for.",
    `It is for: ${cut(view.goal, SHOWN.goal)}`,
    `Artifact ${view.artifact}, which declares ${view.declared.join(", ") || "nothing"}.`,
    ...view.files.map(({ name, text }) =>
      text === null
        ? `${cut(name, 200)} could not be read.`
        : `${cut(name, 200)}:\n${cut(text, share)}`,
    ),
    view.unread === 0 ? "" : `It has ${view.unread} more files, which you have not read.`,
    "Imports that you do not know, and code that hides what it calls or loads (computed names, reflection, loaders, what cannot " +
      "be read whole), are findings.",
    "record: whether your promotion.record is made. findings: what is wrong, each with its severity." +
      (isAudit
        ? " remote_access_detected is about capability and no threat: true where the code makes any network call."
        : ""),
    isAudit
      ? `${JSON_ONLY} {"pass", "record", "findings", "threats_detected", "remote_access_detected", "inferred_capabilities"}`
      : `${JSON_ONLY} {"pass", "record", "findings"}`,
  ];
}

const JSON_ONLY = "Answer with one JSON object and nothing else:";

const flawText = (text: string | null): string =>
  text === null || text === "" ? "" : `: ${cut(text, SHOWN.flaws)}`;

const cut = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : `${cutText(text, charsMax)} …`;

const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

function intentText(intent: IntentFields): string {
  const fields = Object.keys(intent).sort();
  const share = Math.floor(SHOWN.intent / Math.max(1, fields.length));
  const lines = fields.map(
    (field) => `- ${cut(field, 100)}: ${cut(fieldText(intent[field] ?? null), share)}`,
  );
  return `The intent:\n${lines.slice(0, LINES_MAX).join("\n") || "- empty"}`;
}

/** Ours: more lines than this say nothing new. */
const LINES_MAX = 40;

function listed(title: string, items: readonly string[], charsMax: number): string {
  const shown = items.slice(-LINES_MAX);
  if (shown.length === 0) return "";
  const share = Math.floor(charsMax / shown.length);
  return `${title}:\n${shown.map((item) => `- ${cut(item, share)}`).join("\n")}`;
}

/* The answers. Members that nothing was asked of count for nothing. */

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

export const readPlan = (answer: string): Read<PlanAnswer> =>
  whole(answer, "next, why", (read) => ({
    next: read.must(oneOf(PLANS), "next"),
    gating: read.may(oneOf(GATINGS), "gating", "Leave it out where the matrix holds."),
    amend: mapIn(read, "amend", "fields of the intent"),
    why: read.may(TEXT, "why") ?? "",
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
    const entrypoints = read.may(TEXTS, "entrypoints", "Name files, or leave it out.") ?? [];
    return { files: Object.fromEntries(texts), entrypoints };
  });

export const readTurn = (answer: string): Read<Exclude<Wanted, { readonly fault: string }>> =>
  whole(answer, "tool, why", (read) => ({
    tool: read.must(oneOf(BUILDER_TOOLS), "tool"),
    changes: Object.keys(mapIn(read, "changes", "fields of the intent")).sort(),
    about: read.may(TEXTS, "about", "Name a file or revisions, or leave it out.") ?? [],
    why: read.may(TEXT, "why") ?? "",
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
    const inferred = read.must(TEXTS, "inferred_capabilities");
    const kinds = CAPABILITY_KINDS.filter((kind) => inferred.includes(kind));
    if (kinds.length < new Set(inferred).size) {
      read.refuse("inferred_capabilities", CAPABILITY_KINDS.join(", "), "Name kinds alone.");
    }
    return {
      ...judgementIn(read),
      threats: read.must(TEXTS, "threats_detected"),
      remoteAccess: read.must(FLAG, "remote_access_detected"),
      inferred: [...kinds].sort(),
    };
  });
};

const judgementIn = (read: FieldReader): JudgeAnswer => ({
  pass: read.must(FLAG, "pass"),
  record: read.must(FLAG, "record"),
  findings: read.each("findings", (one) => ({
    severity: one.must(oneOf(SEVERITIES), "severity"),
    description: one.must(TEXT, "description"),
  })),
});

function mapIn(read: FieldReader, name: string, what: string): IntentFields {
  const given = read.raw(name);
  if (isMap(given)) return given;
  if (given !== null) read.refuse(name, `an object of ${what}`);
  return {};
}

const TODO = "Answer with every member.";

/** Out of the words around it, as models put some there now and then. */
function whole<T>(answer: string, members: string, value: (read: FieldReader) => T): Read<T> {
  const fields =
    readObject(answer) ??
    readObject(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
  if (fields === undefined) {
    const allowed = `one JSON object with ${members}; no half characters, no __proto__`;
    return { fault: { field: "answer", found: valueText(answer), allowed, todo: TODO } };
  }
  const done = decoded(fields, TODO, value);
  return "faults" in done ? { fault: done.faults[0] } : done;
}

/*
 * How the scripted models of those who install answer: how often they slip, where a slip can be made, and how long they take.
 * Ours; what a scenario lets them think comes first. Obeyed by src/actors/installs.
 */

const slip = (value: number, says: string) =>
  integer(value, {
    ...{ unit: "thousandths", min: 0, max: 1_000, source: "ours" },
    says: `Of the scripted model, how often ${says}.`,
  });

const latency = (ms: number, says: string) =>
  integer(ms, {
    ...{ unit: "ms", min: 1, max: minutes(10), source: "ours" },
    says: `Of the scripted model: ${says}.`,
  });

export const scriptedLeaves = {
  slips: {
    skipsJudges: slip(20, "the planner installs what no judge has seen"),
    saysNone: slip(0, "the planner says `gating: none` against its matrix"),
    installsLoose: slip(20, "the planner hands over what nobody has built"),
    givesUp: slip(0, "the planner stops after a failure that could be mended"),
    retries: slip(100, "the builder tries again what failed"),
    ends: slip(50, "the builder ends its turn within an install"),
    records: slip(30, "the builder makes the promotion record itself"),
    mends: slip(50, "the builder builds what is missing itself"),
    invents: slip(30, "the builder changes the intent"),
    looks: slip(100, "the builder looks up what it knows"),
    forgets: slip(30, "a judge makes no promotion record"),
    misses: slip(30, "a judge does not see a flaw, or a threat"),
    strict: slip(0, "the evaluator fails what is good"),
    misreads: slip(0, "the auditor does not see that a capability is needed"),
    deniesRemote: slip(
      0,
      "the auditor takes remote access for a threat, and says that there is none",
    ),
  },
  latency: {
    planMs: latency(seconds(15), "a decision of the planner"),
    buildMs: latency(seconds(60), "the files of an artifact"),
    turnMs: latency(seconds(10), "the builder's next call"),
    evaluateMs: latency(seconds(40), "an evaluation"),
    auditMs: latency(seconds(40), "an audit"),
  },
};

export type SlipPolicy = ValuesOf<typeof scriptedLeaves>["slips"];
