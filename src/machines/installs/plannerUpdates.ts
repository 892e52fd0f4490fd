/** What the planner makes of answers and reports, and what it asks, delegates and says. Source: seed 003. */
import { ask, type Json, type Letter, type MailEvent, type MailOf } from "../letter.ts";
import { BUILDER, CODER, GATEWAY, judgeOf, PLANNER, type Role } from "./addresses.ts";
import { readPlan } from "./crewAnswers.ts";
import { agentOf, type IntentFields, type Wish } from "./crewMail.ts";
import { modelAsked } from "./crewTools.ts";
import type { PlanView } from "./crewViews.ts";
import { faultText } from "./fault.ts";
import type { WorkflowTask } from "./mail.ts";
import {
  declaredKinds,
  gatesNow,
  matrixNow,
  type PlannerContext,
  type PlannerEvent,
  type PlannerPolicy,
  wishState,
} from "./plannerContext.ts";
import { type PlanStep, planStep, roleOf } from "./plannerRules.ts";

type Change = Partial<PlannerContext>;

/** Ours: of how many flaws a plan and a coder are told. */
const FLAWS_MAX = 20;

const withFact = ({ facts }: PlannerContext, { at }: PlannerEvent) => ({
  facts: [...facts, at.seq],
});

const withFlaws = ({ flaws }: PlannerContext, more: readonly string[]) => ({
  flaws: [...flaws, ...more].slice(-FLAWS_MAX),
});

export function wished({ queue }: PlannerContext, event: PlannerEvent): Change {
  if (event.type !== "install.wanted") return {};
  const { wish, goal, intent, needsCode, loose, gating } = event;
  return { queue: [...queue, { wish, goal, intent, needsCode, loose, gating }] };
}

export function thought(context: PlannerContext, event: PlannerEvent): Change {
  if (event.type !== "llm.replied") return {};
  const { value, fault } = readPlan(event.text);
  return {
    wanted: fault === undefined ? value : { fault: faultText(fault) },
    ...withFact(context, event),
  };
}

export const silent = (fault: string): Change => ({ wanted: { fault } });

/** The next step by the rules, with what the answer changes of intent and gates. */
export function decided(context: PlannerContext, by: PlannerPolicy): Change {
  const wanted = context.wanted ?? { fault: "the model did not answer" };
  const amend = "fault" in wanted ? {} : wanted.amend;
  const { agent_id: _, artifact_id: __, ...fields } = amend;
  const isAmended = Object.keys(fields).length > 0;
  const changed: PlannerContext = {
    ...context,
    intent: { ...context.intent, ...fields },
    said: ("fault" in wanted ? null : wanted.gating) ?? context.said,
    isChanged: context.isChanged || isAmended,
  };
  const decisions = context.decisions + 1;
  const isLast = decisions >= by.crew.decisions;
  const step = keptFrom(planStep(wishState(changed, by), wanted), amend);
  const why = "fault" in wanted ? wanted.fault : wanted.why;
  const { intent, said, isChanged } = changed;
  const now = { intent, said, isChanged, decisions, step, why, wanted: null };
  if (step.next === "stop") return { ...now, end: why === "" ? "the planner stopped" : why };
  return isLast ? { ...now, end: `after ${decisions} decisions the planner stopped` } : now;
}

/** Who it is and what it is made of are not the planner's to change. */
function keptFrom(step: PlanStep, amend: IntentFields): PlanStep {
  const fields = ["agent_id", "artifact_id"].filter((field) => field in amend).join(", ");
  if (fields === "" || step.held !== null) return step;
  const why = `${fields} would change, and stays as it is: other fields of the intent may be amended`;
  return { ...step, held: { rule: "same-agent", wanted: `amend ${fields}`, does: step.next, why } };
}

export function built(context: PlannerContext, event: PlannerEvent): Change {
  if (event.type !== "build.delivered") return {};
  const { artifact, reason } = event;
  const builds = context.builds + 1;
  const now = { builds, ...withFact(context, event) };
  if (artifact === null)
    return { ...now, ...withFlaws(context, [`coder: ${reason ?? "no artifact"}`]) };
  // A judgement is of one content.
  return artifact === context.artifact
    ? now
    : { ...now, artifact, judged: {}, flaws: [], isChanged: true };
}

export function judgedBy(context: PlannerContext, event: PlannerEvent): Change {
  if (event.type !== "judging.given") return {};
  const { type: _, at: __, wish: ___, ...judged } = event;
  const found = judged.findings.map(({ severity, description }) => `${severity}: ${description}`);
  const said = [...(judged.reason === null ? [] : [judged.reason]), ...(judged.pass ? [] : found)];
  return {
    judged: { ...context.judged, [judged.role]: judged },
    isChanged: context.isChanged || judged.recorded,
    ...withFlaws(
      context,
      said.map((one) => `${judged.role}: ${one}`),
    ),
    ...withFact(context, event),
  };
}

export function reported(context: PlannerContext, event: PlannerEvent): Change {
  if (event.type !== "install.reported") return {};
  const { outcome, reason, revision } = event;
  return {
    report: { outcome, reason, revision },
    isChanged: false,
    end: outcome === "installed" ? "installed" : null,
    ...withFlaws(context, reason === null ? [] : [`builder: ${reason}`]),
    ...withFact(context, event),
  };
}

/** Nobody answered, or nobody is there. */
export const unanswered = (context: PlannerContext, why: string): Change => ({
  ...(context.step?.next === "build" ? { builds: context.builds + 1 } : {}),
  ...withFlaws(context, [`${workerOf(context)}: ${why}`]),
});

// What it asks and delegates.

