/**
 * One approval: a person is asked, and until they have decided nothing may be retried; what they decide late still counts.
 * An approval lets its install through once. Source: seed 003, approval flow; rulings I5 and I9; dossier 1.6.
 */
import { assign, setup } from "xstate";
import { ask, type Delivered, type Letter, type Outbox, post } from "../letter.ts";
import { GATEWAY } from "./addresses.ts";
import type { GatePolicy } from "./gatePolicy.ts";
import type { InstallDossier } from "./mail.ts";

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

/** Whoever sits at the port. */
const PERSON = "person";

export const approvalMachine = ({
  installs: { approvalTimeoutMs, approvalUses },
}: {
  readonly installs: Pick<GatePolicy, "approvalTimeoutMs" | "approvalUses">;
}) => {
  const decisions = [
    { guard: "isApproved", target: "approved", actions: "decided" },
    { guard: "isRejected", target: "rejected", actions: "decided" },
  ] as const;
  return setup({
    types: {
      context: {} as ApprovalContext,
      events: {} as ApprovalEvent,
      input: {} as ApprovalInput & { readonly at: unknown },
      emitted: {} as Outbox,
    },
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
        entry: post(({ context }) => [personAsked(context)]),
        always: [{ guard: "isLate", target: "expired" }, { target: "pending" }],
      },
      pending: {
        on: { "person.decided": decisions, "approval.ruled": decisions },
        ...(approvalTimeoutMs === 0 ? {} : { after: { approvalTimeout: "expired" } }),
      },
      // The question stays open: nobody has said no.
      expired: {
        entry: post(({ context }) => [expiredLetter(context)]),
        on: {
          "person.decided": decisions,
          "approval.ruled": decisions,
          "approval.recalled": { actions: post(({ context }) => [expiredLetter(context)]) },
        },
      },
      approved: {
        entry: post(({ context }) => [decidedLetter(context, true)]),
        on: {
          "approval.used": { guard: "isUsedUp", target: "used" },
          "approval.recalled": { actions: post(({ context }) => [decidedLetter(context, true)]) },
        },
      },
      rejected: {
        entry: post(({ context }) => [decidedLetter(context, false)]),
        on: {
          "approval.recalled": { actions: post(({ context }) => [decidedLetter(context, false)]) },
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
