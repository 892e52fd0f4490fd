/**
 * What the builder may do next, whatever its model wants, and with which parameters: installing is its all, a failure ends it,
 * an approval does not. Source: seed 003, resumption, behavior, promotion gate failure.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { agentOf, type Held, type IntentFields } from "./crewMail.ts";

/** What the builder may say that it does next: a tool of the gateway, or an end of its turn. */
export const BUILDER_TOOLS = [
  "workflow.state",
  "artifact.inspect",
  "agent.revision.create_from_intent",
  "agent.revision.promote",
  "agent.revision.inspect",
  "agent.revision.list",
  "agent.revision.diff",
  "content.read",
  "promotion.query",
  "promotion.record",
  "artifact.build",
  "content.write",
  "report",
  "end_turn",
] as const;
export type BuilderTool = (typeof BUILDER_TOOLS)[number];

/** How far an install came in the builder's eyes. */
export type InstallPhase =
  /** Files or handles came in place of an artifact. */
  | "loose"
  | "given"
  /** Its artifact was looked at, or it has none. */
  | "inspected"
  | "approval-pending"
  | "approved"
  /** There is a revision, which is not active. */
  | "created"
  | "refused"
  | "gated"
  | "done";

/** What the model said that it wants, or why its answer cannot be used. */
export type Wanted =
  | {
      readonly tool: BuilderTool;
      readonly changes: readonly string[];
      /** What it wants to look at: a file or a revision, or the two revisions that it compares. */
      readonly about: readonly string[];
      readonly why: string;
    }
  | { readonly fault: string };

/** JSON, so no interface. */
export type BuilderStep = {
  readonly tool: BuilderTool;
  /** What is looked at. */
  readonly about: readonly string[];
  /** What was wanted instead, and is forbidden; null where the model has its way. */
  readonly held: Held | null;
};

export const CREATE = "agent.revision.create_from_intent";
export const PROMOTE = "agent.revision.promote";

/** The step that is due when the model has no better one. */
const DUE: { readonly [phase in InstallPhase]: BuilderTool } = {
  loose: "report",
  given: "artifact.inspect",
  inspected: CREATE,
  "approval-pending": "end_turn",
  approved: CREATE,
  created: PROMOTE,
  refused: "report",
  gated: "report",
  done: "report",
};

const LOOKS: readonly BuilderTool[] = [
  ...(["workflow.state", "artifact.inspect", "agent.revision.inspect"] as const),
  ...(["agent.revision.list", "agent.revision.diff", "content.read", "promotion.query"] as const),
];
const ENDS: readonly BuilderTool[] = ["report", "end_turn"];

/** Phases in which an install is under way, so that the turn may not end. */
const HALF_DONE: readonly InstallPhase[] = ["approved", "created"];

export const isLook = (tool: BuilderTool): boolean => LOOKS.includes(tool);
export const endsTurn = (tool: BuilderTool): boolean => ENDS.includes(tool);

/** The model's step where the rules allow it, else the one that is due. */
export function builderStep(phase: InstallPhase, looksLeft: number, wanted: Wanted): BuilderStep {
  const due = DUE[phase];
  if ("fault" in wanted) {
    const held = { rule: "unusable", wanted: "nothing", does: due, why: wanted.fault };
    return { tool: due, about: [], held };
  }
  const { tool, about } = wanted;
  const against = ruleAgainst(phase, looksLeft, wanted);
  if (against === null) return { tool, about, held: null };
  const [rule, why] = against;
  return { tool: due, about: [], held: { rule, wanted: tool, does: due, why } };
}

type Why = readonly [rule: string, because: string];

function ruleAgainst(
  phase: InstallPhase,
  looksLeft: number,
  { tool, changes }: Exclude<Wanted, { readonly fault: string }>,
): Why | null {
  if (tool === "promotion.record") {
    return ["judges-record", "only evaluator and auditor make promotion records"];
  }
  if (tool === "artifact.build" || tool === "content.write") {
    return ["no-repair", "an installer builds and mends nothing: coder.default does"];
  }
  const stop = STOPS[phase];
  if (stop !== undefined) return endsTurn(tool) ? null : stop;
  if (changes.length > 0) {
    const fields = changes.join(", ");
    return ["nothing-invented", `the intent is installed as it was given: ${fields} would change`];
  }
  if (endsTurn(tool)) {
    return HALF_DONE.includes(phase)
      ? ["complete-install", "the install is half done, and a turn does not end there"]
      : null;
  }
  if (isLook(tool)) {
    if (tool === DUE[phase] || looksLeft > 0) return null;
    return ["looked-enough", "nothing new comes of looking again"];
  }
  return tool === DUE[phase] ? null : outOfOrder(phase, tool);
}

/** Why nothing is called any more. */
const STOPS: { readonly [phase in InstallPhase]?: Why } = {
  loose: ["artifact-only", "loose files and raw handles are not installed: there is no artifact"],
  "approval-pending": ["wait-for-approval", "nothing is tried again before a person has decided"],
  refused: ["stop-at-failure", "a failed install is reported, neither tried again nor mended"],
  gated: ["stop-at-gate", "the promotion gate stays shut until its judges have recorded"],
  done: ["installed", "the revision is active"],
};

function outOfOrder(phase: InstallPhase, tool: BuilderTool): Why {
  if (tool === PROMOTE) return ["nothing-created", "there is no revision to promote"];
  return phase === "created"
    ? ["created-once", "its revision is there"]
    : ["inspect-first", "its artifact was not looked at"];
}

/** An install, as far as the parameters of a call depend on it. */
interface Installing {
  readonly task: { readonly wish: string; readonly intent: IntentFields } | null;
  readonly revision: string | null;
  readonly approval: string | null;
  readonly phase: InstallPhase;
  readonly step: BuilderStep | null;
}

/** With what a tool is called: the model fills in nothing but what it looks at. */
export function paramsOf(
  { task, revision, approval, phase, step }: Installing,
  tool: BuilderTool,
): { readonly [name: string]: Json } {
  const { wish, intent } = task ?? { wish: "", intent: {} };
  const agent_id = agentOf(intent);
  const artifact_id = intent["artifact_id"] ?? "";
  const { about = [] } = step ?? {};
  switch (tool) {
    case "workflow.state":
      return { workflow_id: wish };
    case "artifact.inspect":
    case "promotion.query":
      return { artifact_id };
    case CREATE:
      return phase === "approved" ? withApproval(intent, approval) : intent;
    case PROMOTE:
      return { agent_id, revision_id: revision ?? "" };
    case "agent.revision.inspect": {
      const id = about[0] ?? revision;
      return id === null ? { agent_id } : { agent_id, revision_id: id };
    }
    case "agent.revision.diff":
      return { agent_id, from: about[0] ?? "", to: about[1] ?? revision ?? "" };
    case "content.read":
      return { reference: about[0] ?? "" };
    default:
      return { agent_id };
  }
}

/** The same intent, which names the approval; the gateway installs the one that was stored. */
function withApproval(intent: IntentFields, approval: string | null): IntentFields {
  if (approval === null) return intent;
  const gate = intent["promotion_gate"];
  const named = { install_approval_ref: approval };
  return {
    ...intent,
    promotion_gate: isMap(gate) ? { ...gate, ...named } : { ...NO_PASSES, ...named },
  };
}

const NO_PASSES = { evaluator_pass: false, auditor_pass: false };
