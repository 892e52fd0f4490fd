// Worlds in which R decides: what the gate lets through and what it refuses, by labels that nobody in
// the world knows; for many seeds, and by weight.

import { describe, expect, it } from "vitest";
import { WORLD } from "../src/contract/gauge.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import type { SimulateOptions } from "../src/run/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { observe } from "./builtIn.ts";
import { broken, pythonPorts, syntScenario } from "./syntWorld.ts";

const COUNTS = ["truePasses", "falsePasses", "trueRefusals", "falseRefusals"] as const;

function judged(scenario: Scenario, seed: number, options: SimulateOptions = {}) {
  const log: Delivery[] = [];
  const { meter, verdicts, result } = observe(scenario, {
    ...{ seed, ports: pythonPorts },
    ...(options.level !== "bare" && { onDelivery: (one) => log.push(one) }),
    ...options,
  });
  const last = (name: (typeof COUNTS)[number]) =>
    meter.series(`synt.${name}`, WORLD).at(-1)?.value ?? 0;
  return { log, verdicts, result, counts: COUNTS.map(last) };
}

const played = new Map<string, Pick<ReturnType<typeof judged>, "verdicts" | "counts">>();

/** Where only what was measured is looked at: played bare, and once. */
function measured(scenario: Scenario, seed: number, variant: string | null) {
  const key = `${scenario.name} ${variant} ${seed}`;
  const { verdicts, counts } =
    played.get(key) ?? judged(scenario, seed, { variant, level: "bare" });
  played.set(key, { verdicts, counts });
  return { verdicts, counts };
}

const unmet = ({ verdicts }: Pick<ReturnType<typeof judged>, "verdicts">) =>
  verdicts.filter(({ ok }) => !ok).map(({ name, found }) => `${name}: ${found}`);

/** Puts worlds of the first so many seeds to the test. */
export function judgeWorlds(count: number): void {
  const SEEDS = Array.from({ length: count }, (_, index) => index + 1);

  describe.each(["synt-judge-text", "synt-chain-choice"])("%s", (name) => {
    const scenario = syntScenario(name);
    const runs = SEEDS.map((seed) => judged(scenario, seed));

    it("[SN85] shows what it says on each seed", () => {
      const faults = runs.map((run, index) => [SEEDS[index], unmet(run)]);

      expect(faults).toEqual(SEEDS.map((seed) => [seed, []]));
    });

    it("[SN85] is another world on another seed", () => {
      expect(new Set(runs.map(({ counts }) => counts.join())).size).toBeGreaterThan(5);
      expect(new Set(runs.map(({ result }) => result.digest)).size).toBe(SEEDS.length);
    });

    it("[SN85] keeps every promise of synt", () => {
      for (const { log, result } of runs.slice(0, 3)) {
        expect(broken(log, result.policy)).toEqual([]);
      }
    });

    it.each(Object.keys(scenario.variants))(
      "[SN85] %s shows what it says on each seed",
      (variant) => {
        const faults = SEEDS.map((seed) => [seed, unmet(measured(scenario, seed, variant))]);

        expect(faults).toEqual(SEEDS.map((seed) => [seed, []]));
      },
    );

    it("[SN84] labels reach metrics and nothing else: turned round, the world is the same", () => {
      const { synt } = scenario;
      if (synt === undefined) throw new Error("a world without synt");
      const labels = synt.labels.map((one) => ({
        ...one,
        is: one.is === "good" ? ("bad" as const) : ("good" as const),
      }));
      const turned = judged({ ...scenario, synt: { ...synt, labels } }, 1);
      const [first] = runs;
      const [truePasses, falsePasses, trueRefusals, falseRefusals] = first?.counts ?? [];

      expect(turned.result.digest).toBe(first?.result.digest);
      expect(turned.counts).toEqual([falsePasses, truePasses, falseRefusals, trueRefusals]);
      for (const { id } of synt.labels) expect(JSON.stringify(first?.log)).not.toContain(`"${id}"`);
    });
  });

  it("[SN85] a heavier judge lets fewer bad ones pass, and refuses more good ones", () => {
    const scenario = syntScenario("synt-judge-text");
    const sums = [null, "judge-counts-twice"].map((variant) => {
      const all = SEEDS.map((seed) => measured(scenario, seed, variant).counts);
      return COUNTS.map((_, index) => all.reduce((sum, counts) => sum + (counts[index] ?? 0), 0));
    });
    const [light = [], heavy = []] = sums;

    expect(heavy[1]).toBeLessThan((light[1] ?? 0) / 2);
    expect(heavy[3]).toBeGreaterThan((light[3] ?? 0) * 2);
  });
}
