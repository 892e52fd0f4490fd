// A smaller version of `npm run bench:search`, whose table is in docs/studies-coverage.md.
import { expect, it } from "vitest";
import { bisectionCoverage, eliminationChance } from "../../../bench/searchChance.ts";
import { Bisection } from "../../../src/studies/search/bisection.ts";
import { Elimination } from "../../../src/studies/search/elimination.ts";
import { meanInterval } from "../../../src/studies/statistics/intervals.ts";
import { proportionInterval } from "../../../src/studies/statistics/proportions.ts";

const STUDIES = 60;

it.each(["normal", "Bernoulli"] as const)(
  "[ST86] elimination seldom drops the best, and saves runs where one leads: %s",
  (data) => {
    const equal = eliminationChance(data, 0, STUDIES);
    const leading = eliminationChance(data, 0.3, STUDIES);

    // Of 60 studies with a chance of one in twenty each, more than eight are one in three hundred.
    expect(equal.dropped).toBeLessThanOrEqual(8 / STUDIES);
    expect(leading.dropped).toBeLessThanOrEqual(8 / STUDIES);
    expect(leading.runs).toBeLessThan(0.9);
  },
);

it.each(["normal", "Bernoulli"] as const)(
  "[ST87] the two levels that bisection gives hold the crossing: %s",
  (data) => {
    const found = bisectionCoverage(data, 100, STUDIES);

    expect(found.held).toBeGreaterThan(0.5);
    expect(found.missed).toBeLessThanOrEqual(8 / STUDIES);
    expect(found.runs).toBeLessThan(0.5);
  },
);

it("[ST86] the chance of one in twenty is shared out over all pairs and all rounds", () => {
  const worse = [1, 2, 3, 4];
  // Of three pairs and two rounds, 4 replicates and 8.
  const { low } = meanInterval(worse, 1 - 0.05 / 6);
  const dropped = (gap: number) => {
    const search = new Elimination({ points: 3, goal: "minimise", first: 4, most: 8 });
    const alike = worse.map(() => 0);
    search.tell(
      new Map([
        [0, alike],
        [1, alike],
        [2, worse.map((one) => one - (low ?? 0) + gap)],
      ]),
    );
    return search.dropped.map(({ point }) => point);
  };

  expect([dropped(-1e-6), dropped(1e-6)]).toEqual([[], [2]]);
});

it("[ST87] the chance of one in twenty is shared out over all levels that are looked at", () => {
  const replicates = 100;
  // Of 1,025 levels both ends of an interval are looked at, eleven times each, and both ends of the axis.
  const sureBelow = (hits: number) =>
    (proportionInterval(hits, replicates, 1 - 0.05 / 24).high ?? 1) < 0.5;
  const most = Array.from({ length: replicates }, (_, hits) => hits).findLast(sureBelow) ?? 0;
  const sides = [most, most + 1].map((hits) => {
    const search = new Bisection({ levels: 1_025, replicates });
    search.tell(
      0,
      Array.from({ length: replicates }, (_, at) => at < hits),
    );
    return search.shares()[0]?.side;
  });

  expect(sides).toEqual(["rarer", "undecided"]);
});
