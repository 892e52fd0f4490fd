import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { studyCases } from "../../src/edges/studies/studyCases.ts";
import { number } from "../../src/edges/studies/studyNumbers.ts";
import { studyFile } from "../edges/studies/sweptStudy.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

/** A folder as a study leaves it: five points of two factors, of which the last was held out. */
function leftFolder(
  outcomes: readonly string[] = [],
  more: readonly string[] = [],
  kind = "reduced",
): string {
  const folder = newFolder();
  const study = {
    ...{ name: "s", seed: 1, factors: [{ name: "a" }, { name: "b" }] },
    units: { leaves: { a: "steps", b: "steps" }, outcomes: {} },
    outcomes: [...outcomes.slice(0, 1), "y", ...outcomes.slice(1)].map((name) => ({ name, kind })),
  };
  const points = [1, 2, 3, 4, 5].map((a, index) => ({ index, values: { a, b: 3 } }));
  const faults = [{ faults: ["div: by 0."] }, { faults: ["Unknown: it left."] }];
  const text = JSON.stringify({ format: 1, study, heldOut: [4], points, faults });
  writeFileSync(join(folder, "study.json"), text);
  // Of the second run nothing is known, and of the third that it is more.
  const rows = ["0,y,0,0", "1,y,,0", "1,y,2,1", "1,y,0,0", "2,y,2,0", "3,y,3,0", "4,y,9,0"];
  writeFileSync(
    join(folder, "runs.csv"),
    `point,outcome,value,censored\n${[...rows, ...more].join("\n")}\n`,
  );
  return folder;
}

