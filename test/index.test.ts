import { expect, it } from "vitest";
import {
  analyseSynt,
  type Delivery,
  figuresOf,
  type Input,
  isEdgeError,
  listScenarios,
  loadScenario,
  observe,
  policyLeaves,
  policyWith,
  profiles,
  questions,
  simulate,
  why,
} from "../src/index.ts";
import { minutes } from "../src/machines/units.ts";
import { pages } from "./cli/readmeTexts.ts";

const untilMs = minutes(34);

it("[LB11] the README's example: load, simulate, ask why, play a variant", () => {
  const { scenario } = loadScenario("safe-file-executor");
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  simulate(scenario, {
    untilMs,
    onDelivery: (one) => deliveries.push(one),
    onInput: (one) => inputs.push(one),
  });

  const question = questions(deliveries).find((one) => one.startsWith("goal:cedar/"));
  const explanation = why(deliveries, inputs, question);
  const repaired = observe(scenario, { variant: "both-detections", untilMs, level: "bare" });

  expect(explanation?.chain.at(-1)?.says).toMatch(/^The host told cedar: /);
  expect(figuresOf(repaired)).toMatchObject({ goalsFailed: 0, callsLost: 0 });
});

it("[LB11] README and docs import nothing that the library does not export", async () => {
  const library = await import("../src/index.ts");
  const imported = [
    ...[...pages.values()].join("\n").matchAll(/import \{([^}]*)\} from "ghostlight"/g),
  ]
    .flatMap(([, names]) => (names ?? "").split(","))
    .map((name) => name.trim())
    .filter((name) => !name.startsWith("type "));

  expect(imported.length).toBeGreaterThan(0);
  expect(Object.keys(library)).toEqual(expect.arrayContaining(imported));
});

it("[LB1] its errors can be told from bugs", () => {
  expect(listScenarios().map(({ name }) => name)).toContain("safe-file-executor");
  expect(policyLeaves().length).toBeGreaterThan(20);
  expect(Object.keys(profiles)).toContain("strict");
  try {
    loadScenario("nothing");
    expect.unreachable();
  } catch (error) {
    expect(isEdgeError(error)).toBe(true);
  }
});

it("the weights of R can be analysed without the command line", () => {
  const { strategies } = analyseSynt(policyWith({}).synt);

  expect(strategies.map(({ strategy }) => strategy)).toContain("compose");
});
