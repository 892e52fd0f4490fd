import { describe, expect, it } from "vitest";
import { pointsOf } from "../../src/studies/sample/points.ts";
import { type Sensitivity, senseStudy, sensitivities } from "../../src/studies/sense.ts";
import { pawnIndices } from "../../src/studies/statistics/pawn.ts";
import type { DrawnDesign, Setting } from "../../src/studies/study.ts";
import { runAt } from "../../src/studies/sweep.ts";
import { numberStudy } from "./numberStudy.ts";

type Made = (values: Setting, replicate: number) => number | null;

const at = (values: Setting, name: string): number => Number(values[name]) / 1_000;
/** Additive: the variances are as 4 to 1 to 0. */
const additive: Made = (values, replicate) => 2 * at(values, "a") + at(values, "b") + replicate;

function sensed(
  design: DrawnDesign,
  made: Made,
  isBound = (_: Setting) => false,
  replicates: readonly number[] = [0, 1],
): Sensitivity {
  const study = senseStudy(numberStudy({ design }));
  if (study === null) throw new Error("a design that has indices");
  const designed = pointsOf(design, study.factors, [], study.seed);
  if ("refused" in designed) throw new Error(designed.refused);
  const runs = designed.points.flatMap((point) =>
    replicates.map((replicate) => ({
      ...runAt(study, point, replicate),
      ...{ outcome: "ended", faults: [], censored: isBound(point.values) ? ["y"] : ["z"] },
      values: { y: made(point.values, replicate) },
    })),
  );
  // In whatever order they came.
  return sensitivities(study, designed.rows, runs.toReversed())["y"] as Sensitivity;
}

