/**
 * The revisions of all agents, how they came to be what they are, what agent.revision.list, inspect and diff answer, and
 * whether such a book is whole. States change with an entry of the history, and in no other way. An immutable value.
 * Source: seed 003, "Other revision tools"; ruling I1.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { faultOnly, type Refused } from "../fault.ts";
import {
  type CausalChain,
  type ChainPolicy,
  chained,
  chainFault,
  NO_HISTORY,
} from "./causalChain.ts";
import {
  type Revision,
  type RevisionContent,
  type RevisionState,
  revisionHash,
  revisionIdOf,
  STEPS,
  type Step,
} from "./revision.ts";

export const rollbackLeaves = {
  toNothing: choice("refused", ["refused", "ends"], {
    says: "What a rollback does where nothing was active before: nothing, or it leaves the agent without an active revision.",
    source: "RULINGS I1 names no such case: ours",
  }),
};

export type BookPolicy = {
  readonly rollback: ValuesOf<typeof rollbackLeaves>;
  readonly history: ChainPolicy;
};

interface AgentRevisions {
  readonly active: string | null;
  /** Superseded ones, the newest last: by when they ceased to be active. */
  readonly superseded: readonly string[];
}

export interface RevisionBook {
  /** By id, in the order in which they were created. */
  readonly revisions: { readonly [id: string]: Revision };
  readonly agents: { readonly [agent: string]: AgentRevisions };
  readonly history: CausalChain;
}

export const NO_REVISIONS: RevisionBook = { revisions: {}, agents: {}, history: NO_HISTORY };

/** Who does it, in which session, when, and why. */
export interface Doing {
  readonly by: string;
  readonly session: string;
  readonly timestamp: string;
  readonly reason: string | null;
  /** What it rests on, such as an approval or records. */
  readonly rests?: Json;
}

type Act = Doing & { readonly policy: BookPolicy };

export interface Booked {
  readonly book: RevisionBook;
  readonly revision: Revision;
  /** False where all was so before. */
  readonly isNew: boolean;
}

export const revisionOf = (book: RevisionBook, id: string): Revision | undefined =>
  ownValue(book.revisions, id);

export const revisionsOf = ({ agents }: RevisionBook, agent: string): AgentRevisions =>
  ownValue(agents, agent) ?? { active: null, superseded: [] };

/** A new draft; the same content is the revision that is there. */
export function created(
  book: RevisionBook,
  { agent, content, summary }: { agent: string; content: RevisionContent; summary: string | null },
  doing: Doing,
  policy: BookPolicy,
): Booked | Refused {
  const hash = revisionHash(content);
  const id = revisionIdOf(hash);
  const before = revisionOf(book, id);
  if (before?.hash === hash && before.agent === agent)
    return { book, revision: before, isNew: false };
  if (before !== undefined) return sameId(id);
  const { by, timestamp } = doing;
  const revision: Revision = { id, agent, hash, content, state: "draft", summary, by, timestamp };
  const agents = { ...book.agents, [agent]: revisionsOf(book, agent) };
  const revisions = { ...book.revisions, [id]: revision };
  const history = withEntry(book, revision, "created", { ...doing, policy });
  return { book: { revisions, agents, history }, revision, isNew: true };
}

const sameId = (id: string): Refused =>
  faultOnly({
    field: "revision_id",
    found: `${id}, of another content`,
    allowed: "a content whose id is free",
    todo: "change the summary's neighbours: description or instructions, by a word",
    said: `revision '${id}' exists with another content. Refusing reuse.`,
  });

/** One step of a revision. Taken again, it changes nothing. */
export function stepped(
  book: RevisionBook,
  step: Step,
  { agent, id }: { readonly agent: string; readonly id: string },
  doing: Doing,
  policy: BookPolicy,
): Booked | Refused {
  const revision = ownRevision(book, agent, id);
  if ("fault" in revision) return revision;
  const { to, from } = STEPS[step];
  if (revision.state === to) return { book, revision, isNew: false };
  if (!from.includes(revision.state)) return wrongState(revision, step, from);
  return step === "activated"
    ? activated(book, revision, "superseded", { ...doing, policy })
    : turned(book, revision, to, { ...doing, policy });
}

