/**
 * How the desk of synt answers questions about money, and what was spent: calls of models as they are
 * settled, and runs of executors. What is above a reservation or a day's cap is a finding, and never
 * passed over. Source: seed 002, 8.2 and 10; rulings Y9 and Y25.
 */
import { isoTime } from "../../isoTime.ts";
import {
  type At,
  answer,
  type Delivered,
  type Letter,
  type Mail,
  type MailOf,
} from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { Outcome } from "../../service.ts";
import { days, MILLION } from "../../units.ts";
import { DESK } from "../contract.ts";
import { about, factsOf, noted, withFact } from "../facts.ts";
import {
  type Bindings,
  callCost,
  isLocal,
  missing,
  priceOf,
  type Served,
  serverOf,
  type Tier,
} from "../stages/stageTiers.ts";
import type { SyntPolicy } from "../syntPolicy.ts";
import {
  type Accounts,
  answerSoft,
  type BudgetDenial,
  type BudgetPolicy,
  chargeRun,
  dayOf,
  inCents,
  type Reservation,
  reserve,
  settle,
  spentOn,
} from "./budget.ts";
import { type DeskState, noteOf, withSpending } from "./deskState.ts";

/** Sets aside what a call may cost at most, or says why it must not be made. */
export function moneyAnswered(
  state: DeskState,
  event: Delivered<"money.asked">,
  policy: SyntPolicy,
): Outcome<DeskState> {
  const { request, call, served, asked, answered } = event;
  const found = serverFor(served, state.bindings, policy);
  if ("fault" in found) {
    const why = `${found.fault} (${found.setting})`;
    return { state, letters: answer(event.at, refusal(why)) };
  }
  const { tier, binding } = found;
  const price = priceOf(tier, binding, policy.tiers);
  const amount = callCost({ asked, answered }, price);
  // The day is the calendar's, not the run's.
  const nowMs = state.startsAtMs + event.at.nowMs;
  const reserved = reserve(state.accounts, { call, request, amount, nowMs }, policy.budget);
  const why = reserved.outcome === "denied" ? DENIALS[reserved.why] : null;
  const { spent = 0, cap = 0 } = reserved.accounts.requests.get(request) ?? {};
  const soft = policy.budget.softCents * MILLION;
  const said: MailOf<"money.answered"> = {
    type: "money.answered",
    outcome: reserved.outcome,
    why,
    price,
    amount,
    tier,
    model: binding.model,
    isExternal: !isLocal(binding),
    // What the person needs to know when asked whether to go on.
    ...(reserved.outcome === "ask" &&
      ({ spent, soft, cap } satisfies Partial<Mail["money.answered"]>)),
  };
  const isSetAside = reserved.outcome === "reserved" && (amount ?? 0) > 0;
  const day = dayOf(nowMs);
  const because = factsOf(state.facts, restingOn(reserved, state, request, day));
  const next = { ...state, accounts: reserved.accounts };
  return {
    state: isSetAside ? withRequestSpending(next, { day, request }, event.at.seq) : next,
    letters: answer(event.at, said, { because }),
  };
}

function withRequestSpending(
  state: DeskState,
  { day, request }: { readonly day: number; readonly request: string },
  seq: number,
): DeskState {
  const { facts, index } = withSpending(state, { day, payer: request }, seq);
  return { ...state, facts: noted(facts, about.request(request), seq), index };
}

/** What a refusal and a question rest on: earlier spending, or what the person said before. */
function restingOn(
  reserved: Reservation,
  { index }: DeskState,
  request: string,
  day: number,
): readonly string[] {
  if (reserved.outcome === "reserved") return [];
  const why: BudgetDenial | null = reserved.outcome === "denied" ? reserved.why : null;
  if (why === "declined") return [about.soft(request)];
  if (why !== "day") return [about.request(request)];
  // That others spent the day's money tells more than what it spent itself.
  const own = about.spent(day, request);
  const spent = index.spenders.get(String(day)) ?? [];
  return [own, ...spent.filter((key) => key !== own)];
}

const refusal = (why: string): MailOf<"money.answered"> => ({
  type: "money.answered",
  outcome: "denied",
  why,
  price: null,
  amount: null,
  tier: null,
  model: null,
  isExternal: false,
});

const DENIALS = {
  "price-unknown": "the price of the call is unknown",
  hard: "the call could cost more than the request's budget has left",
  day: "the call could cost more than the day has left",
  unanswered: "the question at the soft cap is unanswered",
  declined: "declined beyond the soft cap",
  overrun: "an earlier call cost more than was set aside for it",
  unknown: "the call is not in order",
} as const;

function serverFor(served: number | Tier, bindings: Bindings, { tiers }: SyntPolicy): Served {
  if (typeof served === "number") return serverOf(served, bindings, tiers);
  const binding = bindings[served];
  return binding === undefined ? missing(served) : { tier: served, binding };
}

export const moneyDecided = (
  state: DeskState,
  { request, goesOn, at }: Delivered<"money.decided">,
): DeskState => ({
  ...state,
  facts: withFact(state.facts, about.soft(request), at.seq),
  accounts: answerSoft(state.accounts, request, goesOn),
});

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
  const accounts = chargeRun(state.accounts, cents, nowMs);
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
