/**
 * What was spent: calls of models as they are settled, and runs of executors. It is written down as
 * what it was; what is above a reservation or a day's cap is a finding, and never passed over.
 * Source: seed 002, 8.2 and 10; rulings Y9 and Y25.
 */

import { isoTime } from "../isoTime.ts";
import type { At, Delivered, Letter, MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import { days, MILLION } from "../units.ts";
import { auditNote } from "./auditLine.ts";
import {
  type Accounts,
  type BudgetPolicy,
  dayOf,
  inCents,
  ran,
  settle,
  spentOn,
} from "./budget.ts";
import { DESK } from "./contract.ts";
import { withSpending } from "./deskIndex.ts";
import { withRequestSpending } from "./deskMoney.ts";
import type { DeskState } from "./deskState.ts";

type Finding = MailOf<"money.exceeded" | "money.dayPassed">;
type Answered = Outcome<DeskState>;

/** A call has ended: what it really cost, or null when that is unknown. */
export function moneySettled(
  state: DeskState,
  { call, actual, at }: Delivered<"money.settled">,
  budget: BudgetPolicy,
): Answered {
  const open = ownValue(state.accounts.calls, call);
  if (open === undefined) return { state, letters: [] };
  const { request, amount: setAside, day } = open;
  const cost = actual ?? setAside;
  const accounts = settle(state.accounts, call, actual);
  const settled = { ...state, accounts };
  const next = cost > 0 ? withRequestSpending(settled, { day, request }, at.seq) : settled;
  const over: Finding[] =
    cost > setAside ? [{ type: "money.exceeded", request, call, setAside, cost }] : [];
  const found = [...over, ...dayOver(state.accounts, accounts, day, budget)];
  return { state: next, letters: found.flatMap((one) => findingLetters(one, state, at)) };
}

/** An executor ran, and its run cost something. */
export function moneyRan(
  state: DeskState,
  { executor, turn, cents, at }: Delivered<"money.ran">,
  budget: BudgetPolicy,
): Answered {
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
      ...withSpending(state, { day, payer: `turn ${turn}` }, at.seq),
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
): Finding[] {
  const cap = dayCents * MILLION;
  const spent = spentOn(after, day);
  const isNew = spentOn(before, day) <= cap && spent > cap;
  const date = isoTime(day * days(1)).slice(0, 10);
  return isNew ? [{ type: "money.dayPassed", day: date, spent, cap }] : [];
}

/** For the log, where reports and `why` find it, and for the audit. */
const findingLetters = (finding: Finding, state: DeskState, at: At): Letter[] => [
  { to: DESK, event: finding },
  noteOf(finding.type === "money.exceeded" ? exceededLine(finding) : dayLine(finding), state, at),
];

const noteOf = (
  line: Parameters<typeof auditNote>[0],
  { startsAtMs }: DeskState,
  { nowMs, seq }: At,
): Letter => ({ to: "files", event: auditNote(line, startsAtMs + nowMs), because: [seq] });

const centsText = (amount: number): string => `${(amount / MILLION).toFixed(2)} ct`;

const exceededLine = ({ type, request, call, setAside, cost }: MailOf<"money.exceeded">) => ({
  ...{ event: type, about: request, call },
  ...{ set_aside_cents: inCents(setAside), cost_cents: inCents(cost) },
  exceeded: inCents(cost - setAside),
  reason: `it cost ${centsText(cost)}, and ${centsText(setAside)} were set aside; ${request} begins no call any more`,
});

const dayLine = ({ type, day, spent, cap }: MailOf<"money.dayPassed">) => ({
  ...{ event: type, about: day, cost_cents: inCents(spent) },
  exceeded: inCents(spent - cap),
  reason: `${centsText(spent)} are spent and set aside, and the cap is ${centsText(cap)}; no call begins that day any more`,
});