/** As `to` of a rollback: the agent is left without an active revision. */
export const NOTHING = "none";

/** Makes active what was active before: `to`, else what was superseded last; `none` switches the agent off. */
export function rolledBack(
  book: RevisionBook,
  { agent, to }: { readonly agent: string; readonly to?: string },
  doing: Doing,
  policy: BookPolicy,
): Booked | Refused {
  const act = { ...doing, policy };
  if (to !== undefined && to !== NOTHING) return backTo(book, agent, to, act);
  const { active, superseded } = revisionsOf(book, agent);
  const current = active === null ? undefined : revisionOf(book, active);
  if (current === undefined) return nothingActive(agent);
  const before = to === NOTHING ? undefined : superseded.at(-1);
  if (before !== undefined) return backTo(book, agent, before, act);
  return to === NOTHING || policy.rollback.toNothing === "ends"
    ? turned(book, current, "rolled_back", act)
    : nothingBefore(agent, current.id);
}

/** Also of an agent that is switched off. */
function backTo(book: RevisionBook, agent: string, id: string, act: Act): Booked | Refused {
  const target = ownRevision(book, agent, id);
  if ("fault" in target) return target;
  if (!WERE_ACTIVE.includes(target.state)) return wrongState(target, "rollback", WERE_ACTIVE);
  return activated(book, target, "rolled_back", act);
}

/** No gate is passed by a rollback: such a revision passed its own when it became active. */
const WERE_ACTIVE: readonly RevisionState[] = ["superseded", "rolled_back"];

/** First the one that was active is no longer, then the other one is. */
function activated(
  book: RevisionBook,
  revision: Revision,
  predecessor: "superseded" | "rolled_back",
  act: Act,
): Booked {
  const { active } = revisionsOf(book, revision.agent);
  const current = active === null ? undefined : revisionOf(book, active);
  const without = current === undefined ? book : turned(book, current, predecessor, act).book;
  return turned(without, revision, "active", act);
}

/** The only place where a state changes. */
function turned(
  book: RevisionBook,
  { id, agent }: Revision,
  state: RevisionState,
  act: Act,
): Booked {
  const before = book.revisions[id] as Revision; // Every caller took it from this book.
  const revision: Revision = { ...before, state };
  const revisions = { ...book.revisions, [id]: revision };
  const agents = { ...book.agents, [agent]: turnedOf(revisionsOf(book, agent), id, state) };
  const history = withEntry(book, revision, state, act);
  return { book: { revisions, agents, history }, revision, isNew: true };
}

/** What an agent has, once one of its revisions is in this state. */
function turnedOf(
  { active, superseded }: AgentRevisions,
  id: string,
  state: RevisionState,
): AgentRevisions {
  const others = superseded.filter((one) => one !== id);
  if (state === "active") return { active: id, superseded: others };
  return {
    active: active === id ? null : active,
    superseded: state === "superseded" ? [...others, id] : others,
  };
}

function withEntry(
  { history }: RevisionBook,
  { id, agent, hash, summary }: Revision,
  state: string,
  { by, session, timestamp, reason, rests = null, policy }: Act,
): CausalChain {
  const event_seq = history.entries.length + 1;
  const fact = {
    ...{ timestamp, log_id: `${id}#${event_seq}`, actor_id: by, session_id: session },
    ...{ turn_id: null, event_seq, category: "revision", action: `revision.${state}` },
    ...{ target: agent, status: "SUCCESS" as const, reason },
    payload: { agent, revision: id, hash, state, summary, rests },
  };
  return chained(history, fact, policy.history);
}

