import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Accounts,
  answerSoft,
  chargeRun,
  inCents,
  noAccounts,
  openRequest,
  type Reservation,
  reserve,
  settle,
} from "../../../../src/machines/synt/desk/budget.ts";
import { days, MILLION } from "../../../../src/machines/units.ts";
import { policyLeaves, policyWith } from "../../../builtIn.ts";

const policy = policyWith({}).synt.budget;
const CENT = MILLION;

const opened = (...budgets: readonly (number | undefined)[]) =>
  budgets.reduce<Accounts>(
    (accounts, budgetCents, index) =>
      openRequest(
        accounts,
        { request: `r${index}`, ...(budgetCents !== undefined && { budgetCents }) },
        policy,
      ),
    noAccounts(),
  );
const call = (name: string, cents: number | null, request = "r0", nowMs = 0) => ({
  call: name,
  request,
  amount: cents === null ? null : cents * CENT,
  nowMs,
});
const why = (one: Reservation) => (one.outcome === "denied" ? one.why : one.outcome);

describe("a request", () => {
  it("[SN31] sets aside before a call and settles after it", () => {
    const first = reserve(opened(), call("c", 0), policy);
    expect(why(first)).toBe("unknown");

    const { accounts } = reserve(opened(10), call("c1", 6), policy);
    expect(accounts.requests.get("r0")).toMatchObject({ spent: 0, reserved: 6 * CENT });
    expect(why(reserve(accounts, call("c2", 5), policy))).toBe("hard");
    const settled = settle(accounts, "c1", 4 * CENT);
    expect(settled.requests.get("r0")).toMatchObject({ spent: 4 * CENT, reserved: 0 });
    expect(settled.calls).toEqual({});
    expect(why(reserve(settled, call("c2", 6), policy))).toBe("reserved");
  });

  it("[SN31] reaches its cap and does not pass it; the policy's cap where it names none", () => {
    const free = answerSoft(
      reserve(opened(undefined), call("c", 500), policy).accounts,
      "r0",
      true,
    );

    expect(why(reserve(opened(10), call("c", 10), policy))).toBe("reserved");
    expect(why(reserve(opened(10), call("c", 10.000001), policy))).toBe("hard");
    expect(why(reserve(free, call("c", 500), policy))).toBe("reserved");
    expect(why(reserve(free, call("c", 500.000001), policy))).toBe("hard");
  });

  it("[SN32] is refused a call whose price is unknown", () => {
    expect(why(reserve(opened(10), call("c", null), policy))).toBe("price-unknown");
    expect(why(reserve(opened(10), call("c", 0), policy))).toBe("reserved");
  });

  it("[SN32] an unknown cost counts in full; one above what was set aside ends the spending", () => {
    const { accounts } = reserve(opened(10), call("c1", 6), policy);

    expect(settle(accounts, "c1", null).requests.get("r0")).toMatchObject({ spent: 6 * CENT });
    expect(settle(accounts, "c1", 0).requests.get("r0")).toMatchObject({ spent: 0 });
    const overrun = settle(accounts, "c1", 7 * CENT);
    expect(overrun.requests.get("r0")).toMatchObject({ spent: 7 * CENT, exceeded: CENT });
    expect(overrun.days.plain()).toEqual({ 0: 7 * CENT });
    expect(why(reserve(overrun, call("c2", 0), policy))).toBe("overrun");
    const both = settle(reserve(accounts, call("c2", 4), policy).accounts, "c1", 7 * CENT);
    expect(why(reserve(settle(both, "c2", 0), call("c3", 1), policy))).toBe("overrun");
  });

  it("[SN101] a request or a day that is over begins nothing more, not even what costs nothing", () => {
    const both = reserve(opened(10, 500, 500), call("c1", 6), policy).accounts;
    const over = settle(both, "c1", 2001 * CENT);

    expect(why(reserve(over, call("c2", 0), policy))).toBe("overrun");
    expect(why(reserve(over, call("c2", 0, "r1"), policy))).toBe("day");
    expect(why(reserve(over, call("c2", 0, "r1", days(1)), policy))).toBe("reserved");
    const run = chargeRun(opened(500), 2000.5, 0);
    expect(why(reserve(run, call("c1", 0), policy))).toBe("day");
  });

  it("[SN101] whole cents are rounded up", () => {
    expect([0, 1, CENT / 2, CENT, CENT + 1].map(inCents)).toEqual([0, 1, 1, 1, 2]);
  });

  it("[SN32] settling twice, or what nobody reserved, changes nothing", () => {
    const once = settle(reserve(opened(10), call("c1", 6), policy).accounts, "c1", 6 * CENT);

    expect(settle(once, "c1", 6 * CENT)).toBe(once);
    expect(settle(once, "__proto__", 6 * CENT)).toBe(once);
    expect(why(reserve(once, call("toString", 1, "toString"), policy))).toBe("unknown");
  });

  it("[SN33] spends to the soft cap unasked, and is asked for the millionth of a cent beyond it", () => {
    expect(why(reserve(opened(500), call("c", 200), policy))).toBe("reserved");
    expect(why(reserve(opened(500), call("c", 200.000001), policy))).toBe("ask");
  });

  it("[SN33] is asked once beyond the soft cap, and goes on or ends", () => {
    const { accounts: low } = reserve(opened(500), call("c1", 200), policy);
    const beyond = reserve(low, call("c2", 1), policy);

    expect(why(beyond)).toBe("ask");
    expect(why(reserve(beyond.accounts, call("c2", 1), policy))).toBe("unanswered");
    const granted = answerSoft(beyond.accounts, "r0", true);
    const declined = answerSoft(beyond.accounts, "r0", false);
    expect(why(reserve(granted, call("c2", 300), policy))).toBe("reserved");
    expect(why(reserve(granted, call("c2", 301), policy))).toBe("hard");
    expect(why(reserve(declined, call("c2", 1), policy))).toBe("declined");
    expect(answerSoft(low, "r0", false)).toBe(low);
  });
});

