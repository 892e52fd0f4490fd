// Faults of tools in a world that is played. SPEC, "Faults of tools (FT)".
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { variantOf } from "../../src/contract/scenario.ts";
import { foreseen } from "../../src/edges/scenario/foreseen.ts";
import { sourceOf } from "../../src/edges/scenario/sourceOf.ts";
import { isEdgeError, parseScenario, play, report, why } from "../../src/index.ts";
import { faultsMet } from "../../src/run/faultsMet.ts";
import { simulate } from "../builtIn.ts";

/** Clerks whose stock service never fails by itself. */
const text = readFileSync("scenarios/tools-by-name.yaml", "utf8")
  .replace(/ {4}failsPerMille: 200\n {4}nothing: true\n/, "")
  .replace(/\nexpect:[\s\S]*/, "\n");
const VARIANT = `
variants:
  spared:
    why: Nothing goes wrong.
    without: { choices: ["fault:silent"] }
  loud:
    why: It fails so that it is heard.
    faults: [{ id: loud, does: fails, tool: stock_level, from: 3m, times: 1 }]
`;
const withFaults = (faults: string, variants = VARIANT): string =>
  `${text}\nfaults:\n${faults}${variants}`;
const SILENT = "  - { id: silent, does: nothing, tool: stock_level, from: 2m, perMille: 500 }\n";
const OTHER = "  - { id: misspelt, does: fails, tool: stok_level }\n";
const scenario = parseScenario(withFaults(SILENT + OTHER), "clerks.yaml");

const problemsOf = (yaml: string): string => {
  try {
    parseScenario(yaml, "clerks.yaml");
    return "none";
  } catch (error) {
    if (isEdgeError(error)) return error.message;
    throw error;
  }
};

describe("a world with a fault", () => {
  it("[FT6] calls are lost by the fault alone, and a variant that omits it loses none", async () => {
    const [faulty, spared] = [await play(scenario), await play(scenario, { variant: "spared" })];
    const lost = (run: typeof faulty) => run.meter.series("calls.lost").at(-1)?.value ?? 0;

    expect(lost(faulty)).toBeGreaterThan(5);
    expect(lost(spared)).toBe(0);
    expect(faultsMet(scenario, null, faulty.inputs)[0]?.calls).toBe(lost(faulty));
    expect(faultsMet(scenario, "spared", spared.inputs).map(({ id }) => id)).toEqual(["misspelt"]);
  });

  it("[FT6] `why` goes back to the fault by its name", async () => {
    const { deliveries, inputs } = await play(scenario, { variant: "loud" });
    const met = inputs.find((one) => one.kind === "reply" && one.choice === "fault:loud");
    const told = why(deliveries, inputs, String(met?.seq));

    expect(told?.chain[0]?.says).toMatch(/\[fault:loud\]$/);
    expect(told?.origins[0]).toMatchObject({ kind: "choice", id: "fault:loud" });
  });

  it("[FT8] the report says how many calls met each fault, and which met none", async () => {
    const page = report(await play(scenario));

    expect(page).toMatch(
      /^Faults: `silent` of stock_level \(null comes back, as if all were well, and the tool does nothing\): \d\d calls met it; `misspelt` of stok_level \(an error comes back, and the tool does nothing\): \*\*no call met it\*\*\.$/m,
    );
  });

  it("[FT7] its recording plays without a fault being asked for again", async () => {
    const whole = await play(scenario);
    const again = simulate({ ...scenario, faults: [] }, { recorded: whole.inputs });

    expect(again.digest).toBe(whole.result.digest);
  });
});

it("[FT1] a variant's faults come before the scenario's", () => {
  expect(variantOf(scenario, "loud").faults?.map(({ id }) => id)).toEqual([
    "loud",
    "silent",
    "misspelt",
  ]);
});

it("[FT1] a scenario with faults is written as it was read", () => {
  const { faults, variants } = sourceOf(builtIn.scenarioParts, { ...scenario }) as {
    readonly faults: unknown;
    readonly variants: { readonly loud: { readonly faults: unknown } };
  };

  expect(faults).toEqual([
    { id: "silent", does: "nothing", tool: "stock_level", from: "2m", perMille: 500 },
    { id: "misspelt", does: "fails", tool: "stok_level", from: "0s", perMille: 1_000 },
  ]);
  expect(variants.loud.faults).toEqual([
    { id: "loud", does: "fails", tool: "stock_level", from: "3m", perMille: 1_000, times: 1 },
  ]);
});

it.each<[string, string, RegExp]>([
  ["FT4", "  - { id: a, does: late }\n", /`by` beside late/],
  ["FT4", "  - { id: a, does: fails, by: 1m }\n", /`by` beside late alone/],
  ["FT1", "  - { id: a, does: fails, from: 2m, to: 2m }\n", /a time after 2m/],
  ["FT1", "  - { id: a, does: fails, from: 21m }\n", /a time up to the end, 20m/],
  ["FT1", "  - { id: a, does: fials }\n", /allowed: nothing \| fails \| stale/],
  ["FT1", "  - { id: a, does: fails }\n  - { id: a, does: stale }\n", /each name once/],
  ["FT1", "  - { id: a, does: fails, perMille: 0 }\n", /a whole number 1 … 1000/],
  ["FT12", "  - { id: a, does: fails, calls: [0] }\n", /a whole number 1 … 1000000/],
])("[%s] %s is refused", (_, faults, problem) => {
  expect(problemsOf(withFaults(faults, ""))).toMatch(problem);
});

it("[FT6] a variant may omit only a fault that there is", () => {
  const variants = VARIANT.replace("fault:silent", "fault:silnt");

  expect(problemsOf(withFaults(SILENT, variants))).toMatch(/Did you mean "fault:silent"/);
});

it("[FT10] a dry run tells of a fault whose tool is nearly called as another", () => {
  const told = (of: typeof scenario) => foreseen(builtIn, of, { variant: null, set: {} });

  expect(told(scenario)).toContain(
    "The fault misspelt is of stok_level, which is not there from the start: stock_level is.",
  );
  expect(told(parseScenario(withFaults(SILENT), "clerks.yaml")).join()).not.toContain("The fault");
});
