/** What the builder makes of answers, and what it asks and reports. Source: seed 003, resumption and behavior. */
import { cutText } from "../cutText.ts";
import { isMap } from "../isMap.ts";
import type { Json, Letter, Mail, MailOf } from "../letter.ts";
import { BUILDER } from "./addresses.ts";
import { type BuilderTool, builderStep, endsTurn, isLook } from "./builderRules.ts";
import { wantedIn } from "./crewAnswers.ts";
import { agentOf, type Held, type InstallOutcome } from "./crewMail.ts";
import type { CrewPolicy } from "./crewPolicy.ts";
import { gatewayAsked, modelAsked, refusalText, resultText } from "./crewTools.ts";
import type { Did } from "./crewViews.ts";
import type { InstallerContext, InstallerEvent, Report, Task } from "./installerContext.ts";

type Change = Partial<InstallerContext>;
type Answered = Mail["gateway.answered"];

/** Ours: how many calls a turn is told of. */
const DID_MAX = 20;

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";

/** With this event among what the install rests on. */
export const withFact = ({ facts }: InstallerContext, { at }: InstallerEvent) => ({
  facts: [...facts, at.seq],
});

/** Whoever delegates: all others must, and nobody else installs. */
export function queued({ queue }: InstallerContext, event: InstallerEvent): Change {
  if (event.type !== "install.delegated") return {};
  const { wish, intent, loose, at } = event;
  const task: Task = {
    ...{ wish, intent, loose, from: at.from },
    re: at.asked === true ? at.seq : null,
  };
  return { queue: [...queue, task] };
}

export function thought(context: InstallerContext, event: InstallerEvent): Change {
  if (event.type !== "llm.replied") return {};
  return { wanted: wantedIn(event.text), ...withFact(context, event) };
}

export const silent = (fault: string): Change => ({ wanted: { fault } });

/** What comes next, by the rules. */
export function stepped(context: InstallerContext, { looks }: CrewPolicy): Change {
  const { phase, wanted } = context;
  const left = looks - context.looks;
  const step = builderStep(phase, left, wanted ?? { fault: "the model did not answer" });
  const did = step.held === null ? context.did : withDid(context, heldDid(step.held));
  return { step, did, wanted: null, ...(endsTurn(step.tool) ? endOf(context, wanted) : {}) };
}

/** What the turn's end reports, by how far the install is. */
function endOf(
  { phase, report, task }: InstallerContext,
  wanted: InstallerContext["wanted"],
): Change {
  if (report !== null || phase === "approval-pending") return {};
  if (phase === "loose") {
    const artifact = task?.intent["artifact_id"] ?? null;
    const loose = [
      ...(task?.loose ?? []),
      ...(artifact === null ? [] : [JSON.stringify(artifact)]),
    ];
    return ended("malformed", `no artifact to install, but ${loose.join(", ")}`, ASK_FOR_ARTIFACT);
  }
  if (phase === "done") return ended("installed", null, null);
  const why = wanted !== null && "why" in wanted ? wanted.why : "";
  return ended("returned", why === "" ? "the builder ended its turn" : why, null);
}

const ASK_FOR_ARTIFACT = "Name the artifact_id, or let coder.default build an artifact first.";

export const ended = (
  outcome: InstallOutcome,
  reason: string | null,
  todo: string | null,
): Change => ({
  report: { outcome, reason, todo },
});

export const broken = (reason: string): Change =>
  ended("broken", reason, "Delegate it again: the builder asks workflow.state how far it came.");

/** What the gateway made of the call. */
export function heard(context: InstallerContext, event: InstallerEvent): Change {
  const { step } = context;
  if (event.type !== "gateway.answered" || step === null) return {};
  const one: Did = { tool: step.tool, ok: event.ok, said: answerText(event) };
  return {
    did: withDid(context, one),
    ...afterCall(context, step.tool, event),
    ...withFact(context, event),
  };
}

const withDid = ({ did }: InstallerContext, one: Did): readonly Did[] =>
  [...did, one].slice(-DID_MAX);

/** What a rule kept the model from was never called; its next turn is to know why. */
const heldDid = ({ wanted, why }: Held): Did => ({
  tool: wanted,
  ok: false,
  said: `held back: ${why}`,
});

/** Ours: as much of an answer as a turn is told. */
const ANSWER_MAX = 600;

function answerText(answered: Answered): string {
  const { ok, result = null, approvalRequired } = answered;
  if (approvalRequired !== undefined) return `approval required: ${approvalRequired}`;
  if (!ok) return refusalText(answered);
  return result === null ? "" : cutText(JSON.stringify(result), ANSWER_MAX);
}

function afterCall(context: InstallerContext, tool: BuilderTool, answered: Answered): Change {
  const approval = answered.approvalRequired;
  if (approval !== undefined) {
    const ruling = context.ruling?.approval === approval ? context.ruling : null;
    return { phase: "approval-pending", approval, ruling };
  }
  if (tool === CREATE) return afterCreation(answered);
  if (tool === PROMOTE) return afterPromotion(answered);
  if (tool === "artifact.inspect" && context.phase === "given") {
    return answered.ok
      ? { phase: "inspected" }
      : { phase: "refused", ...ended("malformed", refusalText(answered), TELL_CODER) };
  }
  return isLook(tool) ? { looks: context.looks + 1 } : {};
}

