/** What synt may spend, and that its calls are paid for. Source: seed 002, 8.2 and 12; rulings Y9, Y25. */

import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Verdict } from "../../../contract/property.ts";
import type { Carried, MailOf } from "../../../machines/letter.ts";
import { isTerminal, type ProposalState } from "../../../machines/synt/contract.ts";
import { days, MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import type { CallSeen } from "./books.ts";
import type { SyntSeen } from "./seen.ts";

const cents = (amount: number): string => `${amount / MILLION} cents`;

/** The hard cap of a request in millionths of a cent. */
function capOf(synt: SyntSeen, id: string, policy: Policy): number {
  const { capCents, revises } = synt.requests.get(id) ?? {};
  if (revises === undefined) return (capCents ?? policy.synt.budget.hardCents) * MILLION;
  // What the one that is taken up again has left, in whole cents.
  const left = Math.max(0, capOf(synt, revises.id, policy) - revises.spent);
  return Math.floor(left / MILLION) * MILLION;
}

const isReserved = (event: Carried): event is MailOf<"money.answered"> =>
  event.type === "money.answered" && event.outcome === "reserved";

// biome-ignore lint/style/noRestrictedGlobals: it reads no clock, and is not the machine's own reckoning.
const dateOf = (day: number): string => new Date(day * days(1)).toISOString().slice(0, 10);

/** The call that a delivery tells of. */
function callOf({ event, from, to }: SeenDelivery): string {
  switch (event.type) {
    case "llm.asked":
    case "paid.ended":
      return from;
    case "money.answered":
      return to;
    case "money.asked":
    case "money.settled":
    case "money.exceeded":
      return event.call;
    default:
      return "";
  }
}

function askedFault(
  { purpose }: MailOf<"llm.asked">,
  from: string,
  before: string | undefined,
): Verdict {
  // The planner belongs to the gateway, not to synt.
  if (!purpose.startsWith("synt.") || purpose === "synt.plan") return undefined;
  if (before === "reserved") return true;
  return `${from} asked a model for ${purpose}, and nothing was set aside for it.`;
}

function priceFault(event: MailOf<"money.answered">, call: CallSeen): Verdict {
  if (!isReserved(event)) return undefined;
  const { price, asked, answered, amount } = call;
  if (price === null) return `The call ${call.call} was let through, and its price is unknown.`;
  const most = asked * price.asked + answered * price.answered;
  return amount === most
    ? true
    : `${cents(amount)} were set aside for ${call.call}, which may cost ${cents(most)}.`;
}

function settledFault(event: MailOf<"money.settled">, call: CallSeen | undefined): Verdict {
  const { counted = null } = call ?? {};
  const { actual } = event;
  return actual === counted
    ? true
    : `The call ${event.call} was settled at ${actual}; by its tokens it is ${counted}.`;
}

/** The line that was just written, if it is one of a request. */
export function lineOf(synt: SyntSeen, text: string) {
  for (const { lines } of synt.requests.values()) {
    const last = lines.at(-1);
    if (last?.text === text) return last;
  }
  return undefined;
}

export const syntMoneyProperties = worldPromises({
  "synt-caps-hold": {
    says: "Nothing is set aside beyond the cap of a request or of a UTC day, and neither is passed at any instant but by what a call cost above its reservation, or a run of an executor.",
    source: "seed 002, 8.2 and 12, “Hard budget respected”; RULINGS Y9, Y25",
    watch: (policy) => {
      const dayCap = policy.synt.budget.dayCents * MILLION;
      return ({ delivery: { event, to }, synt }) => {
        if (event.type !== "money.answered" && event.type !== "money.settled") return undefined;
        const { books } = synt;
        // What is set aside now must fit under what was really spent; later costs may only be a model's.
        const begins = isReserved(event) ? books.calls.get(to) : undefined;
        for (const [request, { spent, reserved, exceeded }] of books.requests) {
          const cap = capOf(synt, request, policy);
          const own = begins?.request === request ? 0 : exceeded;
          if (spent + reserved - own > cap) {
            return `${request} has spent ${cents(spent)} and set aside ${cents(reserved)}; its cap is ${cents(cap)}.`;
          }
          if (begins?.request === request && exceeded > 0) {
            return `${request} begins ${to}, and an earlier call cost ${cents(exceeded)} more than was set aside for it.`;
          }
        }
        for (const [day, amount] of books.days) {
          const own = begins?.day === day ? 0 : (books.unbound.get(day) ?? 0);
          if (amount - own > dayCap) {
            return `${dateOf(day)} has ${cents(amount)} spent and set aside; its cap is ${cents(dayCap)}.`;
          }
        }
        return true;
      };
    },
  },
  "synt-calls-are-paid": {
    says: "A model of synt is asked only after the known price of the call was set aside, once, and what it cost is settled as counted.",
    source: "seed 002, 8.2; RULINGS Y9",
    watch: () => {
      const seen = new Map<string, CallSeen["state"]>();
      return ({ delivery, synt }) => {
        const { event, from, to } = delivery;
        const call = synt.books.calls.get(callOf(delivery));
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
  },
  "synt-soft-cap-asks": {
    says: "Nothing is set aside beyond the soft cap of a request before the person said to go on.",
    source: "seed 002, 8.2; RULINGS Y9",
    watch: ({ synt: { budget } }) => {
      const softCap = budget.softCents * MILLION;
      return ({ delivery: { event, to }, synt }) => {
        const call = synt.books.calls.get(to);
        if (!isReserved(event) || call === undefined) return undefined;
        const { spent, reserved, goesOn } = synt.books.of(call.request);
        if (spent + reserved <= softCap || goesOn) return true;
        return `${call.request} has ${cents(spent + reserved)} spent and set aside, and the person was not asked beyond ${cents(softCap)}.`;
      };
    },
  },
  /** Tokens that the model may count: as many as the call was allowed. */
  "synt-honest-costs-fit": {
    says: "A call that counts no more tokens than it was allowed costs no more than was set aside; one that counts more is a finding.",
    source: "RULINGS Y25",
    watch: () => {
      /** Calls that cost more than was set aside, and of which the log has not told yet. */
      const untold = new Set<string>();
      return ({ delivery: { event }, synt }) => {
        if (event.type === "money.exceeded") untold.delete(event.call);
        const [left] = untold;
        if (event.type === "paid.ended" && left === event.call) {
          return `${left} cost more than was set aside for it, and nothing says so.`;
        }
        if (event.type !== "money.settled") return undefined;
        const call = synt.books.calls.get(event.call);
        if (call === undefined) return undefined;
        const cost = event.actual ?? call.amount;
        if (cost <= call.amount) return true;
        untold.add(call.call);
        const { tokens, asked, answered } = call;
        const isHonest = tokens && tokens.asked <= asked && tokens.answered <= answered;
        return isHonest
          ? `${call.call} counted no more than it was allowed, and cost ${cents(cost)} of ${cents(call.amount)}.`
          : true;
      };
    },
  },
  "synt-costs-certified": {
    says: "The last line of a request certifies the sum of what its calls cost, within the budget it asked for, and says how much was above what was set aside.",
    source: "seed 002, 10, invariant 3; RULINGS Y25",
    watch:
      (policy) =>
      ({ delivery: { event }, synt }) => {
        const line = event.type === "files.append" ? lineOf(synt, event.text) : undefined;
        if (line === undefined || !isTerminal(line.fields["state"] as ProposalState))
          return undefined;
        const id = String(line.fields["request_id"]);
        const spent = Math.ceil((synt.books.requests.get(id)?.spent ?? 0) / MILLION);
        const budget = Math.ceil(capOf(synt, id, policy) / MILLION);
        const { certified: said = null, cost_cents: cost } = line.fields;
        const {
          budget_cents: cap,
          within_budget: isWithin,
          exceeded = 0,
        } = (said ?? {}) as {
          readonly budget_cents?: number;
          readonly within_budget?: boolean;
          readonly exceeded?: number;
        };
        const above = Math.ceil((synt.books.requests.get(id)?.exceeded ?? 0) / MILLION);
        const isHonest = isWithin === spent <= budget && exceeded === above;
        // Only a model that counts more than it was allowed takes a request beyond its budget.
        const isBound = spent <= budget || above > 0;
        if (cost === spent && cap === budget && isHonest && isBound) return true;
        return (
          `${id} certifies ${cost} of ${cap} cents (${isWithin ? "within" : "not within"} its ` +
          `budget); its calls cost ${spent} of ${budget}.`
        );
      },
  },
});
