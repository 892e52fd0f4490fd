// Runs that share all but leaves of the policy: what is common to them is played once, and nobody sees it.
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { policyLeaves } from "../../../src/contract/policyTree.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { playTogether } from "../../../src/edges/studies/playClaimed.ts";
import { type FamilyOf, familyFacts } from "../../../src/edges/studies/runFacts.ts";
import { isPlayedApart } from "../../../src/edges/studies/runKey.ts";
import { WorkerDied } from "../../../src/edges/studies/studyPool.ts";
import type { Leaf } from "../../../src/machines/policyLeaf.ts";
import { simulate } from "../../../src/run/simulate.ts";
import { Listening, type StemRun } from "../../../src/run/stem.ts";
import { loadScenario } from "../../builtInScenarios.ts";
import { swept } from "./sweptRuns.ts";
import { keptIn, leftIn, studyFile } from "./sweptStudy.ts";

const lists = await checkedLists(builtIn);
// No tool of these worlds runs: neither sandbox nor shell is ever started.
const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };

const family = (name: string, more: Partial<FamilyOf> = {}): FamilyOf => {
  const { scenario } = loadScenario(name);
  const shared = { untilMs: 3_600_000, limits: {}, watched: [], variant: null };
  return { ...shared, scenario, seed: scenario.seed, ...more };
};

/** The same runs, each by itself and together. */
async function bothWays(of: FamilyOf, runs: readonly StemRun[]) {
  const player = { lists, ...host };
  const apart = await familyFacts(
    { ...player, listening: new Listening(lists.parts), isApart: true },
    of,
    runs,
  );
  const together = await familyFacts(
    { ...player, listening: new Listening(lists.parts), isApart: false },
    of,
    runs,
  );
  return { apart, together };
}

const set = (path: string, ...values: readonly (number | boolean)[]) =>
  values.map((value) => ({ set: { [path]: value } }));

/** Any value of a leaf. */
function valuesOf(leaf: Leaf): fc.Arbitrary<StemRun["set"][string]> {
  switch (leaf.kind) {
    case "integer":
      return fc.oneof(
        fc.constantFrom(leaf.default, leaf.min, leaf.max),
        fc.integer({ min: leaf.min, max: leaf.max }),
        fc.integer({ min: leaf.min, max: Math.min(leaf.max, 2 * leaf.default + 2) }),
      );
    case "flag":
      return fc.boolean();
    case "choice":
      return fc.constantFrom(...leaf.options);
    case "subset":
      return fc.subarray([...leaf.options]);
    case "folders":
      return fc.constantFrom<readonly string[]>([], ["/data"], ["/data", "/notes"]);
  }
}

const untilMs = 1_800_000;

/** A world, and leaves that are read in it. */
const worlds = ["lock-feedback", "nine-stressors", "parameter-gap", "synt-chain-choice"].map(
  (name) => {
    const read = new Set<string>();
    const { scenario } = loadScenario(name);
    const onLeafRead = (path: string): unknown => read.add(path);
    simulate(lists.parts, scenario, { untilMs, level: "bare", onLeafRead });
    return { name, leaves: policyLeaves(lists.parts).filter(([path]) => read.has(path)) };
  },
);

const settings = fc.constantFrom(...worlds).chain(({ name, leaves }) =>
  fc
    .uniqueArray(fc.constantFrom(...leaves), {
      minLength: 1,
      maxLength: 3,
      selector: ([path]) => path,
    })
    .chain((some) => {
      const one = fc.record(Object.fromEntries(some.map(([path, leaf]) => [path, valuesOf(leaf)])));
      return fc.record({
        name: fc.constant(name),
        all: fc.array(one, { minLength: 2, maxLength: 5 }),
        seed: fc.nat(1_000),
        interpreter: fc.constantFrom("tables" as const, "tables" as const, "xstate" as const),
      });
    }),
);

