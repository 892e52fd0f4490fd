/**
 * The money of synt, counted a second time from the letters of the log: what is set aside for open
 * calls and what was spent, by request and by UTC day. Amounts are millionths of a cent.
 */
import type { MailOf } from "../../../machines/letter.ts";
import { days, MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

export interface CallSeen {
  readonly call: string;
  readonly request: string;
  /** Tokens that it may take at most. */
  readonly asked: number;
  readonly answered: number;
  price: { readonly asked: number; readonly answered: number } | null;
  amount: number;
  day: number;
  state: "wanted" | "reserved" | "asked" | "settled";
  /** The tokens that the model counted, and what they cost; undefined as long as it has not answered. */
  tokens: { readonly asked: number; readonly answered: number } | undefined;
  counted: number | undefined;
}

interface AccountSeen {
  spent: number;
  reserved: number;
  /** Of what is spent, above what was set aside for it. */
  exceeded: number;
  goesOn: boolean;
}

export class SyntBooks {
  readonly calls = new Map<string, CallSeen>();
  /** Spent and set aside. */
  readonly requests = new Map<string, AccountSeen>();
  readonly days = new Map<number, number>();
  /** Of a day's money, what the desk could not set aside: runs of executors, and costs above reservations. */
  readonly unbound = new Map<number, number>();
  readonly #questions = new Map<number, CallSeen>();

  observe(delivery: SeenDelivery, epochMs: number): void {
    const { event, to, from, seq, re } = delivery;
    switch (event.type) {
      case "money.asked":
        this.#wanted(event, seq);
        return;
      case "money.answered":
        this.#answered(event, this.#questions.get(re ?? 0), epochMs);
        return;
      case "money.settled":
        this.#settled(this.calls.get(event.call), event.actual);
        return;
      case "money.ran":
        this.#ran(event, epochMs);
        return;
      case "person.decided": {
        const call = this.calls.get(to);
        if (call !== undefined && event.decision === "approve") {
          this.of(call.request).goesOn = true;
        }
        return;
      }
      case "llm.asked": {
        const call = this.calls.get(from);
        if (call?.state === "reserved") call.state = "asked";
        return;
      }
      case "llm.replied": {
        const call = this.calls.get(to);
        const { tokens } = event;
        if (call?.price && tokens && delivery.fate === "handled") {
          call.tokens = tokens;
          call.counted = tokens.asked * call.price.asked + tokens.answered * call.price.answered;
        }
      }
    }
  }

  of(request: string): AccountSeen {
    const known = this.requests.get(request);
    const account = known ?? { spent: 0, reserved: 0, exceeded: 0, goesOn: false };
    if (known === undefined) this.requests.set(request, account);
    return account;
  }

  #wanted({ call, request, asked, answered }: MailOf<"money.asked">, seq: number): void {
    const seen: CallSeen = {
      ...{ call, request, asked, answered, price: null, amount: 0, day: 0 },
      ...{ state: "wanted", counted: undefined, tokens: undefined },
    };
    this.calls.set(call, seen);
    this.#questions.set(seq, seen);
  }

  #answered(
    { outcome, amount, price }: MailOf<"money.answered">,
    call: CallSeen | undefined,
    epochMs: number,
  ): void {
    if (call === undefined || outcome !== "reserved") return;
    call.state = "reserved";
    call.amount = amount ?? 0;
    call.day = Math.floor(epochMs / days(1));
    call.price = price;
    this.of(call.request).reserved += call.amount;
    this.#onDay(call.day, call.amount, 0);
  }

  #settled(call: CallSeen | undefined, actual: number | null): void {
    if (call === undefined || !["reserved", "asked"].includes(call.state)) return;
    const cost = actual ?? call.amount;
    const above = Math.max(0, cost - call.amount);
    call.state = "settled";
    const account = this.of(call.request);
    account.reserved -= call.amount;
    account.spent += cost;
    account.exceeded += above;
    this.#onDay(call.day, cost - call.amount, above);
  }

  #ran({ cents }: MailOf<"money.ran">, epochMs: number): void {
    const cost = Math.round(cents * MILLION);
    this.#onDay(Math.floor(epochMs / days(1)), cost, cost);
  }

  #onDay(day: number, more: number, unbound: number): void {
    this.days.set(day, (this.days.get(day) ?? 0) + more);
    this.unbound.set(day, (this.unbound.get(day) ?? 0) + unbound);
  }
}
