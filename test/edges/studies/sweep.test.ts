// A sweep from its file to what it leaves.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { claimStudyFolder } from "../../../src/edges/studies/studyFile.ts";
import { seedOf } from "../../../src/studies/seeds.ts";
import type { SweptPoint } from "../../../src/studies/sweepSummary.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";
import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { swept } from "./sweptRuns.ts";
import { keptIn, leftIn, studyFile, writtenStudy } from "./sweptStudy.ts";

describe("seeds", () => {
  it("[ST68] replicate r has one seed at every point, unless seeds are independent", () => {
    const at = (seeds: "common" | "independent", point: number, replicate: number) =>
      seedOf(7, seeds, { point, replicate });

    expect(at("common", 5, 3)).toBe(at("common", 0, 3));
    const firsts = [0, 1, 2, 3, 4].map((point) => at("independent", point, 0));
    expect(new Set(firsts).size).toBe(firsts.length);
    expect(at("common", 0, 0)).not.toBe(seedOf(8, "common", { point: 0, replicate: 0 }));
    // Drawn by name: another draw would be another study.
    expect(at("common", 0, 0)).toBe(3_794_403_634);
    expect(at("independent", 2, 0)).toBe(3_995_727_562);
  });

  it("[ST68] the others follow the first one by one, back at 0 after the greatest", () => {
    const first = seedOf(7, "common", { point: 0, replicate: 0 });
    const at = (replicate: number) => seedOf(7, "common", { point: 0, replicate });

    expect(at(1)).toBe((first + 1) % (SEED_MAX + 1));
    expect(at(SEED_MAX - first + 1)).toBe(0);
  });

  it("[ST68] no two replicates of a point have one seed, and each is a seed", () => {
    const seeds = Array.from({ length: 5_000 }, (_, replicate) =>
      seedOf(1, "independent", { point: 2, replicate }),
    );

    expect(new Set(seeds).size).toBe(seeds.length);
    expect(seeds.every((one) => Number.isInteger(one) && one >= 0 && one <= SEED_MAX)).toBe(true);
  });
});

describe("a sweep", () => {
  it("[ST69, ST100, ST103] leaves five files, the same bytes with one worker and with three", async () => {
    const file = studyFile(3);
    const one = await swept(file, { workers: 1 });
    const three = await swept(file, { workers: 3 });

    expect(one.counts).toMatchObject({ kept: 0, cached: 0, played: 12, again: 0 });
    expect(leftIn(one.folder)).toHaveLength(5);
    expect(leftIn(three.folder)).toEqual(leftIn(one.folder));
    expect(keptIn(three.folder)).toEqual(keptIn(one.folder));
  });

  it("[ST69] has replicates that differ, the seeds of one at each point, and its files in order of both", async () => {
    const { found, folder } = await swept(studyFile(4));
    const ofBaseline = found?.runs.filter(({ point }) => point === 2) ?? [];
    const seedsAt = (point: number) =>
      found?.runs.filter((run) => run.point === point).map(({ seed }) => seed);

    expect(new Set(ofBaseline.map(({ values }) => values["mean"])).size).toBe(4);
    expect(new Set(seedsAt(0)).size).toBe(4);
    expect(seedsAt(1)).toEqual(seedsAt(0));
    expect(new Set(keptIn(folder).map(({ sha256: hash }) => hash)).size).toBeGreaterThan(4);
    expect(found?.points.map(({ isBaseline }) => isBaseline)).toEqual([false, false, true, false]);
    expect(found?.points[1]?.outcomes["mean"]?.difference?.method).toContain("paired");
    const lines = readFileSync(join(folder, "runs.csv"), "utf8").trimEnd().split("\n").slice(1);
    const places = lines.map((line) => line.split(",", 2).join(" "));
    const each = [0, 1, 2, 3];
    expect([...new Set(places)]).toEqual(each.flatMap((at) => each.map((one) => `${at} ${one}`)));
  });
});

