import { expect, test } from "vitest";
import { edgeParts } from "../../../src/builtIn/edgeParts.ts";
import { parts } from "../../../src/builtIn/parts.ts";
import { scenarioParts } from "../../../src/builtIn/scenarioParts.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../../../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../../../src/edges/shell/shellProcess.ts";
import {
  type FactsOf,
  familyFacts,
  keptOf,
  type Player,
} from "../../../src/edges/studies/runFacts.ts";
import { Listening } from "../../../src/run/stem.ts";
import { WORLD } from "../../../src/studies/outcomes/outcomesOf.ts";
import type { RunFacts, RunOf } from "../../../src/studies/study.ts";
import { observe } from "../../builtIn.ts";
import { loadScenario } from "../../builtInScenarios.ts";

const lists = await checkedLists({ parts, scenarioParts, edgeParts });
const { scenario } = loadScenario("lock-feedback");
const whole: FactsOf = { untilMs: null, limits: {}, watched: [] };
const asItIs = { variant: null, seed: scenario.seed, set: {} };

// No tool of this world runs: neither sandbox nor shell is ever started.
const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };
const player = (): Player => ({
  ...host,
  lists,
  listening: new Listening(lists.parts),
  isApart: false,
});

async function facts(
  of: FactsOf = whole,
  { variant, seed, set }: Pick<RunOf, "variant" | "seed" | "set"> = asItIs,
  from = scenario,
): Promise<RunFacts> {
  const family = { ...of, scenario: from, variant, seed };
  const [one] = (await familyFacts(player(), family, [{ set }])).facts;
  if (one === undefined) throw new Error("a run has facts");
  return one;
}

test("[ST48] a run keeps the last value of each metric that is not 0, and how what changed came to be so", async () => {
  const { meter } = observe(scenario, { level: "bare" });
  const finals = Object.entries(meter.finals()).flatMap(([metric, values]) => {
    const some = Object.entries(values).filter(([, value]) => value !== 0);
    return some.length === 0 ? [] : [[metric, Object.fromEntries(some)] as const];
  });

  const kept = await facts();

  expect(kept).toMatchObject({ outcome: "ended", virtualMs: scenario.runsForMs });
  expect(kept.tooLong).toEqual({});
  expect(kept.finals).toEqual(Object.fromEntries(finals));
  expect(kept.series["load"]).toEqual(meter.series("load").map((one) => [one.atMs, one.value]));
  expect(kept.series["load|vault"]).toEqual(kept.series["load"]);
  expect(Object.values(kept.series).every((steps) => steps.length > 1)).toBe(true);
  const below = { finals: () => ({ load: { [WORLD]: -1, cedar: 0 } }), series: () => [] };
  expect(keptOf(lists, below).finals).toEqual({ load: { [WORLD]: -1 } });
});

test("[ST48] of a series of more than 50,000 steps the length is kept", () => {
  const keptOfSteps = (count: number) =>
    keptOf(lists, {
      finals: () => ({ load: { [WORLD]: 1, cedar: 1 } }),
      // The agent's series is one step longer than that of the world.
      series: (_metric: string, actor?: string) =>
        Array.from({ length: count + Number(actor === "cedar") }, (_, atMs) => ({
          atMs,
          value: 1,
        })),
    });

  const lengths = (count: number) => {
    const { series, tooLong } = keptOfSteps(count);
    return [Object.entries(series).map(([name, { length }]) => [name, length]), tooLong];
  };

  expect(lengths(0)).toEqual([[], {}]);
  expect(lengths(1)).toEqual([[["load|cedar", 2]], {}]);
  expect(lengths(49_999)).toEqual([
    [
      ["load", 49_999],
      ["load|cedar", 50_000],
    ],
    {},
  ]);
  expect(lengths(50_000)).toEqual([[["load", 50_000]], { "load|cedar": 50_001 }]);
  expect(lengths(50_001)).toEqual([[], { load: 50_001, "load|cedar": 50_002 }]);
});

test("[ST48] the same run leaves the same bytes, and survives JSON", async () => {
  const once = await facts();

  expect(JSON.stringify(await facts())).toBe(JSON.stringify(once));
  expect(JSON.parse(JSON.stringify(once))).toEqual(once);
});

test("[ST48] policy, seed, variant, end and limits are those of the run", async () => {
  const set = { "stressors.lockFeedback": false };

  expect((await facts(whole, { ...asItIs, set })).finals).not.toEqual((await facts()).finals);
  expect((await facts(whole, { ...asItIs, seed: 5 })).series).not.toEqual((await facts()).series);
  expect(await facts({ ...whole, untilMs: 60_000 })).toMatchObject({ virtualMs: 60_000 });
  expect(await facts({ ...whole, limits: { envelopes: 10 } })).toMatchObject({
    outcome: "limit:envelopes",
  });
});

test("[ST46] promises are watched on the bare run: null where one held, what was said where it was broken", async () => {
  const locked = loadScenario("crisis-and-locks").scenario;
  const watched = ["locked-never-runs", "U5-lock-feedback"];

  const made = { ...asItIs, seed: locked.seed };
  const { promises } = await facts({ ...whole, watched }, made, locked);
  await Promise.all([host.sandbox.close(), host.shell.close()]);

  expect(promises).toEqual({
    "locked-never-runs": null,
    "U5-lock-feedback": expect.stringContaining("only the lock keeps the lock closed"),
  });
});
