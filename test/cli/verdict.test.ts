import { expect, it, vi } from "vitest";
import { toldUnverified } from "../../src/cli/causes/prevent.ts";
import { holdOutput, takeHeld } from "../../src/cli/output.ts";
import { exitCodeOf } from "../../src/cli/run.ts";
import { badInput } from "../../src/edges/errors.ts";
import { observe } from "../builtIn.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { failingScenario, smallScenario } from "./smallScenario.ts";

// Words about a bug in the output of passing tests would alarm people.
const noted = vi.hoisted(() => [] as string[]);
vi.mock("../../src/cli/output.ts", async (original) => ({
  ...(await original<typeof import("../../src/cli/output.ts")>()),
  note: (text: string) => noted.push(text),
}));

it("[CL11, CL14] a bug of ours exits 70, says which promise was broken, and how to see it again", () => {
  // Two agents of one name: the scenario's checks refuse it, so only a bug could get here.
  const scenario = { ...parseScenario(smallScenario, "small.yaml"), agents: ["cedar", "cedar"] };

  const observed = observe(scenario);
  const code = exitCodeOf(observed, "small", { log: true, seed: "4", until: 90_000 });

  expect(observed.result.outcome).toBe("bug");
  expect(code).toBe(70);
  expect(noted.at(-1)).toContain("cedar was used before");
  expect(noted.at(-1)).toContain("Reproduce: npx ghostlight run small --seed 4 --until 90000ms");
});

it("[CL14] the command that shows it again names each option that the run had", () => {
  const scenario = { ...parseScenario(smallScenario, "small.yaml"), agents: ["cedar", "cedar"] };
  const again = (observed: ReturnType<typeof observe>, flags: object) => {
    exitCodeOf(observed, "small", { log: false, out: "there", json: true, ...flags });
    return noted.at(-1)?.split("Reproduce: ")[1];
  };
  const flags = {
    ...{ variant: "silent", seed: "4", profile: "real", set: ["a=1", "b=2"], until: 90_000 },
    ...{ limit: ["maxEnvelopes=9"], model: "m", tier: ["big=n"], embed: "e", gate: "terminal" },
    ...{ part: ["./p.ts"], assert: true },
  };
  const words =
    "--variant silent --seed 4 --profile real --set a=1 --set b=2 --until 90000ms " +
    "--limit maxEnvelopes=9 --model m --tier big=n --embed e --gate terminal --part ./p.ts --assert";

  expect(again(observe(scenario), flags)).toBe(`npx ghostlight run small ${words}`);
  expect(again(observe(scenario), {})).toBe("npx ghostlight run small");
  const unmet = observe(parseScenario(failingScenario, "failing.yaml"));
  const failed = (outcome: "limit:envelopes" | "bug", error: Error) =>
    again({ ...unmet, result: { ...unmet.result, outcome, error } }, { seed: "4" });
  const limited = failed("limit:envelopes", new Error("limit envelopes reached"));
  const refused = failed("bug", badInput("--part", "nothing", "a part", "Mend it."));
  const seeded = "npx ghostlight run small --seed 4";
  expect([limited, refused]).toEqual([seeded, seeded]);
  expect(again(unmet, { variant: "silent" })).toBe("npx ghostlight run small --variant silent");
});

it("[CL11] an interrupted run exits 130", () => {
  const observed = observe(parseScenario(smallScenario, "small.yaml"));
  const result = { ...observed.result, outcome: "interrupted" } as const;

  expect(exitCodeOf({ ...observed, result }, "small", { log: true })).toBe(130);
});

it("[BL10] an interrupted `prevent` says what was found by then, that it is not verified, and exits 130", () => {
  const told = (found: readonly string[], json?: true) => {
    holdOutput();
    const code = toldUnverified("small", found, { ...(json && { json }) });
    return [code, takeHeld(), noted.at(-1)];
  };
  const ended = "interrupted before an answer was verified.";
  const head = "In the search, and not verified, it was gone:\n";

  expect(told([])).toEqual([130, "", ended]);
  expect(told(["without a"])).toEqual([130, `${head}  without a\n`, ended]);
  expect(told(["a", "b"])).toEqual([130, `${head}  a\n  b\n`, ended]);
  const [code, json] = told(["a"], true);
  expect([code, JSON.parse(String(json))]).toEqual([
    130,
    { named: "small", interrupted: true, foundUnverified: ["a"] },
  ]);
});

it("[CL6] a failed expectation decides, unless something was set differently", () => {
  const observed = observe(parseScenario(failingScenario, "failing.yaml"));
  const code = (flags: object) => exitCodeOf(observed, "failing", { log: true, ...flags });

  expect([{}, { variant: "silent" }, { set: [] }].map(code)).toEqual([1, 1, 1]);
  expect([{ gate: "scripted" }, { limit: [] }].map(code)).toEqual([1, 1]);
  const changes = [
    ...[{ seed: "1" }, { set: ["model.gpuMs=1"] }, { profile: "real" }, { until: 1 }],
    ...[{ model: "ollama:tiny" }, { gate: "terminal" }, { limit: ["envelopes=9"] }],
  ];
  expect(new Set(changes.map(code))).toEqual(new Set([0]));
  expect(new Set(changes.map((one) => code({ ...one, assert: true })))).toEqual(new Set([1]));
});

it("[SC7] a run of which nothing is asked says so, and exits 0", () => {
  const text = smallScenario.replace(/ {4}expect:\n.*\n$/, "");
  const observed = observe(parseScenario(text, "small.yaml"), { variant: "silent" });

  expect(exitCodeOf(observed, "small", { log: true, variant: "silent", assert: true })).toBe(0);
  expect(noted.at(-1)).toBe(
    "Nothing was expected: the variant silent has no `expect`; `expect: inherit` takes the scenario's.",
  );
});
