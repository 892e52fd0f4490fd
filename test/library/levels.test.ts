// A program chooses how much of a run is made.
import { expect, it } from "vitest";
import {
  figuresOf,
  type Observed,
  observe,
  parseScenario,
  play,
  type RunOptions,
  record,
  report,
  simulate,
} from "../../src/index.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { refusal } from "./refusal.ts";

const scenario = parseScenario(smallScenario, "small.yaml");

const told = (run: Observed) => [
  run.result.outcome,
  run.result.envelopes,
  run.meter.csv(),
  figuresOf(run),
  run.verdicts,
];

it("[KN26] [LB13] on every level a run is measured and judged the same", async () => {
  const full = observe(scenario);

  expect(full.result.digest).toHaveLength(64);
  for (const level of ["full", "recorded", "bare"] as const) {
    const digest = level === "bare" ? null : full.result.digest;
    const played = await play(scenario, { level });
    expect(simulate(scenario, { level }).digest).toBe(digest);
    for (const run of [observe(scenario, { level }), played]) {
      expect(told(run)).toEqual(told(full));
      expect(run.result.digest).toBe(digest);
    }
    expect(played.deliveries.length).toBe(level === "full" ? full.result.envelopes : 0);
    expect(played.inputs.length > 0).toBe(level !== "bare");
  }
});

it("[LB13] a bare run can be served by a recording", async () => {
  const { inputs, ...full } = await play(scenario, { level: "recorded" });

  const bare = observe(scenario, { level: "bare", recorded: inputs });
  expect(told(bare)).toEqual(told(full));
  const [first] = inputs.filter((one) => one.kind === "reply");
  const other = inputs.map((one) => (one === first ? { ...first, request: "0".repeat(64) } : one));
  expect(observe(scenario, { level: "bare", recorded: other }).result.outcome).toBe("miss");
});

it.each<[RunOptions, RegExp]>([
  [
    { level: "recorded", onDelivery: () => {} },
    /onDelivery: found .*recorded; allowed: the level full/,
  ],
  [{ level: "bare", onDelivery: () => {} }, /onDelivery: found .*bare; allowed: the level full/],
  [{ level: "bare", onInput: () => {} }, /onInput: found .*bare; allowed: the levels full and rec/],
  [{ level: "bear" as never }, /level: found "bear"; allowed: full \| recorded \| bare/],
])("[LB1] [LB13] refuses to be asked for what a level does not make: %j", async (options, says) => {
  for (const verb of [simulate, observe, play]) {
    expect(await refusal(() => verb(scenario, options))).toMatch(says);
  }
});

it("[LB13] a bundle is full, and a report is made of a full run", async () => {
  const loose = { level: "bare" } as object;
  expect(await refusal(() => record(scenario, "/tmp/never-written", loose))).toMatch(/level/);
  const unlogged = await play(scenario, { level: "recorded" });
  expect(await refusal(() => report(unlogged))).toMatch(
    /^report run: found a run without its log; allowed: one of the level full/,
  );
});
