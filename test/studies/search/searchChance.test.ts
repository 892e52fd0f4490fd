// A smaller version of `npm run bench:search`, whose table is in docs/studies-coverage.md.
import { expect, it } from "vitest";
import { bisectionCoverage, eliminationChance } from "../../../bench/searchChance.ts";

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
