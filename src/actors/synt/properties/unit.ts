/** Promises about formulas and the desk of synt, over drawn inputs. Source: seed 002, 6, 7 and 12. */

import fc from "fast-check";
import { demand } from "../../../contract/demand.ts";
import { type Overrides, type PolicyValue, valuesOf } from "../../../contract/policy.ts";
import { unitPromises } from "../../../contract/promises.ts";
import type { Delivered, EventType, Mail, MailEvent } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { noMaterial, type Wanted } from "../../../machines/synt/contract.ts";
import type { DeskState } from "../../../machines/synt/desk/deskState.ts";
import { type DeskInput, syntDeskService } from "../../../machines/synt/desk/syntDesk.ts";
import {
  ALL,
  compareShares,
  NONE,
  plus,
  type Share,
  share,
  times,
} from "../../../machines/synt/score/exactShare.ts";
import {
  BILLION,
  type Measured,
  reachable,
  reward,
  STRATEGIES,
  type Strategy,
} from "../../../machines/synt/score/reward.ts";
import { type SyntPolicy, syntLeaves, syntProfiles } from "../../../machines/synt/syntPolicy.ts";
import { days } from "../../../machines/units.ts";
import type { Behaviour } from "../../../substrate/behaviour.ts";
import { serviceBehaviour } from "../../../substrate/serviceBehaviour.ts";
import { exactly, exactR, isSame } from "./reward.ts";

const profiles: { readonly [name: string]: Overrides } = { seed: {}, ...syntProfiles };
const valuesWith = (overrides: Overrides) => valuesOf({ synt: syntLeaves }, overrides);

/** Shares of small denominators meet the threshold exactly, those of large ones nearly. */
const term = fc
  .oneof(
    fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 12 })),
    fc.tuple(fc.oneof(fc.constantFrom(0, 1, BILLION - 1), fc.nat(BILLION)), fc.constant(BILLION)),
  )
  .map(([over, under]) => share(Math.min(over, under), under));

const quality = fc.record({
  det: term,
  judge: term,
  cost: term,
  cosine: fc.oneof(fc.constantFrom(0, BILLION), fc.nat(BILLION)),
  coverage: term,
});

const thousandths = fc.oneof(fc.constantFrom(0, 1_000), fc.nat(1_000));
const TERMS = ["det", "judge", "cost", "similarity", "coverage", "bonus"];

/** Weights and bonuses by path, whatever they are. */
const tuned: fc.Arbitrary<{ readonly [path: string]: PolicyValue }> = fc
  .tuple(...[...TERMS, ...STRATEGIES].map(() => thousandths))
  .map((values) => {
    const paths = [
      ...TERMS.map((term) => `synt.reward.weights.${term}`),
      ...STRATEGIES.map((strategy) => `synt.reward.bonus.${strategy}`),
    ];
    return Object.fromEntries(paths.map((path, index) => [path, values[index] ?? 0]));
  });

/** Each of five terms at its least and at its most. */
const CORNERS = Array.from({ length: 32 }, (_, bits) => {
  const isMost = (bit: number): boolean => ((bits >> bit) & 1) === 1;
  const at = (bit: number): Share => (isMost(bit) ? ALL : NONE);
  const cosine = isMost(3) ? BILLION : 0;
  return { det: at(0), judge: at(1), cost: at(2), cosine, coverage: at(4) };
});

/** The seed's sum before it is held in 0 … 1. */
function rawOf(one: Omit<Measured, "strategy">, strategy: Strategy, { reward: by }: SyntPolicy) {
  const { weights, bonus, similarAbove } = by;
  const part = (weight: number, value: Share): Share => times([weight, 1000], value);
  const penalty = one.cosine * 1_000 > similarAbove * BILLION ? ALL : NONE;
  return [
    part(weights.det, one.det),
    part(weights.judge, one.judge),
    part(weights.cost, one.cost),
    part(0 - weights.similarity, penalty),
    part(weights.coverage, one.coverage),
    part(weights.bonus, share(bonus[strategy], 1000)),
  ].reduce(plus);
}

