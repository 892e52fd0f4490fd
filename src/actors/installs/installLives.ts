/** What became of each revision, approval and installed agent: what meter, story, report and picture agree on. */

import type { RevisionState } from "../../machines/installs/revision.ts";
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

export class InstallLives {
  /** In the order in which they were first told. */
  readonly revisions: RevisionLife[] = [];
  readonly approvals: ApprovalLife[] = [];

  /** What is new since the delivery; undefined for nothing. */
  told({ event, dueMs: atMs, fate }: SeenDelivery): Turn | undefined {
    if (fate !== "handled") return undefined;
    switch (event.type) {
      case "revision.created":
        return this.#created(event, atMs);
      case "approval.requested": {
        const { approval: id, agent, factors, by } = event;
        if (this.approval(id) !== undefined) return undefined;
        const life: ApprovalLife = { id, agent, factors, phases: [] };
        this.approvals.push(life);
        return this.#approval(life, "open", { atMs, by, reason: null });
      }
      case "approval.decided": {
        const { approval, isApproved, by, reason } = event;
        const phase = isApproved ? "approved" : "rejected";
        return this.#approval(this.approval(approval), phase, { atMs, by, reason });
      }
      case "approval.expired":
        return this.#approval(this.approval(event.approval), "expired", nobody(atMs));
      case "approval.used":
        return this.#approval(this.approval(event.approval), "used", nobody(atMs));
      default:
        if (!isStep(event.type)) return undefined;
        return this.#stepped(PHASES[event.type], event as Mail[StepType], atMs); // Its type is a step's.
    }
  }

  revision(id: string): RevisionLife | undefined {
    return this.revisions.find((one) => one.id === id);
  }

  approval(id: string): ApprovalLife | undefined {
    return this.approvals.find((one) => one.id === id);
  }

  #created(event: Mail["revision.created"], atMs: number): Turn | undefined {
    const { revision: id, agent, artifact, by } = event;
    if (this.revision(id) !== undefined) return undefined;
    const phases: RevisionLife["phases"] = [{ phase: "draft", atMs, by, reason: null }];
    const life: RevisionLife = { id, agent, artifact, phases };
    this.revisions.push(life);
    return { of: "revision", life, phase: "draft" };
  }

  #stepped(phase: RevisionState, event: Mail[StepType], atMs: number): Turn | undefined {
    const { revision, by, reason } = event;
    const life = this.revision(revision);
    if (life === undefined || life.phases.at(-1)?.phase === phase) return undefined;
    life.phases.push({ phase, atMs, by, reason });
    return { of: "revision", life, phase };
  }

  #approval(
    life: ApprovalLife | undefined,
    phase: ApprovalPhase,
    told: Omit<Stretch<ApprovalPhase>, "phase">,
  ): Turn | undefined {
    // Told late, that an approval is decided is still told once.
    if (life === undefined || life.phases.some((one) => one.phase === phase)) return undefined;
    life.phases.push({ phase, ...told });
    return { of: "approval", life, phase };
  }
}

const nobody = (atMs: number) => ({ atMs, by: "", reason: null });
