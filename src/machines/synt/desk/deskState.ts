/**
 * What the desk of synt keeps, what it looks for among its requests so that it need not go through
 * all that there ever were, both as plain data, and how it notes something in the audit.
 */
import { apartIn, Entries, plainOf } from "../../entries.ts";
import { isoTime } from "../../isoTime.ts";
import type { At, Json, Letter, MailOf } from "../../letter.ts";
import type { Kept } from "../../service.ts";
import { sortedJson } from "../../sortedJson.ts";
import {
  AUDIT_FOLDER,
  type Dossier,
  isTerminal,
  type ProposalState,
  type Wanted,
} from "../contract.ts";
import { about, type Facts, noted } from "../facts.ts";
import type { Bindings } from "../stages/stageTiers.ts";
import type { Accounts } from "./budget.ts";
import { type Locks, normalised } from "./locks.ts";

export interface DeskState {
  /** Virtual time 0, in ms since 1970. */
  readonly startsAtMs: number;
  readonly bindings: Bindings;
  /** What must be mended before anything is synthesised. */
  readonly faults: readonly string[];
  readonly accounts: Accounts;
  readonly locks: Locks;
  /** The request that made each lock. */
  readonly lockers: { readonly [key: string]: string };
  readonly requests: Entries<Request>;
  /** User turns that are open: nothing introspective starts meanwhile. */
  readonly turns: readonly string[];
  /** What waits for turns to close, with the number of its asking. */
  readonly waiting: readonly { readonly wanted: Wanted; readonly seq: number }[];
  /** Vetoed directions, with the profiles as they were. */
  readonly suspended: { readonly [direction: string]: string };
  /** What waits for the person at the gate of the night, by request. */
  readonly proposals: { readonly [request: string]: Proposal };
  /** Dossiers shown so far: the number of the last. */
  readonly dossiers: number;
  /** What made locks, spending and answers. */
  readonly facts: Facts;
  /** What follows from all this, and is no part of it for others. */
  readonly index: DeskIndex;
}

interface DeskIndex {
  /** The requests under way, with their normalised intents. */
  readonly open: {
    readonly [request: string]: { readonly mode: Wanted["mode"]; readonly intent: string };
  };
  /** By normalised intent, the last request of a user that was delivered. */
  readonly served: Entries<string>;
  /** By day, what its spending is about in `facts`. */
  readonly spenders: Entries<readonly string[]>;
}

/** One proposal at the desk. */
export interface Proposal {
  /** The request that waits for the decision, and its question. */
  readonly to: string;
  readonly re: number;
  readonly dossier: Dossier;
  /** The dossier it lies in; null while it lies in none. */
  readonly asked: number | null;
  /** The person had it and left it undecided; the next night it is shown again. */
  readonly isLeft: boolean;
}

/** A request as the desk keeps it. */
export interface Request {
  readonly wanted: Wanted;
  readonly openedMs: number;
  /** The last state it said; null before the first. */
  readonly state: ProposalState | null;
  /** Lines in the audit. */
  readonly lines: number;
  /** The actors that wait for its end. */
  readonly askers: readonly { readonly to: string; readonly re: number }[];
  /** It waits for the person's word. */
  readonly isAtGate: boolean;
  /** It was refused at once: nothing of it was ever tried. */
  readonly isRefused: boolean;
}

export const noIndex = (): DeskIndex => ({
  open: {},
  served: Entries.of({}),
  spenders: Entries.of({}),
});

/** From what a checkpoint kept. */
function indexOf(requests: Entries<Request>, facts: Facts): DeskIndex {
  let index = noIndex();
  for (const [name, request] of requests.entries()) index = indexed(index, name, request);
  for (const [key] of facts.entries()) {
    const day = /^day (\d+) /.exec(key)?.[1];
    if (day !== undefined) index = { ...index, spenders: withSpender(index.spenders, day, key) };
  }
  return index;
}

export const isUnderWay = ({ state, isRefused }: Request): boolean =>
  !isRefused && (state === null || !isTerminal(state));

