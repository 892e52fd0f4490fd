/** What agent.revision.list, inspect and diff answer, and whether a book of revisions is whole. Source: ruling I1. */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { type CausalChain, type CausalEntry, type ChainPolicy, chainFault } from "./causalChain.ts";
import { type FieldChange, fieldDiff } from "./fieldDiff.ts";
import { type Revision, type RevisionState, revisionHash, revisionIdOf } from "./revision.ts";
import {
  type AgentRevisions,
  ownRevision,
  type RevisionBook,
  revisionsOf,
  turnedOf,
} from "./revisionBook.ts";
import type { Refused } from "./toolFault.ts";

export interface ListedRevision {
  readonly revision_id: string;
  readonly state: RevisionState;
  readonly summary: string | null;
  readonly artifact_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

/** Of one agent, the newest first. */
export const listed = (book: RevisionBook, agent: string): readonly ListedRevision[] =>
  Object.values(book.revisions)
    .filter((one) => one.agent === agent)
    .map(({ id, state, summary, content, by, timestamp }) => ({
      ...{ revision_id: id, state, summary, artifact_id: content.artifact?.id ?? null },
      ...{ created_by: by, created_at: timestamp },
    }))
    .reverse();

export interface InspectedRevision {
  readonly revision: Revision;
  /** The agent's entries that name this revision. */
  readonly history: readonly CausalEntry[];
}

export function inspected(
  book: RevisionBook,
  agent: string,
  id: string,
): InspectedRevision | Refused {
  const revision = ownRevision(book, agent, id);
  if ("fault" in revision) return revision;
  const history = book.history.entries.filter(({ payload }) => turnIn(payload)?.id === id);
  return { revision, history };
}

export interface InspectedAgent extends AgentRevisions {
  readonly agent: string;
  readonly revisions: readonly ListedRevision[];
}

export const inspectedAgent = (book: RevisionBook, agent: string): InspectedAgent => ({
  agent,
  ...revisionsOf(book, agent),
  revisions: listed(book, agent),
});

/** What the second has that the first has not, and the reverse: of contents, whatever their states. */
export function revisionDiff(
  book: RevisionBook,
  agent: string,
  [from, to]: readonly [string, string],
): { readonly changes: readonly FieldChange[] } | Refused {
  const [before, after] = [ownRevision(book, agent, from), ownRevision(book, agent, to)];
  if ("fault" in before) return before;
  if ("fault" in after) return after;
  return { changes: fieldDiff(jsonOf(before), jsonOf(after)) };
}

const jsonOf = ({ content: { intent, artifact, files } }: Revision): Json => ({
  intent,
  artifact: artifact === null ? null : { ...artifact },
  files,
});

interface Turn {
  readonly agent: string;
  readonly id: string;
  readonly state: RevisionState;
}

/** What an entry of the history says became of which revision; null for any other entry. */
function turnIn(payload: Json): Turn | null {
  if (!isMap(payload)) return null;
  const { agent, revision: id, state } = payload;
  if (typeof agent !== "string" || typeof id !== "string" || typeof state !== "string") return null;
  const became = state === "created" ? "draft" : state;
  return { agent, id, state: became as RevisionState }; // As the book wrote it; its chain is checked first.
}

export interface Recount {
  readonly states: { readonly [id: string]: RevisionState };
  readonly agents: { readonly [agent: string]: AgentRevisions };
}

/** What the history alone says. */
export function recounted({ entries }: CausalChain): Recount {
  let [states, agents]: [Recount["states"], Recount["agents"]] = [{}, {}];
  for (const { payload } of entries) {
    const turn = turnIn(payload);
    if (turn === null) continue;
    const { agent, id, state } = turn;
    const before = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
    const known = before ?? { active: null, superseded: [] };
    states = { ...states, [id]: state };
    agents = { ...agents, [agent]: turnedOf(known, id, state) };
  }
  return { states, agents };
}

/** Where a book is not what its history and its contents say; null when it is whole. */
export function bookFault(book: RevisionBook, policy: ChainPolicy): string | null {
  const broken = chainFault(book.history, policy);
  if (broken !== null) {
    return `history entry ${broken.at}: ${broken.field} is ${broken.found}, expected ${broken.expected}`;
  }
  const { states, agents } = recounted(book.history);
  for (const revision of Object.values(book.revisions)) {
    const fault = revisionFault(revision, book.history, states);
    if (fault !== null) return `revision ${revision.id}: ${fault}`;
  }
  const missing = Object.keys(states).find((id) => !Object.hasOwn(book.revisions, id));
  if (missing !== undefined) return `revision ${missing}: it is in the history alone`;
  const odd = [...Object.keys(agents), ...Object.keys(book.agents)].find(
    (agent) => fieldDiff(plain(agents[agent]), plain(book.agents[agent])).length > 0,
  );
  return odd === undefined ? null : `agent ${odd}: what is active is not what the history says`;
}

function revisionFault(
  { id, agent, hash, content, state, summary, by, timestamp }: Revision,
  { entries }: CausalChain,
  states: Recount["states"],
): string | null {
  if (revisionHash(content) !== hash || revisionIdOf(hash) !== id) {
    return "its content is not what its id says";
  }
  const told = Object.hasOwn(states, id) ? states[id] : undefined;
  if (told !== state) return `it is ${state}, and ${told ?? "absent"} in the history`;
  const first = entries.find(({ payload }) => turnIn(payload)?.id === id);
  const isAsTold =
    first?.actor_id === by &&
    first.timestamp === timestamp &&
    isMap(first.payload) &&
    first.payload["summary"] === summary &&
    first.payload["hash"] === hash &&
    first.payload["agent"] === agent;
  return isAsTold ? null : "it was created otherwise";
}

const plain = (one: AgentRevisions | undefined): Json => (one === undefined ? null : { ...one });