describe("sense", () => {
  it("[ST140] gives Sobol indices of the mean over replicates, by SALib's names", () => {
    const found = sensed({ kind: "saltelli", rows: 256 }, additive);

    if (found.kind !== "sobol") throw new Error(found.kind);
    [0.8, 0.2, 0].forEach((share, factor) => {
      expect(found.S1[factor]).toBeCloseTo(share, 1);
      expect(found.ST[factor]).toBeCloseTo(share, 1);
      expect(found.S1_conf[factor]).toBeLessThan(0.2);
    });
    expect(found.S2[0]?.[1]).toBeCloseTo(0, 1);
    // What a seed adds to all rows alike is no noise.
    expect(found.noise).toBeCloseTo(0, 9);
  });

  it("[ST140] draws seeds that all rows share again, too: what rests on two of them is known to hardly anything", () => {
    const made: Made = (values, replicate) => at(values, replicate === 0 ? "a" : "b");
    const found = sensed({ kind: "saltelli", rows: 256 }, made);

    if (found.kind !== "sobol") throw new Error(found.kind);
    expect(found.S1[0]).toBeCloseTo(0.5, 1);
    expect(found.S1_conf[0]).toBeGreaterThan(0.5);
  });

  it("[ST234] gives PAWN beside them, and what a factor that does nothing has by chance", () => {
    const found = sensed({ kind: "saltelli", rows: 256 }, additive);

    if (found.kind !== "sobol" || found.pawn === null) throw new Error(found.kind);
    const { median, maximum, dummy } = found.pawn;
    const [a = 0, b = 0, c = 0] = median;
    expect(a).toBeGreaterThan(2 * b);
    expect(b).toBeGreaterThan(1.5 * dummy.median);
    expect(c).toBeLessThan(2 * dummy.median);
    expect(maximum[0]).toBeGreaterThan(a);
  });

  it("[ST234] PAWN is the median over ten slices, with the greatest beside it", () => {
    const places = Array.from({ length: 100 }, (_, at) => [at / 100]);
    const found = pawnIndices(places, places.flat(), { seed: 1, outcome: "y" });

    // The slices are 0.9, 0.8, …, 0.5, 0.5, …, 0.9 away from the whole.
    expect(found.median).toEqual([expect.closeTo(0.7, 9)]);
    expect(found.maximum).toEqual([expect.closeTo(0.9, 9)]);
    // A factor in whose order nothing stands is as near as ten of a hundred are by chance.
    expect(found.dummy.median).toBeLessThan(0.5);
    // A place at the edge of two slices belongs to the upper one.
    const edged = Array.from({ length: 101 }, (_, at) => [at / 100]);
    expect(pawnIndices(edged, edged.flat(), { seed: 1, outcome: "y" }).median).toEqual([
      expect.closeTo(70.5 / 101, 9),
    ]);
  });

  it("[ST140] takes runs in the order of their replicates, in whatever order they came", () => {
    const of = (replicates: readonly number[]) =>
      sensed(
        { kind: "saltelli", rows: 8 },
        (values, replicate) => at(values, "a") ** (1 + replicate),
        undefined,
        replicates,
      );

    expect(of([1, 2, 0])).toEqual(of([0, 1, 2]));
  });

  it("[ST140] gives Morris's mu, mu_star and sigma, exact where effects are straight lines", () => {
    const found = sensed({ kind: "morris", trajectories: 8, levels: 4 }, additive);

    if (found.kind !== "morris") throw new Error(found.kind);
    [2, 1, 0].forEach((effect, factor) => {
      expect(found.mu[factor]).toBeCloseTo(effect, 2);
      expect(found.mu_star[factor]).toBeCloseTo(effect, 2);
      expect(found.sigma[factor]).toBeCloseTo(0, 2);
    });
    expect(found.noise).toBeCloseTo(0, 9);
  });

  it("[ST260, ST261] gives indices of groups, and a factor in none is one by itself", () => {
    const groups = { both: ["a", "c"] };
    const found = sensed({ kind: "saltelli", rows: 256, groups }, additive);
    const screened = sensed({ kind: "morris", trajectories: 8, levels: 4, groups }, additive);

    if (found.kind !== "sobol" || screened.kind !== "morris") throw new Error(found.kind);
    expect(found.S1.map((share) => share.toFixed(1))).toEqual(["0.8", "0.2"]);
    expect(found.S2).toHaveLength(2);
    expect(screened.mu_star[0]).toBeCloseTo(2, 2);
    expect(screened.mu_star[1]).toBeCloseTo(1, 2);
  });

  it("[ST261] tells no mu and sigma of several factors, and no PAWN", () => {
    const groups = { both: ["a", "c"] };
    const screened = sensed({ kind: "morris", trajectories: 8, levels: 4, groups }, additive);

    expect(screened).toMatchObject({
      mu: [null, expect.closeTo(1, 2)],
      sigma: [null, expect.closeTo(0, 2)],
    });
    expect(sensed({ kind: "saltelli", rows: 8, groups }, additive)).toMatchObject({ pawn: null });
  });

  it.each(["saltelli", "morris"] as const)("[ST141] says the share of noise, of %s", (kind) => {
    const design: DrawnDesign =
      kind === "morris" ? { kind, trajectories: 50, levels: 4 } : { kind, rows: 64 };
    // One replicate up, the other down, by turns that follow from the point alone.
    const found = sensed(design, (values, replicate) => {
      const sign = (Number(values["a"]) + Number(values["b"]) + Number(values["c"])) % 2;
      return at(values, "a") + (sign === replicate ? 1 : -1) * 0.2;
    });

    if (found.kind === "none") throw new Error(found.why);
    expect(found.noise).toBeGreaterThan(0.2);
    expect(found.noise).toBeLessThan(0.7);
  });

  it.each(["saltelli", "morris"] as const)(
    "[ST141] says of how many values it has a bound, of %s",
    (kind) => {
      const design: DrawnDesign =
        kind === "morris" ? { kind, trajectories: 4, levels: 4 } : { kind, rows: 8 };

      expect(sensed(design, additive)).toMatchObject({ censored: 0 });
      const all = sensed(design, additive, () => true);
      if (all.kind === "none") throw new Error(all.why);
      expect(all.censored).toBeGreaterThan(10);
      expect(sensed(design, additive, (values) => at(values, "a") < 0.5)).toMatchObject({
        censored: expect.toSatisfy((some: number) => some > 0 && some < all.censored),
      });
    },
  );

  it("[ST141][ST37] takes values that differ by rounding for equal", () => {
    const design: DrawnDesign = { kind: "morris", trajectories: 4, levels: 4 };

    const found = sensed(design, (values) => 0.1 + (Number(values["a"]) % 2) * 2 ** -55);
    expect(found).toMatchObject({ kind: "none", why: expect.stringContaining("at every point") });
  });

  it.each(["saltelli", "morris"] as const)(
    "[ST141] one replicate cannot say what is chance, of %s",
    (kind) => {
      const design: DrawnDesign =
        kind === "morris" ? { kind, trajectories: 4, levels: 4 } : { kind, rows: 8 };

      expect(sensed(design, additive, undefined, [0])).toMatchObject({
        kind: expect.not.stringMatching("none"),
        noise: null,
      });
    },
  );

  it.each([
    ["saltelli", 8, "base rows"],
    ["morris", 4, "trajectories"],
  ] as const)("[ST141] two whole blocks of %s have indices, one has none", (kind, size, name) => {
    const design: DrawnDesign =
      kind === "morris" ? { kind, trajectories: 4, levels: 4 } : { kind, rows: 4 };
    const study = senseStudy(numberStudy({ design }));
    if (study === null) throw new Error(kind);
    const rows = Array.from({ length: 4 * size }, (_, row) => row);
    const of = (whole: number) => {
      const runs = rows.map((index) => ({
        ...runAt(study, { index, values: {} }, 0),
        ...{ outcome: "ended", faults: [], censored: [] },
        values: { y: index < whole * size ? (index * index) % 7 : null },
      }));
      return sensitivities(study, rows, runs)["y"];
    };

    expect(of(1)).toEqual({
      kind: "none",
      why: `Only 1 of 4 ${name} have a value of every run; two at least are needed.`,
    });
    expect(of(2)).toMatchObject({ kind: kind === "morris" ? kind : "sobol", left: 2 });
  });

  it("[ST141] says why there are no indices", () => {
    const design: DrawnDesign = { kind: "saltelli", rows: 8 };

    expect(sensed(design, () => 3)).toEqual({
      kind: "none",
      why: "It is 3 at every point: no factor changes it.",
    });
    expect(sensed(design, () => null)).toMatchObject({
      why: expect.stringMatching(/^Only 0 of 8/),
    });
  });

  it("[ST142] is asked of no design but saltelli and morris", () => {
    expect(senseStudy(numberStudy({ design: { kind: "lhs", points: 9 } }))).toBeNull();
    expect(senseStudy(numberStudy())).toBeNull();
  });

  it("[ST142] lets no rule end replicates", () => {
    const stop = { outcome: "y", halfWidth: 1 };
    const design: DrawnDesign = { kind: "saltelli", rows: 8 };
    expect(senseStudy(numberStudy({ design, stop }))).toMatchObject({ stop: null });
  });
});
