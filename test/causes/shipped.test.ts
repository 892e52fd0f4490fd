// Sections of SPEC.md: Blame and prevent, on shipped scenarios.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SHIPPED } from "../../bench/shipped/causes.ts";
import { MISSED } from "../../bench/shipped/missed.ts";
import { variantOf } from "../../src/contract/scenario.ts";
import { loadScenario } from "../builtInScenarios.ts";

const [, page = ""] = readFileSync("docs/blame-truth.md", "utf8").split("## Shipped scenarios");

it("[BL32] the words that name a cause stand in the text, and the outcome is one of its expectations", () => {
  const unsaid = SHIPPED.filter(({ scenario: name, variant, outcome, quote }) => {
    const { scenario } = loadScenario(name);
    const { why = "" } = scenario.variants[variant ?? ""] ?? {};
    const isSaid = `${scenario.why} ${why}`.replace(/\s+/g, " ").includes(quote);
    const isExpected = variantOf(scenario, variant).expect.some(({ name: one }) => one === outcome);
    return !isSaid || !isExpected;
  });

  expect(SHIPPED.length).toBeGreaterThan(50);
  expect(unsaid).toEqual([]);
});

it("[BL32] the page has a line for each, says how often it is first, and explains what was missed", () => {
  const [table = "", missed = ""] = page.split("\nMissed:\n");
  const lines = table
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);

  const named = lines.map((line) => line.split("|").slice(1, 3));
  expect(named.map((cells) => cells.map((cell) => cell.trim()))).toEqual(
    SHIPPED.map(({ scenario, variant, outcome }) => [
      variant === null ? scenario : `${scenario}, ${variant}`,
      outcome,
    ]),
  );
  expect(lines.filter((line) => !line.includes("| first"))).toHaveLength(
    Object.keys(MISSED).length,
  );
  expect(page).toContain(`: ${lines.length - Object.keys(MISSED).length} of ${lines.length}\n`);
  for (const [at, why] of Object.entries(MISSED)) expect(missed).toContain(`- *${at}*. ${why}`);
});
