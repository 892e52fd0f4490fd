/** What is said within the part `installs`: every event that is its own, by type. Those who install: `crew/crewMail.ts`. */
import type { Gating, Role } from "./addresses.ts";
import type { Evidence, Unfamiliar } from "./detection/detection.ts";
import type { Threat } from "./detection/patterns.ts";
import type { Capability } from "./gate/capability.ts";
import type { Finding } from "./gate/promotionRecords.ts";
import type { RevisionState } from "./revisions/revision.ts";
import type { Grant } from "./warden/grant.ts";

type None = { readonly [field in never]: never };

/** Which revision of which agent. */
interface OfRevision {
  readonly revision: string;
  readonly agent: string;
}

/** Which install of which agent. */
interface OfWorkflow {
  readonly workflow: string;
  readonly agent: string;
}

/** A person's word. */
interface Word {
  readonly isApproved: boolean;
  readonly by: string;
  readonly reason: string | null;
}

/** An installed agent was kept from a call, or made one that it was not to make: what it did not declare. */
interface BeyondReach {
  readonly agent: string;
  readonly call: string;
  readonly missing: string;
  readonly why: string;
}

/** A step of a revision: who took it, and what it rests on. */
interface RevisionStep extends OfRevision {
  readonly by: string;
  readonly reason: string | null;
}

export type RiskFactor =
  | "background_execution"
  | "broad_write_access"
  | "code_execution"
  | "network_access"
  | "scheduled_action";

/** A threat as a person is shown it. */
export type SeenThreat = Pick<Threat, "pattern" | "severity" | "file" | "line">;

/** What a person is shown of an install that needs their word. JSON, so no interface. */
export type InstallDossier = {
  readonly agentId: string;
  readonly description: string;
  readonly requestedBy: string;
  readonly capabilities: readonly Capability[];
  readonly factors: readonly RiskFactor[];
  readonly artifactId: string | null;
  readonly artifactDigest: string | null;
  readonly evidence: readonly Evidence[];
  readonly threats: readonly SeenThreat[];
  /** Plain imports that no table knows. */
  readonly unfamiliar: readonly Unfamiliar[];
  /** What would run. */
  readonly runs: {
    readonly mode: string;
    readonly entry: string | null;
    readonly model: string | null;
    /** Its beginning. */
    readonly instructions: string;
    /** How many characters of it stand behind that. */
    readonly cut: number;
    readonly files: readonly string[];
  };
  readonly gates: readonly Role[];
  /** What its judges have recorded of its artifact so far, by role. */
  readonly judged: readonly {
    readonly role: Role;
    readonly pass: boolean;
    readonly by: string;
    readonly findings: readonly Finding[];
  }[];
  /** What is worth a word: contradictions, capabilities that no code shows, threats of low degree. */
  readonly notes: readonly string[];
  /** The active revision that this one would take the place of; null for none. */
  readonly before: string | null;
  /** Capabilities that the active revision does not declare in this way. */
  readonly widens: readonly Capability[];
};

/** An active revision, as far as the agent that lives by it is concerned. */
export interface LivedRevision {
  readonly id: string;
  readonly description: string;
  readonly instructions: string;
  /** What its intent, its declaration and its approval grant each. */
  readonly grants: readonly Grant[];
}

/** What a tool's failure is to the agent that called it. JSON, so no interface. Source: dossier 1.9. */
export type ToolError = {
  readonly ok: false;
  readonly error_type: "validation" | "permission" | "resource" | "execution" | "fatal";
  readonly message: string;
  readonly repair_hint?: string;
};

/** A task of an install, as workflow.state tells of it. */
export interface WorkflowTask {
  readonly task_id: string;
  readonly agent_id: string;
  readonly status:
    | "pending"
    | "runnable"
    | "running"
    | "awaiting_approval"
    | "paused"
    | "aborting"
    | "aborted"
    | "succeeded"
    | "failed"
    | "cancelled";
  readonly artifact_id?: string;
}

declare module "../letter.ts" {
  interface Mail {
    /** A question to the gateway, which judges it by the address that it comes from. */
    "gateway.asked": {
      readonly tool: string;
      readonly params: { readonly [name: string]: Json };
      /** The wish that the builder was given; none where it was given no wish. */
      readonly workflow?: string;
    };
    "gateway.answered": {
      readonly ok: boolean;
      readonly result?: Json;
      readonly error?: ToolError;
      /** Every reason, where there is more than the one that is told first. */
      readonly reasons?: readonly string[];
      /** The approval that is waited for. Nothing may be tried again before its decision is told. */
      readonly approvalRequired?: string;
    };
    /** From the planner to the gateway: whether the install of this wish needs judges; nobody else's word counts. */
    "gating.said": OfWorkflow & { readonly gating: Gating };
    /** From the planner to the gateway: how a task of an install stands, for workflow.state. */
    "workflow.told": OfWorkflow & { readonly task: WorkflowTask };
    /** From the outside to the gateway: it loses what it has begun and not written, and reads its books again. */
    "gateway.restarted": None;
    /** To itself, for the log: what a restart found half done, and what it did about it. */
    "gateway.found": OfRevision & {
      readonly half: "creation" | "activation";
      readonly did: "continued" | "dropped" | "reported";
      readonly why: string;
    };
    /** To itself, for the log: what lies in its folder at a restart and it never wrote, or wrote otherwise; none of it counts. */
    "gateway.foreign": { readonly paths: readonly string[] };
    /** To itself, for the log: books that are not what their own history says; nothing of them counts. */
    "gateway.damaged": { readonly fault: string };

