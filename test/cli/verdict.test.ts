import { expect, it } from "vitest";
import { exitCodeOf } from "../../src/cli/verdict.ts";
import { observe } from "../../src/compare.ts";
import { parseScenario } from "../../src/edges/scenarioFile.ts";
import { smallScenario } from "./smallScenario.ts";

it("[CL11] a bug of ours exits 70, and the run says which promise was broken", () => {
  // Two agents of one name: the scenario's checks refuse it, so only a bug could get here.
  const scenario = { ...parseScenario(smallScenario, "small.yaml"), agents: ["cedar", "cedar"] };

  const observed = observe(scenario);

  expect(observed.result.outcome).toBe("bug");
  expect(observed.result.error?.message).toContain("agent/cedar was used before");
  expect(exitCodeOf(observed, "small", { log: true })).toBe(70);
});

it("[CL11] an interrupted run exits 130", () => {
  const observed = observe(parseScenario(smallScenario, "small.yaml"));
  const result = { ...observed.result, outcome: "interrupted" } as const;

  expect(exitCodeOf({ ...observed, result }, "small", { log: true })).toBe(130);
});
