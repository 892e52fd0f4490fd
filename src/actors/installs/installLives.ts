/** What became of each revision, approval and installed agent: what meter, story, report and picture agree on. */

import { approvalAddress, GATEWAY } from "../../machines/installs/addresses.ts";
import type { RevisionState } from "../../machines/installs/revisions/revision.ts";
import type { Mail } from "../../machines/letter.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";

/** A stretch of a life; it lasts until the next one. */
export interface Stretch<Name extends string> {
  readonly phase: Name;
  readonly atMs: number;
  readonly by: string;
  readonly reason: string | null;
}

export interface RevisionLife {
  readonly id: string;
  readonly agent: string;
  readonly artifact: string | null;
  readonly phases: Stretch<RevisionState>[];
}

export type ApprovalPhase = "open" | "approved" | "rejected" | "expired" | "used";

export interface ApprovalLife {
  readonly id: string;
  readonly agent: string;
  readonly factors: readonly string[];
  readonly phases: Stretch<ApprovalPhase>[];
}

const PHASES = {
  "revision.gated": "gated",
  "revision.approved": "approved",
  "revision.activated": "active",
  "revision.superseded": "superseded",
  "revision.rolledBack": "rolled_back",
  "revision.rejected": "rejected",
} as const;

type StepType = keyof typeof PHASES;

const isStep = (type: string): type is StepType => Object.hasOwn(PHASES, type);

/** What one delivery is the first to tell. The gateway, the revision and the approval hear the same, each once. */
export type Turn =
  | { readonly of: "revision"; readonly life: RevisionLife; readonly phase: RevisionState }
  | { readonly of: "approval"; readonly life: ApprovalLife; readonly phase: ApprovalPhase };

/** In the order in which they were first told. */
export interface InstallLives {
  readonly revisions: RevisionLife[];
  readonly approvals: ApprovalLife[];
}

/** Writes down what is new since the delivery, and gives it; undefined for nothing. */
export function turned(
  lives: InstallLives,
  { event, dueMs: atMs, from }: SeenDelivery,
): Turn | undefined {
  if (!isFact(from)) return undefined;
  const approval = (id: string) => lives.approvals.find((one) => one.id === id);
  switch (event.type) {
    case "revision.created":
      return created(lives, event, atMs);
    case "approval.requested": {
      const { approval: id, agent, factors, by } = event;
      if (approval(id) !== undefined) return undefined;
      const life: ApprovalLife = { id, agent, factors, phases: [] };
      lives.approvals.push(life);
      return entered(life, "open", { atMs, by, reason: null });
    }
    case "approval.decided": {
      const { isApproved, by, reason } = event;
      const phase = isApproved ? "approved" : "rejected";
      return entered(approval(event.approval), phase, { atMs, by, reason });
    }
    case "approval.expired":
      return entered(approval(event.approval), "expired", nobody(atMs));
    case "approval.used":
      return entered(approval(event.approval), "used", nobody(atMs));
    default:
      if (!isStep(event.type)) return undefined;
      return stepped(lives, PHASES[event.type], event as Mail[StepType], atMs); // Its type is a step's.
  }
}

const revisionIn = ({ revisions }: InstallLives, id: string): RevisionLife | undefined =>
  revisions.find((one) => one.id === id);

function created(
  lives: InstallLives,
  event: Mail["revision.created"],
  atMs: number,
): Turn | undefined {
  const { revision: id, agent, artifact, by } = event;
  if (revisionIn(lives, id) !== undefined) return undefined;
  const phases: RevisionLife["phases"] = [{ phase: "draft", atMs, by, reason: null }];
  const life: RevisionLife = { id, agent, artifact, phases };
  lives.revisions.push(life);
  return { of: "revision", life, phase: "draft" };
}

function stepped(
  lives: InstallLives,
  phase: RevisionState,
  event: Mail[StepType],
  atMs: number,
): Turn | undefined {
  const { revision, by, reason } = event;
  const life = revisionIn(lives, revision);
  if (life === undefined || life.phases.at(-1)?.phase === phase) return undefined;
  life.phases.push({ phase, atMs, by, reason });
  return { of: "revision", life, phase };
}

function entered(
  life: ApprovalLife | undefined,
  phase: ApprovalPhase,
  told: Omit<Stretch<ApprovalPhase>, "phase">,
): Turn | undefined {
  // Told late, that an approval is decided is still told once.
  if (life === undefined || life.phases.some((one) => one.phase === phase)) return undefined;
  life.phases.push({ phase, ...told });
  return { of: "approval", life, phase };
}

/** What its books or an approval say is so, whether or not it is news to whom they tell it. */
const isFact = (from: string): boolean => from === GATEWAY || from.startsWith(approvalAddress(""));

const nobody = (atMs: number) => ({ atMs, by: "", reason: null });
