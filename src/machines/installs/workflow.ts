/**
 * What workflow.state answers to who wakes up after an interruption: what is done, what is open, and how to go on.
 * Source: seed 003, "Resumption"; dossier autonoetic 1.9.
 */

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

/** How far an install came. */
export interface OpenInstall {
  readonly agent_id: string;
  readonly revision_id: string | null;
  readonly step: "created" | "gated" | "approved" | "active" | "refused";
}

export interface WorkflowFacts {
  readonly workflow_id: string;
  readonly tasks: readonly WorkflowTask[];
  /** Requests without a decision. */
  readonly pending_approvals: readonly string[];
  /** Requests that were approved and not yet used. */
  readonly approved: readonly string[];
  readonly install: OpenInstall | null;
}

export interface ReuseGuards {
  readonly has_coder_artifact: boolean;
  /** That it has ended, not that it has passed. */
  readonly has_evaluator_result: boolean;
  readonly has_auditor_result: boolean;
  readonly pending_approvals: boolean;
  readonly active_tasks_running: boolean;
}

export interface WorkflowState {
  readonly workflow_id: string;
  readonly workflow_status: "active" | "waiting_children" | "blocked_approval" | "completed";
  readonly completed_tasks: readonly WorkflowTask[];
  readonly active_tasks: readonly WorkflowTask[];
  readonly pending_approvals: readonly string[];
  readonly latest_artifact_by_role: { readonly [role: string]: string };
  readonly reuse_guards: ReuseGuards;
  readonly install: OpenInstall | null;
  readonly resume_hint: string;
}

const OPEN: readonly WorkflowTask["status"][] = [
  ...(["pending", "runnable", "running", "awaiting_approval", "paused", "aborting"] as const),
];

/** `coder` of `coder.default`. */
const roleOf = (agent: string): string => {
  const dot = agent.indexOf(".");
  return dot < 0 ? agent : agent.slice(0, dot);
};

export function workflowState(facts: WorkflowFacts): WorkflowState {
  const { workflow_id, tasks, install } = facts;
  const pending_approvals = [...facts.pending_approvals].sort();
  const active_tasks = tasks.filter(({ status }) => OPEN.includes(status));
  const completed_tasks = tasks.filter(({ status }) => !OPEN.includes(status));
  const artifacts = tasks.flatMap(({ agent_id, status, artifact_id }) =>
    status === "succeeded" && artifact_id !== undefined ? [[roleOf(agent_id), artifact_id]] : [],
  );
  const latest_artifact_by_role: { readonly [role: string]: string } =
    Object.fromEntries(artifacts);
  const hasEnded = (role: string) =>
    completed_tasks.some(
      ({ agent_id, status }) => status === "succeeded" && roleOf(agent_id) === role,
    );
  const reuse_guards: ReuseGuards = {
    has_coder_artifact: Object.hasOwn(latest_artifact_by_role, "coder"),
    has_evaluator_result: hasEnded("evaluator"),
    has_auditor_result: hasEnded("auditor"),
    pending_approvals: pending_approvals.length > 0,
    active_tasks_running: active_tasks.length > 0,
  };
  const hint = resumeHint(facts, reuse_guards);
  return {
    ...{
      workflow_id,
      workflow_status: statusOf(reuse_guards, install),
      completed_tasks,
      active_tasks,
    },
    ...{ pending_approvals, latest_artifact_by_role, reuse_guards, install, resume_hint: hint },
  };
}

function statusOf(
  { pending_approvals, active_tasks_running }: ReuseGuards,
  install: OpenInstall | null,
): WorkflowState["workflow_status"] {
  if (pending_approvals) return "blocked_approval";
  if (active_tasks_running) return "waiting_children";
  return install?.step === "active" || install?.step === "refused" ? "completed" : "active";
}

/** The first that fits. An approval is never the end of a turn: the install goes on. */
function resumeHint({ approved, install }: WorkflowFacts, guards: ReuseGuards): string {
  if (guards.pending_approvals) return "approval_pending: wait for the decision, and retry nothing";
  if (approved.length > 0) {
    return "approval_granted: call agent.revision.create_from_intent again with the approval, then promote";
  }
  if (install !== null) return INSTALL_HINTS[install.step];
  if (guards.active_tasks_running) return "tasks_running: wait for them, and start none twice";
  if (guards.has_evaluator_result && guards.has_auditor_result) {
    return "evaluation_complete: install, or let coder.default mend what they found";
  }
  if (guards.has_coder_artifact) return "artifact_built: let it be evaluated and audited";
  return "nothing_done: begin with the specification";
}

const INSTALL_HINTS: { readonly [step in OpenInstall["step"]]: string } = {
  created: "revision_created: call agent.revision.promote with its revision_id",
  gated:
    "promotion_gated: report to the planner that evaluator and auditor must record, and retry nothing",
  approved: "revision_approved: call agent.revision.promote with its revision_id",
  active: "install_complete: report to the planner and end the turn",
  refused: "install_refused: report the error to the planner and end the turn",
};
