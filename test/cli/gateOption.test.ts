// Which runs may ask whom at a gate, and how many runs there may be.
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { gateOption } from "../../src/cli/live/gate.ts";
import { type RunFlags, seedsOption } from "../../src/cli/options.ts";
import { loadScenario } from "../builtInScenarios.ts";

const gateOf = (flags: Omit<RunFlags, "log">, name = "synt-chain-choice") =>
  gateOption(builtIn, { log: true, ...flags }, loadScenario(name).scenario);

it.each(["terminal", "later", "nobody"])(
  "[SG10] --gate %s goes with a world with synt, and with one run alone",
  (gate) => {
    expect(gateOf({ gate })).toBe(gate);
    expect(() => gateOf({ gate }, "lock-feedback")).toThrow("in a world without");
    expect(() => gateOf({ gate, compare: true })).toThrow(`"${gate}" beside --compare`);
    expect(() => gateOf({ gate, seeds: "1..2" })).toThrow(`"${gate}" beside --seeds`);
  },
);

it("[CL2] a range of seeds has ten thousand at most", () => {
  expect(seedsOption("1..10000")).toEqual([1, 10_000]);
  expect(() => seedsOption("1..10001")).toThrow("at most 10000 seeds");
});

it("[SG10] the scenario's own person decides in many runs, too", () => {
  expect(gateOf({ gate: "scripted", compare: true })).toBe("scripted");
  expect(gateOf({ seeds: "1..2" }, "lock-feedback")).toBe("scripted");
});