describe("ghostlight sweep", () => {
  it("[ST72][ST273] prints outcomes, paired differences, and the command that opens a point", async () => {
    const folder = newFolder();
    const said = await ghostlight(["sweep", studyFile(3), "--out", folder, "--cache", newFolder()]);
    const [command = ""] = said.stdout.match(/npx ghostlight run .*/) ?? [];
    const played = await ghostlight([
      ...command.split(" ").slice(2),
      "--json",
      "--out",
      newFolder(),
    ]);

    expect(said.stderr).toContain("12 of 12 runs");
    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(/\| +Δ mean \|/);
    // With an interval each.
    expect(said.stdout).toMatch(/^\| 0 +\| +3 \| [^|]+ \[[^|]+\] \| [^|]+ \[[^|]+\] \|$/m);
    expect(said.stdout).toMatch(/2 \(baseline\)/);
    expect(said.stdout).toMatch(
      /12 played, 0 from the cache, 0 kept from before\. Of their \d+ deliveries [1-9]\d* \(\d+ %\) were common to several runs, and made once\./,
    );
    expect(played.code).toBe(0);
    const { outcome, metrics } = JSON.parse(played.stdout);
    expect(outcome).toBe("ended");
    expect(metrics.load.world).toBeTypeOf("number");
  });

  it("[ST213][ST217] says what is no mean by its name, and what it is worth", async () => {
    const file = writtenStudy([
      ...["why: How bad does it get?", "scenario: lock-feedback", "replicates: 3", "until: 1h"],
      "factors: { locks.constrained: [.05, .55] }",
      "design: { kind: grid }",
      "baseline: {}",
      "outcomes:",
      "  high: { metric: load, reduce: mean, across: { worst: highest } }",
      "  most: { metric: load, reduce: mean, across: { quantile: .9 } }",
    ]);
    const folder = newFolder();
    const said = await ghostlight(["sweep", file, "--out", folder, "--cache", newFolder()]);
    const points = readFileSync(join(folder, "points.csv"), "utf8");

    expect(said.stdout).toContain("highest seen of high (load)");
    expect(said.stdout).toContain(
      "the worst of 3 seen; a further run is worse with at most 63 % (95 %)",
    );
    expect(said.stdout).toContain("quantile 0.9, ranks: not estimable with n = 3, needs 29");
    expect(points).toMatch(/,high,load,highest seen,3,/);
  });

  it("[ST240][ST244][ST245] says which settings lose least whatever comes, as text and as JSON", async () => {
    const file = studyFile(
      4,
      "robust: { minimise: mean, over: [stressors.lockFeedback], atMost: 1 }",
    );
    const folder = newFolder();
    const said = await ghostlight(["sweep", file, "--out", folder]);
    const told = await ghostlight(["sweep", file, "--out", folder, "--json"]);
    const { robust } = JSON.parse(told.stdout);

    expect(said.stdout).toMatch(
      /^\| locks\.constrained \| regret at most, mean \(load\) \| satisfied \|/,
    );
    expect(robust).toHaveLength(2);
    expect(Math.min(...robust.map((one: { maxRegret: number }) => one.maxRegret))).toBeLessThan(
      0.01,
    );
    expect(robust[0]).toMatchObject({ setting: { "locks.constrained": 0.05 }, satisfied: 1 });
    expect(JSON.parse(readFileSync(join(folder, "study.json"), "utf8")).robust).toEqual(robust);
  });

  it("[ST21][ST72][ST273] says all of it as JSON, and how much it would play", async () => {
    const file = studyFile(3);
    const folder = newFolder();
    const said = await ghostlight([
      "sweep",
      file,
      "--out",
      folder,
      "--json",
      "--cache",
      newFolder(),
    ]);
    const dry = await ghostlight([
      "sweep",
      file,
      "--out",
      join(folder, "no"),
      "--dry-run",
      "--json",
      "--workers",
      "3",
    ]);
    const { points, runs } = JSON.parse(said.stdout);
    const { estimatedMs, estimatedFrom, ...counts } = JSON.parse(dry.stdout);

    const plain = await ghostlight(["sweep", file, "--out", folder, "--json", "--plain"]);
    const methodIn = (text: string) => {
      const [, one]: SweptPoint[] = JSON.parse(text).points;
      return one?.outcomes["mean"]?.difference?.method;
    };

    expect([said, plain].map(({ stdout }) => methodIn(stdout))).toEqual([
      "paired difference, t",
      "plain difference, Welch",
    ]);
    expect(points).toHaveLength(4);
    const meanAt = (at: number) => points[at].outcomes.mean.mean.estimate;
    const off = [0, 1, 3].map((at) => points[at].outcomes.mean.difference.estimate);
    for (const [nth, at] of [0, 1, 3].entries()) {
      expect(off[nth]).toBeCloseTo(meanAt(at) - meanAt(2), 9);
    }
    expect(off.some((one) => Math.abs(one) > 1e-6)).toBe(true);
    expect(points[0].run).toMatch(/^npx ghostlight run lock-feedback --seed \d+ --set /);
    expect(runs).toMatchObject({ kept: 0, cached: 0, played: 12, again: 0 });
    expect(runs.deliveries.spared).toBeGreaterThan(0);
    expect(runs.deliveries.played).toBeGreaterThan(runs.deliveries.spared);
    expect(counts).toMatchObject({ points: 4, replicates: 3, runs: 12 });
    expect(estimatedMs).toBeGreaterThan(0);
    expect(estimatedMs).toBe(Math.ceil((counts.oneRunMs * 12) / 3));
    expect(estimatedFrom).toBe("a timed run on this machine");
    expect(() => keptIn(join(folder, "no"))).toThrow();
  });

  it("[ST72] counts one replicate as one in words", async () => {
    const { stdout } = await ghostlight([
      ...["sweep", studyFile(1), "--dry-run", "--workers", "1", "--out", join(newFolder(), "no")],
    ]);

    expect(stdout).toContain("4 points × 1 replicate = 4 runs of ");
    expect(stdout).toContain("with 1 worker that has a core, from");
  });

  it("[ST73] refuses a folder of something else, a table of another study, and too many workers", async () => {
    const other = newFolder();
    writeFileSync(join(other, "mine.txt"), "");
    const begun = newFolder();
    await ghostlight(["sweep", studyFile(1), "--out", begun]);
    const refusals = [
      await ghostlight(["sweep", studyFile(1), "--out", other]),
      await ghostlight(["sweep", studyFile(2), "--out", begun]),
      await ghostlight(["sweep", studyFile(1), "--workers", "65", "--out", join(other, "x")]),
    ];

    expect(refusals.map(({ code, stdout }) => [code, stdout])).toEqual(refusals.map(() => [2, ""]));
    expect(() => claimStudyFolder(join(other, "mine.txt"))).toThrow("a file, not a folder");
    expect(() => claimStudyFolder(begun)).not.toThrow();
    expect(() => claimStudyFolder(newFolder())).not.toThrow();
    expect(refusals.map(({ stderr }) => stderr).join("")).toMatch(
      /a folder of something else.*the runs of another study.*1 … 64/s,
    );
  });

  it.skipIf(process.getuid?.() === 0)("[ST73] says that a folder cannot be written", async () => {
    const folder = newFolder();
    chmodSync(folder, 0o500);
    const said = await ghostlight(["sweep", studyFile(1), "--out", folder]);
    chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true });

    expect([said.code, said.stdout]).toEqual([2, ""]);
    expect(said.stderr).toMatch(/permission denied|EACCES/);
  });
});
