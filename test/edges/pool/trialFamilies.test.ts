// Trials of a search for causes that share all but leaves of the policy: what is common to them is played once, and nobody sees it.
import { describe, expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { playBase } from "../../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../../src/edges/causes/effectNamed.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { playTrials, TrialPlayer, trialFamilies } from "../../../src/edges/pool/trialPlayer.ts";
import { lazySandbox } from "../../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import { reachOf } from "../../../src/run/causes/asked.ts";
import { singleChanges } from "../../../src/run/causes/candidates.ts";
import type { Effect } from "../../../src/run/causes/effect.ts";
import type { Trial } from "../../../src/run/causes/trial.ts";
import { loadScenario } from "../../builtInScenarios.ts";

const lists = await checkedLists(builtIn);
// No tool of these worlds runs: neither sandbox nor shell is ever started.
const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };

/** Some values of leaves that were read, and what is first told of the run. */
async function asked(name: string) {
  const { scenario, text } = loadScenario(name);
  const { seed } = scenario;
  const world = { scenario, text, seed, variant: null, set: {}, untilMs: null, recorded: null };
  const run = await playBase(lists, world, host);
  const reach = reachOf({ parts: lists.parts, world, run }, run.observed.result.virtualMs);
  const sets = singleChanges(reach).filter(({ kind }) => kind === "set");
  const changes = sets.filter((_, at) => at % 11 === 0);
  return { world, changes, effect: effectNamed(lists, world, run, undefined) };
}

/** The same trials, each by itself and together. */
async function bothWays(
  { world, effect }: Pick<Awaited<ReturnType<typeof asked>>, "world" | "effect">,
  trials: readonly Trial[],
  own: readonly string[] = [],
) {
  const work = { ...world, effect };
  const played = async (isApart: boolean) => {
    const player = new TrialPlayer({ ...lists, own }, world.scenario, work, host, { isApart });
    const tried = await playTrials(trials, [(family) => player.play(family)]);
    return { tried, deliveries: player.deliveries };
  };
  return { apart: await played(true), together: await played(false) };
}

describe("trials that differ in leaves of the policy", () => {
  it.each([
    ["lock-feedback", "measured", undefined],
    ["lock-feedback", "measured", 300],
    ["synt-chain-choice", "asked", undefined],
    ["synt-chain-choice", "asked", 200],
  ])(
    "[ST280] come to the same bytes together, of %s where the outcome is %s, from %s on",
    async (name, kind, from) => {
      const { world, changes, effect } = await asked(name);
      const fromThere = from === undefined ? {} : { from };
      const trials = [false, true].flatMap((isWhole) =>
        changes.map((one): Trial => ({ seed: 5, changes: [one], isWhole, ...fromThere })),
      );
      const { apart, together } = await bothWays({ world, effect }, trials);

      expect(effect.kind).toBe(kind);
      expect(together.tried).toEqual(apart.tried);
      expect(apart.deliveries.spared).toBe(0);
      expect(together.deliveries.spared).toBeGreaterThan(0);
      expect(together.deliveries.played).toBeLessThan(apart.deliveries.played);
    },
  );

  it("[ST280] are together beside what else they change, and each in its place", async () => {
    const { world, effect } = await asked("lock-feedback");
    const [first = "", second = ""] = world.scenario.events.map(({ id }) => id);
    const dominant = [900_000, 950_000].map(
      (value) => ({ kind: "set", path: "locks.dominant", value }) as const,
    );
    const trials = dominant.flatMap((set) =>
      [first, second].map((id): Trial => {
        return { seed: 7, changes: [{ kind: "event", id }, set], isWhole: true };
      }),
    );
    const { apart, together } = await bothWays({ world, effect }, trials);

    expect(together.tried).toEqual(apart.tried);
    expect(together.tried[0]).not.toEqual(together.tried[1]);
    expect(together.deliveries.spared).toBeGreaterThan(0);
  });

  it("[ST280] are together 32 at most, from the start or from one common point on", () => {
    const trials = Array.from({ length: 33 }, (_, value): Trial => {
      const change = { kind: "set", path: "locks.dominant", value } as const;
      return { seed: 7, changes: [change], isWhole: true };
    });
    const sizes = (all: readonly Trial[], most: number) =>
      trialFamilies(all, most).map((family) => family.length);
    const others = [{ seed: 8 }, { from: 9 }, { isWhole: false }].map((more) => {
      return { ...trials[0], ...more } as Trial;
    });

    expect(sizes(trials, 99)).toEqual([32, 1]);
    expect(sizes(trials, 17)).toEqual([17, 16]);
    expect(sizes([...trials.slice(0, 2), ...others], 99)).toEqual([2, 1, 1, 1]);
  });

  it("[ST280] are each played by themselves where the outcome is a broken promise, and with parts of one's own", async () => {
    const { world, changes, effect: measured } = await asked("lock-feedback");
    const effect: Effect = { kind: "broken", property: "locked-never-runs", says: "it is broken" };
    const trials = changes.slice(0, 3).map((one) => {
      return { seed: 5, changes: [one], isWhole: false };
    });
    const { apart, together } = await bothWays({ world, effect }, trials);

    expect(together).toEqual(apart);
    const withPart = await bothWays({ world, effect: measured }, trials, ["mine"]);
    expect(withPart.together).toEqual(withPart.apart);
  });
});
