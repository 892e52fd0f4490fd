/** The gateway's tools for revisions that are there: promoted, rolled back, rejected, looked at. Source: seed 003; rulings I1, I9. */
import type { Json } from "../../letter.ts";
import { gateAddress } from "../addresses.ts";
import type { Refused } from "../fault.ts";
import type { Revision } from "../revisions/revision.ts";
import {
  type Booked,
  inspected,
  inspectedAgent,
  listed,
  ownRevision,
  revisionDiff,
  rolledBack,
  stepped,
} from "../revisions/revisionBook.ts";
import {
  artifactOf,
  type Books,
  type Call,
  doing,
  type Env,
  failing,
  faulty,
  gateOf,
  going,
  misshapen,
  nameTaken,
  readParams,
  type Served,
  type Tool,
} from "./books.ts";

const SHAPE = 'Correct format: {"agent_id": "weather-fetcher", "revision_id": "rev-a1b2c3d4"}';
const must = { isRequired: true, todo: SHAPE };

const named = (call: Call, fields: readonly string[] = []) =>
  readParams(call, ["agent_id", "revision_id", ...fields], (read) => ({
    agent: read.text("agent_id", must) ?? "",
    id: read.text("revision_id", must) ?? "",
    reason: fields.includes("reason") ? read.text("reason", { todo: SHAPE }) : null,
  }));

/** Activates a revision, if its gate lets it: by what the records say now, whatever anybody claims. */
export const promote: Tool = (books, call, env) => {
  const given = named(call);
  if ("faults" in given) return misshapen(books, given.faults);
  const revision = ownRevision(books.revisions, given.value.agent, given.value.id);
  if ("fault" in revision) return faulty(books, revision.fault);
  if (revision.state === "active") return going(books, activeNow(revision, false));
  const taken = nameTaken(books, revision.agent, env);
  if (taken !== null) return taken;
  const tampered = tamperedFault(books, revision);
  if (tampered !== null) return rejectedFor(books, revision, tampered, call, env);
  const gate = gateOf(books, revision, env.policy);
  if (!gate.ok) {
    const { reason } = gate;
    const event = { type: "gate.refused", revision: revision.id, by: call.from, reason } as const;
    const letters = [{ to: gateAddress(revision.id), event }];
    return { ...failing(books, [reason], gate.todo), letters } as Served; // It has books and an answer.
  }
  const rests = { records: revision.content.artifact?.id ?? null };
  const approved =
    revision.state === "gated"
      ? step(books, "approved", revision, doing(call, env, "its judges have passed it", rests), env)
      : { books, revision };
  if ("fault" in approved) return faulty(books, approved.fault);
  const active = step(approved.books, "activated", revision, doing(call, env, null, rests), env);
  if ("fault" in active) return faulty(books, active.fault);
  return going(active.books, activeNow(active.revision, true));
};

const activeNow = ({ agent, id, state }: Revision, isNew: boolean): Json => ({
  ok: true,
  status: isNew ? "promoted" : "already_active",
  ...{ agent_id: agent, revision_id: id, state },
});

function step(
  books: Books,
  what: "approved" | "activated" | "rejected",
  { agent, id }: Revision,
  did: ReturnType<typeof doing>,
  { policy }: Env,
): { readonly books: Books; readonly revision: Revision } | Refused {
  return kept(books, stepped(books.revisions, what, { agent, id }, did, policy));
}

const kept = (books: Books, done: Booked | Refused) =>
  "fault" in done ? done : { books: { ...books, revisions: done.book }, revision: done.revision };

/** Its artifact is not what was judged. */
function tamperedFault(books: Books, { content: { artifact } }: Revision): string | null {
  if (artifact === null) return null;
  const found = artifactOf(books, artifact.id);
  if ("fault" in found) return found.fault.said;
  return found.artifact.digest === artifact.digest
    ? null
    : `artifact '${artifact.id}' has digest ${found.artifact.digest}, and the revision was made of ${artifact.digest}`;
}

