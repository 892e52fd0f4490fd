/** How the desk of synt answers questions about money. */
import { answer, type Delivered, type Mail, type MailOf } from "../letter.ts";
import type { Outcome } from "../service.ts";
import { MILLION } from "../units.ts";
import { answerSoft, type BudgetDenial, dayOf, type Reservation, reserve } from "./budget.ts";
import { withSpending } from "./deskIndex.ts";
import type { DeskState } from "./deskState.ts";
import { about, factsOf, noted, withFact } from "./facts.ts";
import type { SyntPolicy } from "./syntPolicy.ts";
import {
  type Bindings,
  callCost,
  isLocal,
  missing,
  priceOf,
  type Served,
  serverOf,
  type Tier,
} from "./tiers.ts";

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

export function withRequestSpending(
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
