// What `npm test` has no time for of a sweep from its file to what it leaves.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openingOf } from "../../../src/cli/study/studyRun.ts";
import { sweepText } from "../../../src/cli/study/sweepText.ts";
import { codeHash } from "../../../src/edges/studies/codeHash.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { sweptFound } from "../../../src/studies/found.ts";
import { started } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { lists, swept } from "./sweptRuns.ts";
import { keptIn, leftIn, studyFile } from "./sweptStudy.ts";

describe("a sweep", () => {
  it("[ST69] leaves the same bytes where XState itself drives the statecharts", async () => {
    const file = studyFile(2);
    const tables = await swept(file);
    const xstate = await swept(file, { interpreter: "xstate" });

    expect(leftIn(xstate.folder)).toEqual(leftIn(tables.folder));
    expect(keptIn(xstate.folder)).toEqual(keptIn(tables.folder));
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
    // The four points of one seed are played together.
    expect(first.counts.played).toBe(4);
    expect(second.counts).toMatchObject({ kept: 4, cached: 0, played: 16, again: 0 });
    expect(leftIn(folder)).toEqual(leftIn(whole.folder));
  });

  it("[ST66] finds runs of another study in the cache", async () => {
    const cache = newFolder();
    const first = await swept(studyFile(2), { cache });
    const second = await swept(studyFile(3), { cache });

    expect(first.counts).toMatchObject({ kept: 0, cached: 0, played: 8, again: 0 });
    expect(second.counts).toMatchObject({ kept: 0, cached: 8, played: 4, again: 0 });
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
    // Where refusals weigh, as at the baseline, load stays above to the end: its times to recover are bounds.
    const bounds = [
      "  recovery: { metric: load, reduce: timeToRecover, above: .55 }",
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

    const { mean, censored } =
      points.find(({ isBaseline }) => isBaseline)?.outcomes["recovery"] ?? {};
    // They vary, so that a rule which took them for values would stop.
    expect(censored).toBe(31);
    expect(mean?.low).toBeLessThan(mean?.high ?? 0);
    expect(points.map(({ ended, replicates }) => [ended, replicates])).toEqual(
      points.map(() => ["most", 31]),
    );
    const deliveries = { played: 0, spared: 0 };
    const counts = { kept: 0, cached: 0, played: 0, again: 0, deliveries };
    const left = { folder: "f", files: [], opening: [] };
    const said = found && sweepText(found, counts, left, 300);
    expect(said).toContain("≥ ");
    expect(said).toMatch(/recovery: in \d+ runs only a bound of the value is known/);
  });

  it("[ST71] ends replicates at a batch's end, the same ones with any number of workers", async () => {
    const more = "stop: { outcome: mean, halfWidth: 1 }";
    const file = studyFile(40, more);
    const one = await swept(file, { workers: 1 });
    const three = await swept(file, { workers: 3 });
    const counts = one.found?.points.map(({ replicates, ended }) => [replicates, ended]);

    // Below 30 never, and of differences that do not vary all: the lock's threshold changes nothing there.
    expect(counts?.[1]?.[1]).toBe("narrow");
    expect(Number(counts?.[1]?.[0])).toBeGreaterThanOrEqual(30);
    expect(Number(counts?.[1]?.[0])).toBeLessThan(40);
    expect(counts?.[0]).toEqual([40, "most"]);
    expect(leftIn(three.folder)).toEqual(leftIn(one.folder));
  });
});

describe("ghostlight sweep", () => {
  it("[ST70] ends cleanly at Ctrl-C, and goes on", async () => {
    const folder = newFolder();
    const args = ["sweep", studyFile(60), "--out", folder, "--json"];
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
    expect(rows.length).toBe(240);
  });
});
