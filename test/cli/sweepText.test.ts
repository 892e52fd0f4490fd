// What people read below the table of a study, of estimates made by hand.
import { expect, it } from "vitest";
import { countsText, exitCodeOf, openingOf } from "../../src/cli/study/studyRun.ts";
import { boundMark, frontierText, sweepText } from "../../src/cli/study/sweepText.ts";
import type { Swept, SweptFrontier } from "../../src/edges/studies/playStudy.ts";
import type { Outcome, ReducedOutcome } from "../../src/studies/outcomes/outcome.ts";
import type { Estimate } from "../../src/studies/statistics/intervals.ts";
import { proportionInterval, valuesInterval } from "../../src/studies/statistics/proportions.ts";
import { frontierResult, studyResult } from "../edges/studies/report/studyResult.ts";
import { numberStudy } from "../studies/numberStudy.ts";

const counts = { kept: 0, cached: 0, played: 0, again: 0, deliveries: { played: 0, spared: 0 } };
const left = { folder: "f", files: [], opening: [] };

function textOf(...means: readonly Estimate[]): string {
  const { study, points } = studyResult();
  const swept = {
    plan: { study: { ...study, outcomes: study.outcomes.slice(0, 1) } },
    runs: [],
    points: means.map((mean, at) => {
      const outcome = { kind: "share", missing: 0, censored: 0, mean, difference: null };
      return { ...points[at], isBaseline: false, outcomes: { spirals: outcome } };
    }),
  } as unknown as Swept; // Only these are read.
  return sweepText(swept, counts, left, 100);
}

it("[ST22] says how many runs a share takes that is known less well than to .05", () => {
  const says = "to know these shares to ± 0.05 takes 381 runs a point; with 380 runs,";

  expect(textOf(proportionInterval(190, 380), proportionInterval(1, 400))).toContain(says);
  expect(textOf(proportionInterval(191, 382))).not.toContain("takes");
  // The share that takes most, and the point that has fewest.
  const two = textOf(proportionInterval(20, 100), proportionInterval(190, 380));
  expect(two).toContain("takes 381 runs a point; with 100 runs,");
});

it("[ST22] says whether the values are too few or all equal, and what so many may have missed", () => {
  const alike = (n: number) => valuesInterval(Array(n).fill(3), "number");
  const equal = textOf(alike(20), alike(10));
  const few = textOf(valuesInterval([3], "number"));

  expect(equal).toContain("all values are equal");
  expect(equal).toContain("what happens in fewer than 26 % of the runs may be missed");
  expect(equal).not.toContain("too few");
  expect(few).toContain("no interval is claimed: ");
  expect(few).not.toContain("all values are equal");
});

it("[ST58, ST59] a frontier's table says the runs used, what a grid takes, and what is not monotone as a grid", () => {
  const { study, frontier } = frontierResult();
  const [one, bent] = frontier?.combinations ?? [];
  const noValue = { ...bent, threshold: { kind: "noValue", runs: 3 } };
  const combinations = [one, bent, noValue].map((each) => ({ ...each, gridRuns: 195 }));
  const found = { design: frontier?.design, combinations };
  // Only these are read.
  const swept = { swept: { plan: { study }, runs: [] }, found } as unknown as SweptFrontier;
  const lines = frontierText(swept, counts, left, 200).split("\n");

  // Half way to the third look: whole in files, here to a tenth of its interval.
  expect(lines.filter((line) => line.includes(" 0.2 [0.1, 0.3] |"))).toHaveLength(1);
  expect(lines.filter((line) => /\| +12 \| +195 \|$/.test(line))).toHaveLength(3);
  expect(lines).toContain("36 runs where a grid takes 585.");
  const at = lines.indexOf("Not monotone at router.kind embedding, so all values were played:");
  expect(lines[at + 1]).toBe("  0.1: 0 of 4 · 0.2: 2 of 4 · 0.3: 4 of 4");
  expect(lines.filter((line) => line.includes("none: 3 runs gave neither 0 nor 1"))).toHaveLength(
    1,
  );
  const sides = ["rarer", "commoner", "undecided"].map((side) => ({
    ...{ ...bent, threshold: { kind: "beyond", side } },
  }));
  const ends = { ...swept, found: { ...found, combinations: sides } } as unknown as SweptFrontier;
  const table = frontierText(ends, counts, left, 200);
  for (const said of ["rarer at both ends", "commoner at both ends", "an end is undecided"]) {
    expect(table).toContain(`none: ${said} (0.1: 0 of 4 · 0.3: 4 of 4)`);
  }
});

