/** What the gateway tells once its books are written: nothing that they do not say. Source: seed 003; rulings I1, I5 and I9. */
import { isMap } from "../../isMap.ts";
import { type Letter, type MailEvent, type MailOf, startActor } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { approvalAddress, GATEWAY, gateAddress, revisionAddress, WARDEN } from "../addresses.ts";
import type { InstallsPolicy } from "../installsPolicy.ts";
import type { LivedRevision } from "../mail.ts";
import type { CausalEntry } from "../revisions/causalChain.ts";
import type { Revision } from "../revisions/revision.ts";
import { revisionOf, revisionsOf } from "../revisions/revisionBook.ts";
import { type Grant, intersected } from "../warden/grant.ts";
import type { ReachPolicy } from "../warden/reach.ts";
import { type Books, gateOf } from "./books.ts";

/** What is so after and was not before. */
export function bookFacts(before: Books, after: Books, policy: InstallsPolicy): readonly Letter[] {
  const entries = after.revisions.history.entries.slice(before.revisions.history.entries.length);
  return [
    ...approvalFacts(before, after),
    ...revisionFacts(entries, after, policy),
    ...activeLetters(before, after, policy),
    ...judgements(before, after, policy),
    ...uses(before, after, entries),
  ];
}

function approvalFacts(before: Books, after: Books): readonly Letter[] {
  const added = Object.keys(after.approvals).filter((id) => !Object.hasOwn(before.approvals, id));
  return added.flatMap((id) => approvalBegun(after, id));
}

/** A person is asked by an actor of the approval's own. */
export function approvalBegun({ approvals, dossiers }: Books, id: string): readonly Letter[] {
  const [approval, dossier] = [ownValue(approvals, id), ownValue(dossiers, id)];
  if (approval === undefined || dossier === undefined) return [];
  const { agentId: agent, requestedBy: by, factors, artifactDigest } = dossier;
  const isExpired = approval.status === "timed-out";
  return [
    startActor("approval", approvalAddress(id), { approval: id, dossier, isExpired }),
    {
      to: GATEWAY,
      event: { type: "approval.requested", approval: id, agent, by, factors, artifactDigest },
    },
  ];
}

const uses = (before: Books, after: Books, entries: readonly CausalEntry[]): readonly Letter[] =>
  Object.values(after.approvals)
    .filter(({ id, uses: now }) => now > (ownValue(before.approvals, id)?.uses ?? 0))
    .map(({ id, intent: { agent_id: agent } }) => {
      const revision = entries.map(turnOf).find((turn) => turn?.agent === agent)?.id ?? "";
      return {
        to: approvalAddress(id),
        event: { type: "approval.used", approval: id, agent, revision },
      };
    });

/** Gates that were there before, and of which the records say something else now. */
const judgements = (before: Books, after: Books, policy: InstallsPolicy): readonly Letter[] =>
  Object.entries(after.gates).flatMap(([id, roles]): Letter[] => {
    const revision = revisionOf(before.revisions, id);
    if (revision === undefined || roles.length === 0) return [];
    const [then, now] = [gateOf(before, revision, policy), gateOf(after, revision, policy)];
    const missing = now.ok ? [] : now.missing;
    const reason = now.ok ? null : now.reason;
    if ((then.ok ? null : then.reason) === reason && roles === before.gates[id]) return [];
    return [{ to: gateAddress(id), event: { type: "gate.judged", revision: id, missing, reason } }];
  });

interface Turn {
  readonly id: string;
  readonly agent: string;
  readonly state: string;
  readonly approval: string | null;
  readonly notes: readonly string[];
}

/** What the book wrote in an entry of its history. */
function turnOf({ payload }: CausalEntry): Turn | null {
  if (!isMap(payload)) return null;
  const { revision: id, agent, state, rests = null } = payload;
  if (typeof id !== "string" || typeof agent !== "string" || typeof state !== "string") return null;
  const { approval = null, notes = [] } = isMap(rests) ? rests : {};
  return {
    ...{ id, agent, state, approval: typeof approval === "string" ? approval : null },
    notes: Array.isArray(notes) ? notes.filter((note) => typeof note === "string") : [],
  };
}

/** The entries of one act of the gateway, as they are told to the revisions. */
export function revisionFacts(
  entries: readonly CausalEntry[],
  books: Books,
  policy: InstallsPolicy,
): readonly Letter[] {
  const turns = entries.map(turnOf);
  return entries.flatMap((entry, index) => {
    const turn = turns[index] ?? null;
    if (turn === null) return [];
    const others = turns.filter((one) => one?.agent === turn.agent && one.id !== turn.id);
    const started = turn.state === "created" ? lives(turn, books, policy) : [];
    const event = factOf(turn, entry, others, books);
    return event === null ? started : [...started, { to: revisionAddress(turn.id), event }];
  });
}