export function ownRevision(book: RevisionBook, agent: string, id: string): Revision | Refused {
  const revision = revisionOf(book, id);
  if (revision?.agent === agent) return revision;
  const ids = Object.values(book.revisions).filter((one) => one.agent === agent);
  return faultOnly({
    field: "revision_id",
    found: revision === undefined ? `'${id}'` : `'${id}', of agent '${revision.agent}'`,
    allowed:
      ids.length === 0 ? "none: the agent has no revision" : ids.map((one) => one.id).join(", "),
    todo: "call agent.revision.list",
    said: `revision '${id}' of agent '${agent}' not found`,
  });
}

const wrongState = (
  { id, state }: Revision,
  step: string,
  from: readonly RevisionState[],
): Refused =>
  faultOnly({
    field: "revision_id",
    found: `'${id}', which is ${state}`,
    allowed: `a revision that is ${from.join(" or ")}`,
    todo: "call agent.revision.inspect, and report to the planner",
    said: `revision '${id}' is ${state}: ${step} needs ${from.join(" or ")}`,
  });

const nothingActive = (agent: string): Refused =>
  faultOnly({
    field: "agent_id",
    found: `'${agent}', of which no revision is active`,
    allowed: "an agent with an active revision",
    todo: "promote a revision",
    said: `agent '${agent}' has no active revision to roll back`,
  });

const nothingBefore = (agent: string, id: string): Refused =>
  faultOnly({
    field: "revision_id",
    found: `'${id}', the first that was active`,
    allowed: "an agent with a superseded revision, or `to`, a revision that was active before",
    todo: "promote a better revision, or switch the agent off: `to` none",
    said: `agent '${agent}' has no superseded revision to roll back to`,
  });

/** Of one agent, the newest first. */
export const listed = (book: RevisionBook, agent: string) =>
  Object.values(book.revisions)
    .filter((one) => one.agent === agent)
    .map(({ id, state, summary, content, by, timestamp }) => ({
      ...{ revision_id: id, state, summary, artifact_id: content.artifact?.id ?? null },
      ...{ created_by: by, created_at: timestamp },
    }))
    .reverse();

/** With the agent's entries that name this revision. */
export function inspected(book: RevisionBook, agent: string, id: string) {
  const revision = ownRevision(book, agent, id);
  if ("fault" in revision) return revision;
  const history = book.history.entries.filter(({ payload }) => turnIn(payload)?.id === id);
  return { revision, history };
}

export const inspectedAgent = (book: RevisionBook, agent: string) => ({
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

export interface FieldChange {
  /** A JSON pointer (RFC 6901). */
  readonly path: string;
  /** Absent where the field was not there. */
  readonly before?: Json;
  /** Absent where the field is gone. */
  readonly after?: Json;
}

/** In the order of paths, part by part. Lists are compared place by place. */
function fieldDiff(before: Json, after: Json, path = ""): readonly FieldChange[] {
  const [was, is] = [membersOf(before), membersOf(after)];
  if (was === null || is === null || Array.isArray(before) !== Array.isArray(after)) {
    return before === after ? [] : [{ path, before, after }];
  }
  const keys = [...new Set([...was.keys(), ...is.keys()])];
  if (!Array.isArray(before)) keys.sort();
  return keys.flatMap((key) => {
    const at = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [old, now] = [was.get(key), is.get(key)];
    if (old === undefined) return now === undefined ? [] : [{ path: at, after: now }];
    return now === undefined ? [{ path: at, before: old }] : fieldDiff(old, now, at);
  });
}

function membersOf(value: Json): ReadonlyMap<string, Json> | null {
  if (Array.isArray(value)) return new Map(value.map((item: Json, index) => [String(index), item]));
  return isMap(value) ? new Map(Object.entries(value)) : null;
}

/** What an entry of the history says became of which revision; null for any other entry. */
function turnIn(payload: Json) {
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
    const known = ownValue(agents, agent) ?? { active: null, superseded: [] };
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
  const told = ownValue(states, id);
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
