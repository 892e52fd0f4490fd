// docs/suspects.md, and the shares that `why --suspects` prints, are what the logs of others give today.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MEASURED, MEASURED_LOGS } from "../../src/findings/measuredShares.ts";
import { GUESS_RULES, type GuessRule } from "../../src/findings/suspects.ts";

const traces = "../shared/traces";
const stored = readFileSync("docs/suspects.md", "utf8");

describe.skipIf(!existsSync(traces))("the logs of others", () => {
  it("[FI42] give the figures of the page on suspects", () => {
    const args = ["tools/suspectsStatistics.ts", "--of", traces];

    expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(stored);
  });
});

it("[FI42] the shares that are printed are those of the page", () => {
  const all = stored.slice(stored.indexOf(`## All ${MEASURED_LOGS} logs`));
  for (const rule of Object.keys(GUESS_RULES) as GuessRule[]) {
    const line = all.split("\n").find((one) => one.includes(`| ${GUESS_RULES[rule]} `)) ?? "";
    const [step, three, agent] = [...line.matchAll(/([\d.]+) % \(/g)].map(([, share]) =>
      Number(share),
    );

    expect({ step, three, agent }).toEqual(MEASURED[rule]);
  }
});
