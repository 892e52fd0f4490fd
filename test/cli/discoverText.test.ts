import { describe, expect, it } from "vitest";
import { importanceLines, ruleText } from "../../src/cli/study/discover.ts";
import type { ShortRule } from "../../src/studies/discovery/shortRule.ts";
import type { Surrogates } from "../../src/studies/discovery/surrogates.ts";

const column = { kind: "number", name: "a", values: [1, 2, 3, 4] } as const;
const left = {
  asked: "y >= 1",
  study: {
    ...{ name: "s", seed: 1, factors: [{ name: "a" }], outcomes: [] },
    units: { leaves: {}, outcomes: {} },
  },
  cases: { columns: [column], runs: [3, 3, 3, 3], hits: [1, 0, 2, 3] },
};

function said(change: Partial<ShortRule>, ...weights: readonly (readonly [string, number])[]) {
  const feature = { kind: "sum", weights, column } as const;
  return ruleText(left, {
    ...{ feature, side: "least", limit: 0, beyond: -1, ties: 0 },
    ...{ points: 2, runs: 6, hits: 5, coverage: 1, density: 1, mass: 1, ...change },
  });
}

describe("the text of discover", () => {
  it("[ST204] tells a rule with its runs and points, and the first value beyond its limit", () => {
    expect(said({ limit: 9, beyond: 7, ties: 2 }, ["a", 1], ["b", 1])).toBe(
      "y >= 1 where the sum of a and b is at least 9 (no more at 7): in 5 of the 6 runs there (2 of 4 points), and in 1 of the others. 2 other limits on as many factors tell as much.",
    );
  });

  it.each([
    ["least", 0, -1, "a reaches b"],
    ["least", 1, -1, "a reaches b"],
    ["least", 1, 0, "a exceeds b"],
    ["least", 2, 1, "a less b is at least 2 (no more at 1)"],
    ["most", 0, 1, "b reaches a"],
    ["most", -1, 0, "b exceeds a"],
    ["most", -2, -1, "a less b is at most -2 (no more at -1)"],
  ] as const)(
    "[ST204] says of a gap, at %s %s and no more at %s, that %s",
    (side, limit, beyond, words) => {
      expect(said({ side, limit, beyond }, ["a", 1], ["b", -1])).toContain(`where ${words}: in `);
    },
  );

  it("[ST206] says of how many of the largest a sum is", () => {
    const most = (largest: number) => {
      const weights = [["a", 1] as const, ["b", 1] as const, ["c", 1] as const, ["d", -1] as const];
      return said({ feature: { kind: "sum", weights, column, largest }, limit: 9, beyond: 7 });
    };

    expect(most(1)).toContain("where the largest of a, b and c less d is at least 9");
    expect(most(2)).toContain("where the sum of the 2 largest of a, b and c less d is at least 9");
  });

  /** By how much each foretells. */
  function told(forest: number, process: number): string {
    const factors = (share: number) => [
      {
        ...{ factor: "a", importance: 0.5, deviation: 0.1, length: 1 },
        held: [{ value: 1, share, low: share, high: share }],
      },
    ];
    const found: Surrogates = {
      forest: { trees: 100, explained: forest, factors: factors(0.25) },
      process: { points: 4, explained: process, noise: 0, factors: factors(0.75) },
      ...{ better: forest >= process ? "forest" : "process", shapley: { a: 1 } },
    };
    return importanceLines(left, found).join("\n");
  }

  it("[ST239] says nothing of what matters where neither foretells a tenth", () => {
    expect(told(0.0999, -1)).toMatch(/9\.99 %.* So they say nothing of what matters\.$/);
    expect(told(-1, 0.0999)).toMatch(/So they say nothing of what matters\.$/);
    expect(told(0.1, -1)).toMatch(/\| a +\| +0\.5 ± 0\.1 \|/);
    expect(told(-1, 0.1)).toContain("| a ");
  });

  it("[ST237] says first how much of unseen points the forest foretells", () => {
    expect(told(0.9, 0.8)).toMatch(/ a forest of 100 trees foretells 90 %, /);
  });

  it("[ST264] tells the share along a factor of whichever foretells more, and what its brackets are", () => {
    expect(told(0.9, 0.8)).toContain("1: 0.25 [0.25, 0.25]");
    expect(told(0.9, 0.8)).toMatch(
      /of the forest; in brackets, where nineteen of twenty trees lie/,
    );
    expect(told(0.8, 0.9)).toContain("1: 0.75 [0.75, 0.75]");
    expect(told(0.8, 0.9)).toMatch(/of the process; in brackets, 95 % limits\.$/);
  });

  it("[ST263] says of how many drawn points a process is, and nothing where it took all", () => {
    expect(told(0.9, 0.8)).toContain("a Gaussian process 80 %");
    const found = { cases: { ...left.cases, runs: [3, 3, 3, 3, 3] }, study: left.study };
    const one = { points: 4, explained: 0, noise: 0, factors: [] };
    const both = { forest: { trees: 100, explained: 0, factors: [] }, process: one };
    expect(importanceLines(found, { ...both, better: "process", shapley: null })[0]).toContain(
      "a Gaussian process of 4 drawn points 0 %",
    );
  });
});