const wantOf = (intent: string, isReactive: boolean): Wanted => ({
  mode: isReactive ? "reactive" : "introspective",
  strategy: isReactive ? null : "merge",
  proto: null,
  need: { intent, name: "sort_files", from: null, hints: [] },
  material: noMaterial,
  budgetCents: null,
  revision: null,
});

/** Whether the desk begins on a target at `askedMs` that ended without fruit at `endedMs`. */
function beginsAfter(endedMs: number, askedMs: number, isReactive: boolean): boolean {
  const { synt } = valuesWith({});
  const at = (nowMs: number) => ({ nowMs, seq: 1, from: "somebody" });
  const first = wantOf("Sort my files!", isReactive);
  const state = isReactive ? "abandoned" : "rejected";
  const ended: Mail["synth.stated"] = {
    ...{ request: "req-0001", mode: first.mode, proto: null, intent: first.need.intent },
    ...{ strategy: null, state, rationale: "no", error: null, artefact: null },
    ...{ scored: null, weighed: [], revises: null },
  };
  const desk = new Desk({ synt }, { startsAtMs: 0, tiers: {} });
  desk.hear({ type: "synth.requested", ...first, at: at(endedMs) });
  desk.hear({ type: "synth.stated", ...ended, at: at(endedMs) });
  const again = wantOf("sort MY files", isReactive);
  const said = desk.hear({ type: "synth.requested", ...again, at: at(askedMs) });
  return said.some(({ type }) => type === "actor.start");
}

const tokens = fc.oneof(fc.constantFrom(0, 1, 5_000), fc.nat(20_000));
const perToken = fc.oneof(fc.constantFrom(0, 500, 2_500), fc.nat(10_000));

interface Paid {
  readonly allowed: { readonly asked: number; readonly answered: number };
  readonly counted: Paid["allowed"];
  readonly price: Paid["allowed"];
}

/** One call at the desk: set aside, settled as counted, and another that asks for nothing. */
function paidOnce({ allowed, counted, price }: Paid, budgetCents: number) {
  const { synt } = valuesWith({ "synt.budget.softCents": 1_000_000 });
  const at = { nowMs: 0, seq: 1, from: "somebody", asked: true as const };
  const config = { middle: { provider: "anthropic", model: "m", price } };
  const desk = new Desk({ synt }, { startsAtMs: 0, tiers: config });
  const request = "req-0001";
  const outcomeOf = (call: string, most: Paid["allowed"]) => {
    const [reply] = desk.hear({ type: "money.asked", request, call, served: 1, ...most, at });
    return reply?.type === "money.answered" ? reply.outcome : undefined;
  };
  desk.hear({ type: "synth.requested", ...wantOf("sort my files", true), budgetCents, at });
  const outcome = outcomeOf("c1", allowed);
  const actual = counted.asked * price.asked + counted.answered * price.answered;
  const said = desk.hear({ type: "money.settled", call: "c1", actual, at });
  const { spent = 0, cap = 0 } = desk.state.accounts.requests.get(request) ?? {};
  return {
    ...{ outcome, spent, cap },
    isSaid: said.some(({ type }) => type === "money.exceeded"),
    next: outcomeOf("c2", { asked: 0, answered: 0 }),
  };
}

/** The desk of synt without a world. */
class Desk {
  readonly #behaviour: Behaviour<DeskState>;
  state: DeskState;

  constructor(policy: { readonly synt: SyntPolicy }, input: DeskInput) {
    this.#behaviour = serviceBehaviour(syntDeskService(policy));
    this.state = this.#behaviour.start("synt", input, { nowMs: 0, seq: 1, from: "stage" }).state;
  }

  /** What it says to that. */
  hear(event: Delivered<EventType>): readonly MailEvent[] {
    const { state, effects } = this.#behaviour.receive("synt", this.state, event);
    this.state = state;
    return effects.flatMap((one) => (one.kind === "letter" ? [one.letter.event] : []));
  }
}