    /** To itself, for the log: a tool that did not do what it was asked. */
    "install.refused": {
      readonly tool: string;
      readonly by: string;
      /** Whose install it was, where the request says so. */
      readonly agent?: string;
      readonly reasons: readonly string[];
    };
    "artifact.built": {
      readonly artifact: string;
      readonly digest: string;
      readonly by: string;
      readonly files: readonly string[];
      readonly isReused: boolean;
    };
    "promotion.recorded": {
      readonly artifact: string;
      readonly role: Role;
      readonly pass: boolean;
      readonly by: string;
      readonly digest: string | null;
      readonly findings: readonly Finding[];
    };

    // From the gateway to `revision/ID`: what its books say of it now.
    "revision.created": OfRevision & {
      readonly by: string;
      readonly artifact: string | null;
      readonly gates: readonly Role[];
      readonly approval: string | null;
      /** What is worth a word and no reason to refuse. */
      readonly notes: readonly string[];
    };
    "revision.gated": RevisionStep & { readonly gates: readonly Role[] };
    "revision.approved": RevisionStep;
    "revision.activated": RevisionStep & {
      /** What it takes the place of. */
      readonly before: string | null;
    };
    "revision.superseded": RevisionStep & { readonly after: string };
    "revision.rolledBack": RevisionStep & { readonly after: string | null };
    "revision.rejected": RevisionStep;
    /** A question from the gateway after a restart: an actor that does not live is started again. */
    "revision.recalled": { readonly revision: string; readonly state: RevisionState };
    "revision.standing": { readonly revision: string; readonly state: RevisionState };

    /** From the gateway to `gate/REVISION`: what the records say now of its judges. */
    "gate.judged": {
      readonly revision: string;
      /** Those whose record is missing, fails or is of other content. */
      readonly missing: readonly Role[];
      readonly reason: string | null;
    };
    /** From the gateway to `gate/REVISION`: a promotion was asked for while it was shut. */
    "gate.refused": { readonly revision: string; readonly by: string; readonly reason: string };

    /** From `gate/REVISION` to the gateway, for the log. */
    "gate.opened": { readonly revision: string };
    "gate.shut": { readonly revision: string; readonly missing: readonly Role[] };

    /** To the gateway itself, for the log: a person is asked. */
    "approval.requested": {
      readonly approval: string;
      readonly agent: string;
      readonly by: string;
      readonly factors: readonly RiskFactor[];
      readonly artifactDigest: string | null;
    };
    /** To `port/person.decide`, from `approval/ID`; answered by `person.decided`, with approve or reject. */
    "approval.asked": {
      readonly purpose: "install";
      readonly request: string;
      readonly dossier: InstallDossier;
    };
    /** From the outside to the gateway, and on to `approval/ID`: a person's word that came another way than by the port. */
    "approval.ruled": Word & {
      /** The approval's id, or the agent of the open one. */
      readonly of: string;
    };
    /** From `approval/ID` to the gateway, and from there to whoever asked for the install: go on only now. */
    "approval.decided": Word & { readonly approval: string; readonly agent: string };
    /** The same ways: nobody decided in time. */
    "approval.expired": { readonly approval: string; readonly agent: string };
    /** To `approval/ID`: one install went through on it. */
    "approval.used": OfRevision & { readonly approval: string };
    /** A question from the gateway after a restart: a decision that it may have lost is told again. */
    "approval.recalled": { readonly approval: string };
    /** To the gateway, for the log: an installed agent was kept from what it did not declare. */
    "reach.refused": BeyondReach;

    // Said to and by the warden, who has installed agents live as their active revision says.
    /** From the gateway: by what the agent lives from now on; null: it lives no more. Said twice, it changes nothing. */
    "active.changed": {
      readonly agent: string;
      readonly revision: LivedRevision | null;
      readonly how: "activated" | "rolledBack";
    };
    /** To itself, for the log: an agent lives, or not, because of a revision. */
    "installed.born": OfRevision & {
      /** Why none was born; null where one was. */
      readonly fault: string | null;
    };
    "installed.ended": OfRevision;
    /** To itself, for the log: an installed agent has one more agent, under its own reach. */
    "installed.spawned": { readonly agent: string; readonly child: string };
    /** To the gateway: all agents that live because this installed one spawned them, whose names no install may take. */
    "spawned.living": { readonly root: string; readonly names: readonly string[] };
    /** To itself, for the log: something was written that the reach does not cover; it was not seen before the call. */
    "reach.breached": BeyondReach & { readonly path: string };
    /** To itself, for the log: what an agent registered as this revision leaves with it. */
    "tools.withdrawn": OfRevision & { readonly paths: readonly string[] };

    /** From the outside to a bystander: what it asks of the gateway. */
    "attempt.made": {
      readonly tool: string;
      readonly params: { readonly [name: string]: Json };
    };
  }
}