/** A new request, or one that is another now. */
export const withRequest = (state: DeskState, name: string, request: Request): DeskState => ({
  ...state,
  requests: state.requests.with(name, request),
  index: indexed(state.index, name, request),
});

function indexed(index: DeskIndex, name: string, request: Request): DeskIndex {
  const { mode, need } = request.wanted;
  const isKnown = Object.hasOwn(index.open, name);
  if (isUnderWay(request)) {
    if (isKnown) return index;
    const open = { mode, intent: normalised(need.intent) };
    return { ...index, open: { ...index.open, [name]: open } };
  }
  const { [name]: _ended, ...others } = index.open;
  const open = isKnown ? others : index.open;
  if (mode !== "reactive" || request.state !== "delivered") return { ...index, open };
  const intent = normalised(need.intent);
  const last = index.served.get(intent);
  const isLast = last === undefined || numberOf(last) < numberOf(name);
  return { ...index, open, served: isLast ? index.served.with(intent, name) : index.served };
}

export const requestName = (nth: number): string => `req-${String(nth).padStart(4, "0")}`;
const numberOf = (request: string): number => Number(request.slice("req-".length));

/** Money of a day that a request or a turn spent or set aside. */
export function withSpending(
  { facts, index }: DeskState,
  { day, payer }: { readonly day: number; readonly payer: string },
  seq: number,
): Pick<DeskState, "facts" | "index"> {
  const key = about.spent(day, payer);
  const isKnown = facts.get(key) !== undefined;
  const spenders = isKnown ? index.spenders : withSpender(index.spenders, String(day), key);
  return { facts: noted(facts, key, seq), index: isKnown ? index : { ...index, spenders } };
}

const withSpender = (
  spenders: DeskIndex["spenders"],
  day: string,
  key: string,
): DeskIndex["spenders"] => spenders.with(day, [...(spenders.get(day) ?? []), key]);

export const deskKept: Kept<DeskState> = {
  plain: ({ index: _index, ...state }) => ({
    ...plainOf(state),
    accounts: plainOf(state.accounts),
  }),
  restored: (plain) => {
    const saved = plain as Saved; // As `plain` made it.
    const { accounts } = saved;
    const requests = Entries.of(saved.requests);
    const facts = Entries.of(saved.facts);
    return {
      ...saved,
      accounts: {
        ...accounts,
        requests: Entries.of(accounts.requests),
        days: Entries.of(accounts.days),
      },
      requests,
      facts,
      index: indexOf(requests, facts),
    };
  },
  apart: (
    { index: _before, accounts: old, ...before },
    { index: _after, accounts: now, ...after },
  ) => {
    const [oldAccounts, nowAccounts] = apartIn(old, now);
    const [oldRest, nowRest] = apartIn(before, after);
    return [
      { accounts: oldAccounts, ...oldRest },
      { accounts: nowAccounts, ...nowRest },
    ];
  },
};

type Plain<T> = {
  readonly [K in keyof T]: T[K] extends Entries<infer V> ? { readonly [key: string]: V } : T[K];
};
type Saved = Plain<Omit<DeskState, "index" | "accounts">> & {
  readonly accounts: Plain<DeskState["accounts"]>;
};

/** One file a day, by the virtual clock in UTC. */
export const auditPath = (epochMs: number): string =>
  `${AUDIT_FOLDER}/${isoTime(epochMs).slice(0, 10)}.jsonl`;

/** A line about something else than a state of a request, appended to the file of its day. */
export const auditNote = (
  line: { readonly [field: string]: Json },
  epochMs: number,
): MailOf<"files.append"> => ({
  type: "files.append",
  path: auditPath(epochMs),
  text: `${sortedJson({ ts: isoTime(epochMs), ...line })}\n`,
});

/** The same as a letter, which names what it rests on. */
export const noteOf = (
  line: Parameters<typeof auditNote>[0],
  { startsAtMs }: DeskState,
  { nowMs, seq }: At,
): Letter => ({ to: "files", event: auditNote(line, startsAtMs + nowMs), because: [seq] });
