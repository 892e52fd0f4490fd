// A sweep from its file to what it leaves.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn.ts";
import { openingOf, sweepText } from "../../../src/cli/sweepText.ts";
import { checkedLists } from "../../../src/edges/checkWorlds.ts";
import { codeHash } from "../../../src/edges/studies/codeHash.ts";
import { playSweep, sweepPlan } from "../../../src/edges/studies/playSweep.ts";
import { sha256, worldOf } from "../../../src/edges/studies/runKey.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { writeStudyFiles } from "../../../src/edges/studies/studyFiles.ts";
import { StudyRuns, type StudyRunsOptions } from "../../../src/edges/studies/studyRuns.ts";
import { sweptFound } from "../../../src/studies/found.ts";
import { seedOf } from "../../../src/studies/seeds.ts";
import { SEED_MAX } from "../../../src/substrate/random.ts";
import { ghostlight, started } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { keptIn, leftIn, studyFile } from "./sweptStudy.ts";

const lists = await checkedLists(builtIn);

async function swept(file: string, options: Partial<StudyRunsOptions> = {}) {
  const { study } = loadStudy(lists, file);
  const folder = options.folder ?? newFolder();
  const runs = new StudyRuns({
    ...{ sandbox: "pyodide", cache: null, folder, world: worldOf(study), workers: 2 },
    study: sha256(JSON.stringify(study)),
    ...options,
  });
  try {
    const found = await playSweep(sweepPlan(study, file), runs);
    if (found !== undefined) {
      await writeStudyFiles(folder, { ...sweptFound(found), opening: [] });
    }
    return { found, folder, counts: { ...runs.counts } };
  } finally {
    await runs.close();
  }
}