describe("ghostlight discover", () => {
  it("[ST200] without a bound asks for what is not 0, and says so", async () => {
    const { stderr } = await ghostlight(["discover", leftFolder(), "--outcome", "y"]);

    expect(stderr).toContain("No bound was given; asked is y >= 2.");
    expect(stderr).toContain("2 runs are left out: of them it is not known.");
    const whole = leftFolder(["full"], ["0,full,1,0", "1,full,2,0"]);
    const said = (await ghostlight(["discover", whole, "--outcome", "full"])).stderr;
    expect(said).toContain("No bound was given; asked is full >= 2.");
    expect(said).not.toContain("left out");
  });

  it("[ST200] leaves out and counts runs of which it is not known, and held-out points", () => {
    const told = (outcome: string, kind?: string) => {
      const { left, cases } = studyCases(leftFolder([], [], kind), outcome);
      return [left, cases.runs];
    };

    // A bound of 2 tells of what is above 1, and not of what is above 2.
    expect(told("y>=1")).toEqual([1, [1, 2, 1, 1]]);
    expect(told("y>2")).toEqual([2, [1, 1, 1, 1]]);
    // Of an expression it is not known to which side a bound errs.
    expect(told("y>=1", "expression")).toEqual([2, [1, 1, 1, 1]]);
  });

  it("[ST200] without a bound asks for the least that is not 0 where some have 0, else for the upper half", () => {
    const rows = [0, 1, 2, 3].flatMap((point) => [
      `${point},some,${point},0`,
      `${point},all,${point + 1},0`,
    ]);
    const asked = (outcome: string) => studyCases(leftFolder(["some", "all"], rows), outcome);

    expect(asked("some")).toMatchObject({ asked: "some >= 1", isChosen: true });
    expect(asked("all")).toMatchObject({ asked: "all >= 3", isChosen: true });
    const held = ["some>=1", "some>1", "some<=1", "some<1", "some<=1ms"].map(
      (one) => asked(one).cases.hits,
    );
    expect(held).toEqual([
      [0, 1, 1, 1],
      [0, 0, 1, 1],
      [1, 1, 0, 0],
      [1, 0, 0, 0],
      [1, 1, 0, 0],
    ]);
  });

  it("[ST201] reads shares in whole units of the leaves", () => {
    const folder = newFolder();
    const shares = [0.000_249, 0.29, 0.57, 1.1];
    const study = {
      ...{ name: "s", seed: 1, factors: [{ name: "a" }] },
      units: { leaves: { a: "millionths" }, outcomes: {} },
      outcomes: [{ name: "y", kind: "reduced" }],
    };
    const points = shares.map((a, index) => ({ index, values: { a } }));
    writeFileSync(join(folder, "study.json"), JSON.stringify({ format: 1, study, points }));
    const rows = shares.map((_, index) => `${index},y,${index},0`);
    writeFileSync(join(folder, "runs.csv"), `point,outcome,value,censored\n${rows.join("\n")}\n`);

    expect(studyCases(folder, "y>1").cases.columns[0]?.values).toEqual([
      249, 290_000, 570_000, 1_100_000,
    ]);
  });

  it("[ST205] says the leaves of a tree as lines, and tells them all as JSON", async () => {
    const said = await ghostlight(["discover", leftFolder(), "--outcome", "y>=2"]);
    const told = await json(["discover", leftFolder(), "--outcome", "y>=2"]);

    expect(said.stdout).toMatch(/A tree of 2 leaves \(CART\) says it of 1: coverage 1, density 1/);
    expect(said.stdout).toMatch(/- a at least 3 \(quasi-p [\d.]+\): 2 of 2 runs/);
    expect(told.tree).toHaveLength(2);
    expect(told.tree[1].limits).toMatchObject([{ factor: "a", least: 3 }]);
  });

  it("[ST201, ST203, ST205] tells coverage and density apart, and how many limits tell as much", async () => {
    const folder = newFolder();
    const factors = ["a", "b", "c"].map((name) => ({ name }));
    const study = {
      ...{ name: "s", seed: 1, factors, units: { leaves: {}, outcomes: {} } },
      outcomes: [{ name: "y", kind: "reduced" }],
    };
    const points = Array.from({ length: 24 }, (_, index) => ({
      ...{ index, values: { a: index, b: (index * 7) % 5, c: 2 * index } },
    }));
    writeFileSync(join(folder, "study.json"), JSON.stringify({ format: 1, study, points }));
    // One in seven is otherwise.
    const rows = points.map(
      ({ index }) => `${index},y,${index > 8 !== (index % 7 === 0) ? 1 : 0},0`,
    );
    writeFileSync(join(folder, "runs.csv"), `point,outcome,value,censored\n${rows.join("\n")}\n`);
    const args = ["discover", folder, "--outcome", "y>=1"];
    const { stdout } = await ghostlight(args);
    const { rule, tree, stability } = await json(args);
    const figures = ({ coverage, density }: { coverage: number; density: number }) => [
      ...[number(coverage), number(density)],
    ];

    expect(rule.ties).toBe(1);
    expect(stdout).toContain(" 1 other limits on as many factors tell as much.");
    const held = tree.filter((leaf: { density: number }) => leaf.density >= 0.5).map(figures);
    expect(held.length).toBeGreaterThan(0);
    for (const [coverage, density] of held) {
      expect(coverage).not.toBe(density);
      expect(stdout).toContain(` runs, coverage ${coverage}, density ${density}`);
    }
    const [coverage, density] = figures(stability.unseenTree);
    expect(coverage).not.toBe(density);
    expect(stdout).toContain(
      `The tree of a half had coverage ${coverage} and density ${density} on the points`,
    );
  });

  it("[ST239] of seven points the text says nothing of what matters, of eight it may", async () => {
    const told = async (count: number) => {
      const folder = newFolder();
      const study = {
        ...{ name: "s", seed: 1, factors: [{ name: "a" }], units: { leaves: {}, outcomes: {} } },
        outcomes: [{ name: "y", kind: "reduced" }],
      };
      const points = Array.from({ length: count }, (_, index) => ({ index, values: { a: index } }));
      writeFileSync(join(folder, "study.json"), JSON.stringify({ format: 1, study, points }));
      const rows = points.map(({ index }) => `${index},y,${index > 3 ? 1 : 0},0`);
      writeFileSync(join(folder, "runs.csv"), `point,outcome,value,censored\n${rows.join("\n")}\n`);
      return (await json(["discover", folder, "--outcome", "y>=1", "--importance"])).importance;
    };

    expect(await told(7)).toBeNull();
    expect(await told(8)).not.toBeNull();
  });

  it("[ST239] says with --importance that few points foretell nothing, and without it nothing", async () => {
    const args = ["discover", leftFolder(), "--outcome", "y>=2", "--importance"];
    const said = await ghostlight(args);
    const told = await json(args);

    expect(said.stdout).toContain("Points are too few");
    expect(told.importance).toBeNull();
    expect((await json(args.slice(0, -1))).importance).toBeUndefined();
  });

  it("[ST203, ST204, ST237, ST263, ST264, ST265] says with --importance what a forest foretells, by factor and along each", async () => {
    const folder = newFolder();
    const names = ["a", "b"].map((name) => ({ name }));
    const study = {
      ...{ name: "s", seed: 1, factors: names, units: { leaves: {}, outcomes: {} } },
      outcomes: [{ name: "y", kind: "reduced" }],
    };
    const points = Array.from({ length: 24 }, (_, index) => ({
      ...{ index, values: { a: index, b: (index * 7) % 5 } },
    }));
    writeFileSync(join(folder, "study.json"), JSON.stringify({ format: 1, study, points }));
    const rows = points.map(({ index }) => `${index},y,${index > 11 ? 1 : 0},0`);
    writeFileSync(join(folder, "runs.csv"), `point,outcome,value,censored\n${rows.join("\n")}\n`);
    const args = ["discover", folder, "--outcome", "y>=1", "--importance"];
    const said = await ghostlight(args);
    const told = await json(args);

    expect(said.stdout).toContain("where a is at least 12 (no more at 11): in 12 of the 12 runs");
    expect(said.stdout).toMatch(
      /have not seen, a forest of 100 trees foretells 8\d\.\d+ %, a Gaussian process 8\d\.\d* %/,
    );
    expect(said.stdout).toMatch(
      /\| a +\| +[\d.]+ ± [\d.]+ \| +1\.00 \| 0: 0(\.0\d*)? \[0, 0.*23: (1|0\.9\d*) \[/,
    );
    expect(said.stdout).toMatch(
      /The tree of a half had coverage [\d.]+ and density [\d.]+ on the points that it had not seen/,
    );
    // The process foretells a little more here.
    expect(said.stdout).toContain("of the process; in brackets, 95 % limits");
    expect(told.importance.better).toBe("process");
    expect(told.importance.shapley.a).toBeCloseTo(1, 3);
    expect(told.importance.process.factors[0].length).toBeLessThan(
      told.importance.process.factors[1].length / 10,
    );
    expect(told.importance.factors.map((one: { factor: string }) => one.factor)).toEqual([
      "a",
      "b",
    ]);
  });

  it("[ST204] says of a gap that holds 0 which side reaches the other", async () => {
    const { stdout } = await ghostlight(["discover", leftFolder(), "--outcome", "y>=2"]);

    expect(stdout).toMatch(/^y >= 2 where (a is at least 3|a reaches b)/);
  });

  it("[ST200][ST204] reads what a sweep left, in units of the leaves, and says a rule", async () => {
    const folder = newFolder();
    await ghostlight(["sweep", studyFile(2), "--out", folder]);
    const said = await ghostlight(["discover", folder, "--outcome", "mean"]);
    const told = await json(["discover", folder, "--outcome", "mean"]);

    expect(said).toMatchObject({ code: 0 });
    expect(said.stdout).toContain(`${told.rule.sentence}\n`);
    expect(told).toMatchObject({ leftOut: 0 });
    expect(told.asked).toMatch(/^mean >= [\d.]+$/);
    expect(told.rule.runs).toBeGreaterThan(0);
    expect(told.rule.limit).toBeOneOf([0.05, 0.55, "true", "false"]);
  });

  it("[ST200] says that all values are alike, or that none is known, and names an outcome that differs", () => {
    const folder = leftFolder(
      ["zero", "div", "late", "once"],
      [
        "0,zero,0,0",
        "1,zero,0,0",
        "2,zero,,0",
        "0,div,,0",
        "1,div,,0",
        "0,late,8,1",
        "1,late,9,1",
        "0,once,5,0",
        "1,once,9,1",
      ],
    );
    const said = (outcome: string) => {
      try {
        return studyCases(folder, outcome).asked;
      } catch (error) {
        return String(error);
      }
    };
    const other =
      "allowed: an outcome whose value differs among the runs\nFor example: --outcome 'y>0'.";

    expect(said("zero")).toContain(
      "found zero is 0 in all 2 runs of which it is known; 1 gave none, such as: Unknown: it left",
    );
    expect(said("div")).toContain(
      "found no value of div that is known in 2 runs; 2 gave none, such as: div: by 0",
    );
    expect(said("late")).toContain("in 2 runs; of 2 only a bound, as they ended before it");
    for (const name of ["zero", "div", "late"]) expect(said(name)).toContain(other);
    expect(said("y>=10")).toContain("For example: --outcome 'y>0'.");
    expect(said("y>0")).toBe("y > 0");
    // Above the only value that is known lie bounds.
    expect(said("once>=5")).toContain("For example: --outcome 'once>5'.");
    expect(said("once>5")).toBe("once > 5");
    expect(said("n")).toContain("such as --outcome 'zero>=1'");
  });

  it("[ST200] refuses what it cannot ask, with what it can", async () => {
    const folder = newFolder();
    const none = await ghostlight(["discover", folder, "--outcome", "peak>=.5"]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain("study.json");
    await ghostlight(["sweep", studyFile(1), "--out", folder]);
    for (const [outcome, says] of [
      ["peek>=1", "one of peak, mean"],
      ["peak>=5", "nothing to tell apart"],
      ["peak>=much", "a number, or a duration"],
    ] as const) {
      const refused = await ghostlight(["discover", folder, "--outcome", outcome]);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain(says);
    }
    writeFileSync(join(folder, "study.json"), "{}");
    const torn = await ghostlight(["discover", folder, "--outcome", "peak>=.5"]);
    expect(torn).toMatchObject({ code: 2 });
  });
});
