import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { CountTable } from "../bench/counts.ts";
import { pastBudget, withRoom } from "../bench/pastBudget.ts";

const counts: CountTable = { world: { calls: 100, hashes: 1, canonicalTexts: 2, bytes: 1_000 } };

it("a delivery within its budget is no matter", () => {
  expect(pastBudget(counts, withRoom(counts))).toEqual([]);
});

it.each([
  ["calls", "world: 110 calls of functions per delivery, past the budget of 105 by 5, 4.8 %"],
  ["hashes", "world: 1.1 hashes per delivery, past the budget of 1.01 by 0.09, 8.9 %"],
  ["bytes", "world: 1200 bytes allocated per delivery, past the budget of 1150 by 50, 4.3 %"],
] as const)("more %s than their budget fails, and says by how much", (kind, says) => {
  const more = { calls: 110, hashes: 1.1, bytes: 1_200 }[kind];
  const world = { ...counts["world"], [kind]: more } as CountTable[string];

  expect(pastBudget({ world }, withRoom(counts))).toEqual([says]);
});

it("what has no budget fails, and a budget for what is not run", () => {
  expect(pastBudget(counts, {})).toHaveLength(4);
  expect(pastBudget({}, counts)).toEqual(["world: a budget for what is not run"]);
});

it("the written budget is for runs without texts, with digests and with a log", () => {
  const budget: CountTable = JSON.parse(readFileSync("bench/budget.json", "utf8"));

  expect(budget["statechart, bare"]).toMatchObject({ hashes: 0, canonicalTexts: 0 });
  expect(Object.keys(budget)).toContain("statechart, full");
});
