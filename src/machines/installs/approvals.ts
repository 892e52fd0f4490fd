/**
 * What a person was asked of installs, as a value: asked, decided, timed out, used. The install that was approved is the one
 * that was stored, not the one that names the approval. Source: seed 003, approval flow; rulings I5; dossier 1.6.
 */
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { Intent } from "./intent.ts";
import { type RiskPolicy, riskFactors } from "./risk.ts";

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

export type Asking = Pick<
  Approval,
  "id" | "requestedBy" | "intent" | "artifactDigest" | "askedAtMs"
>;

/** Open, of this agent: who asks again meanwhile is told of it, and asks nobody anew. */
export const pendingOf = (approvals: Approvals, agentId: string): Approval | undefined =>
  Object.values(approvals).find(
    ({ intent, status }) => status === "pending" && intent.agent_id === agentId,
  );

export function approvalAsked(
  approvals: Approvals,
  asking: Asking,
): { readonly approvals: Approvals; readonly approval: Approval; readonly isNew: boolean } {
  const open = pendingOf(approvals, asking.intent.agent_id);
  if (open !== undefined) return { approvals, approval: open, isNew: false };
  const approval: Approval = { ...asking, status: "pending", uses: 0 };
  return { approvals: { ...approvals, [asking.id]: approval }, approval, isNew: true };
}

export interface Decision {
  readonly isApproved: boolean;
  readonly by: string;
  readonly reason?: string;
}

export type Decided = { readonly approvals: Approvals } | { readonly error: string };

/** The first decision holds; one that comes after the time-out still does. */
export function approvalDecided(approvals: Approvals, id: string, decision: Decision): Decided {
  const approval = ownValue(approvals, id);
  if (approval === undefined) return { error: notFound(id) };
  if (approval.status === "approved" || approval.status === "rejected") {
    return { error: `${id} must not be decided twice: it is ${approval.status}` };
  }
  const after: Approval = {
    ...approval,
    status: decision.isApproved ? "approved" : "rejected",
    decidedBy: decision.by,
    ...(decision.reason === undefined ? {} : { reason: decision.reason }),
  };
  return { approvals: { ...approvals, [id]: after } };
}

/** The approvals that have waited long enough, as timed out. */
export function timedOut(
  approvals: Approvals,
  nowMs: number,
  { approvalTimeoutMs }: Pick<GatePolicy, "approvalTimeoutMs">,
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

export interface Retry {
  readonly agentId: string;
  readonly from: string;
}

export type Taken =
  | { readonly approvals: Approvals; readonly intent: Intent }
  | { readonly error: string };

/** The stored intent behind an approval, which counts as used from then on. */
export function approvalTaken(
  approvals: Approvals,
  id: string,
  retry: Retry,
  by: Pick<GatePolicy, "approvalUses">,
): Taken {
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
  { approvalUses }: Pick<GatePolicy, "approvalUses">,
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