describe("seeds", () => {
  it("[ST68] replicate r has one seed at every point, unless seeds are independent", () => {
    const at = (seeds: "common" | "independent", point: number, replicate: number) =>
      seedOf(7, seeds, { point, replicate });

    expect(at("common", 5, 3)).toBe(at("common", 0, 3));
    expect(at("independent", 5, 3)).not.toBe(at("independent", 0, 3));
    expect(at("common", 0, 0)).not.toBe(seedOf(8, "common", { point: 0, replicate: 0 }));
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
  it("[ST69] leaves the same bytes with one worker and with three", async () => {
    const file = studyFile(3);
    const one = await swept(file, { workers: 1 });
    const three = await swept(file, { workers: 3 });

    expect(one.counts).toEqual({ kept: 0, cached: 0, played: 12 });
    expect(leftIn(three.folder)).toEqual(leftIn(one.folder));
    expect(keptIn(three.folder)).toEqual(keptIn(one.folder));
  });

  it("[ST69] leaves the same bytes where XState itself drives the statecharts", async () => {
    const file = studyFile(2);
    const tables = await swept(file);
    const xstate = await swept(file, { interpreter: "xstate" });

    expect(leftIn(xstate.folder)).toEqual(leftIn(tables.folder));
    expect(keptIn(xstate.folder)).toEqual(keptIn(tables.folder));
  });

  it("[ST69] has replicates that differ, and the seeds of one at each point", async () => {
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
  });

  it("[ST70] that is interrupted is gone on with, and plays nothing twice", async () => {
    const file = studyFile(5);
    const whole = await swept(file);
    const over = new AbortController();
    const folder = newFolder();
    const first = await swept(file, {
      ...{ folder, signal: over.signal, workers: 1 },
      onDone: (done) => done >= 3 && over.abort(),
    });
    const second = await swept(file, { folder });

    expect(first.found).toBeUndefined();
    expect(first.counts.played).toBe(3);
    expect(second.counts).toEqual({ kept: 3, cached: 0, played: 17 });
    expect(leftIn(folder)).toEqual(leftIn(whole.folder));
  });

  it("[ST66] finds runs of another study in the cache", async () => {
    const cache = newFolder();
    const first = await swept(studyFile(2), { cache });
    const second = await swept(studyFile(3), { cache });

    expect(first.counts).toEqual({ kept: 0, cached: 0, played: 8 });
    expect(second.counts).toEqual({ kept: 0, cached: 8, played: 4 });
    expect(leftIn(second.folder)).toEqual(leftIn((await swept(studyFile(3))).folder));
  });

  it("[ST63] names a run that ends its worker each time, and goes on with the others", async () => {
    const file = join(newFolder(), "deadly.ts");
    writeFileSync(
      file,
      `export default { name: "deadly", scriptedPorts: ({ policy }) => {
        if (policy.locks.constrained === 50000 && !policy.stressors.lockFeedback) process.exit(7);
        return {};
      } };`,
    );
    const { found, folder } = await swept(studyFile(2), { partFiles: [file] });
    const died = found?.runs.filter(({ outcome }) => outcome === "died") ?? [];

    expect(died.map(({ point }) => point)).toEqual([1, 1]);
    expect(died[0]?.faults).toEqual([expect.stringMatching(/again and again.*code 7/)]);
    expect(died[0]?.values).toEqual({ peak: null, mean: null });
    expect(found?.points[1]?.outcomes["mean"]).toMatchObject({ missing: 2, mean: null });
    expect(found?.runs.filter(({ outcome }) => outcome === "ended").length).toBe(6);
    expect(leftIn(folder)[1]).toContain(",died,");
  });

  it("[ST144] plays with parts of one's own, and refuses a folder that was begun with others", async () => {
    const part = join(newFolder(), "mine.ts");
    const partFiles = [part];
    writeFileSync(part, 'export default { name: "mine" };');
    const own = await swept(studyFile(1), { partFiles });
    const file = studyFile(1);
    const { folder } = await swept(file, { partFiles });
    const { study } = loadStudy(lists, file);
    const found = own.found === undefined ? undefined : sweptFound(own.found);
    const commands = openingOf({ text: "", file, part: partFiles }, found ?? { study, points: [] });
    const before = codeHash(partFiles);
    writeFileSync(part, 'export default { name: "mine" }; // changed');

    expect(own.found?.runs.map(({ outcome }) => outcome)).toEqual(Array(4).fill("ended"));
    expect(commands[0]).toMatch(/ --part \S+mine\.ts$/);
    expect(codeHash(partFiles)).not.toBe(before);
    await expect(swept(file, { folder, partFiles })).rejects.toThrow("another version of the code");
  });

  it("[ST89] lets no value count for a stop rule of which only a bound is known", async () => {
    // Load stays above so low a threshold to the end: a time to recover is a bound in each run.
    const bounds = [
      "  recovery: { metric: load, reduce: timeToRecover, above: .01 }",
      "stop: { outcome: recovery, halfWidth: 3600000 }",
    ];
    const text = readFileSync(studyFile(31), "utf8").replace(
      "baseline:",
      `${bounds[0]}\nbaseline:`,
    );
    const file = join(newFolder(), "bounds.yaml");
    writeFileSync(file, `${text}${bounds[1]}\n`);
    const { found } = await swept(file);
    const points = found?.points ?? [];

    expect(points.map(({ outcomes }) => outcomes["recovery"]?.censored)).toEqual([31, 31, 31, 31]);
    expect(points.map(({ ended, replicates }) => [ended, replicates])).toEqual(
      points.map(() => ["most", 31]),
    );
    const counts = { kept: 0, cached: 0, played: 0 };
    const left = { folder: "f", files: [], opening: [] };
    const said = found && sweepText(found, counts, left, 300);
    expect(said).toContain("≥ ");
    expect(said).toContain("recovery: in 124 runs only a bound of the value is known");
  });

  it("[ST71] ends replicates at a batch's end, the same ones with any number of workers", async () => {
    const more = "stop: { outcome: mean, halfWidth: 1 }";
    const file = studyFile(80, more);
    const one = await swept(file, { workers: 1 });
    const three = await swept(file, { workers: 3 });
    const counts = one.found?.points.map(({ replicates, ended }) => [replicates, ended]);

    // Below 30 never, and of differences that do not vary all: the lock's threshold changes nothing there.
    expect(counts?.[1]?.[1]).toBe("narrow");
    expect(Number(counts?.[1]?.[0])).toBeGreaterThanOrEqual(30);
    expect(Number(counts?.[1]?.[0])).toBeLessThan(80);
    expect(counts?.[0]).toEqual([80, "most"]);
    expect(leftIn(three.folder)).toEqual(leftIn(one.folder));
  });
});

describe("ghostlight sweep", () => {
  it("[ST72] prints outcomes, paired differences, and the command that opens a point", async () => {
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
    expect(said.stdout).toMatch(/2 \(baseline\)/);
    expect(said.stdout).toContain("12 played, 0 from the cache, 0 kept");
    expect(played.code).toBe(0);
    const { outcome, metrics } = JSON.parse(played.stdout);
    expect(outcome).toBe("ended");
    expect(metrics.load.world).toBeTypeOf("number");
  });

  it("[ST72] says all of it as JSON, and how much it would play", async () => {
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
    ]);
    const { points, runs } = JSON.parse(said.stdout);
    const { estimatedMs, estimatedFrom, ...counts } = JSON.parse(dry.stdout);

    expect(points[0].run).toMatch(/^npx ghostlight run lock-feedback --seed \d+ --set /);
    expect(runs).toEqual({ kept: 0, cached: 0, played: 12 });
    expect(counts).toMatchObject({ points: 4, replicates: 3, runs: 12 });
    expect(estimatedMs).toBeGreaterThan(0);
    expect(estimatedFrom).toBe("a timed run on this machine");
    expect(() => keptIn(join(folder, "no"))).toThrow();
  });

  it("[ST70] ends cleanly at Ctrl-C, and goes on", async () => {
    const folder = newFolder();
    const args = ["sweep", studyFile(200), "--out", folder, "--json"];
    const child = started(args, { env: { GHOSTLIGHT_CACHE: "" } });
    let told = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      told += text;
    });
    // The first tenth is over.
    child.stderr.once("data", () => child.kill("SIGINT"));
    const code = await new Promise((resolve) => child.on("close", resolve));
    const { interrupted, runs } = JSON.parse(told);
    const rows = keptIn(folder);

    expect([code, interrupted]).toEqual([130, true]);
    expect(rows.filter(({ state }) => state === "done").length).toBe(runs.played);
    expect(runs.played).toBeGreaterThan(0);
    expect(rows.filter(({ state }) => state === "running")).toEqual([]);
    expect(rows.length).toBe(800);
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
