import { describe, expect, it } from "vitest";
import { outcomeLines } from "../../src/cli/study/sense.ts";
import type { Sensitivity } from "../../src/studies/sense.ts";
import { numberFactor, numberStudy } from "../studies/numberStudy.ts";

type Sobol = Extract<Sensitivity, { kind: "sobol" }>;

const study = numberStudy({ factors: ["a", "b"].map((name) => numberFactor(name)) });
const sobol: Sobol = {
  ...{ kind: "sobol", noise: 0.25, rows: 8, left: 0, censored: 0 },
  ...{ S1: [0.5, 0.2], S1_conf: [0.1, 0.1], ST: [0.5, 0.2], ST_conf: [0.1, 0.1] },
  ...{
    S2: [
      [null, 0.3],
      [null, null],
    ],
    S2_conf: [
      [null, 0.1],
      [null, null],
    ],
  },
  pawn: { median: [0.6, 0.4], maximum: [0.9, 0.8], dummy: { median: 0.15, maximum: 0.35 } },
};
const saidOf = (change: Partial<Sobol>): string =>
  outcomeLines(study, "y", { ...sobol, ...change }).join("\n");

describe("the text of sense", () => {
  it("[ST141] says the share of chance in per cent, or that one replicate cannot say", () => {
    expect(saidOf({})).toContain("8 base rows; 25 % of the variance between rows is chance.");
    expect(saidOf({ noise: null })).toContain("one replicate, which cannot say what chance adds");
  });

  it("[ST141] says why an outcome has no indices", () => {
    expect(outcomeLines(study, "y", { kind: "none", why: "It is 3 at every point." })).toEqual([
      "y: no indices. It is 3 at every point.",
    ]);
  });

  it("[ST141] says in how many runs the bound is taken", () => {
    expect(saidOf({ censored: 3 })).toContain("In 3 runs only a bound of the value is known");
    expect(saidOf({})).not.toContain("only a bound");
  });

  it("[ST140] has S1, ST and S2 of each factor and pair, each with its `_conf`", () => {
    const said = saidOf({ ST: [0.7, 0.4], ST_conf: [0.05, 0.06] });

    expect(said).toMatch(/\| +S1 \| +ST \| +PAWN \|/);
    expect(said).toMatch(/\| a +\| 0\.5 ± 0\.1 \| 0\.7 ± 0\.05 \| +0\.6 \|/);
    expect(said).toMatch(/\| b +\| 0\.2 ± 0\.1 \| 0\.4 ± 0\.06 \| +0\.4 \|/);
    expect(said).toMatch(/\| a × b \| 0\.3 ± 0\.1 \|/);
  });

  it("[ST140] has Morris's mu, mu_star with its `_conf`, and sigma", () => {
    const said = outcomeLines(study, "y", {
      ...{ kind: "morris", noise: null, trajectories: 4, left: 0, censored: 0 },
      ...{ mu: [-1, 2], mu_star: [3, 4], mu_star_conf: [0.5, 0.6], sigma: [5, 6] },
    }).join("\n");

    expect(said).toMatch(/\| +mu \| +mu_star \| +sigma \|/);
    expect(said).toMatch(/\| a +\| -1 \| 3 ± 0\.5 \| +5 \|/);
    expect(said).toMatch(/\| b +\| +2 \| 4 ± 0\.6 \| +6 \|/);
  });

  it("[ST261] tells groups under their names, and of several factors no mu and sigma", () => {
    const design = {
      kind: "morris",
      trajectories: 4,
      levels: 4,
      groups: { both: ["a", "b"] },
    } as const;
    const said = outcomeLines({ ...study, design }, "y", {
      ...{ kind: "morris", noise: null, trajectories: 4, left: 0, censored: 0 },
      ...{ mu: [null], mu_star: [3], mu_star_conf: [0.5], sigma: [null] },
    }).join("\n");

    expect(said).toMatch(/\| both +\| +– \| 3 ± 0\.5 \| +– \|/);
  });

  it("[ST234] says what a factor that does nothing has of PAWN by chance, and nothing of groups", () => {
    expect(saidOf({})).toContain("the median of ten: by chance alone 0.15.");
    expect(saidOf({ pawn: null })).not.toContain("PAWN");
  });

  it("[ST184] tells S1 above ST as the chance of an estimate", () => {
    expect(saidOf({})).not.toContain("cannot be");
    expect(saidOf({ S1: [0.51, 0.2] })).toContain("S1 above ST (a) cannot be: it is the chance");
  });
});
