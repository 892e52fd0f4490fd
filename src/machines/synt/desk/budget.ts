/**
 * Money by reservation: what a call may cost at most is set aside before it is made, and settled
 * when it ends, so that no cap is passed at any instant by what keeps to its price and its bounds.
 * Amounts are millionths of a cent. Source: seed 002, 8.2; rulings Y9 and Y25.
 */
import { Entries } from "../../entries.ts";
import { ownValue } from "../../ownValue.ts";
import { integer, type ValuesOf } from "../../policyLeaf.ts";
import { days, MILLION } from "../../units.ts";

const cents = (value: number, max: number, says: string) =>
  integer(value, { unit: "cents", min: 0, max, says, source: "seed 002, 8.2; RULINGS Y9" });

export const syntBudgetLeaves = {
  softCents: cents(200, 1_000_000, "Spending beyond which a request asks once whether to go on."),
  hardCents: cents(500, 1_000_000, "Hard cap of a request that names no budget of its own."),
  dayCents: cents(2000, 2000, "Hard cap of a day (UTC). Constitutional: it can be lowered only."),
};

export type BudgetPolicy = ValuesOf<typeof syntBudgetLeaves>;

interface RequestAccount {
  readonly cap: number;
  readonly spent: number;
  readonly reserved: number;
  /** The soft cap: not reached, asked and unanswered, or answered. */
  readonly soft: "open" | "asked" | "granted" | "declined";
  /** What calls cost above what was set aside for them: a model that counts more than it was allowed. */
  readonly exceeded: number;
}

interface OpenCall {
  readonly request: string;
  readonly amount: number;
  readonly day: number;
}

export interface Accounts {
  readonly requests: Entries<RequestAccount>;
  readonly calls: { readonly [call: string]: OpenCall };
  /** Spent and set aside by day, counted from the epoch. */
  readonly days: Entries<number>;
}

export const noAccounts = (): Accounts => ({
  requests: Entries.of({}),
  calls: {},
  days: Entries.of({}),
});

/** Spent and set aside on that day, counted from the epoch. */
export const spentOn = ({ days: all }: Accounts, day: number): number => all.get(String(day)) ?? 0;

const CENT = MILLION;

/** A request with its hard cap in cents, or the policy's. One that is known keeps its account. */
export function openRequest(
  accounts: Accounts,
  { request, budgetCents }: { readonly request: string; readonly budgetCents?: number },
  policy: BudgetPolicy,
): Accounts {
  if (accounts.requests.get(request) !== undefined) return accounts;
  const cap = (budgetCents ?? policy.hardCents) * CENT;
  const account = { cap, spent: 0, reserved: 0, soft: "open" as const, exceeded: 0 };
  return { ...accounts, requests: accounts.requests.with(request, account) };
}

export type BudgetDenial =
  | "price-unknown"
  | "hard"
  | "day"
  | "unanswered"
  | "declined"
  | "overrun"
  | "unknown";

export type Reservation =
  | { readonly outcome: "reserved"; readonly accounts: Accounts }
  | { readonly outcome: "ask"; readonly accounts: Accounts }
  | { readonly outcome: "denied"; readonly why: BudgetDenial; readonly accounts: Accounts };

export interface Call {
  readonly call: string;
  readonly request: string;
  /** What it may cost at most; null when its price is unknown. */
  readonly amount: number | null;
  readonly nowMs: number;
}

/** Sets aside what a call may cost, or says why it must not be made. */
export function reserve(accounts: Accounts, call: Call, policy: BudgetPolicy): Reservation {
  const account = accounts.requests.get(call.request);
  const why = refusal(accounts, account, call, policy);
  if (why !== null || account === undefined || call.amount === null) {
    return { outcome: "denied", why: why ?? "unknown", accounts };
  }
  const committed = account.spent + account.reserved + call.amount;
  if (committed > policy.softCents * CENT && account.soft !== "granted") {
    return { outcome: "ask", accounts: withAccount(accounts, call.request, { soft: "asked" }) };
  }
  const day = dayOf(call.nowMs);
  const { request, amount } = call;
  const reserved = withAccount(accounts, request, { reserved: account.reserved + amount });
  const calls = { ...accounts.calls, [call.call]: { request, amount, day } };
  return { outcome: "reserved", accounts: onDay({ ...reserved, calls }, day, amount) };
}

function refusal(
  accounts: Accounts,
  account: RequestAccount | undefined,
  { call, amount, nowMs }: Call,
  policy: BudgetPolicy,
): BudgetDenial | null {
  if (account === undefined || Object.hasOwn(accounts.calls, call)) return "unknown";
  if (amount === null) return "price-unknown";
  if (account.exceeded > 0) return "overrun";
  if (account.soft === "asked") return "unanswered";
  if (account.soft === "declined") return "declined";
  if (account.spent + account.reserved + amount > account.cap) return "hard";
  const today = spentOn(accounts, dayOf(nowMs));
  return today + amount > policy.dayCents * CENT ? "day" : null;
}

/** The answer to the one question at the soft cap. */
export const answerSoft = (accounts: Accounts, request: string, goesOn: boolean): Accounts =>
  accounts.requests.get(request)?.soft === "asked"
    ? withAccount(accounts, request, { soft: goesOn ? "granted" : "declined" })
    : accounts;

/**
 * A call ended, and cost what it cost. An unknown cost counts in full; what is above the reservation
 * is spent all the same, and ends the request's spending. What was never reserved changes nothing.
 */
export function settle(accounts: Accounts, call: string, actual: number | null): Accounts {
  const open = ownValue(accounts.calls, call);
  const account = open && accounts.requests.get(open.request);
  if (open === undefined || account === undefined) return accounts;
  const { [call]: _settled, ...calls } = accounts.calls;
  const cost = actual ?? open.amount;
  const settled = withAccount(accounts, open.request, {
    reserved: account.reserved - open.amount,
    spent: account.spent + cost,
    exceeded: account.exceeded + Math.max(0, cost - open.amount),
  });
  return onDay({ ...settled, calls }, open.day, cost - open.amount);
}

/** What a run of an executor cost: it was never reserved, and is the day's money all the same. */
export const chargeRun = (accounts: Accounts, cents: number, nowMs: number): Accounts =>
  onDay(accounts, dayOf(nowMs), Math.round(cents * CENT));

const onDay = (accounts: Accounts, day: number, more: number): Accounts => ({
  ...accounts,
  days: accounts.days.with(String(day), spentOn(accounts, day) + more),
});

const withAccount = (
  accounts: Accounts,
  request: string,
  change: Partial<RequestAccount>,
): Accounts => {
  const account = accounts.requests.get(request) as RequestAccount; // Its callers found it there.
  return { ...accounts, requests: accounts.requests.with(request, { ...account, ...change }) };
};

/** The virtual clock's day in UTC, counted from the epoch. */
export const dayOf = (nowMs: number): number => Math.floor(nowMs / days(1));

/** Whole cents, rounded up: a sum of costs that is within its cap stays within it all the same. */
export const inCents = (amount: number): number => Math.ceil(amount / CENT);
