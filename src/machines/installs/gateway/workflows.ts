/**
 * How a workflow stands, and which approvals there are: what the gateway is told of them, and its tools for who waits or wakes
 * up after an interruption. Source: seed 003, "Resumption"; rulings I5, I8; dossier autonoetic 1.9.
 */
import type { At, Delivered, Json, Letter, Mail } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { approvalAddress, GATEWAY, PLANNER } from "../addresses.ts";
import { TEXT } from "../fault.ts";
import {
  type Approval,
  approvalAnswer,
  approvalDecided,
  pendingOf,
  timedOut,
} from "../gate/approval.ts";
import type { WorkflowTask } from "../mail.ts";
import { listed } from "../revisions/revisionBook.ts";
import { asAgent, type Books, type Env, failing, going, tool, type Workflow } from "./books.ts";

/* What the gateway is told rather than asked: the planner's word, how tasks stand, what became of an approval. */

export type Notice = Delivered<
  "gating.said" | "workflow.told" | "approval.decided" | "approval.expired" | "approval.ruled"
>;

export interface Noted {
  readonly books: Books;
  readonly letters: readonly Letter[];
}

/** Each by the address that it came from: a word that is another's to give counts for nothing, and is told. */
export function noted(books: Books, notice: Notice, env: Env): Noted {
  switch (notice.type) {
    case "gating.said":
      return fromPlanner(books, notice, withGating(notice));
    case "workflow.told":
      return fromPlanner(books, notice, withTask(notice));
    case "approval.decided":
      return noteDecision(books, notice);
    case "approval.expired":
      return expired(books, notice, env);
    case "approval.ruled":
      return ruled(books, notice);
  }
}

/** Inputs of the scenario, or of whoever plays it. */
export const isOutside = ({ from }: Pick<At, "from">): boolean => from.startsWith("outside/");

const quiet = (books: Books): Noted => ({ books, letters: [] });

function refusal(books: Books, { type: tool, at: { from: by } }: Notice, reason: string): Noted {
  const event = { type: "install.refused", tool, by, reasons: [reason] } as const;
  return { books, letters: [{ to: GATEWAY, event }] };
}

function fromPlanner(
  books: Books,
  notice: Notice & { type: "gating.said" | "workflow.told" },
  changed: (workflow: Workflow) => Workflow,
): Noted {
  const { workflow: name, agent, at } = notice;
  if (at.from !== PLANNER) {
    return refusal(books, notice, `only ${PLANNER} says this, and this is ${at.from}`);
  }
  const before = ownValue(books.workflows, name) ?? { tasks: [], gating: null };
  const workflow = changed({ ...before, agent });
  return quiet({ ...books, workflows: { ...books.workflows, [name]: workflow } });
}

const withGating =
  ({ gating }: Pick<Mail["gating.said"], "gating">) =>
  (workflow: Workflow): Workflow => ({ ...workflow, gating });

const withTask =
  ({ task }: Pick<Mail["workflow.told"], "task">) =>
  (workflow: Workflow): Workflow => {
    const { tasks } = workflow;
    const isKnown = tasks.some(({ task_id: id }) => id === task.task_id);
    return {
      ...workflow,
      tasks: isKnown
        ? tasks.map((one) => (one.task_id === task.task_id ? task : one))
        : [...tasks, task],
    };
  };

/** What is said again after a restart is known already. */
function noteDecision(books: Books, notice: Notice & { type: "approval.decided" }): Noted {
  const { approval: id, isApproved, by, reason } = notice;
  const word = reason === null ? { isApproved, by } : { isApproved, by, reason };
  const after = approvalDecided(books.approvals, id, word);
  return toAsker(books, notice, "error" in after ? undefined : after.approvals);
}

/** Others that are late at this instant have letters of their own. */
function expired(
  books: Books,
  notice: Notice & { type: "approval.expired" },
  { nowMs, policy }: Env,
): Noted {
  const { approval: id } = notice;
  const after = timedOut(books.approvals, nowMs, policy);
  const late = after.ids.includes(id) ? ownValue(after.approvals, id) : undefined;
  return toAsker(books, notice, late && { ...books.approvals, [id]: late });
}

/** Only the approval says what became of it; whoever asked for the install waits for it. */
function toAsker(
  books: Books,
  notice: Notice & { type: "approval.decided" | "approval.expired" },
  approvals: Books["approvals"] | undefined,
): Noted {
  const { at, ...event } = notice;
  const address = approvalAddress(event.approval);
  if (at.from !== address) return refusal(books, notice, `only ${address} says what became of it`);
  if (approvals === undefined) return quiet(books);
  const to = ownValue(approvals, event.approval)?.requestedBy;
  const isWaiting = to !== undefined && !to.startsWith(asAgent(""));
  return { books: { ...books, approvals }, letters: isWaiting ? [{ to, event }] : [] };
}

function ruled(books: Books, notice: Notice & { type: "approval.ruled" }): Noted {
  const { of, at } = notice;
  if (!isOutside(at)) {
    return refusal(books, notice, "only a person, from outside, decides on an approval");
  }
  const id = ownValue(books.approvals, of)?.id ?? lastAsked(books, of);
  if (id === undefined) return refusal(books, notice, `no approval of ${of} is open`);
  const { at: _, ...event } = notice;
  return { books, letters: [{ to: approvalAddress(id), event }] };
}

/** Of an agent: the open one, else one that timed out. */
const lastAsked = ({ approvals }: Books, agent: string): string | undefined =>
  pendingOf(approvals, agent)?.id ??
  Object.values(approvals).findLast(
    ({ status, intent }) => status === "timed-out" && intent.agent_id === agent,
  )?.id;