describe("runs of one seed", () => {
  test("[ST270] leave the same bytes whether or not what is common is played once, of whatever leaves and worlds", async () => {
    let spared = 0;
    await fc.assert(
      fc.asyncProperty(settings, async ({ name, all, ...more }) => {
        const { apart, together } = await bothWays(
          family(name, { ...more, untilMs }),
          all.map((own) => ({ set: own })),
        );
        spared += together.deliveries.spared;
        expect(JSON.stringify(together.facts)).toBe(JSON.stringify(apart.facts));
        expect(together.facts.length).toBe(all.length);
      }),
      { numRuns: 60, seed: 270 },
    );
    expect(spared).toBeGreaterThan(0);
  }, 120_000);

  it("[ST270] are one world as long as the leaf decides nothing, though it is asked", async () => {
    // Load passes .6 in this hour, and .8 is never reached by two stressors alone.
    const of = family("lock-feedback", { untilMs: 700_000 });
    const { apart, together } = await bothWays(
      of,
      set("locks.dominant", 900_000, 950_000, 990_000),
    );
    const half = apart.deliveries.played / 3;

    expect(apart.deliveries.spared).toBe(0);
    expect(together.deliveries).toEqual({ played: half, spared: 2 * half });
    expect(new Set(together.facts).size).toBe(1);
    expect(together.facts).toEqual(apart.facts);
  });

  it("[ST270] go on by themselves from the delivery on at which a machine comes to something else, those that are alike together", async () => {
    const of = family("lock-feedback");
    const runs = [
      { set: { "locks.constrained": 450_000, "stressors.lockFeedback": true } },
      { set: { "locks.constrained": 450_000, "stressors.lockFeedback": false } },
      { set: { "locks.constrained": 650_000, "stressors.lockFeedback": true } },
      { set: { "locks.constrained": 650_001, "stressors.lockFeedback": true } },
    ];
    const { apart, together } = await bothWays(of, runs);
    const { played, spared } = together.deliveries;

    expect(together.facts).toEqual(apart.facts);
    expect(played + spared).toBe(apart.deliveries.played);
    expect(spared).toBeGreaterThan(0);
    expect(played).toBeGreaterThan(spared);
  });

  it("[ST270] part before they begin where a leaf is read that no machine at work reads", async () => {
    const { apart, together } = await bothWays(
      family("lock-feedback"),
      set("planner.heartbeatMs", 5_000, 6_000),
    );
    const model = await bothWays(family("lock-feedback"), set("model.jitter", 0, 100));

    expect(together.facts).toEqual(apart.facts);
    expect(together.deliveries).toEqual(apart.deliveries);
    expect(model.together.facts).toEqual(model.apart.facts);
    expect(model.together.deliveries.spared).toBe(0);
    const folders = [["/data"], []].map((own) => ({ set: { "folders.readable": own } }));
    const read = await bothWays(family("lock-feedback"), folders);
    expect(read.together.facts).toEqual(read.apart.facts);
    expect(read.together.deliveries.spared).toBe(0);
  });

  it("[ST270] begin anew where a port had answered them by a value of another, and the others stay", async () => {
    const runs = [
      { set: { "model.jitter": 300, "locks.dominant": 900_000 } },
      { set: { "model.jitter": 300, "locks.dominant": 950_000 } },
      { set: { "model.jitter": 100, "locks.dominant": 900_000 } },
    ];
    const of = family("lock-feedback", { untilMs: 700_000 });
    const { apart, together } = await bothWays(of, runs);
    const { played, spared } = together.deliveries;

    expect(together.facts).toEqual(apart.facts);
    expect(together.facts[0]).toBe(together.facts[1]);
    expect(spared).toBeGreaterThan(0);
    expect(played + spared).toBe(apart.deliveries.played);
  });

  it("[ST271] are each played by themselves where promises are watched, and with parts of one's own", () => {
    expect(isPlayedApart({ watched: [] }, {})).toBe(false);
    expect(isPlayedApart({ watched: ["locked-never-runs"] }, {})).toBe(true);
    expect(isPlayedApart({ watched: [] }, { partFiles: ["mine.ts"] })).toBe(true);
  });

  it("[ST270][ST273] leave the same table and files of a study, and deliveries that they had in common are counted once", async () => {
    const file = studyFile(3);
    const apart = await swept(file, { isApart: true });
    const together = await swept(file);

    expect(leftIn(together.folder)).toEqual(leftIn(apart.folder));
    expect(keptIn(together.folder)).toEqual(keptIn(apart.folder));
    expect(together.counts.deliveries.spared).toBeGreaterThan(0);
    expect(apart.counts.deliveries).toEqual({
      played: together.counts.deliveries.played + together.counts.deliveries.spared,
      spared: 0,
    });
  });
});

describe("runs that are played together", () => {
  const jobs = ["a", "b", "c"].map((key) => ({
    claim: { key, token: 1 },
    run: { point: 0, replicate: 0, seed: 1, variant: null, set: {} },
  }));

  /** What was played, and who ended its thread: `b` each time. */
  async function played(isEnded: () => boolean) {
    const [together, died]: [string[], string[]] = [[], []];
    await playTogether(jobs, {
      isEnded,
      onDied: ({ key }, why) => died.push(`${key}: ${why}`),
      play: async (claimed) => {
        const keys = claimed.map(({ claim }) => claim.key).join("");
        together.push(keys);
        if (keys.includes("b")) throw new WorkerDied("gone");
      },
    });
    return { together, died };
  }

  it("[ST272] are played one by one where they end their thread, so that the one that does is known", async () => {
    expect(await played(() => false)).toEqual({
      together: ["abc", "a", "b", "c"],
      died: ["b: gone"],
    });
  });

  it("[ST272] are all given back where the study is ended meanwhile", async () => {
    expect(await played(() => true)).toEqual({
      together: ["abc"],
      died: ["a: gone", "b: gone", "c: gone"],
    });
  });
});