export const syntUnitProperties = unitPromises({
  "synt-bonus-orders": {
    says: "At equal quality R never rises from compose to merge, specialise, generalise and generate.",
    source: "seed 002, 6 and 12, “Strategy cost bonus monotonic”; RULINGS Y1",
    draw: () =>
      fc.property(quality, fc.constantFrom(...Object.keys(profiles)), (given, profile) => {
        const { synt } = valuesWith(ownValue(profiles, profile) ?? {});
        const scores = STRATEGIES.map((strategy) => {
          const { terms, total } = reward({ ...given, strategy }, synt.reward);
          const exact = exactR(terms, synt.reward);
          demand(
            isSame(exactly(total), exact),
            `R of ${strategy} is ${total.join("/")}, and its terms make ${exact.over}/${exact.under}`,
          );
          return exact;
        });
        const risen = scores.findIndex(({ over, under }, index) => {
          const before = scores[index - 1];
          return before !== undefined && over * before.under > before.over * under;
        });
        demand(risen < 0, `R rises at ${STRATEGIES[risen]} under profile ${profile}`);
      }),
  },
  "synt-range-is-reached": {
    says: "Under any weights the range of R that is calculated for a strategy holds every sum of terms within 0 … 1, and both its ends are sums.",
    source: "seed 002, 6; RULINGS Y2; issue 4",
    draw: () =>
      fc.property(quality, tuned, fc.constantFrom(...STRATEGIES), (given, policy, strategy) => {
        const { synt } = valuesWith(policy);
        const range = reachable(strategy, synt.reward);
        const sumOf = (one: Omit<Measured, "strategy">): Share => rawOf(one, strategy, synt);
        const sums = CORNERS.map(sumOf).toSorted(compareShares);
        const [least = NONE, most = NONE] = [sums[0], sums.at(-1)];
        demand(
          compareShares(range.least, least) === 0 && compareShares(range.most, most) === 0,
          `the range of ${strategy} is given as ${range.least.join("/")} … ${range.most.join("/")}, and is ${least.join("/")} … ${most.join("/")}`,
        );
        const sum = sumOf(given);
        demand(
          compareShares(sum, least) >= 0 && compareShares(sum, most) <= 0,
          `${strategy} reaches ${sum.join("/")}`,
        );
      }),
  },
  "synt-locks-last-to-the-millisecond": {
    says: "An abandoned target is locked for 24 hours and a rejected direction for 30 days: refused a millisecond before, free at the end.",
    source: "seed 002, 7 and 12; RULINGS Y11",
    draw: () =>
      fc.property(
        fc.nat(days(400)),
        fc.boolean(),
        fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -days(1), max: days(1) })),
        (endedMs, isReactive, offMs) => {
          const lastsMs = isReactive ? days(1) : days(30);
          const begins = beginsAfter(endedMs, endedMs + lastsMs + offMs, isReactive);
          demand(
            begins === offMs >= 0,
            `${offMs} ms from the end of the lock it ${begins ? "begins" : "is refused"}`,
          );
        },
      ),
  },
  "synt-honest-price-fits-its-reservation": {
    says: "Whatever the price list, a call that counts no more than it was allowed is within its reservation and its request's cap; one that counts more is spent as what it was, said, and the last of its request.",
    source: "seed 002, 8.2 and 12, “Hard budget respected”; RULINGS Y25",
    draw: () =>
      fc.property(
        fc.record({ asked: tokens, answered: tokens }),
        fc.record({ asked: tokens, answered: tokens }),
        fc.record({ asked: perToken, answered: perToken }),
        fc.nat(500),
        (allowed, counted, price, budgetCents) => {
          const { outcome, spent, cap, isSaid, next } = paidOnce(
            { allowed, counted, price },
            budgetCents,
          );
          if (outcome !== "reserved") return;
          const cost = counted.asked * price.asked + counted.answered * price.answered;
          const most = allowed.asked * price.asked + allowed.answered * price.answered;
          const isHonest = counted.asked <= allowed.asked && counted.answered <= allowed.answered;
          demand(spent === cost, `a call that cost ${cost} stands at ${spent}`);
          demand(
            !isHonest || (cost <= most && spent <= cap),
            `an honest call costs ${cost}; ${most} were set aside, and the cap is ${cap}`,
          );
          demand(
            isSaid === cost > most,
            `${cost} of ${most} is ${isSaid ? "" : "not "}said to be more`,
          );
          demand(!isSaid || next === "denied", `after ${cost} of ${most} the next call is ${next}`);
        },
      ),
  },
});