function lives({ id, agent }: Turn, books: Books, policy: InstallsPolicy): readonly Letter[] {
  const life = startActor("revision", revisionAddress(id), { revision: id, agent, state: "draft" });
  return [life, ...gateBegun(books, id, policy)];
}

/** Where a revision needs a judge, an actor of its own stands for the gate. */
function gateBegun(books: Books, id: string, policy: InstallsPolicy): readonly Letter[] {
  const revision = revisionOf(books.revisions, id);
  if (revision === undefined || (books.gates[id] ?? []).length === 0) return [];
  const now = gateOf(books, revision, policy);
  const missing = now.ok ? [] : now.missing;
  return [startActor("promotionGate", gateAddress(id), { revision: id, missing })];
}

function factOf(
  { id: revision, agent, state, approval, notes }: Turn,
  { actor_id: by, reason }: CausalEntry,
  others: readonly (Turn | null)[],
  books: Books,
): MailEvent | null {
  const step = { revision, agent, by, reason };
  const gates = ownValue(books.gates, revision) ?? [];
  const left = others.find((one) => one?.state === "superseded" || one?.state === "rolled_back");
  const next = others.find((one) => one?.state === "active");
  switch (state) {
    case "created": {
      const artifact = revisionOf(books.revisions, revision)?.content.artifact?.id ?? null;
      return { type: "revision.created", revision, agent, by, artifact, gates, approval, notes };
    }
    case "gated":
      return { type: "revision.gated", ...step, gates };
    case "approved":
      return { type: "revision.approved", ...step };
    case "active":
      return { type: "revision.activated", ...step, before: left?.id ?? null };
    case "superseded":
      return { type: "revision.superseded", ...step, after: next?.id ?? "" };
    case "rolled_back":
      return { type: "revision.rolledBack", ...step, after: next?.id ?? null };
    case "rejected":
      return { type: "revision.rejected", ...step };
    default:
      return null;
  }
}

/* What the warden is told: by which revision an agent lives, and what that grants. */

/** A letter for each agent of which another revision is active than before, or none. */
export const activeLetters = (
  before: Books,
  after: Books,
  policy: ReachingPolicy,
): readonly Letter[] =>
  Object.keys(after.revisions.agents)
    .filter((agent) => activeOf(before, agent) !== activeOf(after, agent))
    .map((agent) => {
      const left = revisionOf(after.revisions, activeOf(before, agent) ?? "");
      return changed(
        after,
        agent,
        left?.state === "rolled_back" ? "rolledBack" : "activated",
        policy,
      );
    });

/** A letter for every agent: after a restart nobody knows what was told. */
export const activeNow = (books: Books, policy: ReachingPolicy): readonly Letter[] =>
  Object.keys(books.revisions.agents).map((agent) => changed(books, agent, "activated", policy));

interface ReachingPolicy {
  readonly reach: ReachPolicy;
}

const activeOf = ({ revisions }: Books, agent: string): string | null =>
  revisionsOf(revisions, agent).active;

function changed(
  books: Books,
  agent: string,
  how: "activated" | "rolledBack",
  policy: ReachingPolicy,
): Letter {
  const active = revisionOf(books.revisions, activeOf(books, agent) ?? "");
  const revision = active === undefined ? null : lived(books, active, policy);
  const event: MailOf<"active.changed"> = { type: "active.changed", agent, revision, how };
  return { to: WARDEN, event };
}

function lived(
  books: Books,
  { id, agent, content: { intent } }: Revision,
  { reach }: ReachingPolicy,
): LivedRevision {
  const { description, instructions, capabilities } = intent;
  // The book holds canonical intents alone.
  const declared = capabilities as unknown as readonly Grant[];
  const approved = approvedFor(books, id);
  const lists = approved === null ? ([declared] as const) : ([declared, approved] as const);
  return {
    ...{ id, description: String(description), instructions: String(instructions) },
    grants: intersected(lists, agent, reach.scopes),
  };
}

/** What the person was shown who approved of it; null where nobody was asked. */
function approvedFor({ revisions, approvals }: Books, id: string): readonly Grant[] | null {
  for (const { payload } of revisions.history.entries) {
    if (!isMap(payload) || payload["revision"] !== id || payload["state"] !== "created") continue;
    const rests = payload["rests"] ?? null;
    const approval = isMap(rests) ? rests["approval"] : null;
    const found = typeof approval === "string" ? ownValue(approvals, approval) : undefined;
    return found?.intent.capabilities ?? null;
  }
  return null;
}