/* What it answers. */

const SHAPE = 'Correct format: {"workflow_id": "…"}, or {"agent_id": "weather-fetcher"}';

export const workflowStateTool = tool(
  SHAPE,
  (read) => ({ workflow: read.may(TEXT, "workflow_id"), named: read.may(TEXT, "agent_id") }),
  (books, { workflow, named }) => {
    const known = workflow === null ? undefined : ownValue(books.workflows, workflow);
    const agent = known?.agent ?? named ?? workflow ?? "";
    const own = Object.values(books.approvals).filter(({ intent }) => intent.agent_id === agent);
    const state = workflowState({
      workflow_id: workflow ?? agent,
      tasks: known?.tasks ?? tasksOf(books, agent),
      pending_approvals: idsOf(own, ({ status }) => status === "pending"),
      approved: idsOf(own, ({ status, uses }) => status === "approved" && uses === 0),
      install: installOf(books, agent, own),
    });
    return going(books, plain(state));
  },
);

const tasksOf = ({ workflows }: Books, agent: string) =>
  Object.values(workflows).findLast((one) => one.agent === agent)?.tasks ?? [];

const idsOf = (
  approvals: readonly Approval[],
  fits: (approval: Approval) => boolean,
): readonly string[] => approvals.filter(fits).map(({ id }) => id);

/** How far the agent's newest install came. */
function installOf(
  { revisions }: Books,
  agent: string,
  own: readonly Approval[],
): OpenInstall | null {
  const newest = listed(revisions, agent)[0];
  const of = (revision_id: string | null, step: OpenInstall["step"]): OpenInstall => ({
    ...{ agent_id: agent, revision_id, step },
  });
  if (newest === undefined) {
    return own.at(-1)?.status === "rejected" ? of(null, "refused") : null;
  }
  const { revision_id: id, state } = newest;
  switch (state) {
    case "draft":
      return of(id, "created");
    case "gated":
    case "approved":
    case "active":
      return of(id, state);
    case "rejected":
      return of(id, "refused");
    default:
      return null;
  }
}

/** Of what a unit answers: all of it is JSON. */
const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** How far an install came. */
interface OpenInstall {
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

const OPEN: readonly WorkflowTask["status"][] = [
  ...(["pending", "runnable", "running", "awaiting_approval", "paused", "aborting"] as const),
];

/** `coder` of `coder.default`. */
const roleOf = (agent: string): string => agent.split(".", 1).join();

interface ReuseGuards {
  readonly has_coder_artifact: boolean;
  readonly has_evaluator_result: boolean;
  readonly has_auditor_result: boolean;
  readonly pending_approvals: boolean;
  readonly active_tasks_running: boolean;
}

export function workflowState(facts: WorkflowFacts) {
  const { workflow_id, tasks, install } = facts;
  const pending_approvals = [...facts.pending_approvals].sort();
  const active_tasks = tasks.filter(({ status }) => OPEN.includes(status));
  const completed_tasks = tasks.filter(({ status }) => !OPEN.includes(status));
  const succeeded = tasks.filter(({ status }) => status === "succeeded");
  const latest_artifact_by_role: { readonly [role: string]: string } = Object.fromEntries(
    succeeded.flatMap(({ agent_id, artifact_id }) =>
      artifact_id === undefined ? [] : [[roleOf(agent_id), artifact_id]],
    ),
  );
  // That it has ended, not that it has passed.
  const hasEnded = (role: string) => succeeded.some(({ agent_id }) => roleOf(agent_id) === role);
  const reuse_guards: ReuseGuards = {
    has_coder_artifact: Object.hasOwn(latest_artifact_by_role, "coder"),
    has_evaluator_result: hasEnded("evaluator"),
    has_auditor_result: hasEnded("auditor"),
    pending_approvals: pending_approvals.length > 0,
    active_tasks_running: active_tasks.length > 0,
  };
  const workflow_status = statusOf(reuse_guards, install);
  return {
    ...{ workflow_id, workflow_status, completed_tasks, active_tasks },
    ...{ pending_approvals, latest_artifact_by_role, reuse_guards, install },
    resume_hint: resumeHint(facts, reuse_guards),
  };
}

function statusOf(
  { pending_approvals, active_tasks_running }: ReuseGuards,
  install: OpenInstall | null,
) {
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

const NO_SHAPE = "Leave the parameters out.";

export const approvalList = tool(
  NO_SHAPE,
  () => null,
  (books) => {
    const approvals = Object.values(books.approvals).map(({ id, status, intent, uses }) => ({
      ...{ approval_id: id, status, agent_id: intent.agent_id, uses },
    }));
    return going(books, { ok: true, approvals });
  },
);

const APPROVAL_SHAPE = 'Correct format: {"approval_id": "apr-a1b2c3d4"}';

export const approvalInspect = tool(
  APPROVAL_SHAPE,
  (read) => read.must(TEXT, "approval_id"),
  (books, asked, _, { policy }) => {
    const approval = ownValue(books.approvals, asked);
    if (approval === undefined) {
      return failing(books, [`Approval request not found in store: ${asked}`]);
    }
    const { id, status, decidedBy = null, reason = null, uses } = approval;
    return going(books, {
      ...{ ok: true, approval_id: id, status, decided_by: decidedBy, reason, uses },
      ...(status === "pending" ? { asked: approvalAnswer(approval, policy) } : {}),
    });
  },
);