describe("a day", () => {
  const granted = (accounts: Accounts, request: string) =>
    answerSoft(reserve(accounts, call("x", 500, request), policy).accounts, request, true);
  const full = ["r0", "r1", "r2", "r3"].reduce(
    (accounts, request, index) => {
      const asked = granted(accounts, request);
      return settle(
        reserve(asked, call(`c${index}`, 500, request), policy).accounts,
        `c${index}`,
        null,
      );
    },
    opened(500, 500, 500, 500, 500),
  );

  it("[SN34] has a cap over all requests, and the next UTC day starts anew", () => {
    expect(why(reserve(full, call("late", 1, "r4", days(1) - 1), policy))).toBe("day");
    expect(why(reserve(full, call("next", 1, "r4", days(1)), policy))).toBe("reserved");
  });

  it("[SN34] [SP4] reaches its cap and does not pass it", () => {
    const nearly = settle(reserve(opened(100), call("c", 90), policy).accounts, "c", null);
    const at = (cents: number) => reserve(nearly, call("d", cents), { ...policy, dayCents: 95 });

    expect(why(at(5))).toBe("reserved");
    expect(why(at(5.000001))).toBe("day");
  });

  it("[SN34] a call belongs to the day on which it was made, whenever it ends", () => {
    for (const day of [0, 7]) {
      const { accounts } = reserve(opened(100), call("c", 90, "r0", days(day + 1) - 1), policy);

      expect(settle(accounts, "c", 40 * CENT).days.plain()).toEqual({ [day]: 40 * CENT });
    }
  });

  it("[SN34] its cap cannot be raised by any configuration", () => {
    const leaf = policyLeaves().find(([path]) => path === "synt.budget.dayCents")?.[1];

    expect(leaf).toMatchObject({ default: 2000, max: 2000 });
  });
});

describe("in any order of calls", () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant("reserve" as const),
      call: fc.nat(9),
      request: fc.nat(4),
      amount: fc.option(fc.nat(700 * CENT)),
      day: fc.nat(2),
    }),
    fc.record({
      do: fc.constant("settle" as const),
      call: fc.nat(9),
      actual: fc.option(fc.nat(900 * CENT)),
    }),
    fc.record({ do: fc.constant("answer" as const), request: fc.nat(4), goesOn: fc.boolean() }),
  );
  const budgets = fc.array(fc.option(fc.nat(900), { nil: undefined }), {
    minLength: 5,
    maxLength: 5,
  });

  // A day that some calls fill.
  const by = { ...policy, dayCents: 300 };
  const always = (holds: (accounts: Accounts) => void): void => {
    fc.assert(
      fc.property(budgets, fc.array(step, { maxLength: 60 }), (caps, steps) => {
        let accounts = opened(...caps);
        for (const one of steps) {
          if (one.do === "reserve") {
            const { call: name, request, amount, day } = one;
            const asked = { call: `c${name}`, request: `r${request}`, amount, nowMs: days(day) };
            accounts = reserve(accounts, asked, by).accounts;
          }
          if (one.do === "settle") accounts = settle(accounts, `c${one.call}`, one.actual);
          if (one.do === "answer") accounts = answerSoft(accounts, `r${one.request}`, one.goesOn);
          holds(accounts);
        }
      }),
      { numRuns: 300 },
    );
  };

  it("[SN35] [SP4] no cap is passed at any instant but by what a call cost above its reservation", () => {
    always((accounts) => {
      const above = accounts.requests.entries().map(([, { exceeded }]) => exceeded);
      const exceededInAll = above.reduce((sum, more) => sum + more, 0);
      for (const [, { cap, reserved, soft, ...account }] of accounts.requests.entries()) {
        const spent = account.spent - account.exceeded;
        expect(spent + reserved).toBeLessThanOrEqual(cap);
        expect(inCents(spent) * CENT).toBeLessThanOrEqual(cap);
        if (soft !== "granted") {
          expect(spent + reserved).toBeLessThanOrEqual(policy.softCents * CENT);
        }
      }
      for (const spent of Object.values(accounts.days.plain())) {
        expect(spent).toBeGreaterThanOrEqual(0);
        expect(spent - exceededInAll).toBeLessThanOrEqual(by.dayCents * CENT);
      }
    });
  });

  it("[SN35] what is set aside is what the open calls may cost, and the days hold it with what was spent", () => {
    always((accounts) => {
      for (const [name, { reserved }] of accounts.requests.entries()) {
        const open = Object.values(accounts.calls).filter(({ request }) => request === name);
        expect(reserved).toBe(open.reduce((sum, { amount }) => sum + amount, 0));
      }
      const held = accounts.requests.entries().map(([, one]) => one.spent + one.reserved);
      const onDays = Object.values(accounts.days.plain());
      expect(onDays.reduce((all, one) => all + one, 0)).toBe(held.reduce((all, one) => all + one));
    });
  });
});
