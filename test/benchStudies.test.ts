import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { costOf, costsPage, MACHINE_CORES, PRICE, RUNS } from "../bench/studyCosts.ts";

describe("the cost of a study", () => {
  it("[ST171] is runs times their processor time, until the queue is the slower", () => {
    const few = costOf({ msPerRun: 100, queueAlone: 1_000 }, 2);
    expect(few.hours).toBeCloseTo((RUNS * 0.1) / (2 * MACHINE_CORES) / 3_600, 9);
    expect(few.coreHours).toBeCloseTo((RUNS * 0.1) / 3_600, 9);
    expect(few.dollars).toBeCloseTo(few.coreHours * PRICE, 9);
    expect(few.isBound).toBe(false);

    const many = costOf({ msPerRun: 100, queueAlone: 1_000 }, 100);
    expect(many.hours).toBeCloseTo(RUNS / 1_000 / 3_600, 9);
    expect(many.isBound).toBe(true);
    expect(many.dollars).toBeGreaterThan(few.dollars);
  });

  it("[ST171] stands on its page as the bench makes it of the figures at its end", () => {
    const page = readFileSync("docs/studies-costs.md", "utf8");
    const figures = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? "");

    expect(page).toBe(costsPage(figures));
    expect(figures.ways[0]).toMatchObject({ timesLoop: 1 });
    if (figures.grid === null) return;
    // Whole, on two cores.
    expect(figures.grid.runs).toBe(1_200);
    expect(figures.grid.processorSeconds / 2).toBeLessThan(300);
  });
});
