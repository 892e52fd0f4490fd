/** What synt may spend, and that its calls are paid for. Source: seed 002, 8.2 and 12; ruling Y9. */
import type { Policy } from "../machines/policy.ts";
import { isTerminal, type ProposalState } from "../machines/synt/contract.ts";
import { MILLION } from "../machines/units.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { Verdict, WorldProperty } from "./property.ts";
import type { CallSeen } from "./syntBooks.ts";
import type { SyntSeen } from "./syntSeen.ts";

const cents = (amount: number): string => `${amount / MILLION} cents`;

/** The hard cap of a request in millionths of a cent. */
function capOf(synt: SyntSeen, id: string, policy: Policy): number {
  const { capCents, revises } = synt.requests.get(id) ?? {};
  if (revises === undefined) return (capCents ?? policy.synt.budget.hardCents) * MILLION;
  // What the one that is taken up again has left, in whole cents.
  const left = capOf(synt, revises.id, policy) - revises.spent;
  return Math.floor(left / MILLION) * MILLION;
}

/** The call that a question or an answer about money is about, once it is in the books. */
const MONEY = ["money.answered", "money.settled"];

const capsHold: WorldProperty = {
  kind: "world",
  id: "synt-caps-hold",
  says: "What a request, and what a UTC day, has spent and set aside is within its cap at every instant.",
  source: "seed 002, 8.2 and 12, “Hard budget respected”; RULINGS Y9",
  expected: "holds",
  watch: (policy) => {
    const dayCap = policy.synt.budget.dayCents * MILLION;
    return ({ delivery: { event }, world: { synt } }) => {
      if (!MONEY.includes(event.type)) return undefined;
      for (const [request, { spent, reserved }] of synt.books.requests) {
        const cap = capOf(synt, request, policy);
        if (spent + reserved > cap) {
          return `${request} has spent ${cents(spent)} and set aside ${cents(reserved)}; its cap is ${cents(cap)}.`;
        }
      }
      for (const [day, amount] of synt.books.days) {
        if (amount > dayCap) {
          return `${dateOf(day)} has ${cents(amount)} spent and set aside; its cap is ${cents(dayCap)}.`;
        }
      }
      return true;
    };
  },
};

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

const callsArePaid: WorldProperty = {
  kind: "world",
  id: "synt-calls-are-paid",
  says: "A model of synt is asked only after the known price of the call was set aside, once, and what it cost is settled as counted.",
  source: "seed 002, 8.2; RULINGS Y9",
  expected: "holds",
  watch: () => {
    const seen = new Map<string, CallSeen["state"]>();
    return ({ delivery, world: { synt } }) => {
      const { event, from, to } = delivery;
      const call = synt.books.calls.get(
        event.type === "llm.asked" ? from : event.type === "paid.ended" ? from : callOf(delivery),
      );
      const before = call && seen.get(call.call);
      if (call !== undefined) seen.set(call.call, call.state);
      if (event.type === "llm.asked") return askedFault(event, from, before);
      if (event.type === "money.answered" && call !== undefined) return priceFault(event, call);
      if (event.type === "money.settled") return settledFault(event, call);
      if (event.type !== "paid.ended" || call === undefined) return undefined;
      const isOpen = call.state === "reserved" || call.state === "asked";
      return isOpen ? `The call ${call.call} ended for ${to} and was never settled.` : true;
    };
  },
};

const callOf = ({ event, to }: Delivery): string =>
  event.type === "money.answered" ? to : String(event["call"] ?? "");

function askedFault(event: Delivery["event"], from: string, before: string | undefined): Verdict {
  const purpose = String(event["purpose"]);
  // The planner belongs to the gateway, not to synt.
  if (!purpose.startsWith("synt.") || purpose === "synt.plan") return undefined;
  if (before === "reserved") return true;
  return `${from} asked a model for ${purpose}, and nothing was set aside for it.`;
}

function priceFault(event: Delivery["event"], call: CallSeen): Verdict {
  if (event["outcome"] !== "reserved") return undefined;
  const { price, asked, answered, amount } = call;
  if (price === null) return `The call ${call.call} was let through, and its price is unknown.`;
  const most = asked * price.asked + answered * price.answered;
  return amount === most
    ? true
    : `${cents(amount)} were set aside for ${call.call}, which may cost ${cents(most)}.`;
}

function settledFault(event: Delivery["event"], call: CallSeen | undefined): Verdict {
  const { counted = null } = call ?? {};
  const { actual } = event;
  return actual === counted
    ? true
    : `The call ${String(event["call"])} was settled at ${actual}; by its tokens it is ${counted}.`;
}

const softCapAsks: WorldProperty = {
  kind: "world",
  id: "synt-soft-cap-asks",
  says: "Nothing is set aside beyond the soft cap of a request before the person said to go on.",
  source: "seed 002, 8.2; RULINGS Y9",
  expected: "holds",
  watch: ({ synt: { budget } }) => {
    const softCap = budget.softCents * MILLION;
    return ({ delivery: { event, to }, world: { synt } }) => {
      const call = synt.books.calls.get(to);
      if (event.type !== "money.answered" || event["outcome"] !== "reserved" || !call) {
        return undefined;
      }
      const { spent, reserved, goesOn } = synt.books.of(call.request);
      if (spent + reserved <= softCap || goesOn) return true;
      return `${call.request} has ${cents(spent + reserved)} spent and set aside, and nobody was asked beyond ${cents(softCap)}.`;
    };
  },
};

const certified: WorldProperty = {
  kind: "world",
  id: "synt-costs-certified",
  says: "The last line of a request certifies the sum of what its calls cost, within the budget it asked for.",
  source: "seed 002, 10, invariant 3",
  expected: "holds",
  watch:
    (policy) =>
    ({ delivery: { event }, world: { synt } }) => {
      const line = event.type === "files.append" ? lineOf(synt, String(event["text"])) : undefined;
      if (line === undefined || !isTerminal(line.fields["state"] as ProposalState))
        return undefined;
      const id = String(line.fields["request_id"]);
      const spent = Math.ceil((synt.books.requests.get(id)?.spent ?? 0) / MILLION);
      const budget = Math.ceil(capOf(synt, id, policy) / MILLION);
      const { certified: said = null, cost_cents: cost } = line.fields;
      const { budget_cents: cap, within_budget: isWithin } = (said ?? {}) as {
        readonly budget_cents?: number;
        readonly within_budget?: boolean;
      };
      if (cost === spent && cap === budget && isWithin === true && spent <= budget) return true;
      return (
        `${id} certifies ${cost} of ${cap} cents (${isWithin ? "within" : "not within"} its ` +
        `budget); its calls cost ${spent} of ${budget}.`
      );
    },
};

/** The line that was just written, if it is one of a request. */
export function lineOf(synt: SyntSeen, text: string) {
  for (const { lines } of synt.requests.values()) {
    const last = lines.at(-1);
    if (last?.text === text) return last;
  }
  return undefined;
}

export const syntMoneyProperties: readonly WorldProperty[] = [
  capsHold,
  callsArePaid,
  softCapAsks,
  certified,
];