const TELL_CODER = "Let coder.default build the artifact again.";

function afterCreation(answered: Answered): Change {
  const revision = resultText(answered, "revision_id");
  if (answered.ok && revision !== null) return { phase: "created", revision };
  const reason = answered.ok ? "the gateway named no revision" : refusalText(answered);
  return { phase: "refused", ...ended("refused", reason, hintOf(answered)) };
}

/** As the seed words it; what else a promotion fails for is no matter of the judges. */
const GATE = "Promotion gate:";

function afterPromotion(answered: Answered): Change {
  if (answered.ok) return { phase: "done" };
  const reason = refusalText(answered);
  const isGated = reason.includes(GATE);
  return isGated
    ? { phase: "gated", ...ended("gated", reason, JUDGES_AGAIN) }
    : { phase: "refused", ...ended("refused", reason, hintOf(answered)) };
}

const JUDGES_AGAIN =
  "Let evaluator.default and auditor.default judge it again, so that their promotion.record is made.";

const hintOf = ({ error }: Answered): string | null => error?.repair_hint ?? null;

/** A person's word, or that none came in time. */
export function ruled(context: InstallerContext, event: InstallerEvent): Change {
  if (event.type !== "approval.decided" && event.type !== "approval.expired") return {};
  if (context.approval !== null && event.approval !== context.approval) return {};
  if (agentOf(context.task?.intent ?? {}) !== event.agent) return {};
  const { approval } = event;
  const isApproved = event.type === "approval.decided" && event.isApproved;
  const reason =
    event.type === "approval.expired"
      ? `${approval} was not decided in time`
      : `${event.by} ${isApproved ? "approved" : "rejected"} ${approval}${event.reason === null ? "" : `: ${event.reason}`}`;
  return { ruling: { approval, isApproved, reason }, ...withFact(context, event) };
}

export function unapproved({ ruling }: InstallerContext): Change {
  return { phase: "refused", ...ended("unapproved", ruling?.reason ?? null, null) };
}

// What it asks.

export function turnAsked(context: InstallerContext): Letter {
  const { task, phase, hint, did, facts } = context;
  const { wish, intent, loose } = task ?? NOTHING;
  const view = { purpose: "install.turn", wish, intent, loose, phase, hint, did } as const;
  return modelAsked(view, facts.slice(-1));
}

const NOTHING: Pick<Task, "wish" | "intent" | "loose"> = { wish: "", intent: {}, loose: [] };

export const stateAsked = ({ task, facts }: InstallerContext): Letter =>
  gatewayAsked("workflow.state", { workflow_id: task?.wish ?? "" }, facts.slice(-1));

export function called(context: InstallerContext): Letter {
  const { step, facts, task } = context;
  const tool = step?.tool ?? "workflow.state";
  const workflow = tool === CREATE ? task?.wish : undefined;
  return gatewayAsked(tool, paramsOf(context, tool), facts, workflow);
}

function paramsOf(
  { task, revision, approval, phase, step }: InstallerContext,
  tool: BuilderTool,
): { readonly [name: string]: Json } {
  const { wish, intent } = task ?? NOTHING;
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
function withApproval(intent: Task["intent"], approval: string | null): Task["intent"] {
  if (approval === null) return intent;
  const gate = intent["promotion_gate"];
  const named = { install_approval_ref: approval };
  return {
    ...intent,
    promotion_gate: isMap(gate) ? { ...gate, ...named } : { ...NO_PASSES, ...named },
  };
}

const NO_PASSES = { evaluator_pass: false, auditor_pass: false };

// What it says.

export const heldTold = ({ step, task, facts }: InstallerContext): Letter[] =>
  step === null || step.held === null
    ? []
    : [
        {
          to: BUILDER,
          event: { type: "install.held", wish: task?.wish ?? "", ...step.held },
          because: facts.slice(-1),
        },
      ];

/** That it waits: no answer yet, which is still to come. */
export const waitingTold = (context: InstallerContext): Letter[] =>
  told(context, {
    outcome: "waiting",
    reason: `approval required: ${context.approval ?? "of a person"}`,
    todo: "Wait for the approval: nothing is tried again before.",
  }).map(({ to, event, because = [] }) => ({ to, event, because }));

export const reportTold = (context: InstallerContext): Letter[] =>
  told(context, context.report ?? { outcome: "broken", reason: null, todo: null });

function told({ task, revision, facts }: InstallerContext, report: Report): Letter[] {
  if (task === null) return [];
  const event: MailOf<"install.reported"> = {
    ...{ type: "install.reported", wish: task.wish, agent: agentOf(task.intent) },
    ...report,
    revision,
  };
  const letter: Letter = { to: task.from, event, because: facts };
  return [task.re === null ? letter : { ...letter, re: task.re }];
}
