// The shipped studies in a small version: a few of their points, fewer replicates, and what must follow from the rules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { playSweep, sweepPlan } from "../../../src/edges/studies/playStudy.ts";
import { sha256, worldOf } from "../../../src/edges/studies/runKey.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { StudyRuns } from "../../../src/edges/studies/studyRuns.ts";
import type { Setting, Study } from "../../../src/studies/study.ts";
import type { SweepRun } from "../../../src/studies/sweepSummary.ts";
import { newFolder } from "../../folders.ts";

const lists = await checkedLists(builtIn);

/** The outcomes of each run, for each of these points of a shipped study; what a point leaves out is as in its baseline. */
async function played(
  name: string,
  replicates: number,
  points: readonly Setting[],
): Promise<readonly (readonly SweepRun["values"][])[]> {
  const { study: shipped, file } = loadStudy(lists, name);
  const whole = points.map((one) => ({ ...shipped.baseline, ...one }));
  for (const point of whole) expect(shippedLevels(shipped, point)).toEqual([]);
  const study: Study = {
    ...shipped,
    design: { kind: "points", points: whole },
    replicates: { ...shipped.replicates, count: replicates },
    isCompared: false,
  };
  const runs = new StudyRuns({
    ...{ sandbox: "pyodide", folder: newFolder(), world: worldOf(study), workers: 1 },
    cache: process.env["GHOSTLIGHT_CACHE"] ?? null,
    study: sha256(JSON.stringify(study)),
  });
  try {
    const swept = await playSweep(sweepPlan(study, file), runs);
    if (swept === undefined) throw new Error("interrupted");
    expect(swept.runs.map(({ outcome }) => outcome)).toEqual(swept.runs.map(() => "ended"));
    const found = whole.map((_, at) =>
      swept.runs.filter(({ point }) => point === swept.plan.rows[at]).map(({ values }) => values),
    );
    // What is said of each run of a point would be said of no run as well.
    expect(found.map(({ length }) => length)).toEqual(whole.map(() => replicates));
    return found;
  } finally {
    await runs.close();
  }
}

/** Values that the shipped study does not play. */
const shippedLevels = ({ factors }: Study, point: Setting): readonly string[] =>
  factors.flatMap((one) =>
    one.kind === "list" && one.values.some((value) => value === point[one.name]) ? [] : [one.name],
  );

const all = (runs: readonly SweepRun["values"][] | undefined, outcome: string) =>
  (runs ?? []).map((one) => one[outcome]);

describe("stressor-thresholds", () => {
  it("[ST182] a lock that the load never reaches refuses nothing, and one that it equals refuses", async () => {
    const at = (dominant: number, start: number): Setting => ({
      "locks.dominant": dominant,
      "stressors.repeatedFailure.start": start,
    });
    const [shipped, higher, equal, heavier] = await played("stressor-thresholds", 1, [
      at(750_000, 200_000),
      at(900_000, 200_000),
      at(600_000, 200_000),
      at(750_000, 400_000),
    ]);

    // Three stressors of .2, and what little they grow in two hours.
    expect(all(shipped, "refused")).toEqual([0]);
    expect(higher).toEqual(shipped);
    for (const [one, base] of [equal, heavier].map((own) => [own, shipped] as const)) {
      expect(all(one, "refused").every((refused) => Number(refused) > 0)).toBe(true);
      const sum = (runs: typeof one) =>
        all(runs, "done").reduce<number>((a, b) => a + Number(b), 0);
      expect(sum(one)).toBeLessThan(sum(base));
    }
  }, 240_000);
});

describe("lock-thresholds", () => {
  it("[ST182] a refusal that weighs on nobody moves no load, whatever the threshold; one that does keeps the lock closed", async () => {
    const at = (constrained: number, lockFeedback: boolean): Setting => ({
      ...{ "locks.constrained": constrained, "stressors.lockFeedback": lockFeedback },
    });
    const [low, high, fed] = await played("lock-thresholds", 1, [
      ...[at(450_000, false), at(650_000, false), at(650_000, true)],
    ]);
    const of = (runs: typeof low, outcome: string) => Number(all(runs, outcome)[0]);

    expect(of(high, "peak")).toBe(of(low, "peak"));
    expect(of(high, "locked")).toBeLessThan(of(low, "locked"));
    expect(of(high, "spiral")).toBe(0);
    expect([of(fed, "peak"), of(fed, "spiral"), of(fed, "done")]).toEqual([1, 1, 0]);
    expect(of(fed, "locked")).toBeGreaterThan(of(high, "locked"));
  }, 240_000);
});

it("[ST182] every shipped study is played here, or where its frontier is", () => {
  const tests = ["shippedStudies.goldens.ts", "frontier.test.ts"]
    .map((name) => readFileSync(join("test/edges/studies", name), "utf8"))
    .join();
  const shipped = readdirSync("studies").filter((name) => name.endsWith(".yaml"));

  expect(shipped.length).toBeGreaterThan(5);
  expect(
    shipped.filter(
      (name) =>
        !new RegExp(`(played|loadStudy\\(lists,)\\W+${name.replace(".yaml", "")}"`).test(tests),
    ),
  ).toEqual([]);
});