export function planAsked(context: PlannerContext, by: PlannerPolicy): Letter {
  const { artifact, gates: _, needsCode, isChanged, judges } = wishState(context, by);
  const { wish, intent, said, flaws, report, decisions, facts } = context;
  const view: PlanView = {
    ...{ purpose: "install.plan", wish: wish?.wish ?? "", goal: wish?.goal ?? "", intent },
    ...{ needsCode, artifact, loose: wish?.loose ?? [], matrix: matrixNow(context, by) },
    ...{ gating: said, judges, flaws, isChanged, decisionsLeft: by.crew.decisions - decisions },
    report: report === null ? null : { outcome: report.outcome, reason: report.reason },
  };
  return modelAsked(view, facts.slice(-1));
}

const workerOf = ({ step }: PlannerContext): string => {
  switch (step?.next) {
    case "evaluate":
    case "audit":
      return judgeOf(roleOf(step.next));
    case "install":
      return BUILDER;
    default:
      return CODER;
  }
};

export const WORK = "work";

/** The work, with word of it to the gateway, whose workflow.state tells of it. */
export function delegated(context: PlannerContext, by: PlannerPolicy): Letter[] {
  const to = workerOf(context);
  const { wish: name = "" } = context.wish ?? {};
  const event = workFor(context, name, by);
  const question = ask({ to, key: WORK, event, because: context.facts });
  return [...gatingTold(context), workTold(context, "running"), question];
}

function workFor(context: PlannerContext, wish: string, by: PlannerPolicy): MailEvent {
  const { intent, artifact, flaws, step } = context;
  const of = { wish, agent: agentOf(intent), goal: context.wish?.goal ?? "" };
  switch (step?.next) {
    case "evaluate":
    case "audit":
      return {
        ...{ type: "judging.wanted", ...of, artifact: artifact ?? "" },
        declared: declaredKinds(intent),
      };
    case "install":
      return {
        ...{ type: "install.delegated", wish, intent: handedOver(context, by) },
        loose: artifact === null ? looseOf(context.wish) : [],
      };
    default:
      return { type: "build.wanted", ...of, intent, flaws };
  }
}

/** What is there in place of an artifact: what came with the wish, or what nobody has built yet. */
function looseOf(wish: Wish | null): readonly string[] {
  if (wish === null || wish.loose.length > 0) return wish?.loose ?? [];
  return wish.needsCode ? ["files that coder.default has not built"] : [];
}

/** The intent as the builder gets it: with the artifact, and with what the judges reported. */
function handedOver(context: PlannerContext, by: PlannerPolicy): IntentFields {
  const { intent, artifact, judged } = context;
  const { evaluator, auditor } = judged;
  const whole = artifact === null ? intent : { ...intent, artifact_id: artifact };
  const hasReports = evaluator !== undefined || auditor !== undefined;
  if (gatesNow(context, by).roles.length === 0 || !hasReports) return whole;
  const gate: { readonly [field: string]: Json } = {
    evaluator_pass: evaluator?.pass ?? false,
    auditor_pass: auditor?.pass ?? false,
    ...(auditor?.security ? { security_analysis: { ...auditor.security } } : {}),
    ...(auditor?.capability ? { capability_analysis: { ...auditor.capability } } : {}),
  };
  return { ...whole, promotion_gate: gate };
}

function gatingTold({ said, step, intent, wish }: PlannerContext): Letter[] {
  if (said === null || step?.next !== "install") return [];
  const of = { workflow: wish?.wish ?? "", agent: agentOf(intent) };
  return [{ to: GATEWAY, event: { type: "gating.said", ...of, gating: said } }];
}

/** How the task stands that was delegated last. */
export function workTold(context: PlannerContext, status: WorkflowTask["status"]): Letter {
  const { wish, decisions, intent, artifact, facts } = context;
  const task: WorkflowTask = {
    ...{ task_id: `${wish?.wish ?? ""}/${decisions}`, agent_id: workerOf(context), status },
    ...(artifact === null ? {} : { artifact_id: artifact }),
  };
  const workflow = wish?.wish ?? "";
  return {
    to: GATEWAY,
    event: { type: "workflow.told", workflow, agent: agentOf(intent), task },
    because: facts.slice(-1),
  };
}

// What it says.

export function planTold(context: PlannerContext, by: PlannerPolicy): Letter[] {
  const { wish, step, end, facts } = context;
  if (step === null) return [];
  const name = wish?.wish ?? "";
  const { roles, contradiction } = gatesNow(context, by);
  const planned: MailOf<"install.planned"> = {
    ...{ type: "install.planned", wish: name, next: end === null ? step.next : "stop" },
    ...{ gates: roles, contradiction, why: end ?? step.held?.why ?? context.why },
  };
  const held: MailEvent[] =
    step.held === null ? [] : [{ type: "install.held", wish: name, ...step.held }];
  return [...held, planned].map((event) => ({ to: PLANNER, event, because: facts.slice(-1) }));
}

export function closeTold({ wish, intent, end, report, facts }: PlannerContext): Letter[] {
  const isInstalled = report?.outcome === "installed";
  const event: MailOf<"install.closed"> = {
    ...{ type: "install.closed", wish: wish?.wish ?? "", agent: agentOf(intent), isInstalled },
    ...{ reason: end ?? "", revision: isInstalled ? report.revision : null },
  };
  return [{ to: PLANNER, event, because: facts }];
}

export const isOf = ({ wish }: PlannerContext, event: { readonly wish: string }): boolean =>
  wish !== null && wish.wish === event.wish;

export const isJudgeOf = ({ step }: PlannerContext, role: Role): boolean =>
  (step?.next === "evaluate" || step?.next === "audit") && roleOf(step.next) === role;
