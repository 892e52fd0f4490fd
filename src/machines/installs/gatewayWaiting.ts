/** The gateway's tools for who waits: how a workflow stands, and which approvals are open. Source: seed 003, "Resumption". */
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { type Approval, approvalAnswer } from "./gate/approval.ts";
import type { Books } from "./gatewayBooks.ts";
import { failing, going, misshapen, readParams, type Tool } from "./gatewayCall.ts";
import { listed } from "./revisions/revisionBook.ts";
import { type OpenInstall, workflowState } from "./workflow.ts";

const SHAPE = 'Correct format: {"workflow_id": "…"}, or {"agent_id": "weather-fetcher"}';

export const workflowStateTool: Tool = (books, call) => {
  const given = readParams(call, ["workflow_id", "agent_id"], (read) => ({
    workflow: read.text("workflow_id", { todo: SHAPE }),
    agent: read.text("agent_id", { todo: SHAPE }),
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const { workflow, agent: named } = given.value;
  const known = workflow === null ? undefined : ownValue(books.workflows, workflow);
  const agent = known?.agent ?? named ?? workflow ?? "";
  const tasks = known?.tasks ?? tasksOf(books, agent);
  const own = Object.values(books.approvals).filter(({ intent }) => intent.agent_id === agent);
  const state = workflowState({
    workflow_id: workflow ?? agent,
    tasks,
    pending_approvals: idsOf(own, ({ status }) => status === "pending"),
    approved: idsOf(own, ({ status, uses }) => status === "approved" && uses === 0),
    install: installOf(books, agent, own),
  });
  return going(books, plain(state));
};

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

export const approvalList: Tool = (books, call) => {
  const given = readParams(call, [], () => null);
  if ("faults" in given) return misshapen(books, given.faults);
  const approvals = Object.values(books.approvals).map(({ id, status, intent, uses }) => ({
    ...{ approval_id: id, status, agent_id: intent.agent_id, uses },
  }));
  return going(books, { ok: true, approvals });
};

const APPROVAL_SHAPE = 'Correct format: {"approval_id": "apr-a1b2c3d4"}';

export const approvalInspect: Tool = (books, call, { policy }) => {
  const given = readParams(call, ["approval_id"], (read) =>
    read.text("approval_id", { isRequired: true, todo: APPROVAL_SHAPE }),
  );
  if ("faults" in given) return misshapen(books, given.faults);
  const approval = ownValue(books.approvals, given.value ?? "");
  if (approval === undefined) {
    return failing(books, [`Approval request not found in store: ${given.value}`]);
  }
  const { id, status, decidedBy = null, reason = null, uses } = approval;
  const asked = status === "pending" ? { asked: approvalAnswer(approval, policy) } : {};
  return going(books, {
    ...{ ok: true, approval_id: id, status, decided_by: decidedBy, reason, uses },
    ...asked,
  });
};
