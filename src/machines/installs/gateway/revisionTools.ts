/** The gateway's tools for revisions that are there: promoted, rolled back, rejected, looked at. Source: seed 003; rulings I1, I9. */
import type { Json } from "../../letter.ts";
import { gateAddress } from "../addresses.ts";
import { type FieldReader, type Refused, TEXT } from "../fault.ts";
import type { Revision } from "../revisions/revision.ts";
import {
  type Booked,
  type Doing,
  inspected,
  inspectedAgent,
  ownRevision,
  revisionDiff,
  rolledBack,
  stepped,
} from "../revisions/revisionBook.ts";
import {
  artifactOf,
  type Books,
  doing,
  type Env,
  failing,
  gateOf,
  going,
  nameTaken,
  tool,
} from "./books.ts";

const SHAPE = 'Correct format: {"agent_id": "weather-fetcher", "revision_id": "rev-a1b2c3d4"}';
const agentIn = (read: FieldReader): string => read.must(TEXT, "agent_id");

const revisionIn = (read: FieldReader) => ({
  agent: agentIn(read),
  id: read.must(TEXT, "revision_id"),
});

/** Activates a revision, if its gate lets it: by what the records say now, whatever anybody claims. */
export const promote = tool(SHAPE, revisionIn, (books, { agent, id }, call, env) => {
  const revision = ownRevision(books.revisions, agent, id);
  if ("fault" in revision) return revision;
  if (revision.state === "active") return going(books, activeNow(revision, "already_active"));
  const taken = nameTaken(books, agent, env);
  if (taken !== null) return taken;
  const tampered = tamperedFault(books, revision);
  if (tampered !== null) {
    const done = step(books, "rejected", revision, doing(call, env, tampered), env);
    return failing("fault" in done ? books : done.books, [tampered]);
  }
  const gate = gateOf(books, revision, env.policy);
  if (!gate.ok) {
    const { reason } = gate;
    const event = { type: "gate.refused", revision: id, by: call.from, reason } as const;
    return { ...failing(books, [reason], gate.todo), letters: [{ to: gateAddress(id), event }] };
  }
  const rests = { records: revision.content.artifact?.id ?? null };
  const approved =
    revision.state === "gated"
      ? step(books, "approved", revision, doing(call, env, "its judges have passed it", rests), env)
      : { books, revision };
  if ("fault" in approved) return approved;
  const active = step(approved.books, "activated", revision, doing(call, env, null, rests), env);
  return "fault" in active ? active : going(active.books, activeNow(active.revision, "promoted"));
});

const activeNow = (
  { agent, id, state }: Revision,
  status: "promoted" | "already_active",
): Json => ({
  ...{ ok: true, status, agent_id: agent, revision_id: id, state },
});

const step = (
  books: Books,
  what: "approved" | "activated" | "rejected",
  revision: Revision,
  did: Doing,
  { policy }: Env,
) => withBook(books, stepped(books.revisions, what, revision, did, policy));

const withBook = (books: Books, done: Booked | Refused) =>
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

export const rollback = tool(
  SHAPE,
  (read) => ({
    agent: agentIn(read),
    to: read.may(TEXT, "to"),
    reason: read.may(TEXT, "reason"),
  }),
  (books, { agent, to, reason }, call, env) => {
    const which = to === null ? { agent } : { agent, to };
    const did = doing(call, env, reason);
    const done = withBook(books, rolledBack(books.revisions, which, did, env.policy));
    if ("fault" in done) return done;
    const { active } = inspectedAgent(done.books.revisions, agent);
    return going(done.books, { ok: true, status: "rolled_back", agent_id: agent, active });
  },
);

/** For good: the builder's own word on a revision that is not to become active. */
export const reject = tool(
  SHAPE,
  (read) => ({ ...revisionIn(read), reason: read.may(TEXT, "reason") }),
  (books, { agent, id, reason }, call, env) => {
    const revision = ownRevision(books.revisions, agent, id);
    if ("fault" in revision) return revision;
    const done = step(books, "rejected", revision, doing(call, env, reason), env);
    if ("fault" in done) return done;
    return going(done.books, { ok: true, status: "rejected", agent_id: agent, revision_id: id });
  },
);

export const list = tool(SHAPE, agentIn, (books, agent) => {
  const { active, revisions } = inspectedAgent(books.revisions, agent);
  const all = revisions.map((one) => ({ ...one }));
  return going(books, { ok: true, agent_id: agent, active, revisions: all });
});

export const inspect = tool(
  SHAPE,
  (read) => ({ agent: agentIn(read), id: read.may(TEXT, "revision_id") }),
  (books, { agent, id }) => {
    if (id === null) {
      const { revisions, ...one } = inspectedAgent(books.revisions, agent);
      const all = revisions.map((each) => ({ ...each }));
      return going(books, { ok: true, ...one, revisions: all });
    }
    const found = inspected(books.revisions, agent, id);
    if ("fault" in found) return found;
    const { revision, history } = found;
    const { intent, artifact, files } = revision.content;
    return going(books, {
      ...{ ok: true, agent_id: agent, revision_id: id, state: revision.state, intent, files },
      ...{ artifact, gates: books.gates[id] ?? [], hash: revision.hash, summary: revision.summary },
      history: history.map(({ action, actor_id, timestamp, reason, entry_hash }) => ({
        ...{ action, by: actor_id, at: timestamp, reason, entry_hash },
      })),
    });
  },
);

const DIFF_SHAPE =
  'Correct format: {"agent_id": "weather-fetcher", "from": "rev-a1b2c3d4", "to": "rev-e5f6a7b8"}';

export const diff = tool(
  DIFF_SHAPE,
  (read) => ({
    agent: agentIn(read),
    ids: [read.must(TEXT, "from"), read.must(TEXT, "to")] as const,
  }),
  (books, { agent, ids }) => {
    const found = revisionDiff(books.revisions, agent, ids);
    if ("fault" in found) return found;
    return going(books, { ok: true, changes: found.changes.map((change) => ({ ...change })) });
  },
);
