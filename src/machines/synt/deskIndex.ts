/** What the desk of synt looks for among its requests, so that it need not go through all that there ever were. */
import { Entries } from "../entries.ts";
import { isTerminal } from "./contract.ts";
import type { DeskIndex, DeskState, Request } from "./deskState.ts";
import { about, type Facts, noted } from "./facts.ts";
import { normalised } from "./locks.ts";

export const noIndex = (): DeskIndex => ({
  open: {},
  served: Entries.of({}),
  spenders: Entries.of({}),
});

/** From what a checkpoint kept. */
export function indexOf(requests: Entries<Request>, facts: Facts): DeskIndex {
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
