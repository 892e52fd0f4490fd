/**
 * What was spent: calls of models as they are settled, and runs of executors. It is written down as
 * what it was; what is above a reservation or a day's cap is a finding, and never passed over.
 * Source: seed 002, 8.2 and 10; rulings Y9 and Y25.
 */

import { isoTime } from "../isoTime.ts";
import type { At, Letter, MailEvent } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import { days, MILLION } from "../units.ts";
import { auditNote } from "./auditLine.ts";
import { type Accounts, type BudgetPolicy, dayOf, inCents, ran, settle } from "./budget.ts";
import { DESK } from "./contract.ts";
import { type DeskState, notedAll } from "./deskMoney.ts";
import { about } from "./facts.ts";

type Stamped = MailEvent & { readonly at: At };
type Answered = Outcome<DeskState>;

/** A call has ended: what it really cost, or null when nobody counted. */
export function moneySettled(state: DeskState, event: Stamped, budget: BudgetPolicy): Answered {
  const { at } = event;
  const { call, actual } = event as unknown as { call: string; actual: number | null };
  const open = ownValue(state.accounts.calls, call);
  if (open === undefined) return { state, letters: [] };
  const { request, amount: setAside, day } = open;
  const cost = actual ?? setAside;
  const spending = [about.spent(day, request), about.request(request)];
  const accounts = settle(state.accounts, call, actual);
  const next = {
    ...state,
    accounts,
    facts: cost > 0 ? notedAll(state.facts, spending, at.seq) : state.facts,
  };
  const over: MailEvent[] =
    cost > setAside ? [{ type: "money.exceeded", request, call, setAside, cost }] : [];
  const found = [...over, ...dayOver(state.accounts, accounts, day, budget)];
  return { state: next, letters: found.flatMap((one) => findingLetters(one, state, at)) };
}

/** An executor ran, and its run cost something. */
export function moneyRan(state: DeskState, event: Stamped, budget: BudgetPolicy): Answered {
  const { at } = event;
  const { executor, turn, cents } = event as unknown as {
    readonly executor: string;
    readonly turn: string;
    readonly cents: number;
  };
  const nowMs = state.startsAtMs + at.nowMs;
  const accounts = ran(state.accounts, cents, nowMs);
  const day = dayOf(nowMs);
  const line = {
    ...{ event: "executor.ran", about: executor, cost_cents: cents },
    reason: `turn ${turn} ran ${executor}, which costs ${cents} ct a run`,
  };
  const found = dayOver(state.accounts, accounts, day, budget);
  return {
    state: {
      ...state,
      accounts,
      facts: notedAll(state.facts, [about.spent(day, `turn ${turn}`)], at.seq),
    },
    letters: [noteOf(line, state, at), ...found.flatMap((one) => findingLetters(one, state, at))],
  };
}

/** Said once a day: when its cap is passed. */
function dayOver(
  before: Accounts,
  after: Accounts,
  day: number,
  { dayCents }: BudgetPolicy,
): MailEvent[] {
  const cap = dayCents * MILLION;
  const spent = after.days[day] ?? 0;
  const isNew = (before.days[day] ?? 0) <= cap && spent > cap;
  const date = isoTime(day * days(1)).slice(0, 10);
  return isNew ? [{ type: "money.dayPassed", day: date, spent, cap }] : [];
}

/** For the log, where reports and `why` find it, and for the audit. */
const findingLetters = (finding: MailEvent, state: DeskState, at: At): Letter[] => [
  { to: DESK, event: finding },
  noteOf(finding.type === "money.exceeded" ? exceededLine(finding) : dayLine(finding), state, at),
];

const noteOf = (
  line: Parameters<typeof auditNote>[0],
  { startsAtMs }: DeskState,
  { nowMs, seq }: At,
): Letter => ({ to: "files", event: auditNote(line, startsAtMs + nowMs), because: [seq] });

const centsText = (amount: unknown): string => `${(Number(amount) / MILLION).toFixed(2)} ct`;

const exceededLine = ({ request, call, setAside, cost }: MailEvent) => ({
  ...{ event: "money.exceeded", about: String(request), call: String(call) },
  ...{ set_aside_cents: inCents(Number(setAside)), cost_cents: inCents(Number(cost)) },
  exceeded: inCents(Number(cost) - Number(setAside)),
  reason: `it cost ${centsText(cost)}, and ${centsText(setAside)} were set aside; ${request} begins no call any more`,
});

const dayLine = ({ day, spent, cap }: MailEvent) => ({
  ...{ event: "money.dayPassed", about: String(day), cost_cents: inCents(Number(spent)) },
  exceeded: inCents(Number(spent) - Number(cap)),
  reason: `${centsText(spent)} are spent and set aside, and the cap is ${centsText(cap)}; no call begins that day any more`,
});
