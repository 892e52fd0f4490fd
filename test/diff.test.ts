import { expect, it } from "vitest";
import type { ThreatView } from "../src/machines/agents/model/prompts.ts";
import type { DiffSide } from "../src/run/diff.ts";
import { BLOCK, Chain } from "../src/substrate/chain.ts";
import { chainedOf } from "../src/substrate/deliveryLine.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { diff } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { delivery, goalEnded } from "./handLog.ts";
import { recordedRun } from "./recordedRun.ts";

const { folder, deliveries, inputs } = await recordedRun({ untilMs: 60_000 });
const { manifest } = readBundle(folder);
const agents = ["cedar"];
const real: DiffSide = { manifest, deliveries, inputs, agents };
const of = (log: readonly Delivery[], given: Partial<DiffSide> = {}): DiffSide => ({
  ...{ manifest, deliveries: log, inputs: [], agents },
  ...given,
});

const heard: ThreatView = { purpose: "judge.threat", agent: "cedar", message: "Write." };

/** Three deliveries; from the given one on, states are others. */
const log = (changedFrom = 9, status: "completed" | "abandoned" = "completed"): Delivery[] =>
  [
    delivery({
      ...{ seq: 1, cause: null, from: "outside/ask" },
      event: { type: "host.message", agent: "cedar", text: "Write." },
    }),
    delivery({
      seq: 2,
      event: { type: "llm.asked", purpose: "judge.threat", view: heard },
      letters: [{ seq: 3, to: "a", type: "t", dueMs: 3_000 }],
    }),
    goalEnded(3, status),
  ].map((one) => (one.seq < changedFrom ? one : { ...one, after: "other" }));

it("[VB15] a run beside itself is the same", () => {
  expect(diff(real, real)).toEqual({ same: true, settings: [], metrics: [], first: null });
});

it("[VB15] settings that made no difference are shown all the same", () => {
  const policy = { ...manifest.policy, "model.cpuMs": 1 };

  const { same, settings } = diff(real, { ...real, manifest: { ...manifest, policy } });

  expect({ same, settings }).toEqual({
    same: true,
    settings: [["model.cpuMs", manifest.policy["model.cpuMs"], 1]],
  });
});

it("[VB15] scenario, text, variant, seed, end and each leaf that one of them has are settings", () => {
  const { scenario, policy } = manifest;
  const [own = "", ...rest] = Object.keys(policy).sort();
  const other = {
    ...manifest,
    ...{ scenario: { ...scenario, name: "other", sha256: "f".repeat(64) }, variant: "quiet" },
    ...{
      seed: 9,
      untilMs: 7,
      policy: { a: 1, ...Object.fromEntries(rest.map((path) => [path, policy[path]])) },
    },
  };

  expect(diff(real, { ...real, manifest: other }).settings).toEqual([
    ["scenario", scenario.name, "other"],
    ["scenario text", scenario.sha256.slice(0, 12), "f".repeat(12)],
    ["variant", null, "quiet"],
    ["seed", manifest.seed, 9],
    ["until", 60_000, 7],
    ["a", undefined, 1],
    [own, policy[own], undefined],
  ]);
});

it("[VB15] the first divergence is found, told, and explained", () => {
  const { same, metrics, first } = diff(of(log()), of(log(3, "abandoned")));

  expect(same).toBe(false);
  expect(metrics).toEqual([
    ["goals.completed", 1, 0],
    ["goals.abandoned", 0, 1],
    ["goals.doneShare", 1, 0],
  ]);
  expect(first).toMatchObject({
    delivery: 3,
    atMs: 3_000,
    a: { seq: 3, says: "cedar completed goal 1: Write." },
    b: { seq: 3, says: expect.stringContaining("cedar failed goal 1") },
  });
  expect(first?.a?.because?.origins).toEqual([{ kind: "outside", id: "ask", seq: 1 }]);
});

it("[VB15] where the same question got another answer, the answers are told", () => {
  const { first } = diff(of(log()), of(log(2, "abandoned")));

  expect(first).toMatchObject({ delivery: 2, a: { seq: 3 }, b: { seq: 3 } });
  expect(first?.b?.says).toContain("cedar failed goal 1");
});

it("[VB15] where only the state differs, the delivery itself is told", () => {
  expect(diff(of(log()), of(log(2))).first).toMatchObject({
    delivery: 2,
    a: { seq: 2, says: "llm.asked from engine to agent/cedar" },
  });
});

it("[VB15] a run that ended earlier diverges at its end", () => {
  expect(diff(of(log()), of(log().slice(0, 2))).first).toMatchObject({
    ...{ delivery: 3, atMs: 3_000, a: { seq: 3 }, b: null },
  });
  expect(diff(of([]), of(log())).first).toMatchObject({ delivery: 1, a: null, b: { seq: 1 } });
});

it("[VB15] with every length and every place of the first difference", () => {
  const long = (length: number, changed?: number): Delivery[] => {
    const chain = new Chain();
    return Array.from({ length }, (_, index) => {
      const after = index + 1 === changed ? "changed" : "same";
      const one = delivery({ seq: index + 1, event: { type: "tools.asked" }, after });
      chain.add(chainedOf(one));
      return chain.endsBlock ? { ...one, digest: chain.digest } : one;
    });
  };
  const whole = long(4 * BLOCK + 5);

  for (const place of [1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 4 * BLOCK, 4 * BLOCK + 5]) {
    for (const length of [place, place + 1, whole.length]) {
      const other = long(Math.min(length, whole.length), place);
      expect(diff(of(whole), of(other)).first?.delivery).toBe(place);
      expect(diff(of(other), of(whole)).first?.delivery).toBe(place);
    }
  }
});