describe("ghost-detection", () => {
  const at = (preExecutionCheck: boolean, nullIsFailure: boolean, more: Setting = {}): Setting => ({
    ...{ "ghosts.preExecutionCheck": preExecutionCheck, "ghosts.nullIsFailure": nullIsFailure },
    ...more,
  });

  it("[ST182] without code, the check before a call sees the first one, the other layer what is lost", async () => {
    const [neither, before, after, both] = await played("ghost-detection", 1, [
      at(false, false),
      at(true, false),
      at(false, true, { "ghosts.crossCycleFailures": 5 }),
      at(true, true),
    ]);

    expect(all(neither, "listed")).toEqual([0]);
    expect(all(neither, "unseen")).toEqual(all(neither, "calledFor"));
    for (const one of [before, both]) {
      expect([all(one, "lost"), all(one, "nulls"), all(one, "listed")]).toEqual([[0], [0], [1]]);
    }
    expect(all(after, "refused")).toEqual([0]);
    expect(all(after, "nulls")).toEqual(all(after, "lost"));
    expect(all(after, "lost").every((lost) => Number(lost) >= 5)).toBe(true);
  }, 240_000);

  it("[ST182] of a stub that answers every call no layer sees anything", async () => {
    const stub = { variant: "through-pipeline-stub" };
    const [neither, both] = await played("ghost-detection", 1, [
      at(false, false, stub),
      at(true, true, { ...stub, "ghosts.crossCycleFailures": 1 }),
    ]);

    expect(both).toEqual(neither);
    expect(all(both, "listed")).toEqual([0]);
    expect(Number(both?.[0]?.["unseen"])).toBeGreaterThan(0);
  }, 240_000);
});

describe("ghost-detection-nulls", () => {
  it("[ST182] a tool that works and one that does not are listed alike, for what they return", async () => {
    const at = (variant: string, isOn: boolean): Setting => ({
      ...{ variant, "ghosts.preExecutionCheck": true, "ghosts.nullIsFailure": isOn },
    });
    const good = "keeps-and-returns-nothing";
    const [stub, stubSeen, works, worksSeen] = await played("ghost-detection-nulls", 1, [
      at("itself", false),
      at("itself", true),
      at(good, false),
      at(good, true),
    ]);

    // Both have code, so the check before a call has nothing to say.
    for (const one of [stub, stubSeen, works, worksSeen]) {
      expect(all(one, "refused")).toEqual([0]);
    }
    expect([all(stub, "done"), all(stub, "listed")]).toEqual([[0], [0]]);
    expect(all(works, "failed")).toEqual([0]);
    for (const one of [stubSeen, worksSeen]) {
      expect([all(one, "nulls"), all(one, "listed")]).toEqual([[3], [1]]);
    }
  }, 240_000);
});

describe("synt-weights", () => {
  const weights = (judge: number, bonus: number, det: number): Setting => ({
    "synt.reward.weights.judge": judge,
    "synt.reward.weights.bonus": bonus,
    "synt.reward.weights.det": det,
  });

  it("[ST182] a judge that weighs nothing refuses nothing; a bonus that an executor never gets refuses all", async () => {
    const [blind, harsh] = await played("synt-weights", 1, [
      weights(0, 0, 650),
      weights(0, 300, 350),
    ]);
    const sum = (one: SweepRun["values"], ...names: readonly string[]) =>
      names.reduce((total, name) => total + Number(one[name]), 0);

    // R is .9 for each, and .6: the tests all pass.
    for (const one of blind ?? []) {
      expect(sum(one, "badRefused", "goodRefused")).toBe(0);
      expect(sum(one, "badPassed")).toBeGreaterThan(0);
    }
    for (const one of harsh ?? []) {
      expect(sum(one, "badPassed", "goodPassed")).toBe(0);
      expect(sum(one, "badRefused", "goodRefused")).toBe(12);
    }
  }, 240_000);

  it("[ST182] judge and bonus count by what the judge must say at least, and by nothing else", async () => {
    // (.9 − bonus − .65) / judge is .5 in each: whoever has less than ½ from the judge falls.
    const [first, second, third] = await played("synt-weights", 2, [
      weights(100, 200, 350),
      weights(300, 100, 250),
      weights(500, 0, 150),
    ]);

    expect(second).toEqual(first);
    expect(third).toEqual(first);
  }, 240_000);

  it("[ST182] between chains, how their hops fared tells better than the judge", async () => {
    const [byHops, byJudge] = await played("synt-weights-chains", 3, [
      weights(0, 0, 650),
      weights(600, 0, 50),
    ]);
    const right = (runs: typeof byHops) =>
      all(runs, "right").reduce<number>((total, one) => total + Number(one), 0);

    expect(right(byHops)).toBeGreaterThan(right(byJudge));
  }, 240_000);
});

describe("skill-utility", () => {
  it("[ST182] where there is room for every lesson, neither weights nor who competes matter; where not, lessons are dropped", async () => {
    const at = (size: number, overflow: string, hitRate: number): Setting => ({
      "skills.playbook.size": size,
      "skills.playbook.overflow": overflow,
      "skills.utility.hitRate": hitRate,
    });
    const [room, roomByUtility, one] = await played("skill-utility", 2, [
      at(3, "pins-block", 800),
      at(3, "utility", 0),
      at(1, "utility", 800),
    ]);

    expect(roomByUtility).toEqual(room);
    const dropped = all(one, "dropped");
    expect(all(room, "dropped")).toEqual([0, 0]);
    expect(dropped.every((count) => Number(count) > 0)).toBe(true);
  }, 240_000);
});
