/** What the warden is told of the books: by which revision an agent lives, and what that grants. Source: seed 003. */
import { isMap } from "../isMap.ts";
import type { Letter, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { WARDEN } from "./addresses.ts";
import type { Books } from "./gatewayBooks.ts";
import type { LivedRevision } from "./mail.ts";
import type { Revision } from "./revisions/revision.ts";
import { revisionOf, revisionsOf } from "./revisions/revisionBook.ts";
import { type Grant, intersected } from "./warden/grant.ts";
import type { ReachPolicy } from "./warden/reach.ts";

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
