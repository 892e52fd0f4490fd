/**
 * The approval of an install: how risky it is, and so whether a person is asked; what was asked, as a value; and the statechart
 * of one approval. Until a person has decided nothing may be retried, and what they decide late still counts. The install that
 * was approved is the one that was stored. Source: seed 003, approval flow; rulings I5, I9, I13; dossier 1.6.
 */
import { assign, setup } from "xstate";
import { chartActions, chartTypes } from "../../chart.ts";
import { ask, type Delivered, type Json, type Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { between, choice, integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, seconds } from "../../units.ts";
import { GATEWAY } from "../addresses.ts";
import type { InstallDossier, RiskFactor } from "../mail.ts";
import { type Area, isWithin, ownFolder, pathArea } from "../warden/grant.ts";
import type { ReachPolicy } from "../warden/reach.ts";
import type { Capability } from "./capability.ts";
import type { Intent } from "./intent.ts";

export const approvalLeaves = {
  approval: choice("risk_based", ["risk_based", "always", "never"], {
    says: "Which installs need an approval: those of high risk, all, or none.",
    source: "RULINGS I5; dossier 1.6",
  }),
  broadWrites: choice("reach", ["reach", "words"], {
    says: "Which writes are broad: those that reach beyond the agent's own folder, or those whose scope is `*` or ends with `/*`. More than two scopes are either way.",
    source: "RULINGS I13 (reach); dossier 1.6 and the real system (words)",
  }),
  approvalUses: choice("once", ["once", "unlimited"], {
    says: "How often one approval lets its install through.",
    source: "RULINGS I5; unlimited in the real system",
  }),
  approvalTimeoutMs: integer(seconds(600), between(0, days(365), "ms"), {
    says: "After how long an approval that nobody decides has timed out; 0: never.",
    source: "dossier 1.6",
  }),
};

export type ApprovalPolicy = ValuesOf<typeof approvalLeaves>;

/* How risky an install is, and so whether an approval is asked for. Source: rulings I5, I13; dossier 1.6. */

export type Risky = Pick<Intent, "agent_id" | "capabilities" | "background" | "scheduled_action">;

export type RiskPolicy = Pick<ApprovalPolicy, "approval" | "broadWrites"> & {
  readonly reach: Pick<ReachPolicy, "scopes">;
};

/** Sorted, each once. */
export function riskFactors(risky: Risky, by: RiskPolicy): RiskFactor[] {
  const { capabilities, background, scheduled_action } = risky;
  const factors = new Set(capabilities.flatMap((one) => factorOf(one) ?? []));
  if (writesBroadly(risky, by)) factors.add("broad_write_access");
  if (background?.enabled === true) factors.add("background_execution");
  if (scheduled_action !== undefined) factors.add("scheduled_action");
  return [...factors].sort();
}

function factorOf(capability: Capability): RiskFactor | null {
  if (capability.type === "CodeExecution") return "code_execution";
  const isOpen = capability.type === "NetworkAccess" && capability.hosts.length > 0;
  return isOpen ? "network_access" : null;
}

/** Of more than this many places to write, each may be narrow, and the agent is not. */
const WRITE_SCOPES_MAX = 2;

function writesBroadly({ agent_id: agent, capabilities }: Risky, by: RiskPolicy): boolean {
  const lists = capabilities.flatMap((one) => (one.type === "WriteAccess" ? [one.scopes] : []));
  if (by.broadWrites === "words") {
    return lists.some(
      (scopes) =>
        scopes.length > WRITE_SCOPES_MAX ||
        scopes.some((scope) => scope === "*" || scope.endsWith("/*")),
    );
  }
  const areas = lists.flat().flatMap((scope) => pathArea(scope, agent, by.reach.scopes) ?? []);
  return areas.length > WRITE_SCOPES_MAX || !areas.every((area) => isOwn(area, agent));
}

/** Whether it lies within the agent's own folder. Where every text that begins so is covered, `self.` is that folder's name. */
function isOwn(area: Area, agent: string): boolean {
  if ("at" in area) return isWithin(`${area.at}/`, { prefix: ownFolder(agent) });
  return area.prefix.startsWith(ownFolder(agent)) || area.prefix.startsWith("self.");
}

export const needsApproval = (risky: Risky, by: RiskPolicy): boolean =>
  by.approval === "always" || (by.approval === "risk_based" && riskFactors(risky, by).length > 0);

/* What a person was asked of installs, as a value: asked, decided, timed out, used. */

/** JSON, so no interface. */
export type Approval = {
  readonly id: string;
  readonly requestedBy: string;
  readonly intent: Intent;
  readonly artifactDigest?: string;
  readonly askedAtMs: number;
  readonly status: "pending" | "approved" | "rejected" | "timed-out";
  readonly decidedBy?: string;
  readonly reason?: string;
  /** How many installs it has let through. */
  readonly uses: number;
};

/** By id. */
export interface Approvals {
  readonly [id: string]: Approval;
}

/** Open, of this agent: who asks again meanwhile is told of it, and asks nobody anew. */
export const pendingOf = (approvals: Approvals, agentId: string): Approval | undefined =>
  Object.values(approvals).find(
    ({ intent, status }) => status === "pending" && intent.agent_id === agentId,
  );

export function approvalAsked(
  approvals: Approvals,
  asking: Omit<Approval, "status" | "uses" | "decidedBy" | "reason">,
) {
  const open = pendingOf(approvals, asking.intent.agent_id);
  if (open !== undefined) return { approvals, approval: open, isNew: false };
  const approval: Approval = { ...asking, status: "pending", uses: 0 };
  return { approvals: { ...approvals, [asking.id]: approval }, approval, isNew: true };
}

/** The first decision holds; one that comes after the time-out still does. */
export function approvalDecided(
  approvals: Approvals,
  id: string,
  { isApproved, by, reason }: { isApproved: boolean; by: string; reason?: string },
): { readonly approvals: Approvals } | { readonly error: string } {
  const approval = ownValue(approvals, id);
  if (approval === undefined) return { error: notFound(id) };
  if (approval.status === "approved" || approval.status === "rejected") {
    return { error: `${id} must not be decided twice: it is ${approval.status}` };
  }
  const status = isApproved ? "approved" : "rejected";
  const after: Approval = {
    ...approval,
    status,
    decidedBy: by,
    ...(reason !== undefined && { reason }),
  };
  return { approvals: { ...approvals, [id]: after } };
}

/** The approvals that have waited long enough, as timed out. */
export function timedOut(
  approvals: Approvals,
  nowMs: number,
  { approvalTimeoutMs }: Pick<ApprovalPolicy, "approvalTimeoutMs">,
): { readonly approvals: Approvals; readonly ids: readonly string[] } {
  const ids = Object.values(approvals)
    .filter(
      ({ status, askedAtMs }) => status === "pending" && nowMs - askedAtMs >= approvalTimeoutMs,
    )
    .map(({ id }) => id);
  if (approvalTimeoutMs === 0 || ids.length === 0) return { approvals, ids: [] };
  const after = Object.entries(approvals).map(([id, one]) => [
    id,
    ids.includes(id) ? { ...one, status: "timed-out" } : one,
  ]);
  return { approvals: Object.fromEntries(after), ids };
}

/** Who asks once more, for which agent. */
interface Retry {
  readonly agentId: string;
  readonly from: string;
}

/** The stored intent behind an approval, which counts as used from then on. */
export function approvalTaken(
  approvals: Approvals,
  id: string,
  retry: Retry,
  by: Pick<ApprovalPolicy, "approvalUses">,
): { readonly approvals: Approvals; readonly intent: Intent } | { readonly error: string } {
  const approval = ownValue(approvals, id);
  if (approval === undefined) return { error: notFound(id) };
  const refusal = takenFault(approval, retry, by);
  if (refusal !== null) return { error: refusal };
  const after = { ...approval, uses: approval.uses + 1 };
  return { approvals: { ...approvals, [id]: after }, intent: approval.intent };
}

const notFound = (id: string): string => `Approval request not found in store: ${id}`;

function takenFault(
  { id, status, uses, intent, requestedBy }: Approval,
  { agentId, from }: Retry,
  { approvalUses }: Pick<ApprovalPolicy, "approvalUses">,
): string | null {
  const ref = `install_approval_ref '${id}'`;
  if (status === "pending") {
    return `Approval status is missing: ${id} is not decided. Wait for the approval message, and do not retry.`;
  }
  if (status !== "approved") return `${ref} references a request that is not approved`;
  if (intent.agent_id !== agentId) {
    return `${ref} does not match: agent_id mismatch (approved: ${intent.agent_id}, requested: ${agentId})`;
  }
  if (requestedBy !== from) {
    return `${ref} does not match: requester mismatch (approved: ${requestedBy}, current: ${from})`;
  }
  return approvalUses === "once" && uses > 0
    ? `${ref} was used: an approval must let one install through. Submit the install again, and wait for a new one.`
    : null;
}

/** What the tool answers while a person is asked. */
export function approvalAnswer(
  { id, intent, requestedBy, artifactDigest }: Approval,
  by: RiskPolicy,
): Json {
  const kinds = intent.capabilities.map(({ type }) => type);
  const summary =
    kinds.length === 0 ? intent.agent_id : `${intent.agent_id} with ${kinds.join(", ")}`;
  return {
    ...{ ok: false, approval_required: true, request_id: id },
    message: `Install requires approval: ${id}. Stop, tell the user to approve it, and wait for the approval message.`,
    retry_instruction: `Once it is approved, add to promotion_gate: "install_approval_ref": "${id}"`,
    approval: {
      kind: "agent_install",
      reason: "an install that needs a person's approval",
      summary,
      requested_by_agent_id: requestedBy,
      retry_field: "promotion_gate.install_approval_ref",
      subject: {
        agent_id: intent.agent_id,
        artifact_id: intent.artifact_id ?? null,
        capabilities: kinds,
        background_enabled: intent.background?.enabled ?? false,
        scheduled_action_kind: intent.scheduled_action ?? null,
        execution_mode: intent.execution_mode,
        script_entry: intent.script_entry ?? null,
        risk_factors: riskFactors(intent, by),
        artifact_digest: artifactDigest ?? null,
      },
    },
  };
}

/* One approval: a person is asked, and lets the install through once. */

export interface ApprovalInput {
  readonly approval: string;
  readonly dossier: InstallDossier;
  /** Of one that is started again after a restart: the time for it is over. */
  readonly isExpired: boolean;
}

export interface ApprovalContext extends ApprovalInput {
  readonly decision: { readonly by: string; readonly reason: string | null } | null;
}

export type ApprovalEvent = Delivered<
  "person.decided" | "ask.bounced" | "approval.ruled" | "approval.used" | "approval.recalled"
>;

const { say } = chartActions<ApprovalContext, ApprovalEvent>();

/** Whoever sits at the port. */
const PERSON = "person";

export const approvalMachine = ({
  installs: { approvalTimeoutMs, approvalUses },
}: {
  readonly installs: Pick<ApprovalPolicy, "approvalTimeoutMs" | "approvalUses">;
}) => {
  const decisions = [
    { guard: "isApproved", target: "approved", actions: "decided" },
    { guard: "isRejected", target: "rejected", actions: "decided" },
  ] as const;
  return setup({
    types: chartTypes<ApprovalContext, ApprovalEvent, ApprovalInput>(),
    guards: {
      isLate: ({ context }) => context.isExpired,
      isUsedUp: () => approvalUses === "once",
      isApproved: ({ event }) => wordOf(event) === "approve",
      isRejected: ({ event }) => wordOf(event) === "reject",
    },
    actions: { decided: assign(({ event }) => ({ decision: decisionOf(event) })) },
    delays: { approvalTimeout: approvalTimeoutMs },
  }).createMachine({
    id: "approval",
    context: ({ input: { at: _, ...input } }) => ({ ...input, decision: null }),
    initial: "opening",
    states: {
      opening: {
        entry: say((context) => [personAsked(context)]),
        always: [{ guard: "isLate", target: "expired" }, { target: "pending" }],
      },
      pending: {
        on: { "person.decided": decisions, "approval.ruled": decisions },
        ...(approvalTimeoutMs === 0 ? {} : { after: { approvalTimeout: "expired" } }),
      },
      // The question stays open: nobody has said no.
      expired: {
        entry: say((context) => [expiredLetter(context)]),
        on: {
          "person.decided": decisions,
          "approval.ruled": decisions,
          "approval.recalled": { actions: say((context) => [expiredLetter(context)]) },
        },
      },
      approved: {
        entry: say((context) => [decidedLetter(context, true)]),
        on: {
          "approval.used": { guard: "isUsedUp", target: "used" },
          "approval.recalled": { actions: say((context) => [decidedLetter(context, true)]) },
        },
      },
      rejected: {
        entry: say((context) => [decidedLetter(context, false)]),
        on: {
          "approval.recalled": { actions: say((context) => [decidedLetter(context, false)]) },
        },
      },
      used: { type: "final" },
    },
  });
};

/** What a person says that is neither leaves the approval open. */
function wordOf(event: ApprovalEvent): string | null {
  if (event.type === "approval.ruled") return event.isApproved ? "approve" : "reject";
  return event.type === "person.decided" ? (event.decision ?? null) : null;
}

function decisionOf(event: ApprovalEvent): ApprovalContext["decision"] {
  if (event.type === "approval.ruled") return { by: event.by, reason: event.reason };
  const { feedback = null, by = PERSON } = event.type === "person.decided" ? event : {};
  return { by, reason: feedback };
}

const personAsked = ({ approval, dossier }: ApprovalContext): Letter =>
  ask({
    to: "port/person.decide",
    key: "person",
    event: { type: "approval.asked", purpose: "install", request: approval, dossier },
  });

const expiredLetter = ({ approval, dossier: { agentId: agent } }: ApprovalContext): Letter => ({
  to: GATEWAY,
  event: { type: "approval.expired", approval, agent },
});

function decidedLetter(
  { approval, dossier: { agentId: agent }, decision }: ApprovalContext,
  isApproved: boolean,
): Letter {
  const { by, reason } = decision ?? { by: PERSON, reason: null };
  return {
    to: GATEWAY,
    event: { type: "approval.decided", approval, agent, isApproved, by, reason },
  };
}
