/** What the warden is told of the books: by which revision an agent lives, and what that grants. Source: seed 003. */
import { isMap } from "../isMap.ts";
import type { Letter, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Books } from "./gatewayBooks.ts";
import { type Grant, intersected } from "./grant.ts";
import type { ReachPolicy } from "./reach.ts";
import type { Revision } from "./revision.ts";
import { revisionOf, revisionsOf } from "./revisionBook.ts";
import type { LivedRevision } from "./wardenMail.ts";
import { WARDEN } from "./wardenState.ts";

/** A letter for each agent of which another revision is active than before, or none. */
export function activeLetters(
  before: Books,
  after: Books,
  policy: { readonly reach: ReachPolicy },
): readonly Letter[] {
  return Object.keys(after.revisions.agents).flatMap((agent): Letter[] => {
    const [then, now] = [before, after].map(
      ({ revisions }) => revisionsOf(revisions, agent).active,
    );
    if (then === now) return [];
    const revision = now == null ? undefined : revisionOf(after.revisions, now);
    const left = then == null ? undefined : revisionOf(after.revisions, then);
    const event: MailOf<"active.changed"> = {
      ...{ type: "active.changed", agent },
      revision: revision === undefined ? null : lived(after, revision, policy),
      how: left?.state === "rolled_back" ? "rolledBack" : "activated",
    };
    return [{ to: WARDEN, event }];
  });
}

function lived(
  books: Books,
  { id, agent, content: { intent } }: Revision,
  { reach }: { readonly reach: ReachPolicy },
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