function rejectedFor(books: Books, revision: Revision, why: string, call: Call, env: Env): Served {
  const done = step(books, "rejected", revision, doing(call, env, why), env);
  return failing("fault" in done ? books : done.books, [why]);
}

export const rollback: Tool = (books, call, env) => {
  const given = readParams(call, ["agent_id", "to", "reason"], (read) => ({
    agent: read.text("agent_id", must) ?? "",
    to: read.text("to", { todo: SHAPE }),
    reason: read.text("reason", { todo: SHAPE }),
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const { agent, to, reason } = given.value;
  const which = to === null ? { agent } : { agent, to };
  const done = kept(
    books,
    rolledBack(books.revisions, which, doing(call, env, reason), env.policy),
  );
  if ("fault" in done) return faulty(books, done.fault);
  const { active } = inspectedAgent(done.books.revisions, agent);
  return going(done.books, { ok: true, status: "rolled_back", agent_id: agent, active });
};

/** For good: the builder's own word on a revision that is not to become active. */
export const reject: Tool = (books, call, env) => {
  const given = named(call, ["reason"]);
  if ("faults" in given) return misshapen(books, given.faults);
  const { agent, id, reason } = given.value;
  const revision = ownRevision(books.revisions, agent, id);
  if ("fault" in revision) return faulty(books, revision.fault);
  const done = step(books, "rejected", revision, doing(call, env, reason), env);
  if ("fault" in done) return faulty(books, done.fault);
  return going(done.books, { ok: true, status: "rejected", agent_id: agent, revision_id: id });
};

export const list: Tool = (books, call) => {
  const given = readParams(call, ["agent_id"], (read) => read.text("agent_id", must) ?? "");
  if ("faults" in given) return misshapen(books, given.faults);
  const { active } = inspectedAgent(books.revisions, given.value);
  const revisions = listed(books.revisions, given.value).map((one) => ({ ...one }));
  return going(books, { ok: true, agent_id: given.value, active, revisions });
};

export const inspect: Tool = (books, call) => {
  const given = readParams(call, ["agent_id", "revision_id"], (read) => ({
    agent: read.text("agent_id", must) ?? "",
    id: read.text("revision_id", { todo: SHAPE }),
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const { agent, id } = given.value;
  if (id === null) {
    const { revisions, ...one } = inspectedAgent(books.revisions, agent);
    const all = revisions.map((each) => ({ ...each }));
    return going(books, { ok: true, ...one, revisions: all });
  }
  const found = inspected(books.revisions, agent, id);
  if ("fault" in found) return faulty(books, found.fault);
  const { revision, history } = found;
  const { intent, artifact, files } = revision.content;
  return going(books, {
    ...{ ok: true, agent_id: agent, revision_id: id, state: revision.state, intent, files },
    ...{ artifact, gates: books.gates[id] ?? [], hash: revision.hash, summary: revision.summary },
    history: history.map(({ action, actor_id, timestamp, reason, entry_hash }) => ({
      ...{ action, by: actor_id, at: timestamp, reason, entry_hash },
    })),
  });
};

const DIFF_SHAPE =
  'Correct format: {"agent_id": "weather-fetcher", "from": "rev-a1b2c3d4", "to": "rev-e5f6a7b8"}';

export const diff: Tool = (books, call) => {
  const rule = { isRequired: true, todo: DIFF_SHAPE };
  const given = readParams(call, ["agent_id", "from", "to"], (read) => ({
    agent: read.text("agent_id", rule) ?? "",
    ids: [read.text("from", rule) ?? "", read.text("to", rule) ?? ""] as const,
  }));
  if ("faults" in given) return misshapen(books, given.faults);
  const found = revisionDiff(books.revisions, given.value.agent, given.value.ids);
  if ("fault" in found) return faulty(books, found.fault);
  return going(books, { ok: true, changes: found.changes.map((change) => ({ ...change })) });
};
