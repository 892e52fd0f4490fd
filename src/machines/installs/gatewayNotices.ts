/** What the gateway is told rather than asked: the planner's word, how tasks stand, what became of an approval. Rulings I5, I8. */
import type { At, Letter, Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { approvalAddress, GATEWAY, PLANNER } from "./addresses.ts";
import { approvalDecided, pendingOf, timedOut } from "./gate/approval.ts";
import type { Books, Workflow } from "./gatewayBooks.ts";
import { asAgent, type Env } from "./gatewayCall.ts";
import type { Request } from "./gatewayState.ts";

export type Notice = Exclude<Request, { type: "gateway.asked" | "capability.called" }>;

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
      return decided(books, notice);
    case "approval.expired":
      return expired(books, notice, env);
    case "approval.ruled":
      return ruled(books, notice);
  }
}

/** Inputs of the scenario, or of whoever plays it. */
export const isOutside = ({ from }: Pick<At, "from">): boolean => from.startsWith("outside/");

const quiet = (books: Books): Noted => ({ books, letters: [] });

function refused(books: Books, { type: tool, at: { from: by } }: Notice, reason: string): Noted {
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
    return refused(books, notice, `only ${PLANNER} says this, and this is ${at.from}`);
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

function decided(books: Books, notice: Notice & { type: "approval.decided" }): Noted {
  const { approval: id, isApproved, by, reason, at } = notice;
  if (at.from !== approvalAddress(id)) {
    return refused(books, notice, `only ${approvalAddress(id)} says what became of it`);
  }
  const word = reason === null ? { isApproved, by } : { isApproved, by, reason };
  const after = approvalDecided(books.approvals, id, word);
  // What is said again after a restart is known already.
  if ("error" in after) return quiet(books);
  const { at: _, ...event } = notice;
  return { books: { ...books, approvals: after.approvals }, letters: toAsker(books, id, event) };
}

function expired(
  books: Books,
  notice: Notice & { type: "approval.expired" },
  { nowMs, policy }: Env,
): Noted {
  const { approval: id, at } = notice;
  if (at.from !== approvalAddress(id)) {
    return refused(books, notice, `only ${approvalAddress(id)} says what became of it`);
  }
  const after = timedOut(books.approvals, nowMs, policy);
  const late = after.ids.includes(id) ? ownValue(after.approvals, id) : undefined;
  if (late === undefined) return quiet(books);
  const { at: _, ...event } = notice;
  // Others that are late at this instant have letters of their own.
  const approvals = { ...books.approvals, [id]: late };
  return { books: { ...books, approvals }, letters: toAsker(books, id, event) };
}

/** Whoever asked for the install waits for it. */
function toAsker({ approvals }: Books, id: string, event: Letter["event"]): readonly Letter[] {
  const to = ownValue(approvals, id)?.requestedBy;
  return to === undefined || to.startsWith(asAgent("")) ? [] : [{ to, event }];
}

function ruled(books: Books, notice: Notice & { type: "approval.ruled" }): Noted {
  const { of, at } = notice;
  if (!isOutside(at)) {
    return refused(books, notice, "only a person, from outside, decides on an approval");
  }
  const id = ownValue(books.approvals, of)?.id ?? lastAsked(books, of);
  if (id === undefined) return refused(books, notice, `no approval of ${of} is open`);
  const { at: _, ...event } = notice;
  return { books, letters: [{ to: approvalAddress(id), event }] };
}

/** Of an agent: the open one, else one that timed out. */
const lastAsked = ({ approvals }: Books, agent: string): string | undefined =>
  pendingOf(approvals, agent)?.id ??
  Object.values(approvals).findLast(
    ({ status, intent }) => status === "timed-out" && intent.agent_id === agent,
  )?.id;
