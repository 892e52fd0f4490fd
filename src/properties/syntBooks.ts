/**
 * The money of synt, counted a second time from the letters of the log: what is set aside for open
 * calls and what was spent, by request and by UTC day. Amounts are millionths of a cent.
 */
import { days, MILLION } from "../machines/units.ts";
import type { Delivery } from "../substrate/envelope.ts";

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
  /** Of a day's money, what nobody could set aside: runs of executors, and costs above reservations. */
  readonly unbound = new Map<number, number>();
  readonly #questions = new Map<number, CallSeen>();

  observe(delivery: Delivery, epochMs: number): void {
    const { event, to, from, seq, re } = delivery;
    switch (event.type) {
      case "money.asked":
        this.#wanted(event, seq);
        return;
      case "money.answered":
        this.#answered(event, this.#questions.get(re ?? 0), epochMs);
        return;
      case "money.settled":
        this.#settled(this.calls.get(String(event["call"])), event["actual"]);
        return;
      case "money.ran":
        this.#ran(event, epochMs);
        return;
      case "person.decided": {
        const call = this.calls.get(to);
        if (call !== undefined && event["decision"] === "approve") {
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
        const tokens = event["tokens"] as CallSeen["price"] | undefined;
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

  #wanted(event: Delivery["event"], seq: number): void {
    const { call, request, asked, answered } = event as unknown as CallSeen;
    const seen: CallSeen = {
      ...{ call, request, asked, answered, price: null, amount: 0, day: 0 },
      ...{ state: "wanted", counted: undefined, tokens: undefined },
    };
    this.calls.set(call, seen);
    this.#questions.set(seq, seen);
  }

  #answered(event: Delivery["event"], call: CallSeen | undefined, epochMs: number): void {
    if (call === undefined || event["outcome"] !== "reserved") return;
    const amount = Number(event["amount"]);
    const day = Math.floor(epochMs / days(1));
    Object.assign(call, { state: "reserved", amount, day, price: event["price"] });
    this.of(call.request).reserved += amount;
    this.#onDay(day, amount, 0);
  }

  #settled(call: CallSeen | undefined, actual: unknown): void {
    if (call === undefined || !["reserved", "asked"].includes(call.state)) return;
    const cost = typeof actual === "number" ? actual : call.amount;
    const above = Math.max(0, cost - call.amount);
    call.state = "settled";
    const account = this.of(call.request);
    account.reserved -= call.amount;
    account.spent += cost;
    account.exceeded += above;
    this.#onDay(call.day, cost - call.amount, above);
  }

  #ran(event: Delivery["event"], epochMs: number): void {
    const cost = Math.round(Number(event["cents"]) * MILLION);
    this.#onDay(Math.floor(epochMs / days(1)), cost, cost);
  }

  #onDay(day: number, more: number, unbound: number): void {
    this.days.set(day, (this.days.get(day) ?? 0) + more);
    this.unbound.set(day, (this.unbound.get(day) ?? 0) + unbound);
  }
}