it("[ST273] the text says how many deliveries were played here, and which share was common, if none as well", () => {
  const said = (played: number, spared: number) =>
    countsText(2, { ...counts, deliveries: { played, spared } }).replace(/^.*before\./, "");
  const common = "were common to several runs, and made once.";

  expect(said(100, 50)).toBe(` Of their 150 deliveries 50 (33 %) ${common}`);
  expect(said(7, 0)).toBe(` Of their 7 deliveries 0 (0 %) ${common}`);
  // None was played here.
  expect(said(0, 0)).toBe("");
});

it("[ST63] a study with a run that was given up exits with 70, with one that met a limit with 0", () => {
  const of = (...outcomes: readonly string[]) =>
    exitCodeOf(outcomes.map((outcome) => ({ outcome })));

  expect([of("ended", "died"), of("bug", "ended")]).toEqual([70, 70]);
  expect([of("ended", "limit:envelopes", "miss"), of()]).toEqual([0, 0]);
});

it("[ST72] the command that opens a point says all that its run is made of", () => {
  const { study: of, points } = studyResult();
  const study = { ...of, variant: "calm", untilMs: 3_600_000, limits: { events: 9 } };
  const found = { study, points: points.slice(0, 1).map((point) => ({ ...point, seed: 7 })) };

  expect(openingOf({ text: "", file: "s.yaml", part: ["mine.ts"] }, found)).toEqual([
    "npx ghostlight run locks --seed 7 --variant calm --set locks.constrained=0.1 --set router.kind=lexical --until 1h --limit events=9 --part mine.ts",
  ]);
});

it("[ST157] a mean that rests on bounds is marked, and a difference of which either side does", () => {
  const { study, points } = studyResult();
  const mean = valuesInterval([1, 2, 3], "number");
  const rows = (...censored: readonly [base: number, own: number]) => {
    const swept = {
      plan: { study: { ...study, outcomes: study.outcomes.slice(0, 1) } },
      runs: [],
      points: censored.map((bounds, at) => {
        const difference = at === 0 ? null : mean;
        const outcome = { kind: "number", missing: 0, censored: bounds, mean, difference };
        return { ...points[at], isBaseline: at === 0, outcomes: { spirals: outcome } };
      }),
    } as unknown as Swept; // Only these are read.
    const lines = sweepText(swept, counts, left, 200).split("\n").slice(2, 4);
    return lines.map((line) => line.match(/[|≥~] +2 (?=\[)/g)?.map((cell) => cell.slice(0, 1)));
  };

  expect(rows(0, 0)).toEqual([["|"], ["|", "|"]]);
  expect(rows(1, 0)).toEqual([["≥"], ["|", "~"]]);
  expect(rows(0, 1)).toEqual([["|"], ["≥", "~"]]);
});

it("[ST214] a mean up to a limit bears no mark of a bound, as another mean and difference do", () => {
  const { outcomes } = numberStudy();
  const mark = (across: Pick<ReducedOutcome, "across">, which: "mean" | "difference") =>
    boundMark(
      numberStudy({ outcomes: outcomes.map((one) => ({ ...one, ...across }) as Outcome) }),
      "y",
      which,
    );
  const upTo = { across: { kind: "restricted", limit: 5 } } as const;

  expect([mark({}, "mean"), mark({}, "difference")]).toEqual(["≥ ", "~ "]);
  expect([mark(upTo, "mean"), mark(upTo, "difference")]).toEqual(["", ""]);
});
