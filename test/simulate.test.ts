import { expect, it } from "vitest";
import { variantOf } from "../src/contract/scenario.ts";
import { figuresOf } from "../src/run/compare.ts";
import type { Input } from "../src/substrate/port.ts";
import { observe, prepare, simulate, startRun } from "./builtIn.ts";
import { loadScenario, parseScenario } from "./builtInScenarios.ts";
import { boundScenario, smallScenario } from "./cli/smallScenario.ts";

const scenario = parseScenario(smallScenario, "small.yaml");
const variantSource = scenario.variants["silent"] as (typeof scenario.variants)[string];

it("[VB21] ends at the scenario's end, or earlier when asked", () => {
  expect(simulate(scenario)).toMatchObject({ outcome: "ended", virtualMs: 600_000 });
  expect(simulate(scenario, { untilMs: 60_000 })).toMatchObject({ virtualMs: 60_000 });
  expect(simulate(scenario, { untilMs: 900_000 })).toMatchObject({ virtualMs: 600_000 });
});

it("[VB21] in pieces of any size it is the same run", () => {
  const whole = simulate(scenario);

  for (const size of [1, 7, 100]) {
    const run = startRun(scenario);
    let result = run.advance(size);
    while (result === undefined) result = run.advance(size);

    expect(result).toEqual(whole);
  }
});

it("[VB21] can be interrupted between two deliveries", () => {
  const run = startRun(scenario);
  run.advance(50);

  expect(run.interrupt()).toMatchObject({ outcome: "interrupted", envelopes: 50 });
});

it("[VB21] names the limit that ended it", () => {
  const { outcome, error, envelopes } = simulate(parseScenario(boundScenario, "bound.yaml"));

  expect({ outcome, envelopes }).toEqual({ outcome: "limit:envelopes", envelopes: 50 });
  expect(error?.message).toContain("limit envelopes reached: 50");
});

it.each(["payloadChars", "queueLength"] as const)(
  "[KN10] names %s when the opening reaches it",
  (limit) => {
    const { outcome, envelopes } = simulate({ ...scenario, limits: { [limit]: 1 } });

    expect({ outcome, envelopes }).toEqual({ outcome: `limit:${limit}`, envelopes: 0 });
  },
);

it("[KN33] a limit that the scenario names holds as it is, and the others for each fifty agents", () => {
  const agents = Array.from({ length: 51 }, (_, place) => `a${place}`);
  const { kernelOptions } = prepare({ ...scenario, agents, limits: { envelopes: 70 } }, {});

  expect(kernelOptions.limits).toMatchObject({ envelopes: 70, queueLength: 400_000 });
});

it("[VB21] a recording without the call that is asked for ends it as a miss", () => {
  const { outcome, recordedCalls } = simulate(scenario, { recorded: [] });

  expect({ outcome, recordedCalls }).toEqual({ outcome: "miss", recordedCalls: 0 });
});

it("[VB21] a bug of ours ends it there, and is kept", () => {
  const broken = () => {
    throw new Error("a provider that breaks its promise");
  };
  const ports = { "port/llm.chat": { answer: broken } };

  const { outcome, error, envelopes } = simulate(scenario, { ports });

  expect({ outcome, says: error?.message }).toEqual({
    outcome: "bug",
    says: "a provider that breaks its promise",
  });
  expect(envelopes).toBeGreaterThan(0);
  expect(envelopes).toBeLessThan(simulate(scenario).envelopes);
});

it("[VB21] settings of the caller win over the variant's, those over the scenario's", () => {
  const set = (ms: number) => ({ "model.gpuMs": ms, "engine.callMs": ms });
  const silent = { ...variantSource, policy: { "model.gpuMs": 8_000, "engine.callMs": 800 } };
  const slow = { ...scenario, policy: set(9_000), variants: { silent } };

  const { policy } = simulate(slow, { variant: "silent", set: { "model.gpuMs": 7_000 } });

  expect([policy.model.gpuMs, policy.engine.callMs]).toEqual([7_000, 800]);
  expect(simulate(slow).policy.engine.callMs).toBe(9_000);
});

it("[VB21] its own recording serves every call", () => {
  const recorded: Input[] = [];
  const { digest } = simulate(scenario, { onInput: (input) => recorded.push(input) });

  const again = simulate(scenario, { recorded });

  expect(again).toMatchObject({ outcome: "ended", digest });
  expect(again.recordedCalls).toBe(recorded.filter(({ kind }) => kind === "reply").length);
});

it("[VB21] another seed is another run; settings win over the scenario", () => {
  const digest = simulate(scenario).digest;

  expect(simulate(scenario, { seed: scenario.seed }).digest).toBe(digest);
  expect(simulate(scenario, { seed: 2 }).digest).not.toBe(digest);
  const slow = { ...scenario, policy: { "model.gpuMs": 9_000 } };
  expect(simulate(slow).digest).not.toBe(digest);
  const { policy } = simulate(slow, { set: { "model.gpuMs": 8_000 } });
  expect(policy.model.gpuMs).toBe(8_000);
});

it("[VB21] taking out a choice by hand is what the variant does", () => {
  const byHand = simulate(scenario, { without: { choices: ["goal:note"] } });

  expect(simulate(scenario, { variant: "silent" }).digest).toBe(byHand.digest);
  expect(byHand.digest).not.toBe(simulate(scenario).digest);
});

it("[VB21] a variant replaces what is expected and adds to the rest", () => {
  const silent = variantOf(scenario, "silent");

  expect(silent.expect.map(({ name }) => name)).toEqual(["nothing was done"]);
  expect(variantOf(scenario, null)).toMatchObject({ without: { events: [], choices: [] } });
});

it("[VB21] watching a run does not change it, and gives the figures it is compared by", () => {
  const observed = observe(scenario);

  expect(observed.result).toEqual(simulate(scenario));
  expect(observed.verdicts.every(({ ok }) => ok)).toBe(true);
  expect(figuresOf(observed)).toEqual({
    goalsCompleted: observed.meter.finals()["goals.completed"]?.["world"],
    ...{ goalsFailed: 0, callsLost: 0, ghostCalls: 0, minutesUntilFree: null },
  });
});

it.each([
  ["safe-file-executor", ["daemon", "engine"], ["syntDesk", "skillKeeper", "gateway"]],
  ["synt-chain-choice", ["syntDesk", "pool"], ["daemon", "engine", "gateway"]],
])("[ST281] in the world of %s are the machines of its parts alone", (name, there, absent) => {
  const { cast } = prepare(loadScenario(name).scenario, {}).kernelOptions;

  expect(Object.keys(cast)).toEqual(expect.arrayContaining(there));
  for (const machine of absent) expect(cast).not.toHaveProperty(machine);
});
